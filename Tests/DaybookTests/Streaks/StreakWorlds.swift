import Daybook
import Testing

// Short notations for worked examples, and random histories.

/// The day written as 2026-03-01; the first day of all when it is invalid.
func day(_ text: String) -> Day {
  let parts = text.split(separator: "-").compactMap { Int($0) }
  guard parts.count == 3, let day = Day(year: parts[0], month: parts[1], day: parts[2]) else {
    Issue.record("not a day: \(text)")
    return .first
  }
  return day
}

/// A whole amount.
func amount(_ whole: Int) -> Amount { Amount(whole) ?? .zero }

/// The schedule of a mask of weekdays, Monday first: `"MTWTF--"`.
func weekdays(_ text: String) -> Schedule {
  let bits = text.enumerated().reduce(0) { $1.element == "-" ? $0 : $0 | 1 << $1.offset }
  return WeekdayMask(bits: bits).map(Schedule.weekdays) ?? .daily
}

/// A history of consecutive days, one letter a day: `x` done, `b` half of the target, `s` skipped, `0` a logged zero,
/// `.` nothing. The last letter is today, unless `today` is given.
func history(
  _ days: String, from first: String = "2026-03-02", _ schedule: Schedule = .daily,
  target: Target = Target(amount(2)), today: String? = nil
) -> HabitHistory {
  let start = day(first)
  var records: [HabitHistory.DayRecord] = []
  for (offset, letter) in days.enumerated() {
    let values: [Character: Amount?] = [
      "x": target.amount, "b": Amount(thousandths: target.amount.thousandths / 2), "0": Amount.zero,
      "s": Amount?.none,
    ]
    if let value = values[letter] {
      records.append(HabitHistory.DayRecord(day: start.advanced(by: offset), value: value))
    }
  }
  return HabitHistory(
    created: start,
    versions: [HabitHistory.Version(since: start, schedule: schedule, target: target)],
    records: records, today: today.map(day) ?? start.advanced(by: days.count - 1))
}

/// The marks as letters: `F` full, `B` bonus, `s` skipped, `p` paused, `o` off, `?` pending, `h` partial, `m` missed,
/// `n` left out of the calendar.
func letters(_ judgement: Judgement) -> String {
  let letters: [Mark: Character] = [
    .full: "F", .bonus: "B", .skipped: "s", .paused: "p", .off: "o", .pending: "?", .partial: "h",
    .missed: "m", .leftOut: "n",
  ]
  return String(judgement.days.compactMap { letters[$0.mark] })
}

/// Repeatable random numbers: Knuth's MMIX linear congruential generator, high bits.
struct Chance {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33)
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + next() % range.count
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[next() % choices.count] }

  /// True `percent` times in a hundred.
  mutating func happens(_ percent: Int) -> Bool { next() % 100 < percent }
}

/// A history with everything: versions, skips, pauses, archiving, zeros, journeys west.
func randomHistory(seed: Int) -> HabitHistory {
  var chance = Chance(seed: seed)
  let first = day("2026-01-15").advanced(by: chance.pick(0...400))
  let length = chance.pick(1...90)
  let today = first.advanced(by: length - 1)
  var schedules: [Schedule] = [
    .daily, weekdays("MTWTF--"), weekdays("M-W-F--"), weekdays("-----SS"),
  ]
  schedules += [(1, 2), (2, 3), (1, 7), (3, 7), (2, 30), (1, 31), (9, 10)].map {
    .quota(times: $0.0, days: $0.1)
  }
  var versions: [HabitHistory.Version] = []
  var since = first.advanced(by: chance.pick(-2...2))
  repeat {
    let target = Target(amount(chance.pick(0...3)), chance.happens(20) ? .atMost : .atLeast)
    versions.append(.init(since: since, schedule: chance.pick(schedules), target: target))
    since = since.advanced(by: chance.pick(0...40))
  } while since <= today && chance.happens(60)
  let density = chance.pick([10, 40, 70, 95])
  var records: [HabitHistory.DayRecord] = []
  for day in Naive.days(first, today.advanced(by: 1)) where chance.happens(density) {
    if day > today, !chance.happens(10) { continue }
    records.append(.init(day: day, value: chance.happens(15) ? nil : amount(chance.pick(0...4))))
  }
  func spans() -> [DaySpan] {
    (0..<chance.pick(0...2)).map { _ in
      let start = first.advanced(by: chance.pick(-5...length))
      let end = start.advanced(by: chance.pick(-1...6))
      return DaySpan(first: start, last: chance.happens(15) ? nil : end)
    }
  }
  let isIdle = chance.happens(40)
  return HabitHistory(
    created: first.advanced(by: chance.pick([0, 0, 0, 3])), versions: versions, records: records,
    archived: isIdle ? spans() : [], paused: isIdle ? spans() : [], today: today,
    openFrom: chance.happens(10) ? today.advanced(by: 1) : nil,
    type: chance.happens(50) ? .checkbox : .counter)
}
