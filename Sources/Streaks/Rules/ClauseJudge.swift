import Calendar

/// Applies the clauses of a rule to day after day: one pass, fixed-size state, no allocation per day.
///
/// A day passes through the clauses in this order: what it is (`partial_credit`, `skips`), its effect on a
/// run (`days`), which unit it completes or fails (`counts`), and whether a failed unit is forgiven (`grace`)
/// or paid for (`freezes`).
@usableFromInline
package struct ClauseJudge {
  private let definition: RuleDefinition
  private let openFrom: Int
  /// Whether any stage counts misses: an unforgiven miss may use up the allowance of a later one.
  private let countsMisses: Bool
  private var idle: SpanCursor
  private var strength: StrengthSink?
  private var clauses: RuleClauses
  private var stage = 0
  /// The day number on which the next stage begins.
  private var nextChange: Int
  private var isAlive = false
  private var skips = SkipTally()
  private var period = PeriodTally()
  private var misses = MissTally()
  /// Full days not yet spent: ``FreezesClause/perFullDays`` of them make a freeze.
  private var credit = 0

  @usableFromInline package let isTracing: Bool
  /// The reasons that the clauses gave for the latest day, while tracing.
  @usableFromInline package private(set) var reasons: [RuleReason] = []

  /// Starts before the first day of a history.
  @usableFromInline
  package init(_ definition: RuleDefinition, _ history: HabitHistory, tracing isTracing: Bool) {
    self.definition = definition
    self.isTracing = isTracing
    openFrom = Int(history.openFrom.number)
    countsMisses = definition.stages.contains { $0.clauses.grace != nil }
    let hasSkips = definition.stages.contains { $0.clauses.skips != nil }
    idle = SpanCursor(hasSkips && definition.base == .daybook ? history.idleSpans : [])
    let hasStrength = definition.stages.contains {
      if case .strength = $0.clauses.counted { true } else { false }
    }
    strength = hasStrength ? StrengthSink(history, through: .last) : nil
    clauses = definition.stages[0].clauses
    nextChange = definition.stages.count > 1 ? Int(definition.stages[1].from.number) : .max
  }

  /// The effect of a day on a run.
  @usableFromInline
  package mutating func effect(of day: JudgedDay) -> StreakRule.Effect {
    if isTracing { reasons.removeAll() }
    let number = Int(day.day.number)
    if number >= nextChange { change(on: number) }
    let own = dayEffect(of: day, number)
    switch clauses.counted {
    case .days: return settled(own, number)
    case .periods(let unit, let fullDays):
      return settled(periodEffect(own, day, number, unit, fullDays), number)
    case .strength(let needed): return settled(strengthEffect(own, day, needed), number)
    }
  }

  /// The common effect of a stretch of equal days, or `nil` if they must be judged one by one.
  @usableFromInline
  package mutating func effect(of day: JudgedDay, through last: Int) -> StreakRule.Effect? {
    guard last < nextChange, clauses.counted == .days, strength == nil,
      day.value == nil || day.mark == .full
    else { return nil }
    let effect: StreakRule.Effect
    switch day.mark {
    case .full: effect = clauses.effects.full ?? day.effect
    case .paused: effect = clauses.effects.paused ?? day.effect
    case .missed: effect = clauses.effects.missed ?? day.effect
    case .pending: effect = day.effect
    case .off where !day.covered: effect = day.effect
    case .off, .bonus, .partial, .skipped, .leftOut: return nil
    }
    switch effect {
    case .extends:
      extend(by: last - Int(day.day.number) + 1)
    case .counts, .neutral:
      break
    case .breaks:
      guard !countsMisses, clauses.freezes == nil || !isAlive else { return nil }
      isAlive = false
    }
    return effect
  }

  private mutating func change(on number: Int) {
    let before = clauses
    while stage + 1 < definition.stages.count,
      Int(definition.stages[stage + 1].from.number) <= number
    {
      stage += 1
    }
    clauses = definition.stages[stage].clauses
    let next = stage + 1
    nextChange =
      next < definition.stages.count ? Int(definition.stages[next].from.number) : .max
    // A month does not depend on the first day of the week.
    let turnsWeeks = clauses.weekStart != before.weekStart
    if clauses.counted != before.counted || turnsWeeks && clauses.counted.isWeekly {
      period = PeriodTally()
    }
    if clauses.skips?.per != before.skips?.per || turnsWeeks && clauses.skips?.per == .week {
      skips = SkipTally()
    }
    // Earned freezes, and parts of one, are kept up to the new limit.
    guard clauses.freezes != before.freezes else { return }
    let (old, new) = (before.freezes, clauses.freezes)
    let held = old.map { credit / $0.perFullDays } ?? 0
    let part = old.map { credit % $0.perFullDays } ?? 0
    credit = new.map { min(held * $0.perFullDays + min(part, $0.perFullDays - 1), $0.cap) } ?? 0
  }
}

// MARK: What a day is, and its effect

