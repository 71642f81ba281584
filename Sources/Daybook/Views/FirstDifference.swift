import Streaks
import Calendar

/// The first day after which two rules give different streaks, with the judgement of that day by each rule.
///
/// It is found in one pass for each rule; a third pass looks the day up. O(days + records).
struct FirstDifference {
  /// The day as each rule judged it; nil if a rule did not judge it.
  private(set) var days: (JudgedDay?, JudgedDay?) = (nil, nil)
  /// The clauses of each rule that applied to that day.
  private(set) var reasons: ([RuleReason], [RuleReason]) = ([], [])

  /// Searches the days through the requested one; all days if none is requested.
  init(_ rule: StreakRule, _ other: StreakRule, _ history: HabitHistory, on day: Day?) {
    let (own, ownLast) = rule.seen(history, on: day)
    let (others, othersLast) = other.seen(history, on: day)
    let trail = rule.walk(own, into: StreakLengthsSink(through: ownLast)).days
    var found = other.trace(others, into: DifferenceSink(from: trail, through: othersLast))
    found.finish()
    guard let first = found.first else { return }
    let catcher = rule.trace(own, into: SingleDaySink(first, through: ownLast))
    days = (catcher.day, found.day)
    // A clause may also apply to a day after the requested ones: such a day is left out.
    reasons = (
      days.0 == nil ? [] : rule.lateReasons(on: first, in: own) + catcher.reasons,
      days.1 == nil ? [] : other.lateReasons(on: first, in: others) + found.reasons
    )
  }
}

/// Records the length of the streak after each day.
private struct StreakLengthsSink: DaySink {
  private let last: Day
  private var tally = StreakTally()
  private(set) var days: [(day: Day, streak: Int32)] = []

  init(through last: Day) { self.last = last }

  var needsValues: Bool { false }

  mutating func reserve(_ dayCount: Int) { days.reserveCapacity(dayCount) }

  mutating func receive(_ day: JudgedDay) {
    guard day.day <= last else { return }
    tally.add(day.day, day.effect)
    days.append((day.day, Int32(clamping: tally.length)))
  }
}

/// Records the first day after which the streak differs from a trail; where a trail has no day, the streak is 0.
private struct DifferenceSink: DaySink {
  private let trail: [(day: Day, streak: Int32)]
  private let last: Day
  private var tally = StreakTally()
  private var next = 0
  private(set) var first: Day?
  private(set) var day: JudgedDay?
  private(set) var reasons: [RuleReason] = []

  init(from trail: [(day: Day, streak: Int32)], through last: Day) {
    (self.trail, self.last) = (trail, last)
  }

  mutating func receive(_ day: JudgedDay) {
    guard first == nil, day.day <= last else { return }
    while next < trail.count, trail[next].day < day.day {
      guard trail[next].streak == 0 else {
        first = trail[next].day
        return
      }
      next += 1
    }
    tally.add(day.day, day.effect)
    let isJudged = next < trail.count && trail[next].day == day.day
    let other = isJudged ? trail[next].streak : 0
    if isJudged { next += 1 }
    guard other != Int32(clamping: tally.length) else { return }
    first = day.day
    self.day = day
    self.day?.streak = tally.length
  }

  mutating func receive(_ reasons: [RuleReason], for day: Day) {
    if day == first, self.day != nil { self.reasons = reasons }
  }

  /// Compares the days of the trail that come after the last received day.
  mutating func finish() {
    guard first == nil else { return }
    first = trail[next...].first { $0.streak != 0 }?.day
  }
}

/// Records one day.
private struct SingleDaySink: DaySink {
  private let wanted: Day
  private let last: Day
  private var tally = StreakTally()
  private(set) var day: JudgedDay?
  private(set) var reasons: [RuleReason] = []

  init(_ wanted: Day, through last: Day) { (self.wanted, self.last) = (wanted, last) }

  mutating func receive(_ day: JudgedDay) {
    guard day.day <= wanted, day.day <= last else { return }
    tally.add(day.day, day.effect)
    guard day.day == wanted else { return }
    self.day = day
    self.day?.streak = tally.length
  }

  mutating func receive(_ reasons: [RuleReason], for day: Day) {
    if day == wanted { self.reasons = reasons }
  }
}
