@testable import Calendar
import PropertyTesting
import Testing

@testable import Daybook

/// The cost of foreign calendars: at most linear in their text, and always bounded.
@Suite(.tags(.damage)) struct ICalendarBudgetTests {
  /// A zone with this many parts, each of which repeats forever.
  private func zone(_ parts: Int, named name: String = "Own") -> String {
    let observances = (0..<parts).map { part in
      """
      BEGIN:\(part % 2 == 0 ? "STANDARD" : "DAYLIGHT")
      DTSTART:19\(part < 90 ? 10 + part : 99)0101T020000
      TZOFFSETFROM:+0\(part % 10)00
      TZOFFSETTO:+0\((part + 1) % 10)00
      RRULE:FREQ=YEARLY;BYMONTH=\(part % 12 + 1);BYDAY=-1SU
      END:\(part % 2 == 0 ? "STANDARD" : "DAYLIGHT")
      """
    }
    return (["BEGIN:VTIMEZONE", "TZID:\(name)"] + observances + ["END:VTIMEZONE"])
      .joined(separator: "\n")
  }

  private func read(_ parts: [String]) -> ICalendar.Reading {
    ICalendar.read(calendarText(parts), zones: TableZones())
  }

  private func series(_ parts: String...) throws -> ICalendar.Series {
    try #require(read(parts).calendar.series.first)
  }

  private func expansion(
    _ series: ICalendar.Series, from: String = "2026-01-01T00:00:00Z",
    until: String = "2027-01-01T00:00:00Z", _ budget: inout ICalendar.ExpansionBudget
  ) -> ICalendar.Expansion {
    series.occurrences(
      from: moment(from), until: moment(until), seenFrom: "Etc/UTC", zones: TableZones(),
      within: &budget)
  }

  // MARK: Zones

  @Test func `a zone is compiled once, however many events use it`() throws {
    var steps: [Int] = []
    for count in [10, 100] {
      let events = (0..<count).map { eventText("UID:\($0)\nDTSTART;TZID=Own:20260301T120000") }
      let reading = read([zone(100)] + events)
      #expect(reading.calendar.series.count == count)
      var compiled = ICalendar.CompiledZones(TableZones())
      for series in reading.calendar.series {
        _ = CalendarContent(
          series, zoneRules: reading.calendar.zoneRules, &compiled, seenFrom: "Etc/UTC")
      }
      steps.append(compiled.steps)
    }
    #expect(steps[0] > 100 && steps[0] == steps[1])
  }

  @Test func `a question pays for a zone once, and names the events it left out`() throws {
    let events = (0..<100).map { eventText("UID:\($0)\nDTSTART;TZID=Own:20260301T120000") }
    let file = ImportCalendar(
      Array(calendarText([zone(40)] + events).utf8), into: Home.household)
    let state = try Home.with().and(file).state
    let days = day("2026-03-01")...day("2026-03-02")
    let list = { (steps: Int) in
      state.calendar(
        of: Home.household, for: First.account, on: days, zones: TableZones(),
        within: ICalendar.ExpansionBudget(steps: steps, forSeries: 1000))
    }
    var compiled = ICalendar.CompiledZones(TableZones())
    _ = compiled.zones(read([zone(40)] + events).calendar.zoneRules)
    let whole = list(compiled.steps + 100)
    #expect(whole.occurrences.count == 100 && whole.cutOff == [])
    let part = list(compiled.steps + 99)
    #expect(part.occurrences.count == 99 && part.cutOff.count == 1)
  }

  @Test func `the transitions of a zone's rules are limited, and cutting is reported`() throws {
    let never = "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU"
    let often = "RRULE:FREQ=DAILY"
    for (rule, isCutOff) in [(often, true), (never, true), ("RRULE:FREQ=YEARLY", false)] {
      let text = """
        BEGIN:VTIMEZONE
        TZID:Own
        BEGIN:STANDARD
        DTSTART:00010101T000000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        \(rule)
        END:STANDARD
        END:VTIMEZONE
        """
      let reading = read([text, eventText("UID:1\nDTSTART;TZID=Own:20260301T120000")])
      let rules = try #require(reading.calendar.zoneRules["Own"])
      let changes = ICalendar.ZoneChanges(rules)
      #expect(changes.isCutOff == isCutOff, "\(rule)")
      #expect(changes.steps <= 11_000, "\(rule)")
      let isSaid = reading.problems.contains { $0.message.contains("change more often than 2000") }
      #expect(isSaid == isCutOff, "\(rule)")
    }
  }

  @Test func `a zone that begins in 1601 is right in our years`() throws {
    // The form that Windows writes; by the year 2200 it has more than a thousand yearly changes.
    let text = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE
      """
    let reading = read([text, eventText("UID:1\nDTSTART;TZID=Own:20260701T120000")])
    #expect(reading.problems == [])
    let zones = reading.calendar.timeZones(beside: TableZones())
    for (time, hours) in [("2026-07-01", 2), ("2026-12-01", 1), ("2199-07-01", 2)] {
      #expect(
        zones.offsetSeconds(of: "Own", at: moment("\(time)T00:00:00Z")) == hours * 3600, "\(time)")
    }
  }

  // MARK: Series

  @Test func `a series with ten times the changes costs ten times as much`() throws {
    var steps: [Int] = []
    for count in [40, 400] {
      let first = day("2020-01-01")
      let singles = (0..<count).map { number in
        let slot = "\(first.advanced(by: number).iCalendar)T120000Z"
        return eventText("UID:1\nRECURRENCE-ID:\(slot)\nDTSTART:\(slot)\nSUMMARY:\(number)")
      }
      let exceptions = (0..<count).map { first.advanced(by: 3000 + $0).iCalendar + "T120000Z" }
      let daily = eventText(
        """
        UID:1
        DTSTART:20200101T120000Z
        RRULE:FREQ=DAILY
        EXDATE:\(exceptions.joined(separator: ","))
        """)
      let reading = read([daily] + singles)
      var budget = ICalendar.ExpansionBudget(steps: 1_000_000, forSeries: 1_000_000)
      let found = expansion(try #require(reading.calendar.series.first), &budget)
      #expect(!found.isCutOff && found.occurrences.count == 365)
      steps.append(1_000_000 - budget.remaining)
    }
    #expect(steps[1] < steps[0] * 10, "\(steps)")
  }

  @Test(arguments: [
    // Two thousand years that all touch the window; days that never occur; a count over all years.
    "DTSTART;VALUE=DATE:00010101\nDURATION:P9999999D\nRRULE:FREQ=DAILY",
    "DTSTART:00010102T120000Z\nRRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30",
    "DTSTART:00010101T120000Z\nRRULE:FREQ=DAILY;BYDAY=MO;COUNT=2147483647",
    "DTSTART:00010101T120000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2147483647",
  ])
  func `a laborious series is expanded up to a limit, and marked as cut off`(lines: String) throws {
    let series = try series(eventText("UID:1\n\(lines)"))
    var budget = ICalendar.ExpansionBudget.question
    let found = expansion(series, &budget)
    #expect(found.isCutOff)
    #expect(found.occurrences.count <= Limit.seriesSteps.maximum)
    // One step may cross the limit, and a year has twelve.
    #expect(Limit.calendarSteps.maximum - budget.remaining <= Limit.seriesSteps.maximum + 12)
  }

  @Test func `older changes of a series are found in a bounded number of steps`() throws {
    let events = [
      eventText("UID:1\nSEQUENCE:2\nDTSTART:00010101T000000Z\nRRULE:FREQ=HOURLY"),
      eventText("UID:1\nRECURRENCE-ID:00010101T003000Z\nDTSTART:00010101T003000Z"),
      eventText("UID:1\nRECURRENCE-ID:99981231T230000Z\nDTSTART:99981231T230000Z"),
    ]
    let reading = read(events)
    // The first is at no time of the series, and the second is: nothing between them needs a step.
    #expect(
      reading.calendar.series.first?.overrides.map(\.recurrenceID?.text) == ["99981231T230000Z"])
    #expect(reading.problems.count == 1)
  }

  @Test func `advancing to a time skips only what is before it`() {
    let targets = RuleWorlds.starts.array(count: 1...6)
    let worlds = Generator.zip(RuleWorlds.rules(), RuleWorlds.starts, targets)
    let report = check("advance", worlds, cases: 12) { world, statistics in
      let rule = try RecurrenceRule(parsing: world.0)
      let recurrence = Recurrence(
        start: world.1, rules: [rule], dates: [world.2[0]], exceptions: [world.2[world.2.count - 1]]
      )
      var followed = recurrence.occurrences()
      var earliest = LocalDateTime(day: .first)
      for target in world.2.sorted() {
        followed.advance(to: target)
        // A time that was returned does not occur again.
        let from = max(target, earliest)
        let expected = recurrence.occurrences(from: from).first { _ in true }
        statistics.cover("occurs", atLeast: 20, expected != nil)
        try expectEqual(followed.upcoming(), expected)
        try expectEqual(followed.next(), expected)
        guard let expected else { return }
        earliest = LocalDateTime(clampingSecondsSince1970: expected.secondsSince1970 + 1)
      }
    }
    #expect(report.passed, "\(report)")
  }

  // MARK: Problems

  @Test func `the first of very many problems are listed, and the rest are counted`() throws {
    let most = Limit.calendarProblems.maximum
    for (count, listed) in [(most, most), (most + 1, most + 1), (most * 3, most + 1)] {
      let text = (0..<count).map { _ in "no line" }.joined(separator: "\n")
      let reading = read([text])
      #expect(reading.problems.count == listed)
      let last = try #require(reading.problems.last?.message)
      #expect(last.contains("\(count - most) more problems") == (count > most))
    }
    let lost = read((0..<most + 5).map { _ in eventText("UID:1") })
    #expect(lost.leftOutCount == most + 5 && !lost.isWhole)
  }

  @Test func `a message quotes a limited part of a long line`() throws {
    let reading = read([eventText("UID:1\nDTSTART:\(String(repeating: "9", count: 100_000))")])
    #expect(try #require(reading.problems.first).message.utf8.count < 1000)
  }
}
