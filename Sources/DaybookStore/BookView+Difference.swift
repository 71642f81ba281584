import Avro
public import Daybook
import Journal

extension BookView {
  /// The rows that were added, removed and changed between two instants, as one person may see
  /// them, with the entries that caused it.
  ///
  /// Only the person's own entries are read, however long the book is. Rows are those of a dump. Values that follow
  /// from the clock, such as hives' streaks, are left out. Means of signing in are left out, too, because another
  /// account may take them over.
  ///
  /// - Parameters:
  ///   - start: The earlier instant.
  ///   - end: The later instant.
  ///   - viewer: The person whose rows are compared; nil for everybody with entries in between.
  ///   - habit: Only the rows of this habit.
  /// - Returns: The difference.
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection/habitNotFound``,
  ///   ``Rejection/notOwner(of:)`` for another's habit, ``Rejection`` when the later instant is
  ///   before the earlier, or ``JournalError``.
  public func difference(
    from start: Instant, to end: Instant, for viewer: Account.ID? = nil, habit: Habit.ID? = nil
  ) throws -> RowDifference {
    guard start <= end else { throw Rejection.invalidField("to", "\(end) is before \(start)") }
    let scope = try scope(from: start, to: end, viewer, habit)
    let lists = try AggregateEntries(
      of: scope, until: end, through: state.position, in: reader
    ).lists
    let isOfOne = viewer != nil || habit != nil
    let entries = lists.values.flatMap { list in
      isOfOne ? list.filter { !$0.event.isOfSignIn } : list
    }.sorted { $0.head.position < $1.head.position }
    var before = BookState(only: scope)
    let place = entries.firstIndex { $0.head.at > start } ?? entries.endIndex
    for entry in entries[..<place] { before.apply(entry) }
    var after = before
    for entry in entries[place...] { after.apply(entry) }
    let rows = viewer.map { RowViewer($0, before, after, entries[place...], now: state) }
    let key = habit.flatMap { state.habits[$0]?.key.description }
    var difference = RowDifference(
      from: before, to: after, isSeenAnew: { rows?.seesAnew($0) ?? false }
    ) { table, row, isLater in
      if let key { return (table == "habits" ? row["id"] : row["habit_id"])?.text == key }
      return rows?.isShown(table, row, isLater) ?? true
    }
    let causes = RowCauseIndex(Array(entries[place...]), in: after)
    for index in difference.changes.indices {
      let change = difference.changes[index]
      let found = causes.entries(of: change)
      difference.changes[index].entries = rows?.known(found, of: change) ?? found
    }
    return difference
  }

  /// The aggregates whose rows are compared, and those that their rows refer to.
  private func scope(
    from start: Instant, to end: Instant, _ viewer: Account.ID?, _ habit: Habit.ID?
  ) throws -> Set<Aggregate> {
    if let viewer, state.accounts[viewer] == nil { throw Rejection.accountNotFound }
    if let habit {
      guard let found = state.habits[habit] else { throw Rejection.habitNotFound }
      guard viewer == nil || found.owner == viewer else { throw Rejection.notOwner(of: .habit) }
      return state.aggregates(of: habit)
    }
    if let viewer { return state.aggregates(of: viewer) }
    var touched = PeopleCollector(state, from: try reader.state(asOf: start))
    try reader.replay(
      into: &touched, from: touched.before.position + 1,
      through: state.position, until: end)
    return touched.people.reduce(into: []) {
      $0.formUnion(state.aggregates(of: $1, withOthersHabits: true))
    }
  }
}

/// Collects the people about whom something was recorded.
private struct PeopleCollector: Projection {
  private let state: BookState
  /// The state before the next entry; it tells who loses what the entry takes over.
  private(set) var before: BookState
  private(set) var people: Set<Account.ID> = []

  init(_ state: BookState, from before: BookState) {
    self.state = state
    self.before = before
  }

  mutating func apply(_ entry: Entry) {
    if let loser = before.loser(by: entry.event) { people.insert(loser) }
    before.apply(entry)
    guard let aggregate = state.aggregate(of: entry.event) else { return }
    people.formUnion(state.people(of: aggregate))
  }
}
