public import Calendar
public import Streaks
public import Avro

/// An explanation of a habit's streak: day by day, with the entries behind each day, and for each break what would have
/// saved the streak (ES-3).
public struct Audit: Sendable {
  /// One judged day with its evidence.
  public struct AuditedDay: Sendable {
    /// The rule's judgement of the day.
    public let judged: JudgedDay
    /// The value that was entered for the day, when another value was judged.
    public let entered: Amount?
    /// The entries behind the day, oldest first: its logs, skips and clears, the changes made on it, and for a paused
    /// day the pauses and archivings that cover it.
    public let evidence: [AuditTrail.Item]
    /// The clauses of the rule that applied to the day; nothing for a rule in code.
    public let reasons: [RuleReason]
  }

  /// Judged days with their evidence, which is gathered on access: there may be a million days.
  public struct AuditedDays: RandomAccessCollection, Sendable {
    fileprivate let judged: ArraySlice<JudgedDay>
    fileprivate let evidence: Evidence
    fileprivate let entered: [Day: Amount]
    /// The reasons by day; nothing for a rule in code.
    fileprivate let reasons: [Day: [RuleReason]]?

    /// The index of the first day.
    public var startIndex: Int { judged.startIndex }
    /// The index after the last day.
    public var endIndex: Int { judged.endIndex }
    /// The day at an index.
    public subscript(place: Int) -> AuditedDay {
      AuditedDay(
        judged: judged[place], entered: entered[judged[place].day],
        evidence: evidence.items(for: judged[place]),
        reasons: reasons?[judged[place].day] ?? [])
    }
  }

  /// A day that ended a streak.
  public struct AuditedBreak: Sendable {
    /// The day, and the length of the streak that it ended.
    public let ended: Break
    /// The remedies, each of which would have saved the streak.
    public let savedBy: [Remedy]
  }

  /// The habit's view that was audited.
  public let view: HabitView
  /// The judged days, ascending.
  public let days: AuditedDays
  /// The days that ended a streak, oldest first.
  public let breaks: [AuditedBreak]

  /// Audits a habit.
  ///
  /// - Parameters:
  ///   - view: The habit, judged.
  ///   - trail: The entries that touch the habit, until the same instant.
  ///   - span: The days to include; all if not given.
  public init(_ view: HabitView, _ trail: AuditTrail, days span: ClosedRange<Day>? = nil) {
    self.view = view
    let judged = view.judgement.days[...]
    let shown = span.map { span in
      judged.drop { $0.day < span.lowerBound }.prefix { $0.day <= span.upperBound }
    }
    days = AuditedDays(
      judged: shown ?? judged, evidence: Evidence(trail), entered: view.history.entered,
      reasons: view.rule.definition.map { _ in view.rule.reasons(in: view.history) })
    breaks = view.judgement.breaks
      .filter { ended in span.map { $0.contains(ended.day) } ?? true }
      .map { ended in
        AuditedBreak(
          ended: ended,
          savedBy: view.rule.remedies(for: ended.day, in: view.history, view.judgement))
      }
  }

  /// The audit as JSON, in the form of `daybook audit --json`.
  public func json(in state: BookState) -> JSON {
    .object(
      membersBeforeDays + [.init("days", .array(dayList(in: state).rows))] + membersAfterDays)
  }

  /// The rows of the days; there may be many.
  package func dayList(in state: BookState) -> some Listing {
    AuditedDayList(days: days, state: state)
  }

  /// The members of its JSON before the days.
  public var membersBeforeDays: [JSON.Member] {
    [
      .init("habit", .key(view.habit.key)), .init("name", .string(view.habit.description.name)),
      .init("rule", ["id": .string(view.rule.id), "version": .number(view.rule.version)]),
      .init("current", .number(view.judgement.current?.length ?? 0)),
      .init("longest", .number(view.judgement.longest?.length ?? 0)),
    ]
  }

  /// The members of its JSON after the days.
  public var membersAfterDays: [JSON.Member] {
    let streaks = view.judgement.streaks.map { streak -> JSON in
      [
        "start": .day(streak.start), "end": .day(streak.end), "length": .number(streak.length),
      ]
    }
    let breaks = breaks.map { broken -> JSON in
      [
        "day": .day(broken.ended.day), "lost": .number(broken.ended.lost),
        "saved_by": .array(broken.savedBy.map { $0.json(on: broken.ended.day) }),
      ]
    }
    return [.init("streaks", .array(streaks)), .init("breaks", .array(breaks))]
  }

  /// A trail's entries, grouped by the days that they affect.
  fileprivate struct Evidence: Sendable {
    private var byDay: [Day: [AuditTrail.Item]] = [:]
    /// The causes that pause the days of a span: pauses of the account, or archivings.
    private var covering: [(item: AuditTrail.Item, cause: DayEffect.Pause, days: DaySpan)] = []

    init(_ trail: AuditTrail) {
      for item in trail.items {
        switch item.event.dayEffect {
        case .day(_, let day, _), .rule(from: let day): byDay[day, default: []].append(item)
        case .pause(let cause, let days): covering.append((item, cause, days))
        case .end(let cause, on: let day): end(cause, before: day)
        case .pauses(let spans):
          covering.removeAll { $0.cause == .account }
          covering += spans.map { (item, .account, $0) }
        case .creation, .clock, .nothing: break
        }
      }
    }

    /// Shortens the spans that include a day, as resuming and restoring do.
    private mutating func end(_ cause: DayEffect.Pause, before day: Day) {
      for index in covering.indices
      where covering[index].cause == cause && covering[index].days.contains(day) {
        covering[index].days.last = day.advanced(by: -1)
      }
    }

    func items(for judged: JudgedDay) -> [AuditTrail.Item] {
      let own = byDay[judged.day] ?? []
      guard judged.mark == .paused else { return own }
      let pauses = covering.filter { $0.days.contains(judged.day) }.map(\.item)
      return (own + pauses).sorted { $0.position < $1.position }
    }
  }
}

/// The rows of an audit's days.
private struct AuditedDayList: Listing {
  let days: Audit.AuditedDays
  let state: BookState

  var stepCount: Int { days.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for step in steps {
      let day = days[days.startIndex + step]
      rows.value(day.json(in: state, withReasons: days.reasons != nil))
    }
  }
}

extension Audit.AuditedDay {
  fileprivate func json(in state: BookState, withReasons hasReasons: Bool) -> JSON {
    var members: [JSON.Member] = [
      .init("day", .day(judged.day)), .init("mark", .string(judged.mark.rawValue)),
      .init("due", .bool(judged.due)), .init("value", judged.value.map { .number($0) } ?? .null),
    ]
    if let entered { members.append(.init("entered_value", .number(entered))) }
    members += [
      .init("target", .number(judged.target.amount)), .init("streak", .number(judged.streak)),
      .init("schedule_since", .day(judged.scheduleSince)),
      .init("evidence", .array(evidence.map { $0.json(in: state) })),
    ]
    if hasReasons { members.append(.init("reasons", .array(reasons.map(\.json)))) }
    return .object(members)
  }
}

extension Remedy {
  /// The remedy as a command for `daybook apply`, without the habit and the actor.
  func json(on day: Day) -> JSON {
    switch self {
    case .log(let value): ["do": "log_habit", "day": .day(day), "value": .number(value)]
    case .skip: ["do": "skip_day", "day": .day(day)]
    case .pause: ["do": "pause", "from": .day(day), "to": .day(day)]
    }
  }
}
