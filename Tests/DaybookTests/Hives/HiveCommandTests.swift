import Daybook
import Testing

/// Beginning, changing and ending a hive.
@Suite(.tags(.unit)) struct HiveCommandTests {
  private let hive = Bees.hive

  private func created(_ edit: (inout HiveCreated) -> Void = { _ in }) -> HiveCreated {
    make {
      $0.key = Bees.key
      $0.owner = First.account
      $0.description.name = "Bees"
      $0.description.color = "#FF9F1C"
      $0.day = Bees.today
      edit(&$0)
    }
  }

  @Test func `a new hive has its owner as a member (HH-15)`() throws {
    let create = CreateHive(key: Bees.key, name: " Bees ")
    #expect(
      try Bees.people().when(create) == [
        .hiveCreated(created()), Bees.joined(1, "2026-03-02", invite: nil),
      ])
    #expect(try Bees.people().answer(create) == hive)
    let some = CreateHive(
      name: "Bees", emoji: "🐝", color: "#FFD166", type: .counter, target: amount(8),
      schedule: mask("MTWTF--"), threshold: 2)
    let expected = created {
      $0.key = Scenario.fresh
      $0.description.emoji = "🐝"
      $0.description.color = "#FFD166"
      $0.type = .counter
      $0.target = amount(8)
      $0.weekmask = 31
      $0.rule = .threshold
      $0.threshold = 2
    }
    #expect(try Bees.people().when(some).first == .hiveCreated(expected))
  }

  @Test func `an invalid hive is refused, for the first reason in this order (HH-15, HH-21)`() {
    let people = Bees.people()
    #expect(throws: Rejection.actorMissing) {
      try people.when(CreateHive(name: "", target: .zero), by: nil)
    }
    #expect(throws: Rejection.accountNotFound) {
      try people.when(CreateHive(name: ""), by: 9)
    }
    #expect(throws: Rejection.cannotShareTarget) {
      try people.when(CreateHive(name: "", target: .zero, threshold: 0))
    }
    for threshold in [0, 11, -1, Int.max, Int.min] {
      #expect(throws: Rejection.invalidThreshold(threshold)) {
        try people.when(CreateHive(name: "", threshold: threshold))
      }
    }
    for threshold in [1, 10] {
      #expect(throws: Never.self) {
        try people.when(CreateHive(name: "Bees", threshold: threshold))
      }
    }
    #expect(throws: Rejection.emptyHiveName) { try people.when(CreateHive(name: " \n")) }
    #expect(throws: Rejection.invalidColor("red", "color_hex")) {
      try people.when(CreateHive(name: "Bees", color: "red"))
    }
  }

  @Test
  func `a hive created again by its owner is the same hive, and another's key is refused (R0)`()
    throws
  {
    let scenario = try Bees.hive(2)
    let begun = try #require(scenario.state.hives[hive])
    let again = CreateHive(
      key: Bees.key, name: begun.description.name, emoji: begun.description.emoji,
      color: begun.description.color, type: begun.type, target: begun.target,
      schedule: begun.schedule, threshold: begun.rule == .threshold ? begun.threshold : nil)
    #expect(try scenario.when(again) == [])
    var other = again
    other.target = try #require(Amount(thousandths: 2500))
    #expect(throws: Rejection.keyTaken(Bees.key)) { try scenario.when(other) }
    #expect(try scenario.answer(again) == hive)
    #expect(throws: Rejection.keyTaken(Bees.key)) { try scenario.when(again, by: 2) }
    let handed = try scenario.and(HandOverHive(hive, to: Bees.person(2)))
    #expect(throws: Rejection.keyTaken(Bees.key)) { try handed.when(again) }
    let gone = try scenario.and(DeleteHive(hive))
    #expect(throws: Rejection.keyTaken(Bees.key)) { try gone.when(again) }
  }

  @Test func `a hive's first day is the owner's, and after a journey west today's (R1)`() throws {
    let night = moment("2026-03-03T03:59:59.999Z")
    guard
      case .hiveCreated(let created) = try Bees.people().when(CreateHive(name: "B"), at: night)[0]
    else { return #expect(Bool(false)) }
    #expect(created.day == Bees.today)
    // In Kiritimati it was the third already; in Honolulu, her destination, it is the second again.
    let flown = try Bees.people(zones: ["Pacific/Kiritimati"])
      .and(UpdateProfile { $0.timeZone = "Pacific/Honolulu" }, at: later(0, hours: 8))
      .and(CreateHive(key: Bees.key, name: "B"), at: later(0, hours: 9))
    #expect(flown.state.hives[hive]?.createdOn == Bees.today)
    #expect(throws: Never.self) { try flown.when(LogHiveDay(hive), at: later(0, hours: 10)) }
  }

  // MARK: From a habit

  @Test func `a hive made from a habit copies its look and rules, and names it (HH-15)`() throws {
    let scenario = Bees.people().and(
      habit(target: Target(amount(3)), schedule: weekdays("MTWTF--")))
    let expected = created {
      $0.description.name = "Read"
      $0.target = amount(3)
      $0.weekmask = 31
      $0.source = First.habit
    }
    let create = CreateHiveFromHabit(First.habit, key: Bees.key)
    #expect(
      try scenario.when(create) == [
        .hiveCreated(expected), Bees.joined(1, "2026-03-02", invite: nil),
      ])
    let named = CreateHiveFromHabit(First.habit, key: Bees.key, name: "Readers", threshold: 1)
    guard case .hiveCreated(let other) = try scenario.when(named)[0] else { return }
    #expect(other.description.name == "Readers")
    #expect(other.rule == .threshold && other.threshold == 1)
    #expect(try scenario.and(create).when(create) == [])
  }

  @Test func `others' habits, quotas and upper limits cannot become hives (HH-15)`() {
    let create = CreateHiveFromHabit(First.habit)
    #expect(throws: Rejection.habitNotFound) { try Bees.people().when(create) }
    #expect(throws: Rejection.notOwner(of: .habit)) {
      try Bees.people().and(habit()).when(create, by: 2)
    }
    let atMost = Bees.people().and(habit(target: Target(.one, .atMost)))
    #expect(throws: Rejection.cannotShareTarget) { try atMost.when(create) }
    let quota = Bees.people().and(habit(schedule: .quota(times: 3, days: 7)))
    #expect(throws: Rejection.cannotShareQuota) { try quota.when(create) }
    // The days are checked before the schedule.
    #expect(throws: Rejection.invalidBackfill(91)) {
      try quota.when(CreateHiveFromHabit(First.habit, backfillDays: 91))
    }
    #expect(throws: Rejection.invalidThreshold(0)) {
      try Bees.people().and(habit()).when(CreateHiveFromHabit(First.habit, threshold: 0))
    }
  }

  @Test(arguments: [
    (-1, 0), (Int.min, 0), (0, 0), (1, 2), (2, 3), (30, 5), (89, 5), (90, 6),
  ]) func `the days of a backfill are copied from the habit, with today (HH-15)`(
    days: Int, count: Int
  ) throws {
    // Today, and one, two, seven, thirty, ninety and ninety-one days ago; and a day ahead after a journey.
    let scenario = Bees.people().and(habit(target: Target(amount(3)))).and(
      log("2026-03-02"), log("2026-03-01", amount(3)), log("2026-02-28"), log("2026-02-23"),
      log("2026-01-31"), log("2025-12-02"), log("2025-12-01"), log("2026-03-03"))
    let create = CreateHiveFromHabit(First.habit, key: Bees.key, backfillDays: days)
    let events = try scenario.when(create)
    #expect(events.count == 2 + count)
    #expect(events.dropFirst(2).allSatisfy { if case .hiveDayLogged = $0 { true } else { false } })
    if days == 1 {
      #expect(events[2] == Bees.logged("2026-03-01", amount(3)))
      #expect(events[3] == Bees.logged("2026-03-02"))
    }
  }

  @Test func `more than ninety days are refused, and skips are not copied (HH-15)`() throws {
    let scenario = Bees.people().and(habit()).and(log("2026-03-01"))
    #expect(throws: Rejection.invalidBackfill(91)) {
      try scenario.when(CreateHiveFromHabit(First.habit, backfillDays: 91))
    }
    let skipped = try scenario.and(SkipDay(First.habit))
    #expect(try skipped.when(CreateHiveFromHabit(First.habit)).count == 3)
  }

  @Test func `copied days never advance (R6)`() throws {
    let scenario = try Bees.people().and(habit()).and(log("2026-03-01"))
      .and(CreateHiveFromHabit(First.habit, key: Bees.key, threshold: 1))
      .and(CreateHiveInvite(hive, code: Bees.code)).and(JoinHive(Bees.code), by: 2)
    #expect(scenario.state.hives[hive]?.advanced == [])
    #expect(scenario.verdicts(day("2026-03-01")...Bees.today, at: later(1)) == [.before, .broken])
    #expect(scenario.streak(at: later(1)) == 0)
  }

  // MARK: Changing and ending

  @Test func `the owner describes a hive, and the same words again append nothing`() throws {
    let scenario = try Bees.hive(2)
    let update = UpdateHive(hive) {
      $0.name = " Wasps "
      $0.emoji = "🐝"
    }
    let described: HiveDescribed = make {
      $0.hive = hive
      $0.description.name = "Wasps"
      $0.description.emoji = "🐝"
      $0.description.color = "#FF9F1C"
    }
    #expect(try scenario.when(update) == [.hiveDescribed(described)])
    #expect(try scenario.and(update).when(update) == [])
    let empty = UpdateHive(hive) { $0.name = "" }
    #expect(throws: Rejection.emptyHiveName) { try scenario.when(empty) }
  }

  @Test func `only the owner leads, and strangers learn nothing about a hive (HH-18)`()
    throws
  {
    let scenario = try Bees.hive(2)
    func refuses(_ command: some Command) {
      for (actor, refusal) in [
        (nil, Rejection.actorMissing), (9, .accountNotFound),
        (3, .notMember), (2, .notOwner(of: .hive)),
      ] {
        #expect(throws: refusal) { try scenario.when(command, by: actor) }
      }
      #expect(throws: Rejection.hiveNotFound) { try Bees.people().when(command) }
      let gone = scenario.and(.hiveDeleted(make { $0.hive = hive }))
      #expect(throws: Rejection.hiveNotFound) { try gone.when(command) }
    }
    refuses(UpdateHive(hive))
    refuses(DeleteHive(hive))
    refuses(HandOverHive(hive, to: Bees.person(2)))
    refuses(CreateHiveInvite(hive, minutes: 0))
    refuses(RemoveHiveMember(Bees.person(2), from: hive))
  }

  @Test func `the owner can hand a hive to a member, and then leave (HH-18)`() throws {
    let scenario = try Bees.hive(2)
    let handOver = HandOverHive(hive, to: Bees.person(2))
    let handed: HiveHandedOver = make {
      $0.hive = hive
      $0.owner = Bees.person(2)
    }
    #expect(try scenario.when(handOver) == [.hiveHandedOver(handed)])
    #expect(try scenario.when(HandOverHive(hive, to: First.account)) == [])
    #expect(throws: Rejection.hiveMemberNotFound) {
      try scenario.when(HandOverHive(hive, to: Bees.person(3)))
    }
    #expect(throws: Rejection.ownerMustHandOver) { try scenario.when(LeaveHive(hive)) }
    let after = try scenario.and(handOver)
    #expect(throws: Rejection.notOwner(of: .hive)) { try after.when(handOver) }
    #expect(throws: Rejection.ownerMustHandOver) { try after.when(LeaveHive(hive), by: 2) }
    #expect(throws: Never.self) { try after.when(LeaveHive(hive)) }
  }

  @Test func `a deleted hive is gone for everybody, with its tables`() throws {
    let gone = try Bees.hive(2).and(DeleteHive(hive))
    #expect(throws: Rejection.hiveNotFound) { try gone.when(LogHiveDay(hive)) }
    #expect(throws: Rejection.invalidCode) { try gone.when(JoinHive(Bees.code), by: 3) }
    #expect(gone.state.hives(of: First.account) == [])
    for table in gone.state.tables where table.name.hasPrefix("hive") { #expect(table.rows == []) }
  }

  @Test func `rejections have their codes`() {
    let codes: [(Rejection, String)] = [
      (.actorMissing, "actor_missing"), (.emptyHabitName, "empty_name"),
      (.hiveNotFound, "hive_not_found"), (.notMember, "not_member"),
      (.notOwner(of: .hive), "not_owner"), (.hiveMemberNotFound, "member_not_found"),
      (.ownerMustHandOver, "owner_must_hand_over"),
      (.keyTaken(Scenario.fresh), "key_taken"), (.cannotShareQuota, "invalid_schedule"),
      (.cannotShareTarget, "invalid_target"), (.invalidThreshold(0), "invalid_threshold"),
      (.invalidBackfill(91), "invalid_backfill"), (.hiveFull, "hive_full"),
      (.invalidCode, "invalid_code"), (.inviteExpired, "invite_expired"),
      (.inviteExhausted, "invite_exhausted"), (.malformedCode(""), "malformed_code"),
      (.codeTaken("", ""), "code_taken"), (.invalidLifetime(0, ""), "invalid_ttl"),
      (.invalidUses(0), "invalid_max_uses"), (.futureDay(day: .last, today: .first), "future_day"),
      (.futureInstant(.last), "future_instant"),
      (.beforeJoining(day: .first, joined: .last), "before_joining"),
      (.dayNotBegun(.last), "day_not_begun"), (.systemOnly, "system_only"),
    ]
    for (rejection, code) in codes {
      #expect(rejection.code == code)
      #expect(rejection.description.hasSuffix("."))
    }
  }
}

/// The weekdays whose place has a letter.
func mask(_ text: String) -> WeekdayMask {
  guard case .weekdays(let mask) = weekdays(text) else { return .everyDay }
  return mask
}
