public import Calendar

/// A streak rule as data: what a rule file says, compiled.
///
/// It judges in one pass over the days, with a state of fixed size (``ClauseSink``). Each stage holds from its day
/// until the next one's; what was earned or used before a change is kept through it.
public struct RuleDefinition: Hashable, Sendable, Identifiable {
  /// Who marks the days.
  public enum Base: String, Hashable, Sendable, CaseIterable {
    /// Daybook's own rule.
    case daybook
    /// Loop Habit Tracker's.
    case loop
  }

  /// Clauses, and from which day on they hold.
  public struct Stage: Hashable, Sendable {
    /// The first day on which they hold; those of the first stage hold before it, too.
    public var from: Day
    /// The clauses.
    public var clauses: RuleClauses

    public init(from: Day = .first, _ clauses: RuleClauses) {
      self.from = from
      self.clauses = clauses
    }
  }

  /// The name of the rule.
  public var id: String
  /// The version of its meaning.
  public var version: Int
  /// What it is for, in a sentence.
  public var about: String
  /// Who marks the days.
  public var base: Base
  /// The laws that the rule says it holds.
  public var holds: [StreakLaw]
  /// What holds from when on: never empty, ascending by day.
  public private(set) var stages: [Stage]

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - id: The name.
  ///   - version: The version of its meaning.
  ///   - about: What it is for.
  ///   - base: Who marks the days.
  ///   - clauses: What holds from the first day on.
  ///   - changes: What holds in its place from later days on, in any order; of two on one day the last.
  ///   - holds: The laws that the rule says it holds.
  public init(
    id: String, version: Int = 1, about: String = "", base: Base = .daybook,
    _ clauses: RuleClauses = RuleClauses(), changes: [Stage] = [], holds: [StreakLaw] = []
  ) {
    self.id = id
    self.version = version
    self.about = about
    self.base = base
    self.holds = holds
    stages = [Stage(clauses)]
    for change in changes {
      stages.removeAll { $0.from == change.from }
      let place = stages.firstIndex { $0.from > change.from } ?? stages.count
      stages.insert(change, at: place)
    }
  }

  /// Whether another rule is of this version and says the same of every day, whatever it is called and says of itself.
  package func judges(as other: RuleDefinition) -> Bool {
    version == other.version && base == other.base && stages == other.stages
  }

  /// Whether a record's lateness is needed to judge it.
  @usableFromInline
  package var needsRecordTimes: Bool { stages.contains { $0.clauses.late != nil } }
}

extension StreakRule {
  public init(_ definition: RuleDefinition) {
    self.init(id: definition.id, version: definition.version, judging: .clauses(definition))
  }

  /// The clauses that the rule is made of; nothing for one in code.
  public var definition: RuleDefinition? {
    if case .clauses(let definition) = judging { definition } else { nil }
  }

  /// Whether it asks how long after the end of its day a record was made (``HabitHistory/DayRecord/hoursLate``).
  public var needsRecordTimes: Bool { definition?.needsRecordTimes ?? false }
}
