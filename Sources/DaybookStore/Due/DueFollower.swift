package import Calendar
package import Daybook
import Journal

/// Computes what falls due in a book, one span of time after another. Each span costs what was
/// recorded in it, plus a look at everybody with reminders.
///
/// Spans are divided by position. An entry whose time lies before the end of the last span, because
/// writing it took so long, counts in the next span.
package struct DueFollower {
  private let reader: BookReader
  /// The person to notify; nil for everybody.
  private let person: Account.ID?
  /// Whether a short first span is judged log by log, too.
  private let judgesFirst: Bool
  /// The state at the end of the last span.
  package private(set) var state: BookState
  /// The end of the last span.
  package private(set) var at: Instant
  private var completed = CompletedDays()
  /// The entries to come; nil before the first span and after a failure.
  private var entries: EntryFollower?
  /// Entries already read.
  private var next: ArraySlice<Entry> = []

  /// The most entries in a first span that is judged log by log: some seconds of work.
  static let mostJudged: Int64 = 1_000_000

  /// Starts after a state.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - state: The state that the notifications so far cover; later entries count, whenever they
  ///     were recorded.
  ///   - at: Only what falls due by the clock after this instant counts.
  ///   - judgesFirst: Whether a short first span is judged log by log, as all later spans are. What
  ///     an open book missed lately is then found without reading the entries of everybody who did
  ///     something meanwhile.
  ///   - person: The person to notify; nil for everybody.
  package init(
    _ reader: BookReader, from state: BookState, after at: Instant, judgesFirst: Bool = false,
    for person: Account.ID? = nil
  ) {
    self.reader = reader
    self.person = person
    self.judgesFirst = judgesFirst
    self.state = state
    self.at = at
  }

  /// What falls due after the last span, up to and including an instant, in the order of time.
  ///
  /// - Throws: ``JournalError``, or ``Rejection`` for a person with more times of day in the span
  ///   than one query may examine; then the next span begins where this one did.
  package mutating func due(through end: Instant) throws -> [DueNotification] {
    let missed = (reader.log.signal?.head ?? .max) - state.position
    var due = DueReplay(
      from: state, after: at, through: end, in: reader.zones, knowing: completed,
      judgesAtOnce: entries != nil || judgesFirst && missed <= Self.mostJudged, for: person)
    do {
      if entries == nil {
        // The first span may be long, and a replay is faster; the entries after it are followed.
        try reader.replay(into: &due, from: state.position + 1, until: end)
        entries = try EntryFollower(reader.log, from: due.state.position + 1)
      } else {
        while let entry = try nextEntry(until: end) { due.apply(entry) }
      }
      due.finish()
      if due.isCutOff { throw Rejection.beyond(.dueSteps, "to") }
      let found = try notifications(of: due)
      (state, at, completed) = (due.state, end, due.completedDays)
      return found
    } catch {
      (entries, next) = (nil, [])
      throw error
    }
  }

  /// The next entry after the first span, if it was recorded until an instant.
  private mutating func nextEntry(until end: Instant) throws(JournalError) -> Entry? {
    if next.isEmpty {
      guard var following = entries else { return nil }
      next = try following.read(until: reader.log.signal?.head)[...]
      entries = following
    }
    guard let entry = next.first, entry.head.at <= end else { return nil }
    next.removeFirst()
    return entry
  }

  private func notifications(of due: DueReplay) throws -> [DueNotification] {
    var notifications = due.notifications
    let wanted = due.completedHabits.map { Aggregate.habit($0) }
    if !wanted.isEmpty {
      let found = try AggregateEntries(
        of: wanted, withOwners: true, through: due.state.position, mayScan: true, in: reader)
      for habit in due.completedHabits {
        guard let owner = due.state.habits[habit]?.owner else { continue }
        notifications += due.milestones(of: habit, found.merged([.habit(habit), .account(owner)]))
      }
    }
    // Those of one instant have one order, whatever else the span holds.
    return notifications.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }
}
