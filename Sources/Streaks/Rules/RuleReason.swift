public import Calendar

/// What a clause of a rule had to do with a day: which one decided, and which allowance was spent or earned.
public enum RuleReason: Hashable, Sendable {
  /// Clause `partial_credit`: the value was enough to do what a full day does.
  case partialCredit
  /// Clause `late`: the record counts, though it was made so many hours after the end of the day.
  case lateTaken(hours: Int)
  /// Clause `late`: the record does not count, for it was made so many hours after the end of the day.
  case lateRefused(hours: Int)
  /// Clause `skips`: the skip is one of those that the period allows, and so many are left.
  case skipSpent(left: Int)
  /// Clause `skips`: no skip was left, so that the day is judged as though nothing had been recorded.
  case noSkipLeft
  /// Clause `grace`: the miss is forgiven.
  case graceSpent
  /// Clause `freezes`: a freeze was spent on the miss, and so many are left.
  case freezeSpent(left: Int)
  /// Clause `freezes`: the day earned one, and so many are held.
  case freezeEarned(held: Int)
  /// Clause `counts`: the period has so many full days, and needed so many; with it, it counts or fails.
  case period(full: Int, needed: Int)
  /// Clause `counts`: the strength after the day, in hundredths, against the one that is needed.
  case strength(Int, needed: Int)

  /// The clause, by its name in a rule file.
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
  /// What the clauses of the rule had to do with the days of a history, where they had anything; nothing for a rule
  /// in code. O(days + records).
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

  /// Gives every judged day of a history to a sink, with what clauses had to do with it.
  package func trace<Sink: DaySink>(_ history: HabitHistory, into sink: consuming Sink) -> Sink {
    guard let definition else { return walk(history, into: sink) }
    return walk(history, by: definition, into: sink, tracing: true)
  }

  /// Whether the record of a day counts, where it was made late and the rule has a clause about that.
  package func lateReasons(on day: Day, in history: HabitHistory) -> [RuleReason] {
    guard let definition, definition.needsRecordTimes, definition.clauses(on: day).late != nil,
      let record = history.records.first(where: { $0.day == day && $0.hoursLate > 0 })
    else { return [] }
    let isKept = definition.withoutRefused(history).records.contains { $0.day == day }
    let hours = Int(record.hoursLate)
    return [isKept ? .lateTaken(hours: hours) : .lateRefused(hours: hours)]
  }
}
