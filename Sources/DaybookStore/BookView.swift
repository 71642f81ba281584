public import Daybook
public import Journal

/// A book as it is or was at an instant: what is shown of it, for a day of one's choice.
public struct BookView: Sendable {
  /// Everything that holds.
  public let state: State
  /// From when it is seen, about which day, by which rule.
  public let query: Query
  private let reader: BookReader

  init(_ state: State, _ query: Query, _ reader: BookReader) {
    self.state = state
    self.query = query
    self.reader = reader
  }

  /// A habit's streaks in short.
  ///
  /// - Throws: ``HabitRejection/habitNotFound`` or a ``QueryRejection``.
  public func streak(of habit: Habit.ID) throws -> StreakSummary {
    try query.rule.summary(of: state.history(of: found(habit), query).0)
  }

  /// Why a habit's streak is what it is: each day, with the entries that made it so.
  ///
  /// - Throws: ``HabitRejection/habitNotFound``, a ``QueryRejection``, or ``JournalError``.
  public func audit(_ habit: Habit.ID) throws -> Audit {
    let found = try found(habit)
    var trail = Trail(habit: habit, owner: found.owner)
    try reader.replay(into: &trail, until: query.asOf)
    return Audit(try state.view(of: found, query), trail)
  }

  private func found(_ number: Habit.ID) throws(HabitRejection) -> Habit {
    guard let habit = state.habits[number], !habit.isDeleted else { throw .habitNotFound }
    return habit
  }
}

extension BookReader {
  /// The book as it knew things at an instant.
  ///
  /// - Parameters:
  ///   - instant: As of when; now without it.
  ///   - day: About which day; today without it.
  ///   - rule: The streak rule.
  /// - Returns: The view; it stays as it is when the book goes on.
  /// - Throws: ``JournalError``.
  public func view(
    asOf instant: Instant? = nil, on day: Day? = nil, rule: StreakRule = .daybook
  ) throws(JournalError) -> BookView {
    let state = try state(asOf: instant ?? .last)
    let asOf = instant ?? max(BookClock.system.now(), state.at)
    return BookView(state, Query(asOf: asOf, on: day, rule: rule, zones: zones), self)
  }
}

extension Book {
  /// The book as it is now.
  ///
  /// - Parameters:
  ///   - day: About which day; today without it.
  ///   - rule: The streak rule.
  /// - Returns: The view; it stays as it is when the book goes on.
  public func view(on day: Day? = nil, rule: StreakRule = .daybook) -> BookView {
    let state = read { $0 }
    let query = Query(asOf: max(now, state.at), on: day, rule: rule, zones: reader.zones)
    return BookView(state, query, reader)
  }

  /// The book as it knew things at an instant.
  ///
  /// - Throws: ``JournalError``.
  public func view(
    asOf instant: Instant, on day: Day? = nil, rule: StreakRule = .daybook
  ) throws(JournalError) -> BookView {
    try reader.view(asOf: instant, on: day, rule: rule)
  }
}
