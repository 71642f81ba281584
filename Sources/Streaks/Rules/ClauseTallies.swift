import Calendar

/// A week or a month of the calendar, as day numbers.
private func span(
  of unit: RulePeriod, _ weekStart: Int, around day: Day
) -> ClosedRange<Int> {
  switch unit {
  case .week:
    let first = Int(day.number) - (day.weekday - weekStart + 7) % 7
    return first...first + 6
  case .month:
    let (year, month, dayOfMonth) = day.parts
    let first = Int(day.number) - dayOfMonth + 1
    return first...first + Day.dayCount(year: year, month: month) - 1
  }
}

/// Counts the skips of a period.
struct SkipTally {
  var used = 0
  private var last = Int.min

  /// Moves to a day, and resets in a new period.
  mutating func move(to day: Day, _ unit: RulePeriod, _ weekStart: Int) {
    guard Int(day.number) > last else { return }
    last = span(of: unit, weekStart, around: day).upperBound
    used = 0
  }
}

/// Counts the days of a period by outcome.
struct PeriodTally {
  /// Days that extend.
  private(set) var full = 0
  /// Days that extend or break.
  private(set) var due = 0
  /// Whether the period has already been reported as counted.
  var isDone = false
  /// The number of its last day.
  private(set) var last = Int.min

  /// Moves to a day, and resets in a new period.
  mutating func move(to day: Day, _ unit: RulePeriod, _ weekStart: Int) {
    guard Int(day.number) > last else { return }
    self = PeriodTally()
    last = span(of: unit, weekStart, around: day).upperBound
  }

  mutating func add(_ effect: StreakRule.Effect) {
    switch effect {
    case .extends: (full, due) = (full + 1, due + 1)
    case .breaks: due += 1
    case .counts, .neutral: break
    }
  }
}

/// Counts the misses so far, and remembers the last 32 of them.
struct MissTally {
  private var recent = InlineArray<32, Int32>(repeating: 0)
  private var count = 0
  var inARow = 0

  mutating func add(_ number: Int) {
    recent[count % 32] = Int32(truncatingIfNeeded: number)
    count += 1
    inARow += 1
  }

  /// Whether the latest miss is forgiven.
  func isWithin(_ grace: GraceClause) -> Bool {
    if let most = grace.inARow, inARow > most { return false }
    guard let most = grace.misses, count > most, most < 32 else { return true }
    let last = recent[(count - 1) % 32]
    return last - recent[(count - 1 - most) % 32] >= grace.inDays
  }
}
