import Daybook

/// The clauses as `Docs/Rules.md` words them, day by day from all earlier days: slow, and without a line in common
/// with the implementation. A rule that changes must keep its counts and its way of earning.
struct NaiveRule {
  let rule: RuleDefinition
  let history: HabitHistory
  private var days: [Naive.Marked] = []
  /// The effect of each day before forgiveness, and after.
  private var raw: [StreakRule.Effect] = []
  private(set) var settled: [(day: Day, effect: StreakRule.Effect)] = []

  init(_ rule: RuleDefinition, _ history: HabitHistory) {
    self.rule = rule
    self.history = Self.counted(rule, history)
    days = Naive.marks(self.history)
    let units = (0..<days.count).map { unit($0) }
    raw = units
    for index in days.indices { settled.append((days[index].day, allowed(index, units))) }
  }

  private static func clauses(_ rule: RuleDefinition, _ day: Day) -> RuleClauses {
    rule.stages.filter { $0.from <= day }.last?.clauses ?? rule.stages[0].clauses
  }

  private func clauses(_ day: Day) -> RuleClauses { Self.clauses(rule, day) }

  // MARK: late

  /// Goes through the late records in the order of their recording; a record counts if it was made in time, unless as
  /// many as allowed were made within the days before it.
  private static func counted(_ rule: RuleDefinition, _ history: HabitHistory) -> HabitHistory {
    func madeAt(_ record: HabitHistory.DayRecord) -> Int {
      Int(record.day.number) * 24 + 24 + Int(record.hoursLate)
    }
    let late = history.records.filter { $0.hoursLate > 0 && clauses(rule, $0.day).late != nil }
      .sorted { ($0.lateRank, madeAt($0), $0.day) < ($1.lateRank, madeAt($1), $1.day) }
    var (taken, gone): ([Int], [Day]) = ([], [])
    for record in late {
      guard let clause = clauses(rule, record.day).late else { continue }
      var isTaken = record.hoursLate <= clause.withinHours
      if let most = clause.atMost {
        let before = taken.filter { $0 > madeAt(record) - clause.inDays * 24 }
        if before.count >= most { isTaken = false }
        if isTaken { taken.append(madeAt(record)) }
      }
      if !isTaken { gone.append(record.day) }
    }
    var history = history
    history.records = history.records.filter { !gone.contains($0.day) }
    return history
  }

  // MARK: Marks and effects

  private func record(_ index: Int) -> HabitHistory.DayRecord? {
    history.records.first { $0.day == days[index].day }
  }

  private func target(_ day: Day) -> Target {
    (history.versions.filter { $0.since <= day }.last ?? history.versions[0]).target
  }

  private func isPaused(_ day: Day) -> Bool {
    (history.paused + history.archived).contains { $0.contains(day) }
  }

  private func period(_ day: Day, _ unit: RulePeriod, _ clauses: RuleClauses) -> [Int] {
    if unit == .month { return [day.parts.year, day.parts.month] }
    var start = day
    while start.weekday != clauses.weekStart { start = start.advanced(by: -1) }
    return [Int(start.number)]
  }

  /// Whether a skip is on a due day.
  private func isCostly(_ index: Int) -> Bool {
    days[index].mark == .skipped && days[index].due && !isPaused(days[index].day)
  }

  private func effect(_ index: Int) -> StreakRule.Effect {
    let day = days[index]
    let clauses = clauses(day.day)
    let miss = clauses.effects.missed ?? .breaks
    switch day.mark {
    case .full: return clauses.effects.full ?? .extends
    case .bonus: return clauses.effects.bonus ?? .neutral
    case .partial, .pending:
      if let credit = clauses.partialCredit, target(day.day).bound == .atLeast,
        let value = record(index)?.value, value > .zero,
        Double(value.thousandths) >= Double(target(day.day).amount.thousandths * Int64(credit))
          / 100
      {
        return clauses.effects.full ?? .extends
      }
      return day.mark == .pending ? .neutral : clauses.effects.partial ?? .breaks
    case .skipped:
      if let budget = clauses.skips, isCostly(index) {
        let own = period(day.day, budget.per, clauses)
        let before = (0..<index).filter {
          isCostly($0) && period(days[$0].day, budget.per, clauses) == own
            && self.clauses(days[$0].day).skips != nil
        }
        if before.count >= budget.atMost { return day.day >= history.openFrom ? .neutral : miss }
      }
      return clauses.effects.skipped ?? .neutral
    case .paused: return clauses.effects.paused ?? .neutral
    case .off: return day.covered ? clauses.effects.covered ?? .counts : .neutral
    case .missed: return miss
    case .leftOut: return .neutral
    }
  }

