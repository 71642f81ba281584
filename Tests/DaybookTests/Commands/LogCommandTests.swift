import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct LogCommandTests {
  let today = day("2026-03-02")
  let habitID = First.habit

  /// The value recorded for a log of today.
  private func recorded(
    _ value: Int64, of target: Target, source: LogSource = .manual
  ) throws -> Int64? {
    let command = LogHabit(habitID, value: thousandths(value), source: source)
    let events = try given(habit(target: target)).when(command)
    guard case .habitLogged(let logged) = events.first, events.count == 1 else { return nil }
    return logged.value.thousandths
  }

  @Test func `a log is for today unless it names a day (HH-8)`() throws {
    #expect(try given(habit()).when(LogHabit(habitID)) == [log("2026-03-02")])
    let again = given(habit(), log("2026-03-02"))
    #expect(try again.when(LogHabit(habitID)) == [log("2026-03-02")])
    let noted = LogHabit(habitID, day: .day(day("2026-01-31")), source: .sync, note: "At last")
    let logged = HabitLogged(
      habit: habitID, day: day("2026-01-31"), value: .one, source: .sync, note: "At last")
    #expect(try given(habit()).when(noted) == [.habitLogged(logged)])
  }

  @Test func `a value is clamped to 1…target (HH-8)`() throws {
    let three = Target(amount(3))
    for (value, kept) in [(0, 1000), (500, 1000), (1000, 1000), (2500, 2500), (9000, 3000)] {
      #expect(try recorded(Int64(value), of: three) == Int64(kept))
    }
    let half = Target(thousandths(500))
    for (value, kept) in [(0, 500), (250, 500), (500, 500), (1000, 500)] {
      #expect(try recorded(Int64(value), of: half) == Int64(kept))
    }
  }

  @Test func `the entered value is kept only where it differs from the value that counts (HH-8)`()
    throws
  {
    func entered(_ value: Int64, _ source: LogSource = .manual) throws -> Amount? {
      let command = LogHabit(habitID, value: thousandths(value), source: source)
      let events = try given(habit(target: Target(amount(3)))).when(command)
      guard case .habitLogged(let logged) = events.first else { return nil }
      return logged.entered
    }
    #expect(try entered(0) == .zero)
    #expect(try entered(500) == thousandths(500))
    #expect(try entered(1000) == nil && entered(3000) == nil)
    #expect(try entered(6250) == thousandths(6250))
    #expect(try entered(6250, .import) == nil)
  }

  @Test func `another log, a skip or a clear drops the entered value`() throws {
    let three = given(habit(target: Target(amount(3))))
    let much = try three.and(LogHabit(habitID, value: amount(9)))
    let known = { (scenario: Scenario) in
      scenario.state.habits[habitID]?.days.entered(on: today)
    }
    #expect(known(much) == amount(9))
    #expect(try known(much.and(LogHabit(habitID, value: amount(2)))) == nil)
    #expect(try known(much.and(SkipDay(habitID))) == nil)
    #expect(try known(much.and(ClearLog(habitID))) == nil)
  }

  @Test func `sums and charts use the entered value, and streaks the clamped one (HH-8)`() throws {
    let state = try given(habit(target: Target(amount(5)))).and(
      LogHabit(habitID, value: thousandths(6250))
    ).state
    let view = try state.view(
      of: try #require(state.habits[habitID]), Query(asOf: Scenario.noon, zones: TableZones()))
    #expect(view.judgement.days.last?.value == amount(5))
    #expect(StatisticsReport(view, by: .day).totals.last?.sumThousandths == 6250)
    let cell = view.history.heatmap().last
    #expect(cell?.value == thousandths(6250) && cell?.level == 4)
    let logs = try #require(state.tables.first { $0.name == "habit_logs" })
    let row = try #require(logs.rows.first { $0["log_date"]?.text == today.description })
    #expect(row["value"] == .number("5") && row["entered_value"] == .number("6.25"))
  }

  @Test func `imports and at-most habits keep the entered value (HH-8)`() throws {
    for value in [Int64](arrayLiteral: 0, 500, 9000) {
      #expect(try recorded(value, of: Target(amount(3)), source: .import) == value)
      #expect(try recorded(value, of: Target(amount(3), .atMost)) == value)
    }
  }

  @Test func `the target in force on the day clamps, not today's (HH-8)`() throws {
    let update = UpdateHabit(habitID) {
      $0.target.amount = amount(2)
    }
    let scenario = try given(habit(target: Target(amount(5)))).and(update)
    let yesterday = LogHabit(habitID, value: amount(9), day: .day(day("2026-03-01")))
    func logged(_ text: String, _ value: Amount) -> Event {
      .habitLogged(HabitLogged(habit: habitID, day: day(text), value: value, entered: amount(9)))
    }
    #expect(try scenario.when(yesterday) == [logged("2026-03-01", amount(5))])
    let now = LogHabit(habitID, value: amount(9))
    #expect(try scenario.when(now) == [logged("2026-03-02", amount(2))])
  }

  @Test func `a future day or instant is refused (HH-9)`() throws {
    let tomorrow = day("2026-03-03")
    let refused = Rejection.futureDay(day: tomorrow, today: today)
    let scenario = given(habit())
    #expect(throws: refused) { try scenario.when(LogHabit(habitID, day: .day(tomorrow))) }
    #expect(throws: refused) { try scenario.when(ClearLog(habitID, day: .day(tomorrow))) }
    #expect(throws: refused) { try scenario.when(SkipDay(habitID, day: .day(tomorrow))) }
    let soon = Scenario.noon.advanced(byMilliseconds: 1)
    #expect(throws: Rejection.futureInstant(soon)) {
      try scenario.when(LogHabit(habitID, day: .dayOf(soon)))
    }
    // Before four in the morning it is still yesterday.
    let night = moment("2026-03-03T03:59:59Z")
    #expect(try scenario.when(LogHabit(habitID), at: night) == [log("2026-03-02")])
    #expect(try scenario.when(LogHabit(habitID, day: .dayOf(Scenario.noon)), at: night).count == 1)
  }

  @Test func `an archived habit accepts only imports and clears (HH-7)`() throws {
    let archived = try given(habit(), log("2026-03-01")).and(ArchiveHabit(habitID))
    let refused = Rejection.habitArchived("Read")
    #expect(throws: refused) { try archived.when(LogHabit(habitID)) }
    #expect(throws: refused) { try archived.when(SkipDay(habitID)) }
    #expect(try archived.when(LogHabit(habitID, source: .import)).count == 1)
    #expect(try archived.when(ClearLog(habitID, day: .day(day("2026-03-01")))).count == 1)
  }

  @Test func `clearing removes a log, and an empty day stays empty (HH-9)`() throws {
    let cleared: HabitLogCleared = make {
      $0.habit = habitID
      $0.day = today
      $0.source = .api
    }
    let clear = ClearLog(habitID, source: .api)
    #expect(try given(habit(), log("2026-03-02")).when(clear) == [.habitLogCleared(cleared)])
    #expect(try given(habit()).when(clear) == [])
  }

  @Test func `a skip replaces a log, and the same skip again appends nothing (HH-10)`() throws {
    let skipped: HabitDaySkipped = make {
      $0.habit = habitID
      $0.day = today
      $0.note = "Ill"
    }
    let skip = SkipDay(habitID, note: "Ill")
    let scenario = given(habit(), log("2026-03-02"))
    #expect(try scenario.when(skip) == [.habitDaySkipped(skipped)])
    #expect(try scenario.and(skip).when(skip) == [])
    #expect(try scenario.and(skip).when(SkipDay(habitID)) == [], "the note stays")
    #expect(try scenario.and(skip).when(SkipDay(habitID, note: "Well")).count == 1)
    #expect(try scenario.and(skip).state.habits[habitID]?.days[today]?.isSkipped == true)
  }

  @Test func `only the owner logs (HH-8, MO-9)`() {
    let scenario = given(habit(), .accountCreated(person(2)))
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(LogHabit(habitID), by: 2) }
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(ClearLog(habitID), by: 2) }
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(SkipDay(habitID), by: 2) }
    #expect(throws: Rejection.actorMissing) {
      try scenario.when(LogHabit(habitID), by: nil)
    }
    #expect(throws: Rejection.habitNotFound) { try given().when(LogHabit(habitID)) }
  }

  @Test func `rejections have their codes`() {
    let codes: [(Rejection, String)] = [
      (.actorMissing, "actor_missing"), (.goalNotFound, "goal_not_found"),
      (.habitNotFound, "habit_not_found"), (.notOwner(of: .habit), "not_owner"),
      (.habitArchived("Read"), "habit_archived"), (.keyTaken(Scenario.fresh), "key_taken"),
      (.emptyHabitName, "empty_name"), (.invalidColor("", "color_hex"), "invalid_color"),
      (.invalidTarget, "invalid_target"), (.invalidSchedule, "invalid_schedule"),
      (.futureDay(day: .last, today: .first), "future_day"),
      (.futureInstant(.last), "future_instant"),
    ]
    for (rejection, code) in codes {
      #expect(rejection.code == code)
      #expect(rejection.description.hasSuffix("."))
    }
  }
}
