import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct DayTests {
  @Test func `the first and the last day bound the years 1…9999`() {
    #expect(Day.first.description == "0001-01-01")
    #expect(Day.last.description == "9999-12-31")
    #expect(Day(number: Int(Day.first.number) - 1) == nil)
    #expect(Day(number: Int(Day.last.number) + 1) == nil)
    #expect(Day(number: .min) == nil)
    #expect(Day(clampingNumber: .max) == .last)
    #expect(Day(clampingNumber: .min) == .first)
    #expect(Day.last.advanced(by: 1) == .last)
    #expect(Day.last.advanced(by: .max) == .last)
    #expect(Day.first.advanced(by: .min) == .first)
    #expect(day("1970-01-01").number == 0)
    #expect(day("2026-03-02").weekday == 0)
  }

  /// Ranges of years: the ends, the leap years of four centuries, the epoch and the present.
  static let stretches = [(1, 405), (1580, 25), (1895, 210), (2395, 10), (9990, 10)]

  @Test(arguments: stretches)
  func `days match a calendar counted by hand`(first: Int, years: Int) {
    var naive = NaiveCalendar()
    naive.skip(years: first - 1)
    var day = Day(year: first, month: 1, day: 1)
    while naive.year < first + years, let found = day {
      let parts = found.parts
      let isRight =
        parts.year == naive.year && parts.month == naive.month && parts.day == naive.day
        && Int(found.number) == naive.count - 719_162 && found.weekday == naive.weekday
        && Day(year: naive.year, month: naive.month, day: naive.day) == found
        && Day.dayCount(year: naive.year, month: naive.month) == naive.monthLength
      if !isRight {
        Issue.record("\(found) is \(naive.text)")
        return
      }
      naive.step()
      day = Day(number: Int(found.number) + 1)
    }
    #expect(naive.year == first + years)
  }

  @Test func `every day prints and reads back`() {
    let days = Generator<Int>.integer(in: -719_162...2_932_896)
    let report = check("round trip", days, cases: 5000) { number in
      let day = Day(clampingNumber: number)
      try expectEqual(Day(day.description), day)
      try expectEqual(day.description.utf8.count, 10)
      try expectEqual(Day(clampingNumber: 0).distance(to: day), number)
      try expectEqual(Day(clampingNumber: 0).advanced(by: number), day)
    }
    #expect(report.passed, "\(report)")
  }

  static let noDays = [
    "", "2026", "2026-02-30", "2025-02-29", "1900-02-29", "2026-00-01", "2026-13-01", "2026-01-00",
    "2026-04-31", "0000-01-01", "10000-01-01", "2026-1-01", "2026-01-1", "2026/01/01", "20260101",
    " 2026-01-01", "2026-01-01 ", "-026-01-01", "2026-01-0a", "+026-01-01", "２０２６-01-01",
  ]

  @Test(arguments: noDays) func `text that is not a day is refused`(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func `leap days exist in leap years alone`() {
    for year in [2000, 2024, 2400, 4, 9996] { #expect(Day(year: year, month: 2, day: 29) != nil) }
    for year in [1900, 2023, 2100, 1, 9999] { #expect(Day(year: year, month: 2, day: 29) == nil) }
  }

  @Test func `a weekday mask names its weekdays (HH-7)`() throws {
    #expect(WeekdayMask(bits: 0) == nil)
    #expect(WeekdayMask(bits: 128) == nil)
    #expect(WeekdayMask(bits: -1) == nil)
    let weekend = try #require(WeekdayMask(bits: 96))
    let named = (0..<7).map { weekend.contains(day("2026-03-02").advanced(by: $0)) }
    #expect(named == [false, false, false, false, false, true, true])
    #expect(weekend.contains(day("0001-01-06")))
    #expect(Schedule.quota(0, in: 7) == nil)
    #expect(Schedule.quota(8, in: 7) == nil)
    #expect(Schedule.quota(1, in: 1001) == nil)
    #expect(Schedule.quota(7, in: 7) == .daily)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", "1970-01-01"), ("1969-12-31T23:59:59.999Z", "1969-12-31"),
    ("0001-01-01T00:00:00Z", "0001-01-01"), ("9999-12-31T23:59:59.999Z", "9999-12-31"),
    ("2026-03-01T23:59:59.999Z", "2026-03-01"),
  ])
  func `an instant falls on one day in UTC, also before 1970`(moment: String, day: String) throws {
    #expect(Day(utc: try #require(Instant(moment))) == Day(day))
  }
}
