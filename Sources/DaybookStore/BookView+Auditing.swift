public import Daybook

extension BookView {
  /// How each day of a habit was judged when it closed, next to what is known about it now.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - days: Only these days; nil for all.
  /// - Returns: The closed days.
  /// - Throws: ``Rejection``, or ``JournalError``.
  public func thenAndNow(of habit: Habit.ID, days: ClosedRange<Day>? = nil) throws -> ThenAndNow {
    let found = try self.habit(habit, for: nil)
    let entries = try entries(of: [.habit(habit), .account(found.owner)])
    return try ThenAndNow(
      try state.view(of: found, query), habit, entries, query, days: days)
  }

  /// How each day of a hive was judged when it closed for all members, next to what is known about it now.
  ///
  /// - Parameters:
  ///   - hive: The hive.
  ///   - viewer: The account that asks: a member.
  ///   - days: Only these days; nil for all.
  /// - Returns: The closed days.
  /// - Throws: ``Rejection/hiveNotFound``, ``Rejection/notMember``, or ``JournalError``.
  public func thenAndNow(
    of hive: Hive.ID, for viewer: Account.ID, days: ClosedRange<Day>? = nil
  ) throws -> HiveThenAndNow {
    let audit = try audit(of: hive, for: viewer)
    let members = audit.hive.members.map { Aggregate.account($0.account) }
    return HiveThenAndNow(
      audit, hive, try entries(of: [.hive(hive)] + members), query, days: days)
  }

  /// The entries of some aggregates within the view's state, oldest first.
  func entries(of aggregates: [Aggregate]) throws -> [Entry] {
    try lists(of: aggregates).values.flatMap(\.self).sorted { $0.head.position < $1.head.position }
  }
}
