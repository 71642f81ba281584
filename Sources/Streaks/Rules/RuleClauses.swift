import Calendar

/// What a rule made of clauses says, from some day on (`Docs/Rules.md`).
///
/// Each clause answers a question of its own, so that any of them go together: which records count at all
/// (``late``), what a day is (``partialCredit``, ``skips``), what it does to a run (``effects``), what a streak is
/// counted in (``counted``), and what is forgiven (``grace``, ``freezes``). Every clause that is not there is as the
/// base of the rule has it.
public struct RuleClauses: Hashable, Sendable {
  /// What each kind of day does to a run; as the base has it where nothing is said.
  public var effects = RuleEffects()
  /// Of how many hundredths of an at-least target a day does what a full one does, 1…99; of all of it without it.
  public var partialCredit: Int?
  /// Which records made after the end of their day count; all of them without it.
  public var late: LateClause?
  /// How many skips a month or a week are taken for skips; all of them without it.
  public var skips: SkipsClause?
  /// Which misses are forgiven for being few.
  public var grace: GraceClause?
  /// Which misses are paid for by full days.
  public var freezes: FreezesClause?
  /// What a streak is counted in.
  public var counted = CountedUnit.days
  /// The weekday on which a week begins, 0 Monday … 6 Sunday.
  public var weekStart = 0

  /// The clauses of the base alone.
  public init() {}
}

/// What each kind of day does to a run; as the base of the rule has it where there is nothing.
public struct RuleEffects: Hashable, Sendable {
  /// Days on which the target was met, and days of partial credit.
  public var full: StreakRule.Effect?
  /// Days on which the target was met, though the schedule does not name them.
  public var bonus: StreakRule.Effect?
  /// Days logged short of the target.
  public var partial: StreakRule.Effect?
  /// Days that were skipped.
  public var skipped: StreakRule.Effect?
  /// Days of a pause, and of archiving.
  public var paused: StreakRule.Effect?
  /// Days that a quota's other days cover.
  public var covered: StreakRule.Effect?
  /// Days on which nothing was done that was due.
  public var missed: StreakRule.Effect?

  /// Nothing is said.
  public init() {}
}

/// Which records that were made after the end of their day count.
public struct LateClause: Hashable, Sendable {
  /// Within how many hours of the end of the day; 0: on the day itself alone.
  public var withinHours: Int
  /// How many such records count within ``inDays``, 1…31; any number without it.
  public var atMost: Int?
  /// The days, ending with the one in question, within which they are counted, 1…366.
  public var inDays: Int

  public init(withinHours: Int, atMost: Int? = nil, inDays: Int = 30) {
    self.withinHours = withinHours
    self.atMost = atMost
    self.inDays = inDays
  }
}

/// How many skips of due days are taken for skips; what is more is judged as though nothing had been recorded.
public struct SkipsClause: Hashable, Sendable {
  /// How many, 0…31.
  public var atMost: Int
  /// In each of which: a week or a month.
  public var per: RulePeriod

  public init(atMost: Int, per: RulePeriod) {
    self.atMost = atMost
    self.per = per
  }
}

/// A span of the calendar that a clause counts in.
public enum RulePeriod: String, Hashable, Sendable, CaseIterable {
  /// Seven days from the day on which the rule's week begins.
  case week
  /// A calendar month.
  case month
}

/// Which misses are forgiven for being few; where both are said, both must hold.
public struct GraceClause: Hashable, Sendable {
  /// How many misses within ``inDays``, 1…31; any number without it.
  public var misses: Int?
  /// The days, ending with the miss in question, within which all misses are counted, 1…366.
  public var inDays: Int
  /// How many misses in a row, 1…366, where days that neither count nor break do not part them; any number without it.
  public var inARow: Int?

  public init(misses: Int? = nil, inDays: Int = 7, inARow: Int? = nil) {
    self.misses = misses
    self.inDays = inDays
    self.inARow = inARow
  }
}

/// Misses paid for by full days: a freeze is earned by some of them and spent, by itself, on a miss that would end a
/// run.
public struct FreezesClause: Hashable, Sendable {
  /// How many days that extend a run earn one, 1…366.
  public var perFullDays: Int
  /// How many are held at most, 1…31; while so many are held, none is being earned.
  public var hold: Int

  public init(perFullDays: Int, hold: Int) {
    self.perFullDays = perFullDays
    self.hold = hold
  }
}

/// What a streak is counted in.
public enum CountedUnit: Hashable, Sendable {
  /// Days.
  case days
  /// Periods with so many full days in each, or as many as are due, if that is less; `nil`: all that are due.
  case periods(RulePeriod, fullDays: Int?)
  /// Days after which the habit's strength is at least so many hundredths, 1…100.
  case strength(Int)

  /// Whether weeks are counted.
  var isWeekly: Bool {
    if case .periods(.week, _) = self { true } else { false }
  }
}