extension ClauseJudge {
  private mutating func dayEffect(of day: JudgedDay, _ number: Int) -> StreakRule.Effect {
    switch day.mark {
    case .full: return clauses.effects.full ?? day.effect
    case .bonus: return clauses.effects.bonus ?? day.effect
    case .partial:
      guard day.hasCredit(clauses.partialCredit) else {
        return clauses.effects.partial ?? day.effect
      }
      return credited()
    case .pending: return day.hasCredit(clauses.partialCredit) ? credited() : day.effect
    case .skipped: return skipEffect(of: day, number)
    case .paused: return clauses.effects.paused ?? day.effect
    case .off: return day.covered ? clauses.effects.covered ?? day.effect : day.effect
    case .missed: return clauses.effects.missed ?? day.effect
    case .leftOut: return day.effect
    }
  }

  private mutating func credited() -> StreakRule.Effect {
    if isTracing { reasons.append(.partialCredit) }
    return clauses.effects.full ?? .extends
  }

  private mutating func skipEffect(of day: JudgedDay, _ number: Int) -> StreakRule.Effect {
    let usual = clauses.effects.skipped ?? day.effect
    // A skip of a day that is not due costs nothing.
    guard let clause = clauses.skips, day.due, !idle.contains(number) else { return usual }
    skips.move(to: day.day, clause.per, clauses.weekStart)
    skips.used += 1
    guard skips.used > clause.atMost else {
      if isTracing { reasons.append(.skipSpent(left: clause.atMost - skips.used)) }
      return usual
    }
    if isTracing { reasons.append(.noSkipLeft) }
    return number >= openFrom ? .neutral : clauses.effects.missed ?? .breaks
  }
}

// MARK: Units

extension ClauseJudge {
  private mutating func periodEffect(
    _ own: StreakRule.Effect, _ day: JudgedDay, _ number: Int, _ unit: RulePeriod, _ fullDays: Int?
  ) -> StreakRule.Effect {
    period.move(to: day.day, unit, clauses.weekStart)
    period.add(own)
    guard !period.isDone else { return .neutral }
    let isLast = number == period.last
    let isClosed = number < openFrom
    var needed = fullDays ?? .max
    // The number of due days is known once nothing can change on the last day.
    if isLast, isClosed || number == openFrom && own == .extends {
      needed = min(needed, period.due)
    }
    if period.full > 0, period.full >= needed {
      period.isDone = true
      if isTracing { reasons.append(.period(full: period.full, needed: needed)) }
      return .extends
    }
    guard isLast, isClosed, period.due > 0 else { return .neutral }
    if isTracing { reasons.append(.period(full: period.full, needed: needed)) }
    return .breaks
  }

  private mutating func strengthEffect(
    _ own: StreakRule.Effect, _ day: JudgedDay, _ needed: Int
  ) -> StreakRule.Effect {
    strength?.receive(day)
    if day.mark == .skipped || day.mark == .paused || day.mark == .leftOut { return own }
    let score = strength?.settledScore() ?? 0
    if isTracing { reasons.append(.strength(Int(score * 100), needed: needed)) }
    if score * 100 >= Double(needed) { return .extends }
    return Int(day.day.number) >= openFrom ? .neutral : .breaks
  }
}

// MARK: Allowances

extension ClauseJudge {
  private mutating func settled(
    _ effect: StreakRule.Effect, _ number: Int
  ) -> StreakRule.Effect {
    switch effect {
    case .extends: extend(by: 1)
    case .counts, .neutral: break
    case .breaks: return broken(on: number)
    }
    return effect
  }

  private mutating func extend(by count: Int) {
    isAlive = true
    misses.inARow = 0
    guard let freezes = clauses.freezes else { return }
    let held = credit / freezes.perFullDays
    credit = min(credit + count, freezes.cap)
    let now = credit / freezes.perFullDays
    if isTracing, now > held { reasons.append(.freezeEarned(held: now)) }
  }

  private mutating func broken(on number: Int) -> StreakRule.Effect {
    misses.add(number)
    guard isAlive else { return .breaks }
    if let grace = clauses.grace, misses.isWithin(grace) {
      if isTracing { reasons.append(.graceSpent) }
      return .neutral
    }
    if let freezes = clauses.freezes, credit >= freezes.perFullDays {
      credit -= freezes.perFullDays
      if isTracing { reasons.append(.freezeSpent(left: credit / freezes.perFullDays)) }
      return .neutral
    }
    isAlive = false
    return .breaks
  }
}

extension FreezesClause {
  /// The largest number of full days that can be held.
  fileprivate var cap: Int { perFullDays * hold }
}

extension JudgedDay {
  /// Whether a value short of an at-least target reaches this many hundredths of it.
  fileprivate func hasCredit(_ hundredths: Int?) -> Bool {
    guard let hundredths, target.bound == .atLeast, let value, value > .zero else { return false }
    // Amounts are below 2^53 thousandths, so a hundred of them do not overflow.
    return value.thousandths * 100 >= target.amount.thousandths * Int64(hundredths)
  }
}
