public import Daybook
public import Journal

/// A book as of an instant, for questions about a chosen day.
public struct BookView: Sendable {
  /// The state as of the query's instant.
  public let state: BookState
  /// The instant, day and rule of the view.
  public let query: Query
  let reader: BookReader
  /// The entries of the one habit that the view is about, if there is one.
  private let trail: AuditTrail?
  /// Supposed entries: the state includes them, but no log holds them (``supposing(_:)``).
  let supposed: [Entry]

  /// Makes a view of a book as of an instant.
  ///
  /// - Parameters:
  ///   - state: The state after the entries until the query's instant.
  ///   - query: The instant, day and rule.
  ///   - reader: Reads the entries that the state does not keep.
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

  /// A summary of a habit's streaks.
  ///
  /// - Throws: ``Rejection``.
  public func streak(of habit: Habit.ID) throws -> StreakSummary {
    try query.rule.summary(of: state.history(of: self.habit(habit, for: nil), query).0)
  }

  /// Explains a habit's streak: each day, with the entries that decided it.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - days: The days to explain; `nil` for all.
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

  /// The view at another instant, with further supposed entries.
  func with(_ state: BookState, asOf instant: Instant, supposing entries: [Entry]) -> BookView {
    var query = query
    query.asOf = instant
    return BookView(state, query, reader, trail, supposed: supposed + entries)
  }

  /// The entries that touch a habit, supposed ones last.
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
  /// A view of the book as of an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant; `nil` means the present.
  ///   - day: The day that the view is about; `nil` for today.
  ///   - rule: The streak rule.
  /// - Returns: The view; it does not change when more is recorded.
  /// - Throws: ``JournalError``.
  public func view(
    asOf instant: Instant? = nil, on day: Day? = nil, rule: StreakRule = .daybook
  ) throws(JournalError) -> BookView {
    let state = try instant == nil ? state() : seenState(asOf: instant ?? .last)
    let asOf = instant ?? max(BookClock.system.now(), state.at)
    return BookView(state, Query(asOf: asOf, on: day, rule: rule, zones: zones), self)
  }

  /// The state as of an instant. The present members of households and hives decide who may see what in it
  /// (``BookState/seen(from:)``).
  ///
  /// - Throws: ``JournalError``.
  package func seenState(asOf instant: Instant) throws(JournalError) -> BookState {
    let past = try state(asOf: instant)
    // Without households and hives there are no memberships to replace.
    guard !past.households.elements.isEmpty || !past.hives.elements.isEmpty else { return past }
    return past.seen(from: try state())
  }
}

extension BookReader {
  /// A view of one habit as of an instant. It answers questions about this habit only. Making it
  /// takes the same time however long the book is.
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - instant: The instant; `nil` means the present.
  ///   - day: The day that the view is about; `nil` for today.
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
  /// A view of the book as it is now.
  ///
  /// - Parameters:
  ///   - day: The day that the view is about; `nil` for today.
  ///   - rule: The streak rule.
  /// - Returns: The view; it does not change when more is recorded.
  public func view(on day: Day? = nil, rule: StreakRule = .daybook) -> BookView {
    let state = read { $0 }
    let query = Query(asOf: max(now, state.at), on: day, rule: rule, zones: reader.zones)
    return BookView(state, query, reader)
  }

  /// A view of the book as of an instant.
  ///
  /// - Throws: ``JournalError``.
  public func view(
    asOf instant: Instant, on day: Day? = nil, rule: StreakRule = .daybook
  ) throws(JournalError) -> BookView {
    try reader.view(asOf: instant, on: day, rule: rule)
  }
}