  // MARK: Periods that count

  private func unit(_ index: Int) -> StreakRule.Effect {
    let day = days[index]
    switch clauses(day.day).counted {
    case .days: return effect(index)
    case .periods(let unit, let wanted): return period(index, unit, wanted)
    case .strength(let needed):
      if [.skipped, .paused, .leftOut].contains(day.mark) { return effect(index) }
      let score = history.strengths.last { $0.day <= day.day }?.score ?? 0
      if score * 100 >= Double(needed) { return .extends }
      return day.day >= history.openFrom ? .neutral : .breaks
    }
  }

  private func period(_ index: Int, _ unit: RulePeriod, _ wanted: Int?) -> StreakRule.Effect {
    let day = days[index].day
    let own = clauses(day)
    let mine = period(day, unit, own)
    let soFar = (0...index).filter { period(days[$0].day, unit, own) == mine }
    // The period counts on the first day on which it has enough.
    for place in soFar {
      let effects = soFar.filter { $0 <= place }.map { effect($0) }
      let full = effects.filter { $0 == .extends }.count
      let due = full + effects.filter { $0 == .breaks }.count
      let at = days[place].day
      let isLast = period(at.advanced(by: 1), unit, own) != mine
      let isClosed = at < history.openFrom
      var needed = wanted ?? .max
      if isLast, isClosed || at == history.openFrom && effect(place) == .extends {
        needed = min(needed, due)
      }
      if full > 0, full >= needed { return place == index ? .extends : .neutral }
      if place == index, isLast, isClosed, due > 0 { return .breaks }
    }
    return .neutral
  }

  // MARK: Forgiveness

  private func allowed(_ index: Int, _ units: [StreakRule.Effect]) -> StreakRule.Effect {
    guard units[index] == .breaks, isAlive(before: index) else { return units[index] }
    let day = days[index].day
    if let grace = clauses(day).grace {
      var isForgiven = true
      if let most = grace.misses {
        let window = (0...index).filter {
          units[$0] == .breaks && days[$0].day.distance(to: day) < grace.inDays
        }
        if window.count > most { isForgiven = false }
      }
      if let most = grace.inARow {
        let sinceFull = units[...index].lastIndex(of: .extends) ?? -1
        if (sinceFull + 1...index).filter({ units[$0] == .breaks }).count > most {
          isForgiven = false
        }
      }
      if isForgiven { return .neutral }
    }
    if clauses(day).freezes != nil, freezes(before: index, units) > 0 { return .neutral }
    return .breaks
  }

  private func isAlive(before index: Int) -> Bool {
    for earlier in settled[..<index].reversed() {
      if earlier.effect == .extends { return true }
      if earlier.effect == .breaks { return false }
    }
    return false
  }

  /// The number of freezes held: earned less spent.
  private func freezes(before index: Int, _ units: [StreakRule.Effect]) -> Int {
    var (held, towards) = (0, 0)
    for place in 0..<index {
      guard let clause = clauses(days[place].day).freezes else { continue }
      if units[place] == .extends, held < clause.hold {
        towards += 1
        if towards == clause.perFullDays { (held, towards) = (held + 1, 0) }
      }
      // Spent where a miss did not break, though no grace forgave it.
      let isSaved = units[place] == .breaks && settled[place].effect == .neutral
      if isSaved, !isGraced(place, units) { held -= 1 }
    }
    return held
  }

  private func isGraced(_ index: Int, _ units: [StreakRule.Effect]) -> Bool {
    guard let grace = clauses(days[index].day).grace else { return false }
    let day = days[index].day
    let recent = (0...index).filter {
      units[$0] == .breaks && days[$0].day.distance(to: day) < grace.inDays
    }
    let sinceFull = units[...index].lastIndex(of: .extends) ?? -1
    let row = (sinceFull + 1...index).filter { units[$0] == .breaks }
    return recent.count <= grace.misses ?? .max && row.count <= grace.inARow ?? .max
  }

  // MARK: Streaks

  var streaks: [Streak] {
    settled.split { $0.effect == .breaks }.compactMap { run in
      guard let first = run.firstIndex(where: { $0.effect == .extends }),
        let last = run.lastIndex(where: { $0.effect == .extends })
      else { return nil }
      let length = run[first...last].filter { $0.effect == .extends || $0.effect == .counts }.count
      return Streak(start: run[first].day, end: run[last].day, length: length)
    }
  }
}
