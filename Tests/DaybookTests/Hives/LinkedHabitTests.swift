import Daybook
import Testing

/// A linked habit's log also logs the hive's day.
@Suite(.tags(.unit)) struct LinkedHabitTests {
  private let hive = Bees.hive

  private func linked(_ target: Target = Target(amount(3))) throws -> Scenario {
    try Bees.hive(2, target: amount(2)).and(habit(target: target)).and(
      LinkHabit(First.habit, to: hive))
  }

  private func log(_ text: String, _ value: Amount) -> Event {
    DaybookTests.log(text, value)
  }

  @Test func `a member links only a habit of their own`() throws {
    let scenario = try Bees.hive(2).and(habit())
    let link = LinkHabit(First.habit, to: hive)
    let event: (Habit.ID?) -> Event = { habit in
      .hiveHabitLinked(
        make {
          $0.hive = hive
          $0.member = First.account
          $0.habit = habit
        })
    }
    #expect(try scenario.when(link) == [event(First.habit)])
    #expect(try scenario.when(LinkHabit(nil, to: hive)) == [])
    let after = try scenario.and(link)
    #expect(try after.when(link) == [])
    #expect(try after.when(LinkHabit(nil, to: hive)) == [event(nil)])
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(link, by: 2) }
    #expect(throws: Rejection.notMember) { try scenario.when(link, by: 3) }
    #expect(throws: Rejection.actorMissing) { try scenario.when(link, by: nil) }
    #expect(throws: Rejection.hiveNotFound) { try Bees.people().and(habit()).when(link) }
    #expect(throws: Rejection.habitNotFound) { try Bees.hive(2).when(link) }
    let atMost = try Bees.hive(2).and(habit(target: Target(.one, .atMost)))
    #expect(throws: Rejection.cannotShareTarget) { try atMost.when(link) }
  }

  @Test func `logging a linked habit logs the hive's day in the same commit, clamped anew (HH-19)`()
    throws
  {
    let scenario = try linked()
    #expect(
      try scenario.when(LogHabit(First.habit, value: amount(9), source: .sync)) == [
        .habitLogged(
          HabitLogged(
            habit: First.habit, day: Bees.today, value: amount(3), source: .sync, entered: amount(9)
          )),
        Bees.logged("2026-03-02", amount(2), source: .sync, entered: amount(9)),
      ])
    let other = try scenario.and(LogHiveDay(hive, value: amount(2)), by: 2)
    #expect(
      try other.when(LogHabit(First.habit, value: amount(2))) == [
        log("2026-03-02", amount(2)), Bees.logged("2026-03-02", amount(2)),
        Bees.advanced("2026-03-02", streak: 1, 2, of: 2),
      ])
    // Without the link the log belongs to the habit alone.
    let without = try scenario.and(LinkHabit(nil, to: hive))
    #expect(try without.when(LogHabit(First.habit)) == [log("2026-03-02", .one)])
  }

  @Test func `clearing the habit clears the hive's day, and an empty day stays empty`() throws {
    let scenario = try linked().and(LogHabit(First.habit, value: amount(2)))
    let events = try scenario.when(ClearLog(First.habit))
    guard events.count == 2, case .habitLogCleared = events[0],
      case .hiveDayCleared(let cleared) = events[1]
    else { return #expect(Bool(false), "\(events)") }
    #expect(cleared.day == Bees.today && !cleared.isLate)
    let own = try scenario.and(ClearHiveLog(hive))
    #expect(try own.when(ClearLog(First.habit)).count == 1)
    #expect(try own.and(ClearLog(First.habit)).when(ClearLog(First.habit)) == [])
  }

  @Test func `a closed hive day, or one before joining, does not block the habit's log (HH-19)`()
    throws
  {
    let scenario = try linked()
    let before = LogHabit(First.habit, day: .day(day("2026-03-01")))
    #expect(try scenario.when(before) == [log("2026-03-01", .one)])
    let closed = LogHabit(First.habit, value: amount(2), day: .day(Bees.today))
    #expect(
      try scenario.when(closed, at: later(4)) == [
        log("2026-03-02", amount(2)), Bees.logged("2026-03-02", amount(2), late: true),
      ])
  }

  @Test func `a link ends when its member leaves, and rests while the habit is archived`() throws {
    let left = try linked().and(HandOverHive(hive, to: Bees.person(2))).and(LeaveHive(hive))
    #expect(try left.when(LogHabit(First.habit)) == [log("2026-03-02", .one)])
    let back = try left.and(JoinHive(Bees.code))
    #expect(try back.when(LogHabit(First.habit)) == [log("2026-03-02", .one)])
    let archived = try linked().and(ArchiveHabit(First.habit))
    #expect(throws: Rejection.habitArchived("Read")) {
      try archived.when(LogHabit(First.habit))
    }
    #expect(try archived.when(LogHiveDay(hive)) == [Bees.logged("2026-03-02")])
    #expect(
      try archived.and(RestoreHabit(First.habit)).when(LogHabit(First.habit)).count == 2)
    let gone = try linked().and(DeleteHive(hive))
    #expect(try gone.when(LogHabit(First.habit)) == [log("2026-03-02", .one)])
  }

  @Test func `one habit may be linked to several hives`() throws {
    let second = try #require(Hive.ID(2))
    let scenario = try linked().and(CreateHive(name: "Other")).and(
      LinkHabit(First.habit, to: second))
    let events = try scenario.when(LogHabit(First.habit))
    #expect(events.count == 3)
    guard case .hiveDayLogged(let other) = events[2] else { return #expect(Bool(false)) }
    #expect(other.hive == second)
  }

  @Test func `an archived habit can be neither linked nor made into a hive (HH-15)`() throws {
    let scenario = try Bees.hive(2).and(habit()).and(ArchiveHabit(First.habit))
    for command in [
      { try scenario.when(LinkHabit(First.habit, to: Bees.hive)) },
      { try scenario.when(CreateHiveFromHabit(First.habit)) },
    ] {
      let refusal = #expect(throws: Rejection.cannotShareArchived("Read")) { try command() }
      #expect(refusal?.code == "habit_archived")
    }
    let restored = try scenario.and(RestoreHabit(First.habit))
    #expect(try restored.when(LinkHabit(First.habit, to: Bees.hive)).count == 1)
    #expect(try restored.when(CreateHiveFromHabit(First.habit)).count == 2)
    // Archived later, it stays linked: linking again changes nothing, and the link can be removed.
    let later = try restored.and(LinkHabit(First.habit, to: Bees.hive))
      .and(ArchiveHabit(First.habit))
    #expect(try later.when(LinkHabit(First.habit, to: Bees.hive)) == [])
    #expect(try later.when(LinkHabit(nil, to: Bees.hive)).count == 1)
  }
}
