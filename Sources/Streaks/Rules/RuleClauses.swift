import Calendar

/// The clauses of a rule that hold from some day on (`Docs/Rules.md`).
///
/// Each clause answers its own question, so they combine freely: which records count at all (``late``), what
/// a day is (``partialCredit``, ``skips``), its effect on a run (``effects``), the unit of a streak
/// (``counted``), and what is forgiven (``grace``, ``freezes``). Where a clause is absent, the base of the
/// rule decides.
public struct RuleClauses: Hashable, Sendable {
  /// The effect of each kind of day on a run; the base decides where one is not given.
  public var effects = RuleEffects()
  /// The hundredths of an at-least target, 1…99, from which a day acts as a full one; without it, the whole
  /// target.
  public var partialCredit: Int?
  /// Which records made after the end of their day count; without it, all of them.
  public var late: LateClause?
  /// How many skips a month or a week allows; without it, any number.
  public var skips: SkipsClause?
  /// Which misses are forgiven because they are few.
  public var grace: GraceClause?
  /// Which misses are paid for by full days.
  public var freezes: FreezesClause?
  /// The unit in which a streak is counted.
  public var counted = CountedUnit.days
  /// The weekday on which a week begins, 0 Monday … 6 Sunday.
  public var weekStart = 0

  /// The clauses of the base alone.
  public init() {}
}

/// The effect of each kind of day on a run; where one is `nil`, the base of the rule decides.
public struct RuleEffects: Hashable, Sendable {
  /// Days that met the target, and days of partial credit.
  public var full: StreakRule.Effect?
  /// Days that met the target although the schedule does not name them.
  public var bonus: StreakRule.Effect?
  /// Days logged short of the target.
  public var partial: StreakRule.Effect?
  /// Days that were skipped.
  public var skipped: StreakRule.Effect?
  /// Days of a pause or of archiving.
  public var paused: StreakRule.Effect?
  /// Days that a quota's other days cover.
  public var covered: StreakRule.Effect?
  /// Days that were due and on which nothing was done.
  public var missed: StreakRule.Effect?

  /// Leaves every effect to the base.
  public init() {}
}

/// Which records made after the end of their day count.
public struct LateClause: Hashable, Sendable {
  /// A record counts if made within this many hours after the end of the day; 0 admits only the day itself.
  public var withinHours: Int
  /// How many such records count within ``inDays``, 1…31; without it, any number.
  public var atMost: Int?
  /// The window in which they are counted, in days, ending with the record's own: 1…366.
  public var inDays: Int

  public init(withinHours: Int, atMost: Int? = nil, inDays: Int = 30) {
    self.withinHours = withinHours
    self.atMost = atMost
    self.inDays = inDays
  }
}

/// How many skips of due days are allowed; further skips are judged as if nothing had been recorded.
public struct SkipsClause: Hashable, Sendable {
  /// How many, 0…31.
  public var atMost: Int
  /// The period that the limit applies to: a week or a month.
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

/// Which misses are forgiven because they are few; where both limits are given, both must hold.
public struct GraceClause: Hashable, Sendable {
  /// How many misses within ``inDays``, 1…31; without it, any number.
  public var misses: Int?
  /// The window in which all misses are counted, in days, ending with the miss in question: 1…366.
  public var inDays: Int
  /// How many misses in a row, 1…366; without it, any number. Days that neither count nor break do not
  /// interrupt the row.
  public var inARow: Int?

  public init(misses: Int? = nil, inDays: Int = 7, inARow: Int? = nil) {
    self.misses = misses
    self.inDays = inDays
    self.inARow = inARow
  }
}

/// Misses paid for by full days: some full days earn a freeze, which is spent automatically on a miss that
/// would end a run.
public struct FreezesClause: Hashable, Sendable {
  /// How many days that extend a run earn a freeze, 1…366.
  public var perFullDays: Int
  /// The largest number of freezes held, 1…31; at this number no more are earned.
  public var hold: Int

  public init(perFullDays: Int, hold: Int) {
    self.perFullDays = perFullDays
    self.hold = hold
  }
}

/// The unit in which a streak is counted.
public enum CountedUnit: Hashable, Sendable {
  /// Days.
  case days
  /// Periods with this many full days, or with all due days if those are fewer; `nil` requires all due days.
  case periods(RulePeriod, fullDays: Int?)
  /// Days after which the habit's strength is at least this many hundredths, 1…100.
  case strength(Int)

  /// Whether the unit is a number of weeks.
  var isWeekly: Bool {
    if case .periods(.week, _) = self { true } else { false }
  }
}
