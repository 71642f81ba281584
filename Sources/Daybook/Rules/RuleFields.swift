import Calendar
import Streaks

/// Visits the fields of a rule file, each with its bounds and its meaning: reading, writing and the schema are derived
/// from this.
protocol RuleFieldVisitor {
  /// Visits a field that holds one of a few words.
  mutating func word<Word: RuleWord>(
    _ name: String, _ value: inout Word?, _ doc: String, isNeeded: Bool
  ) throws(Rejection)

  /// Visits a field that holds a whole number within bounds.
  mutating func number(
    _ name: String, _ value: inout Int?, _ bounds: ClosedRange<Int>, _ doc: String, isNeeded: Bool
  ) throws(Rejection)

  /// Visits a field that holds fields.
  mutating func group<Group: RuleGroup>(
    _ name: String, _ value: inout Group?, _ doc: String
  ) throws(Rejection)
}

/// Words of a rule file.
protocol RuleWord: CaseIterable, Equatable {
  var word: String { get }
}

extension RuleWord {
  /// Makes the value that a word stands for; nothing when the word is unknown.
  init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }

  static var words: [String] { allCases.map(\.word) }
}

/// Fields of a rule file that belong together.
protocol RuleGroup {
  /// A group without any values yet.
  static var blank: Self { get }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection)
}

extension StreakRule.Effect: RuleWord {
  var word: String {
    switch self {
    case .extends: "extends"
    case .counts: "counts"
    case .neutral: "keeps"
    case .breaks: "breaks"
    }
  }
}

extension RulePeriod: RuleWord {
  var word: String { rawValue }
}

extension RuleDefinition.Base: RuleWord {
  var word: String { rawValue }
}

extension StreakLaw: RuleWord {
  var word: String { rawValue }
}

/// The weekday on which a week begins.
enum RuleWeekday: Int, RuleWord {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  var word: String { "\(self)" }
}

/// The unit in which a streak is counted, as a rule file gives it.
struct CountsFields: RuleGroup, Equatable {
  enum Unit: String, RuleWord {
    case day, week, month, strength

    var word: String { rawValue }
  }

  var unit: Unit?
  var fullDays: Int?
  var atLeast: Int?

  static var blank: CountsFields { CountsFields() }

  init() {}

  init?(_ counted: CountedUnit) {
    switch counted {
    case .days: return nil
    case .periods(let period, let fullDays):
      unit = period == .week ? .week : .month
      self.fullDays = fullDays
    case .strength(let needed):
      (unit, atLeast) = (.strength, needed)
    }
  }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    try visitor.word("unit", &unit, "what a streak is counted in", isNeeded: true)
    try visitor.number(
      "full_days", &fullDays, 1...31,
      "for a week or month: how many full days it needs; without it, all due days",
      isNeeded: false)
    try visitor.number(
      "at_least", &atLeast, 1...100, "for strength: how many hundredths a day must reach",
      isNeeded: false)
  }

  /// The unit that the fields describe.
  ///
  /// - Throws: ``Rejection`` that names a field that does not fit the unit.
  func counted(_ path: String) throws(Rejection) -> CountedUnit {
    let isPeriod = unit == .week || unit == .month
    if fullDays != nil, !isPeriod {
      throw .invalidField("\(path).full_days", "it is only for the units week and month")
    }
    if (atLeast != nil) != (unit == .strength) {
      throw .invalidField(
        "\(path).at_least", "it is required for the unit strength, and only for it")
    }
    if let atLeast { return .strength(atLeast) }
    guard isPeriod else { return .days }
    return .periods(unit == .month ? .month : .week, fullDays: fullDays)
  }
}

