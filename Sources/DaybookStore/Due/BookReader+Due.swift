public import Daybook
import Journal

extension BookReader {
  /// What falls due after one instant, up to and with another (HH-25): reminders, hives at risk at 20:00 of a
  /// member's time, hives that advanced, and milestones that streaks reached. In the order of time.
  ///
  /// What falls due by the clock is judged by what the book knew at that moment. So it is a pure function of the
  /// book: asked again it says the same, with the same ids; and one span says what its parts say.
  ///
  /// - Returns: The notifications, and the state at the end of the span.
  /// - Throws: ``JournalError``.
  public func due(
    after from: Instant, through to: Instant
  ) throws -> (notifications: [DueNotification], state: BookState) {
    try due(from: try state(asOf: from), after: from, through: to)
  }

  /// As ``due(after:through:)``, from a state that is at hand: for who asks for one span after another.
  ///
  /// - Parameters:
  ///   - state: The state at the end of the span before; entries after it are told, whenever they were recorded.
  ///   - from: What falls due by the clock after it is told,
  ///   - to: up to and with this.
  /// - Returns: The notifications, and the state at the end of the span.
  /// - Throws: ``JournalError``.
  package func due(
    from state: BookState, after from: Instant, through to: Instant
  ) throws -> (notifications: [DueNotification], state: BookState) {
    var due = DueReplay(from: state, after: from, through: to, in: zones)
    try replay(into: &due, from: due.state.position + 1, until: to)
    due.finish()
    var notifications = due.notifications
    let wanted = due.loggedHabits.map { Aggregate.habit($0) }
    if !wanted.isEmpty {
      let found = try AggregateEntries(
        of: wanted, withOwners: true, through: due.state.position, in: self)
      for habit in due.loggedHabits {
        guard let owner = due.state.habits[habit]?.owner else { continue }
        notifications += due.milestones(
          of: habit, found.merged([.habit(habit), .account(owner)]))
      }
      notifications.sort { ($0.at, $0.id) < ($1.at, $1.id) }
    }
    return (notifications, due.state)
  }
}
