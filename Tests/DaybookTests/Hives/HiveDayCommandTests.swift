import Avro
import Daybook
import Testing

/// Logs of a hive's days, and the days' verdicts.
@Suite(.tags(.unit)) struct HiveDayCommandTests {
  private let hive = Bees.hive

  private func on(_ text: String, _ value: Amount = .one) -> LogHiveDay {
    LogHiveDay(hive, value: value, day: .day(day(text)))
  }

  // MARK: Logs

  @Test func `a value is clamped to 1…target (HH-19, R2)`() throws {
    let rows: [(Int64, [(Int64, Int64)])] = [
      (3000, [(0, 1000), (500, 1000), (1000, 1000), (2500, 2500), (9000, 3000)]),
      (500, [(0, 500), (250, 500), (500, 500), (9000, 500)]),
      (1000, [(0, 1000), (1000, 1000), (2000, 1000)]),
    ]
    for (target, values) in rows {
      let scenario = try Bees.hive(2, target: thousandths(target))
      for (value, kept) in values {
        #expect(
          try scenario.when(LogHiveDay(hive, value: thousandths(value))) == [
            Bees.logged(
              "2026-03-02", thousandths(kept), entered: value == kept ? nil : thousandths(value))
          ])
      }
    }
  }

  @Test
  func `the entered value is kept beside the one that counts, on time and late (HH-8, HH-19)`()
    throws
  {
    let logged = try Bees.hive(2, target: amount(5)).and(LogHiveDay(hive, value: thousandths(6250)))
    var row = try #require(logged.rows("hive_member_days").first)
    #expect(row["value"] == .number("5") && row["entered_value"] == .number("6.25"))
    #expect(row["done"] == true)
    // Another log or a clear of the day drops it.
    let again = try logged.and(LogHiveDay(hive, value: amount(5)))
    row = try #require(again.rows("hive_member_days").first)
    #expect(row["value"] == .number("5") && row["entered_value"] == nil)
    #expect(try logged.and(ClearHiveLog(hive)).rows("hive_member_days").isEmpty)
    let late = try logged.and(
      LogHiveDay(hive, value: thousandths(500), day: .day(day("2026-03-02"))), at: later(4))
    row = try #require(late.rows("hive_member_days").first)
    #expect(row["value"] == .number("1") && row["entered_value"] == .number("0.5"))
  }

  @Test func `only members log, and only days that have begun (HH-19)`() throws {
    let scenario = try Bees.hive(2)
    for command in [on("2026-03-02"), on("2026-03-03"), on("2026-03-01")] {
      #expect(throws: Rejection.actorMissing) {
        try scenario.when(command, by: nil)
      }
      #expect(throws: Rejection.notMember) { try scenario.when(command, by: 3) }
      #expect(throws: Rejection.hiveNotFound) { try Bees.people().when(command) }
    }
    let future = Rejection.futureDay(day: day("2026-03-03"), today: Bees.today)
    #expect(throws: future) { try scenario.when(on("2026-03-03")) }
    #expect(throws: Rejection.beforeJoining(day: day("2026-03-01"), joined: Bees.today)) {
      try scenario.when(on("2026-03-01"), by: 2)
    }
    let soon = Scenario.noon.advanced(byMilliseconds: 1)
    #expect(throws: Rejection.futureInstant(soon)) {
      try scenario.when(LogHiveDay(hive, day: .dayOf(soon)))
    }
    #expect(throws: future) { try scenario.when(ClearHiveLog(hive, day: .day(day("2026-03-03")))) }
  }

  @Test func `a log queued offline is for the day on which it was made (HH-26)`() throws {
    let scenario = try Bees.hive(2)
    // At three in the night of the third it is still the second.
    let made = moment("2026-03-03T03:59:00Z")
    #expect(
      try scenario.when(LogHiveDay(hive, day: .dayOf(made)), at: moment("2026-03-03T09:00:00Z"))
        == [Bees.logged("2026-03-02", late: true)])
    #expect(
      try scenario.when(LogHiveDay(hive, day: .dayOf(made)), at: made) == [
        Bees.logged("2026-03-02")
      ])
  }

  @Test func `a later log replaces an earlier one, whatever its value (R2)`() throws {
    let scenario = try Bees.hive(2, target: amount(3)).and(LogHiveDay(hive, value: amount(3)))
      .and(LogHiveDay(hive, value: .one))
    let member = try #require(scenario.state.hives[hive]?.member(First.account))
    #expect(member.days.records.map(\.value) == [.one])
    #expect(try scenario.when(LogHiveDay(hive, value: amount(3)), by: 2).count == 1)
  }

  // MARK: Advancing

  @Test func `the log that completes a day advances it, once (HH-20, R8)`() throws {
    let scenario = try Bees.hive(2, 3).and(LogHiveDay(hive), by: 3).and(LogHiveDay(hive))
    let last = [Bees.logged("2026-03-02", by: 2), Bees.advanced("2026-03-02", streak: 1, 3, of: 3)]
    #expect(try scenario.when(LogHiveDay(hive), by: 2) == last)
    let done = try scenario.and(LogHiveDay(hive), by: 2)
    #expect(try done.when(LogHiveDay(hive), by: 2) == [last[0]])
    // A clear does not revert it, and the next log does not repeat it.
    let cleared = try done.and(ClearHiveLog(hive), by: 2)
    #expect(cleared.state.hives[hive]?.hasAdvanced(Bees.today) == true)
    #expect(try cleared.when(LogHiveDay(hive), by: 2) == [last[0]])
    #expect(cleared.streak(at: later(0)) == 1)
  }

  @Test
  func `a day of one member, off the schedule or with partial values does not advance (R6, HH-20)`()
    throws
  {
    #expect(try Bees.hive().when(LogHiveDay(hive)).count == 1)
    // The second is a Monday.
    let weekend = try Bees.hive(2, schedule: mask("-----SS")).and(LogHiveDay(hive), by: 2)
    #expect(try weekend.when(LogHiveDay(hive)) == [Bees.logged("2026-03-02")])
    #expect(weekend.verdicts(Bees.today...Bees.today, at: later(0)) == [.off])
    #expect(weekend.verdicts(Bees.today...Bees.today, at: later(3)) == [.off])
    let part = try Bees.hive(2, target: amount(2)).and(LogHiveDay(hive, value: amount(2)), by: 2)
    #expect(try part.when(LogHiveDay(hive)).count == 1)
    #expect(try part.when(LogHiveDay(hive, value: amount(2))).count == 2)
  }

  @Test func `a threshold counts members, or all if there are fewer (HH-21)`() throws {
    let two = try Bees.hive(2, 3, threshold: 2).and(LogHiveDay(hive))
    #expect(
      try two.when(LogHiveDay(hive), by: 3) == [
        Bees.logged("2026-03-02", by: 3), Bees.advanced("2026-03-02", streak: 1, 2, of: 3),
      ])
    let five = try Bees.hive(2, 3, threshold: 5).and(LogHiveDay(hive)).and(LogHiveDay(hive), by: 2)
    #expect(try five.when(LogHiveDay(hive), by: 3).count == 2)
    // Alone, one of one is not enough, because nothing is shared.
    #expect(try Bees.hive(threshold: 1).when(LogHiveDay(hive)).count == 1)
    #expect(
      try Bees.hive(2, threshold: 1).when(LogHiveDay(hive)).last
        == Bees.advanced("2026-03-02", streak: 1, 1, of: 2))
  }

  @Test func `a day is open until it is over for all required members (R4)`() throws {
    // Kiritimati is a day before Honolulu.
    let zones = ["Pacific/Kiritimati", "Pacific/Honolulu"]
    let scenario = try Bees.hive(2, zones: zones, at: later(-1)).and(
      on("2026-03-01"), by: 1, at: later(0))
    // The first ends in Honolulu at four on the second, 14:00 UTC.
    let end = moment("2026-03-02T14:00:00Z")
    let (last, first) = (end.advanced(byMilliseconds: -1), day("2026-03-01"))
    #expect(scenario.verdicts(first...first, at: last) == [.open])
    #expect(scenario.verdicts(first...first, at: end) == [.broken])
    #expect(
      try scenario.when(on("2026-03-01"), by: 2, at: last).last
        == Bees.advanced("2026-03-01", streak: 1, 2, of: 2))
    let late = Bees.logged("2026-03-01", by: 2, late: true)
    #expect(try scenario.when(on("2026-03-01"), by: 2, at: end) == [late])
    // A late log is shown, and revives nothing.
    let after = try scenario.and(on("2026-03-01"), by: 2, at: end)
    #expect(after.verdicts(first...first, at: end) == [.broken])
    let rows = try #require(after.state.tables.first { $0.name == "hive_member_days" }?.rows)
    #expect(rows.map { $0["late"] } == [.bool(false), .bool(true)])
    #expect(rows.map { $0["done"] } == [.bool(true), .bool(false)])
  }

  @Test func `clearing removes an open day's log, and of a closed day only a late one (R2, R5)`()
    throws
  {
    let cleared = { (text: String, late: Bool) -> Event in
      .hiveDayCleared(
        make {
          $0.hive = hive
          $0.member = First.account
          $0.day = day(text)
          $0.isLate = late
        })
    }
    let scenario = try Bees.hive(2).and(LogHiveDay(hive))
    let clear = ClearHiveLog(hive, day: .day(Bees.today))
    #expect(try scenario.when(clear) == [cleared("2026-03-02", false)])
    #expect(try scenario.when(clear, by: 2) == [])
    #expect(throws: Rejection.notMember) { try scenario.when(clear, by: 3) }
    #expect(throws: Rejection.hiveNotFound) { try Bees.people().when(clear) }
    #expect(try scenario.when(clear, at: later(1)) == [], "the day is closed")
    let late = try scenario.and(on("2026-03-02"), at: later(1))
    #expect(try late.when(clear, at: later(1)) == [cleared("2026-03-02", true)])
    let after = try late.and(clear, at: later(1))
    #expect(after.state.hives[hive]?.member(First.account)?.days[Bees.today]?.value == .one)
  }

  @Test func `the day after a break begins a new streak (HH-20)`() throws {
    var scenario = try Bees.hive(2)
    for number in [0, 1, 3, 4, 5] {
      for member in [1, 2] {
        scenario = try scenario.and(LogHiveDay(hive), by: member, at: later(number))
      }
    }
    let days = Bees.today...day("2026-03-08")
    #expect(
      scenario.verdicts(days, at: later(6)) == [
        .advanced, .advanced, .broken, .advanced, .advanced, .advanced, .open,
      ])
    #expect(scenario.streak(at: later(1)) == 5, "no day after it is known to be closed")
    #expect(scenario.streak(at: later(6)) == 3)
    #expect(scenario.streak(at: later(7)) == 0)
  }

  // MARK: Asking about a day, and settling

  @Test func `asking about a day reports its verdict, and changes nothing (HH-22, R7)`() throws {
    let scenario = try Bees.hive(2).and(LogHiveDay(hive)).and(LogHiveDay(hive), by: 2)
    let advance = AdvanceHiveDay(hive, day: Bees.today)
    for (actor, at) in [(1, later(0)), (2, later(9)), (nil, later(400))] {
      #expect(try scenario.when(advance, by: actor, at: at) == [])
      let told = try scenario.answer(advance, by: actor, at: at)
      #expect(told.hasAdvanced)
      #expect([told.completeCount, told.requiredCount] == [2, 2])
    }
    let missed = try scenario.answer(AdvanceHiveDay(hive, day: day("2026-03-03")), at: later(2))
    #expect(missed.verdict == .broken)
    #expect([missed.completeCount, missed.requiredCount, missed.neededCount] == [0, 2, 2])
  }

  @Test func `only members and the system may ask about a day, once it has begun (HH-22, R7)`()
    throws
  {
    let scenario = try Bees.hive(2)
    let advance = AdvanceHiveDay(hive, day: Bees.today)
    #expect(throws: Rejection.notMember) { try scenario.when(advance, by: 3) }
    for actor in [1, nil] {
      #expect(throws: Rejection.hiveNotFound) {
        try Bees.people().when(advance, by: actor)
      }
      for text in ["2026-03-01", "2026-03-03", "9999-12-31", "0001-01-01"] {
        #expect(throws: Rejection.dayNotBegun(day(text))) {
          try scenario.when(AdvanceHiveDay(hive, day: day(text)), by: actor)
        }
      }
    }
    let zones = ["Etc/UTC", "Pacific/Kiritimati"]
    let east = try Bees.hive(2, zones: zones)
    let early = later(0, hours: 2)
    #expect(throws: Never.self) {
      try east.when(AdvanceHiveDay(hive, day: day("2026-03-03")), at: early)
    }
  }

  @Test func `the system settles due days, once (HH-22, R5, R8)`() throws {
    var scenario = try Bees.hive(2)
    for number in [0, 1, 3, 5] {
      for member in [1, 2] {
        scenario = try scenario.and(LogHiveDay(hive), by: member, at: later(number))
      }
    }
    scenario = try scenario.and(on("2026-03-08"), at: later(6))
    #expect(throws: Rejection.systemOnly) { try scenario.when(Settle(), by: 1) }
    #expect(try scenario.when(Settle(), by: nil, at: later(2)) == [])
    let breaks = [
      Bees.broken("2026-03-04", streak: 2, 0, of: 2),
      Bees.broken("2026-03-06", streak: 1, 0, of: 2),
      Bees.broken("2026-03-08", streak: 1, 1, of: 2),
    ]
    #expect(try scenario.when(Settle(), by: nil, at: later(3)) == [breaks[0]])
    #expect(try scenario.when(Settle(), by: nil, at: later(30)) == breaks)
    #expect(try scenario.answer(Settle(), by: nil, at: later(30)) == 3)
    let settled = try scenario.and(Settle(), by: nil, at: later(30))
    #expect(try settled.when(Settle(), by: nil, at: later(60)) == [])
    #expect(settled.state.dump == scenario.state.dump)
  }

  @Test func `a hive without a streak records no break (R5)`() throws {
    let scenario = try Bees.hive(2)
    #expect(try scenario.when(Settle(), by: nil, at: later(30)) == [])
    let gone = try scenario.and(LogHiveDay(hive)).and(LogHiveDay(hive), by: 2).and(DeleteHive(hive))
    #expect(try gone.when(Settle(), by: nil, at: later(30)) == [])
    #expect(try Bees.people().when(Settle(), by: nil) == [])
  }

  @Test func `a pause excuses nobody in a hive, and the others wait (R3, R5)`() throws {
    var scenario = try Bees.hive(2).and(Pause(first: Bees.today, last: nil), by: 2)
    #expect(try scenario.when(LogHiveDay(hive)).count == 1)
    scenario = try scenario.and(LogHiveDay(hive))
    #expect(scenario.verdicts(Bees.today...Bees.today, at: later(1)) == [.broken])
    #expect(
      try scenario.when(LogHiveDay(hive), by: 2).last
        == Bees.advanced("2026-03-02", streak: 1, 2, of: 2))
  }

  @Test func `a move west reopens no day, and a move east closes none early (R4)`()
    throws
  {
    let scenario = try Bees.hive(2)
    let first = Bees.today
    // On the third Bob flies to Honolulu, where it is the second again.
    let morning = moment("2026-03-03T06:00:00Z")
    let west = try scenario.and(
      UpdateProfile { $0.timeZone = "Pacific/Honolulu" }, by: 2, at: morning)
    #expect(west.verdicts(first...first, at: morning) == [.broken])
    #expect(
      try west.when(on("2026-03-02"), by: 2, at: morning) == [
        Bees.logged("2026-03-02", by: 2, late: true)
      ])
    // On the second, both fly to Kiritimati: it is the third for both, and the second is over.
    let noon = later(0, hours: 3)
    var east = try scenario.and(LogHiveDay(hive))
    east = try east.and(
      UpdateProfile { $0.timeZone = "Pacific/Kiritimati" }, by: 2, at: noon)
    #expect(east.verdicts(first...first, at: noon) == [.open], "Ada's second goes on")
    east = try east.and(
      UpdateProfile { $0.timeZone = "Pacific/Kiritimati" }, by: 1, at: noon)
    #expect(east.verdicts(first...first, at: noon) == [.broken])
  }
}
