import Testing

@testable import Daybook

/// The last days alone, after the earlier ones were judged once, match all days.
@Suite(.tags(.law)) struct RecentDaysTests {
  @Test(arguments: 0..<12)
  func `recent days match the same days of the whole history (DG-6)`(_ seed: Int) throws {
    var chance = Chance(seed: seed)
    let start = day("2026-01-01")
    let schedule = chance.pick([Schedule.daily, weekdays("MTWTF--"), weekdays("M-W-F--")])
    var whole = HabitHistory(
      created: start,
      versions: [.init(since: start, schedule: schedule, target: Target(amount(2)))],
      paused: [DaySpan(first: start.advanced(by: 150), last: start.advanced(by: 155))],
      today: start)
    var recent = RecentDays(whole)
    for offset in 0..<420 {
      let open = start.advanced(by: offset)
      // Mostly the open day; now and then a day of the last weeks, or a clear.
      let changed = open.advanced(by: chance.happens(10) ? -chance.pick(0...40) : 0)
      guard changed >= start, !(200..<230).contains(offset), chance.happens(85) else { continue }
      let value: Amount?? =
        chance.happens(5) ? .none : .some(chance.happens(10) ? nil : amount(chance.pick(1...3)))
      let record = value.map { HabitHistory.DayRecord(day: changed, value: $0) }
      whole.records.removeAll { $0.day == changed }
      if let record { whole.records.append(record) }
      whole.records.sort { $0.day < $1.day }
      recent.update(record, of: changed)
      (whole.today, whole.openFrom) = (open, open)
      let all = StreakRule.daybook.judgement(of: whole)
      let found = recent.judgement(open: open)
      let first = recent.first ?? .first
      #expect(found.days.map(\.mark) == all.days.filter { $0.day >= first }.map(\.mark))
      #expect(found.days.last?.streak == all.days.last?.streak)
      #expect(found.current == all.current && found.longest == all.longest)
      for day in [open, changed] {
        #expect(
          found.isComeback(day, after: recent.absence) == all.isComeback(day), "day \(day)")
      }
    }
    // Otherwise nothing was tested.
    #expect(recent.first != nil)
  }
}
