import Foundation
import Testing

@testable import Daybook

/// Every limit is tested at its value and one past it, and the page of limits agrees.
@Suite(.tags(.law)) struct LimitTests {
  @Test(arguments: Limit.allCases)
  func `each limit accepts its maximum, and no more`(limit: Limit) throws {
    #expect(try LimitProbe.takes(limit, limit.maximum), "at the limit of \(limit)")
    #expect(try !LimitProbe.takes(limit, limit.maximum + 1), "one past the limit of \(limit)")
  }

  @Test(arguments: TextField.all)
  func `every text has a limit (HH-7)`(field: TextField) throws {
    #expect(field.refusal(of: String(repeating: "x", count: field.limit.maximum)) == nil)
    // As many characters, though more bytes.
    #expect(field.refusal(of: String(repeating: "ü", count: field.limit.maximum)) == nil)
    let long = String(repeating: "x", count: field.limit.maximum + 1)
    let refusal = try #require(field.refusal(of: long))
    #expect(refusal.code == "\(field.limit.rawValue)_too_long")
    #expect(refusal.field == field.name)
    #expect(refusal.description.contains("\(field.limit.maximum) characters"))
  }

  @Test func `one visible character may be a thousand, and counts as such`() {
    let stack = "a" + String(repeating: "\u{301}", count: Limit.name.maximum)
    #expect(stack.count == 1)
    #expect(!Limit.name.isKept(stack))
    #expect(Limit.name.cut(stack).unicodeScalars.count == Limit.name.maximum)
  }

  @Test func `days are logged from 1900 on, and an earlier one already logged stays`() throws {
    let scenario = given(habit())
    #expect(Limit.firstLogDay == day("1900-01-01"))
    let early = LogHabit(First.habit, day: .day(day("1899-12-31")))
    #expect(throws: Rejection.dayTooEarly(day("1899-12-31"))) { try scenario.when(early) }
    #expect(throws: Rejection.dayTooEarly(day("0001-01-01"))) {
      try scenario.when(SkipDay(First.habit, day: .day(day("0001-01-01"))))
    }
    #expect(try scenario.when(LogHabit(First.habit, day: .day(Limit.firstLogDay))).count == 1)
    let rejection = Rejection.dayTooEarly(day("1899-12-31"))
    #expect(rejection.code == "day_too_early" && rejection.field == "day")
    #expect(rejection.description.contains("1900-01-01"))
    // A book of an earlier version may hold such a day; it can be changed and cleared.
    let old = scenario.and(log("1899-12-31"))
    #expect(try old.when(LogHabit(First.habit, value: .zero, day: .day(day("1899-12-31")))) != [])
    #expect(try old.when(ClearLog(First.habit, day: .day(day("1899-12-31")))).count == 1)
  }

  @Test func `calendar texts beyond the limits are cut, and reported`() throws {
    let long = String(repeating: "x", count: 10_001)
    let reading = ICalendar.read(
      calendarText(
        eventText("UID:1\nDTSTART:20260301T120000Z\nSUMMARY:\(long)\nDESCRIPTION:\(long)")),
      zones: TableZones())
    let event = try #require(reading.calendar.series.first?.master)
    #expect(event.summary?.count == 500 && event.description?.count == 10_000)
    #expect(
      reading.problems.map(\.message) == [
        "SUMMARY has more than 500 characters; the first are kept",
        "DESCRIPTION has more than 10000 characters; the first are kept",
      ])
  }

  @Test func `the page of limits matches the code`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "Docs/Limits.md"), encoding: .utf8)
    var said: [String: (most: String, code: String)] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 4 else { continue }
      let name = cells[0].filter { $0 != "`" }
      said[name] = (cells[1].filter { $0 != " " }, cells[2])
    }
    for limit in Limit.allCases {
      let found = said.removeValue(forKey: limit.rawValue)
      let row = try #require(found, "\(limit)")
      #expect(row.most == "\(limit.maximum)", "\(limit)")
      if let code = LimitProbe.code(of: limit) { #expect(row.code == "`\(code)`", "\(limit)") }
    }
    let firstDay = said.removeValue(forKey: "first_log_day")?.most
    #expect(firstDay == "\(Limit.firstLogDay)")
    let hours = said.removeValue(forKey: "ahead_hours")?.most
    #expect(hours == "\(Limit.maximumLeadMilliseconds / 3_600_000)")
    #expect(said.keys.sorted() == [], "rows that no limit has")
  }
}