extension RuleEffects: RuleGroup {
  static var blank: RuleEffects { RuleEffects() }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    try visitor.word("full", &full, "the target was met, or enough of it", isNeeded: false)
    try visitor.word(
      "bonus", &bonus, "the target was met on a weekday that is not due", isNeeded: false)
    try visitor.word("partial", &partial, "logged short of the target", isNeeded: false)
    try visitor.word("skipped", &skipped, "skipped", isNeeded: false)
    try visitor.word("paused", &paused, "in a pause, or archived", isNeeded: false)
    try visitor.word("covered", &covered, "covered by a quota's other days", isNeeded: false)
    try visitor.word("missed", &missed, "due, and nothing was done", isNeeded: false)
  }
}

extension LateClause: RuleGroup {
  static var blank: LateClause { LateClause(withinHours: 0) }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    var (hours, days): (Int?, Int?) = (withinHours, atMost == nil ? nil : inDays)
    try visitor.number(
      "within_hours", &hours, 0...8760, "how long after the end of its day a record may be made",
      isNeeded: true)
    try visitor.number(
      "at_most", &atMost, 1...31, "how many late records count; any number without it",
      isNeeded: false)
    try visitor.number(
      "in_days", &days, 1...366, "within how many days they are counted; usually 30",
      isNeeded: false)
    (withinHours, inDays) = (hours ?? 0, days ?? 30)
  }
}

extension SkipsClause: RuleGroup {
  static var blank: SkipsClause { SkipsClause(atMost: 0, per: .month) }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    var (most, period): (Int?, RulePeriod?) = (atMost, per)
    try visitor.number(
      "at_most", &most, 0...31, "how many skips of due days count as skips", isNeeded: true)
    try visitor.word("per", &period, "the period in which they are counted", isNeeded: true)
    (atMost, per) = (most ?? 0, period ?? .month)
  }
}

extension GraceClause: RuleGroup {
  static var blank: GraceClause { GraceClause() }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    var days: Int? = misses == nil ? nil : inDays
    try visitor.number(
      "misses", &misses, 1...31, "how many misses are forgiven", isNeeded: false)
    try visitor.number(
      "in_days", &days, 1...366, "within how many days all misses are counted; usually 7",
      isNeeded: false)
    try visitor.number(
      "in_a_row", &inARow, 1...366, "how many misses in a row are forgiven", isNeeded: false)
    inDays = days ?? 7
  }
}

extension FreezesClause: RuleGroup {
  static var blank: FreezesClause { FreezesClause(perFullDays: 1, hold: 1) }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    var (days, most): (Int?, Int?) = (perFullDays, hold)
    try visitor.number(
      "per_full_days", &days, 1...366, "how many days that extend a streak earn one",
      isNeeded: true)
    try visitor.number("hold", &most, 1...31, "how many are held at most", isNeeded: true)
    (perFullDays, hold) = (days ?? 1, most ?? 1)
  }
}

extension RuleClauses: RuleGroup {
  static var blank: RuleClauses { RuleClauses() }

  mutating func visitFields(_ visitor: inout some RuleFieldVisitor) throws(Rejection) {
    var own: RuleEffects? = effects == RuleEffects() ? nil : effects
    var counts = CountsFields(counted)
    var start = weekStart == 0 ? nil : RuleWeekday(rawValue: weekStart)
    try visitor.group("days", &own, "what each kind of day does to a streak")
    try visitor.number(
      "partial_credit", &partialCredit, 1...99,
      "from how many hundredths of its target a day has the effect of a full one", isNeeded: false)
    try visitor.group("late", &late, "which records made after the end of their day count")
    try visitor.group("skips", &skips, "how many skips count as skips")
    try visitor.group("grace", &grace, "which misses are forgiven")
    try visitor.group("freezes", &freezes, "how full days pay for misses")
    try visitor.group("counts", &counts, "what a streak is counted in; days without it")
    try visitor.word(
      "week_starts_on", &start, "when a week begins; usually monday", isNeeded: false)
    effects = own ?? RuleEffects()
    counted = try counts?.counted("counts") ?? .days
    weekStart = start?.rawValue ?? 0
  }
}
