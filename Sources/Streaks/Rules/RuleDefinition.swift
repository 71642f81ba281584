public import Calendar

/// A streak rule as data: the compiled form of a rule file.
///
/// It judges in one pass over the days, with a fixed-size state (``ClauseSink``). Each stage holds from its
/// day until the next one's; what was earned or used before a change carries over.
public struct RuleDefinition: Hashable, Sendable, Identifiable {
  /// Which rule marks the days.
  public enum Base: String, Hashable, Sendable, CaseIterable {
    /// Daybook's own rule.
    case daybook
    /// Loop Habit Tracker's.
    case loop
  }

  /// Clauses, and the day from which they hold.
  public struct Stage: Hashable, Sendable {
    /// The first day on which the clauses hold; those of the first stage also hold before it.
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
  /// The purpose of the rule, in a sentence.
  public var about: String
  /// Which rule marks the days.
  public var base: Base
  /// The laws that the rule claims to satisfy.
  public var holds: [StreakLaw]
  /// The stages, ascending by day; never empty.
  public private(set) var stages: [Stage]

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - id: The name.
  ///   - version: The version of its meaning.
  ///   - about: The purpose of the rule.
  ///   - base: Which rule marks the days.
  ///   - clauses: The clauses that hold from the first day on.
  ///   - changes: The clauses that replace them from later days on, in any order; of two on one day the last
  ///     counts.
  ///   - holds: The laws that the rule claims to satisfy.
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

  /// Whether another rule has this version and judges every day the same, whatever its name and description.
  package func judges(as other: RuleDefinition) -> Bool {
    version == other.version && base == other.base && stages == other.stages
  }

  /// Whether judging needs to know how late a record was made.
  @usableFromInline
  package var needsRecordTimes: Bool { stages.contains { $0.clauses.late != nil } }
}

extension StreakRule {
  public init(_ definition: RuleDefinition) {
    self.init(id: definition.id, version: definition.version, judging: .clauses(definition))
  }

  /// The clauses of the rule; `nil` for a rule in code.
  public var definition: RuleDefinition? {
    if case .clauses(let definition) = judging { definition } else { nil }
  }

  /// Whether the rule needs to know how long after the end of its day a record was made
  /// (``HabitHistory/DayRecord/hoursLate``).
  public var needsRecordTimes: Bool { definition?.needsRecordTimes ?? false }
}
