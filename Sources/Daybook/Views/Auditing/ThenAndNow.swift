public import Calendar
public import Streaks

/// Compares each day of a habit as it was at its close with the day as it is known now. It shows which entries came in
/// between, how late each was, and from which source.
public struct ThenAndNow: Sendable {
  /// A day that has closed.
  public struct ClosedDay: Sendable {
    /// The day.
    public let day: Day
    /// Its last moment, by the clock that its owner had then.
    public let closed: Instant
    /// The rule's judgement at its close; nothing when the habit did not exist, or the rule did not judge the day.
    public let then: JudgedDay?
    /// The rule's judgement now; nothing when the rule does not judge the day.
    public let now: JudgedDay?
    /// The logs, skips and clears of the day, oldest first.
    public let logs: [DatedEntry]
    /// Other entries after the close that pause the day or change its rule, oldest first.
    public let otherChanges: [DatedEntry]

    /// Whether the mark or the value has changed since the close.
    public var isChanged: Bool { then?.mark != now?.mark || then?.value != now?.value }
    /// Whether the streak after it has changed since the close, even if only because of an earlier day.
    public var isStreakChanged: Bool { then?.streak ?? 0 != now?.streak ?? 0 }
    /// Whether a log, skip or clear of it was recorded after its close.
    public var isLate: Bool { logs.contains(where: \.isLate) }
    /// The entries that changed it since its close, oldest first.
    public var changes: [DatedEntry] {
      (logs.filter(\.isLate) + otherChanges).sorted { $0.item.position < $1.item.position }
    }
    /// Whether it counts for a streak now, and did not at its close.
    public var isLeanedOn: Bool { now?.effect == .extends && then?.effect != .extends }
  }

  /// The current view of the habit.
  public let view: HabitView
  /// The requested days that have closed, ascending.
  public let days: [ClosedDay]
  /// The number of days of the current streak that did not count at their close.
  public let leanedOnCount: Int

  /// Compares the days at their close with the present.
  ///
  /// - Parameters:
  ///   - view: The current view of the habit.
  ///   - number: Its number.
  ///   - entries: The entries of the habit and of its owner until the query's instant, oldest first.
  ///   - query: The query for the present view, with its rule.
  ///   - span: The days to include; all if not given.
  /// - Throws: ``Rejection/unknownTimeZone(_:)``.
  /// - Complexity: one judgement for each closed day about which, or after which, something was recorded.
  public init(
    _ view: HabitView, _ number: Habit.ID, _ entries: [Entry], _ query: Query,
    days span: ClosedRange<Day>? = nil
  ) throws(Rejection) {
    self.view = view
    let evidence = DayEvidence(entries.map { AuditTrail.Item($0) })
    let now = view.judgement
    let first = [now.days.first?.day, evidence.first].compactMap { $0 }.min()
    let last = min(view.history.openFrom.advanced(by: -1), view.day, span?.upperBound ?? .last)
    guard let first, first <= last else {
      (days, leanedOnCount) = ([], 0)
      return
    }
    var closes = DayClosingReplay(of: number, ownedBy: view.habit.owner, entries, query)
    let told = try closes.closedDays(from: first, through: last)
    let all = told.map { told in
      ClosedDay(
        day: told.day, closed: told.closed, then: told.judged, now: now[told.day],
        logs: evidence.logs(of: told.day, closed: told.closed),
        otherChanges: evidence.otherChanges(
          of: told.day, after: told.closed,
          isPauseChanged: (told.judged?.mark == .paused) != (now[told.day]?.mark == .paused)))
    }.filter { $0.then != nil || $0.now != nil || !$0.logs.isEmpty }
    let start = now.current?.start
    leanedOnCount = all.count { day in start.map { day.day >= $0 } ?? false && day.isLeanedOn }
    days = all.filter { span?.contains($0.day) ?? true }
  }
}

/// Entries by the days that they are about.
private struct DayEvidence {
  private var logs: [Day: [AuditTrail.Item]] = [:]
  private var others: [(item: AuditTrail.Item, days: ClosedRange<Day>)] = []

  init(_ items: [AuditTrail.Item]) {
    for item in items {
      switch item.event.dayEffect {
      case .day(_, let day, _): logs[day, default: []].append(item)
      case .rule(from: let day): others.append((item, day...Day.last))
      case .pause(_, let span):
        if span.last.map({ $0 >= span.first }) ?? true {
          others.append((item, span.first...(span.last ?? .last)))
        }
      case .end(_, on: let day): others.append((item, day...Day.last))
      case .pauses: others.append((item, Day.first...Day.last))
      case .creation, .clock, .nothing: break
      }
    }
  }

  /// The first day about which something was logged.
  var first: Day? { logs.keys.min() }

  func logs(of day: Day, closed: Instant) -> [DatedEntry] {
    (logs[day] ?? []).map { DatedEntry($0, closed: closed) }
  }

  /// For an event that replaces all pauses, the marks show whether it concerns the day.
  func otherChanges(
    of day: Day, after closed: Instant, isPauseChanged: Bool
  ) -> [DatedEntry] {
    others.filter { item, days in
      guard item.at > closed, days.contains(day) else { return false }
      if case .pauses = item.event.dayEffect { return isPauseChanged }
      return true
    }.map { DatedEntry($0.item, closed: closed) }
  }
}

extension AuditTrail.Item {
  /// An entry as evidence.
  init(_ entry: Entry) {
    self.init(
      position: entry.head.position, at: entry.head.at, actor: entry.head.actor,
      event: entry.event)
  }
}
