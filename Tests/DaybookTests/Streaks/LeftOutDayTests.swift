import Daybook
import Testing

/// A day that a zone left out of its calendar breaks no streak, and counts nowhere (HH-3, HH-13).
@Suite(.tags(.unit)) struct LeftOutDayTests {
  /// Five days from 2011-12-28 on, the third of which is left out.
  private func judged(_ days: String, _ schedule: Schedule = .daily) -> Judgement {
    var history = history(days, from: "2011-12-28", schedule)
    history.leftOut = [day("2011-12-30")]
    return StreakRule.daybook.judgement(of: history)
  }

  @Test func `a left-out day breaks no streak and is not due`() {
    let judgement = judged("xx.xx")
    #expect(letters(judgement) == "FFnFF")
    #expect(judgement.days.map(\.streak) == [1, 2, 2, 3, 4])
    #expect(judgement.days.map(\.due) == [true, true, false, true, true])
    #expect(judgement.breaks.isEmpty && judgement.current?.length == 4)
    #expect(judgement.completion == 1)
    #expect(judgement.totals(by: .year).map(\.completion.due) == [3, 1])
  }

  @Test(arguments: [
    // A log of it is a bonus: it neither extends nor counts.
    ("xxxxx", "FFBFF", 4), ("xxbxx", "FFnFF", 4), ("xx0xx", "FFnFF", 4), ("xxsxx", "FFsFF", 4),
    // The days around it are judged as usual.
    ("x..xx", "FmnFF", 2), ("xx..x", "FFnmF", 1),
  ])
  func `a log of a left-out day counts nowhere`(
    days: String, marks: String, current: Int
  ) {
    let judgement = judged(days)
    #expect(letters(judgement) == marks)
    #expect(judgement.current?.length == current)
  }

  @Test func `a quota's run does not count a left-out day`() {
    // Twice in 7 days: the window is 28 December to 3 January, and three days of it count until the second log.
    let judgement = judged("x..x", .quota(times: 2, days: 7))
    #expect(letters(judgement) == "FonF")
    #expect(judgement.current?.length == 3)
    #expect(judgement.days.map(\.due) == [true, false, false, true])
  }

  @Test func `a left-out day is marked as such even in a pause`() {
    var history = history("x...x", from: "2011-12-28")
    history.leftOut = [day("2011-12-30")]
    history.paused = [DaySpan(first: day("2011-12-29"), last: day("2011-12-31"))]
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "FpnpF")
  }

  @Test func `a left-out day does not change the strength`() {
    var history = history("xxxxx.xx", from: "2011-12-25")
    history.leftOut = [day("2011-12-30")]
    #expect(history.strengths.map(\.day).contains(day("2011-12-30")))
    let before = history.strength(after: day("2011-12-29"))
    #expect(history.strength(after: day("2011-12-30")) == before)
    #expect(abs(history.strength - shortened(history).strength) < 1e-12)
  }

  /// The same history without the left-out day: later days move one day earlier.
  private func shortened(_ history: HabitHistory) -> HabitHistory {
    var shorter = history
    shorter.leftOut = []
    shorter.today = history.today.advanced(by: -1)
    shorter.openFrom = shorter.today
    for index in shorter.records.indices where shorter.records[index].day > day("2011-12-30") {
      shorter.records[index].day = shorter.records[index].day.advanced(by: -1)
    }
    return shorter
  }

  // MARK: Accounts

  @Test(arguments: [Int32(0), 4])
  func `in Apia a streak continues over 30 December 2011 (HH-3)`(start: Int32) throws {
    var scenario = Scenario().and(
      .accountCreated(person(1, zone: "Pacific/Apia", start: start)), habit(),
      at: moment("2011-12-28T20:00:00Z"))
    for text in ["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01"] {
      scenario = scenario.and(log(text), at: moment("2012-01-01T20:00:00Z"))
    }
    let read = try #require(scenario.state.habits[First.habit])
    let history = scenario.state.history(of: read, today: day("2012-01-01"))
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "FFnFF")
    let query = Query(asOf: moment("2012-01-01T20:00:00Z"), zones: TableZones())
    #expect(try scenario.state.streaks(of: nil, query).map(\.summary.current?.length) == [4])
  }

  static let moves: [(String, String, String, [String])] = [
    ("Pacific/Apia", "2011-12-30T10:00:00Z", "Etc/UTC", ["2011-12-30"]),
    ("Pacific/Apia", "2011-12-30T09:59:59.999Z", "Etc/UTC", []),
    ("Etc/UTC", "2011-12-30T10:00:00Z", "Pacific/Apia", []),
    ("Etc/UTC", "2011-12-30T09:59:59.999Z", "Pacific/Apia", ["2011-12-30"]),
    // The first zone applies to the time before the account.
    ("Pacific/Kiritimati", "2011-12-01T00:00:00Z", "Pacific/Apia", ["1994-12-31", "2011-12-30"]),
    ("Pacific/Apia", "2026-03-02T12:00:00Z", "Pacific/Kiritimati", ["2011-12-30"]),
  ]

  @Test(arguments: moves)
  func `the zone where the day first ended on Earth counts (law 5)`(
    from: String, until: String, to: String, days: [String]
  ) throws {
    let scenario = Scenario()
      .and(.accountCreated(person(1, zone: from)), at: moment("2011-11-30T12:00:00Z"))
      .and(
        .dayClockChanged(
          make {
            $0.account = First.account
            $0.timeZone = to
            $0.dayStartHour = 4
            $0.closedBefore = day("2011-12-01")
          }), at: moment(until))
    let account = try #require(scenario.state.accounts[First.account])
    #expect(account.daysLeftOut == days.map(day))
  }
}
