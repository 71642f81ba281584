import Avro
import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct InsightsTests {
  private static func query(_ text: String) -> Query {
    Query(asOf: moment(text), zones: TableZones())
  }

  /// Ada reads daily and swims on weekdays, from Friday 2026-02-20.
  private static func scenario() -> Scenario {
    given(
      habit(1), habit(2, schedule: WeekdayMask(bits: 31).map(Schedule.weekdays) ?? .daily),
      log("2026-02-20"), log("2026-02-21"), log("2026-02-23"), log("2026-02-24"))
  }

  @Test func `insights sum the days of all habits, by weekday and by month (HH-14)`() throws {
    let state = Self.scenario().state
    let query = Self.query("2026-02-25T12:00:00Z")
    let insights = try state.insights(of: First.account, query)
    var completion = Completion()
    for habit in state.habits.elements {
      let judgement = try state.view(of: habit, query).judgement
      completion.full += judgement.count(of: .full)
      completion.missed += judgement.count(of: .missed)
    }
    #expect(insights.completion == completion)
    #expect(completion == Completion(full: 4, missed: 4))
    #expect(insights.weekdays.map(\.full) == [1, 1, 0, 0, 1, 1, 0])
    #expect(insights.weekdays.map(\.due) == [2, 2, 0, 0, 2, 1, 1])
    #expect(insights.months.map(\.start) == [day("2026-02-01")])
    #expect(insights.months.first?.completion == completion)
    #expect(insights.best?.length == 2)
    #expect(insights.current.map(\.length) == [2])
  }

  @Test func `a habit with a streak that is open today is at risk (HH-14)`() throws {
    let scenario = Self.scenario()
    let query = Self.query("2026-02-25T12:00:00Z")
    let risk = try scenario.state.insights(of: First.account, query).habitsAtRisk
    #expect(risk.map(\.habit.key) == [Key(high: 2, low: 1)])
    let done = scenario.and(log("2026-02-25")).state
    #expect(try done.insights(of: First.account, query).habitsAtRisk.isEmpty)
  }

  @Test func `the message is the same for the same day and progress (DG-4)`() {
    for progress in DayMessage.Progress.allCases {
      var seen: Set<String> = []
      for number in -800..<800 {
        let day = Day(clampingNumber: number)
        let message = DayMessage.message(on: day, progress)
        #expect(message == DayMessage.message(on: day, progress))
        #expect(!message.isEmpty)
        seen.insert(message)
      }
      #expect(seen.count >= 3)
    }
    // The name of a message tells another language which sentence is meant.
    #expect(DayMessage.key(on: Day(clampingNumber: 0), .nearlyDone) == "nearly_done.1")
    #expect(DayMessage.key(on: Day(clampingNumber: -1), .nearlyDone) == "nearly_done.3")
    #expect(DayMessage.progress(done: 0, due: 0) == .free)
    #expect(DayMessage.progress(done: 0, due: 1) == .begin)
    #expect(DayMessage.progress(done: 1, due: 3) == .underway)
    #expect(DayMessage.progress(done: 2, due: 3) == .nearlyDone)
    #expect(DayMessage.progress(done: 3, due: 3) == .done)
  }

  @Test func `the metrics of a book match a count by hand (HH-27)`() throws {
    // Ada starts on 2026-03-01 and logs that day, on the 8th day and on the 31st; Bob logs on his second day only,
    // has a reminder, and leads a hive with one invite.
    let noon = moment("2026-03-01T12:00:00Z")
    let begun = Scenario().and(.accountCreated(person(1)), at: noon)
      .and(.accountCreated(person(2)), at: noon)
    var scenario = begun.and(habit(1), at: noon)
    var reminded = CreateHabit(key: Key(high: 2, low: 2), name: "Swim")
    reminded.content.reminders = [.midnight]
    scenario = try scenario.and(reminded, by: 2, at: noon)
      .and(LogHabit(First.habit), by: 1, at: noon)
      .and(LogHabit(Habit.ID(2) ?? First.habit), by: 2, at: moment("2026-03-02T12:00:00Z"))
      .and(LogHabit(First.habit), by: 1, at: moment("2026-03-08T12:00:00Z"))
      .and(CreateHive(key: Key(high: 4, low: 1), name: "Swimmers"), by: 2, at: noon)
    scenario = try scenario.and(
      CreateHiveInvite(Hive.ID(1) ?? scenario.state.hives.nextNumber), by: 2, at: noon
    ).and(LogHabit(First.habit), by: 1, at: moment("2026-03-31T12:00:00Z"))
    let metrics = scenario.state.metrics(Self.query("2026-04-02T12:00:00Z"))
    var expected = Metrics()
    (expected.accountCount, expected.activation, expected.activeCount) = (2, 0.5, 1)
    (expected.inHive, expected.invitesPerAccount, expected.logsPerDay) = (0, 0.5, 1)
    (expected.retention7, expected.retention30, expected.reminders) = (0.5, 0.5, 0.5)
    #expect(metrics == expected)
    #expect(BookState().metrics(Self.query("2026-04-02T12:00:00Z")).activation == nil)
    let early = scenario.state.metrics(Self.query("2026-03-08T12:00:00Z"))
    #expect(early.retention7 == nil && early.activeCount == 2 && early.inHive == 0.5)
  }
}
