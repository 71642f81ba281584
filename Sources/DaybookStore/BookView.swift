public import Daybook
public import Journal

/// A book as it is or was at an instant: what is shown of it, for a day of one's choice.
public struct BookView: Sendable {
  /// Everything that holds.
  public let state: BookState
  /// From when it is seen, about which day, by which rule.
  public let query: Query
  let reader: BookReader
  /// The entries of the one habit that the view is about, if it is about one.
  private let trail: AuditTrail?
  /// The entries that the state knows and no log has: what is supposed (``supposing(_:)``).
  let supposed: [Entry]

  /// Sees a book as of an instant.
  ///
  /// - Parameters:
  ///   - state: What holds by the entries until the query's instant.
  ///   - query: From when it is seen.
  ///   - reader: Where the entries are read that the state does not keep.
  public init(_ state: BookState, _ query: Query, _ reader: BookReader) {
    self.init(state, query, reader, nil)
  }

  init(
    _ state: BookState, _ query: Query, _ reader: BookReader, _ trail: AuditTrail?,
    supposed: [Entry] = []
  ) {
    self.state = state
    self.query = query
    self.reader = reader
    self.trail = trail
    self.supposed = supposed
  }

  /// Makes a view of one habit from its entries until the query's instant.
  init(_ found: HabitEntries, _ query: Query, _ reader: BookReader) {
    self.init(
      BookState(of: found.habit, ownedBy: found.owner, found.entries), query, reader,
      AuditTrail(habit: found.habit, owner: found.owner, found.entries))
  }

  /// A habit's streaks in short.
  ///
  /// - Throws: ``Rejection``.
  public func streak(of habit: Habit.ID) throws -> StreakSummary {
    try query.rule.summary(of: state.history(of: self.habit(habit, for: nil), query).0)
  }

  /// Why a habit's streak is what it is: each day, with the entries that made it so.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - days: Only these days; all without it.
  /// - Returns: The audit.
  /// - Throws: ``Rejection``, or ``JournalError``.
  public func audit(of habit: Habit.ID, days: ClosedRange<Day>? = nil) throws -> Audit {
    let found = try self.habit(habit, for: nil)
    let trail = try trail(of: habit, found)
    return Audit(try state.view(of: found, query), trail, days: days)
  }

  /// The recorded entries that touch a habit.
  func recordedTrail(of number: Habit.ID) throws -> AuditTrail {
    try trail ?? reader.auditTrail(of: number, until: query.asOf)
  }

  /// The view at another instant, with what else is supposed.
  func with(_ state: BookState, asOf instant: Instant, supposing entries: [Entry]) -> BookView {
    var query = query
    query.asOf = instant
    return BookView(state, query, reader, trail, supposed: supposed + entries)
  }

  /// The entries that touch a habit, those that are supposed last.
  private func trail(of number: Habit.ID, _ habit: Habit) throws -> AuditTrail {
    let creation = supposed.firstIndex { entry in
      EntityKind.created(by: entry.event).map { $0 == (.habit, habit.key) } ?? false
    }
    if let creation {
      return AuditTrail(habit: number, owner: habit.owner, Array(supposed[creation...]))
    }
    var trail = try recordedTrail(of: number)
    for entry in supposed { trail.apply(entry) }
    return trail
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
    let state = try instant == nil ? state() : seenState(asOf: instant ?? .last)
    let asOf = instant ?? max(BookClock.system.now(), state.at)
    return BookView(state, Query(asOf: asOf, on: day, rule: rule, zones: zones), self)
  }

  /// The state as the book knew it at an instant, as the members of now see it (``BookState/seen(from:)``).
  ///
  /// - Throws: ``JournalError``.
  package func seenState(asOf instant: Instant) throws(JournalError) -> BookState {
    let past = try state(asOf: instant)
    // Where no household or hive was, there is nothing to be a member of.
    guard !past.households.elements.isEmpty || !past.hives.elements.isEmpty else { return past }
    return past.seen(from: try state())
  }
}

extension BookReader {
  /// One habit as the book knew it at an instant: a view that answers for this habit alone, at once, whatever
  /// the length of the book.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - instant: As of when; now without it.
  ///   - day: About which day; today without it.
  ///   - rule: The streak rule.
  /// - Returns: The view: its state holds the habit and its owner, and nothing else.
  /// - Throws: ``Rejection/habitNotFound`` when there was no such habit yet, or ``JournalError``.
  public func view(
    of habit: Habit.ID, asOf instant: Instant? = nil, on day: Day? = nil,
    rule: StreakRule = .daybook
  ) throws -> BookView {
    let found = try HabitEntries(of: habit, until: instant ?? .last, in: self)
    let asOf = instant ?? max(BookClock.system.now(), found.lastAt)
    return BookView(found, Query(asOf: asOf, on: day, rule: rule, zones: zones), self)
  }

  /// The entries that touch a habit, until an instant.
  ///
  /// - Throws: ``Rejection/habitNotFound`` when there was no such habit yet, or ``JournalError``.
  package func auditTrail(of habit: Habit.ID, until instant: Instant = .last) throws -> AuditTrail {
    let found = try HabitEntries(of: habit, until: instant, in: self)
    return AuditTrail(habit: habit, owner: found.owner, found.entries)
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
