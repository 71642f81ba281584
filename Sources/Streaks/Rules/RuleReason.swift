public import Calendar

/// A clause's part in judging a day: which one decided, and which allowance was spent or earned.
public enum RuleReason: Hashable, Sendable {
  /// Clause `partial_credit`: the value was enough for the effect of a full day.
  case partialCredit
  /// Clause `late`: the record counts although it was made this many hours after the end of the day.
  case lateTaken(hours: Int)
  /// Clause `late`: the record does not count because it was made this many hours after the end of the day.
  case lateRefused(hours: Int)
  /// Clause `skips`: the skip is within the period's allowance; `left` skips remain.
  case skipSpent(left: Int)
  /// Clause `skips`: no skip was left, so the day is judged as if nothing had been recorded.
  case noSkipLeft
  /// Clause `grace`: the miss is forgiven.
  case graceSpent
  /// Clause `freezes`: a freeze was spent on the miss; `left` freezes remain.
  case freezeSpent(left: Int)
  /// Clause `freezes`: the day earned a freeze; `held` freezes are now held.
  case freezeEarned(held: Int)
  /// Clause `counts`: the day decides whether the period counts; it has `full` full days and needs `needed`.
  case period(full: Int, needed: Int)
  /// Clause `counts`: the strength after the day in hundredths, and the strength needed.
  case strength(Int, needed: Int)

  /// The name of the clause in a rule file.
  public var clause: String {
    switch self {
    case .partialCredit: "partial_credit"
    case .lateTaken, .lateRefused: "late"
    case .skipSpent, .noSkipLeft: "skips"
    case .graceSpent: "grace"
    case .freezeSpent, .freezeEarned: "freezes"
    case .period, .strength: "counts"
    }
  }
}

extension StreakRule {
  /// The reasons that the clauses gave for the days of a history; empty for a rule in code. O(days +
  /// records).
  public func reasons(in history: HabitHistory) -> [Day: [RuleReason]] {
    guard let definition else { return [:] }
    let counted = definition.withoutRefused(history)
    var reasons = walk(
      history, by: definition, into: ReasonSink(), tracing: true
    ).reasons
    guard definition.needsRecordTimes else { return reasons }
    let kept = Set(counted.records.map(\.day))
    for record in history.records where record.hoursLate > 0 {
      guard definition.clauses(on: record.day).late != nil else { continue }
      let hours = Int(record.hoursLate)
      reasons[record.day, default: []].insert(
        kept.contains(record.day) ? .lateTaken(hours: hours) : .lateRefused(hours: hours), at: 0)
    }
    return reasons
  }

  /// Passes every judged day of a history to a sink, with the reasons that the clauses gave for it.
  package func trace<Sink: DaySink>(_ history: HabitHistory, into sink: consuming Sink) -> Sink {
    guard let definition else { return walk(history, into: sink) }
    return walk(history, by: definition, into: sink, tracing: true)
  }

  /// The reasons that the clause `late` gives for the record of a day, if it was made late.
  package func lateReasons(on day: Day, in history: HabitHistory) -> [RuleReason] {
    guard let definition, definition.needsRecordTimes, definition.clauses(on: day).late != nil,
      let record = history.records.first(where: { $0.day == day && $0.hoursLate > 0 })
    else { return [] }
    let isKept = definition.withoutRefused(history).records.contains { $0.day == day }
    let hours = Int(record.hoursLate)
    return [isKept ? .lateTaken(hours: hours) : .lateRefused(hours: hours)]
  }
}
