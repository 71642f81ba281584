public import Calendar

/// A definition of a streak as a value: how days are marked, and the effect of each on a run.
///
/// No rule is stored in the journal: a history can be judged by any rule, and two judgements compared. A
/// custom rule changes the effects of another rule, or judges days from scratch:
///
/// ```swift
/// // Bonus days count, too.
/// let generous = StreakRule(id: "generous", version: 1, basedOn: .daybook) { days in
///   days.last?.mark == .bonus ? .extends : nil
/// }
/// // The first miss of a week (Monday first) is forgiven.
/// let lenient = StreakRule(id: "lenient", version: 1, basedOn: .daybook) { days in
///   guard let today = days.last, today.effect == .breaks else { return nil }
///   let earlier = days.dropLast().suffix(today.day.weekday)
///   return earlier.contains { $0.mark == .missed || $0.mark == .partial } ? nil : .neutral
/// }
/// ```
public struct StreakRule: Sendable, Identifiable {
  /// The effect of a day on a run.
  public enum Effect: UInt8, Hashable, Sendable, CaseIterable {
    /// The day counts, and can begin and end a run.
    case extends
    /// The day counts, but only between days that extend the run.
    case counts
    /// The day neither counts nor breaks the run.
    case neutral
    /// The day ends the run.
    case breaks
  }

  /// The name of the rule, as in `daybook streaks --rule loop`.
  public let id: String
  /// The version of the rule's meaning; raised whenever a history could be judged differently.
  public let version: Int
  @usableFromInline package let judging: Judging

  /// The shipped rules are cases, so that they run without a closure call per habit or day.
  @usableFromInline
  package enum Judging: Sendable {
    case daybook
    case loop
    case clauses(RuleDefinition)
    case custom(@Sendable (HabitHistory) -> [JudgedDay])
  }

  /// Daybook's own rule (design, "Streaks").
  public static let daybook = StreakRule(id: "daybook", version: 1, judging: .daybook)

  /// The rule of Loop Habit Tracker, unchanged (reference, "Streaks"); see ``LoopMarker``.
  public static let loop = StreakRule(id: "loop", version: 1, judging: .loop)

  /// The rules in code.
  public static let all = [daybook, loop]

  /// The rule in code with the given name.
  public static func named(_ id: String) -> StreakRule? { all.first { $0.id == id } }

  init(id: String, version: Int, judging: Judging) {
    self.id = id
    self.version = version
    self.judging = judging
  }

  /// Makes a rule that judges days from scratch; it returns them ascending, without duplicates, with their
  /// effects.
  public init(
    id: String, version: Int, judging: @escaping @Sendable (HabitHistory) -> [JudgedDay]
  ) {
    self.init(id: id, version: version, judging: .custom(judging))
  }

  /// Makes a rule that changes the effect of some days under `base`.
  ///
  /// - Parameters:
  ///   - id: The name of the rule.
  ///   - version: The version of its meaning.
  ///   - base: The rule that marks the days.
  ///   - effect: Receives the judged days so far, the day in question last, and returns its effect, or `nil`
  ///     to keep the one of `base`. The earlier days carry the effects and streaks of the new rule. It sees
  ///     no later day, so a judgement never depends on what comes after.
  public init(
    id: String, version: Int, basedOn base: StreakRule,
    effect: @escaping @Sendable (ArraySlice<JudgedDay>) -> Effect?
  ) {
    self.init(id: id, version: version) { history in
      var days = base.judgement(of: history).days
      var tally = StreakTally()
      for index in days.indices {
        days[index].streak = tally.length
        if let changed = effect(days[...index]) { days[index].effect = changed }
        tally.add(days[index].day, days[index].effect)
        days[index].streak = tally.length
      }
      return days
    }
  }

  /// Judges every day of a history. O(days + records).
  public func judgement(of history: HabitHistory) -> Judgement {
    Judgement(walk(history, into: JudgementSink()))
  }

  /// The streaks of a history in brief. The shipped rules keep no days for it: on weekday schedules only
  /// pauses cause allocations, and a day costs a few nanoseconds.
  public func summary(of history: HabitHistory) -> StreakSummary {
    walk(history, into: SummarySink()).summary
  }

  /// Passes every judged day of a history to a sink, and returns the sink.
  @inlinable
  package func walk<Sink: DaySink>(_ history: HabitHistory, into sink: consuming Sink) -> Sink {
    switch judging {
    case .daybook: return DayMarker.walk(history, into: sink)
    case .loop: return LoopMarker.walk(history, into: sink)
    case .clauses(let definition): return walk(history, by: definition, into: sink)
    case .custom(let judge):
      let days = judge(history)
      sink.reserve(days.count)
      var last: Day?
      for day in days where last.map({ $0 < day.day }) ?? true {
        sink.receive(day)
        last = day.day
      }
      return sink
    }
  }

  /// Whether days are marked as Loop Habit Tracker marks them.
  package var marksAsLoop: Bool {
    switch judging {
    case .loop: true
    case .clauses(let definition): definition.base == .loop
    case .daybook, .custom: false
    }
  }

  /// Whether Daybook's own rule marks the days of a history, with no record left out.
  package var marksAsDaybook: Bool {
    switch judging {
    case .daybook: true
    case .clauses(let definition): definition.base == .daybook && !definition.needsRecordTimes
    case .loop, .custom: false
    }
  }
}
