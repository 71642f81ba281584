import Daybook
import Testing

/// Invites, joining, leaving and being removed.
@Suite(.tags(.unit)) struct MembershipCommandTests {
  private let hive = Bees.hive

  // MARK: Invites

  @Test func `an invite lasts a week for twenty people, with a random code (HH-17)`()
    throws
  {
    let scenario = try Bees.hive()
    let created: HiveInviteCreated = make {
      $0.hive = hive
      $0.code = "000000000063"
      $0.expires = Scenario.noon.advanced(byMilliseconds: 10_080 * 60_000)
      $0.maximumUseCount = 20
    }
    #expect(try scenario.when(CreateHiveInvite(hive)) == [.hiveInviteCreated(created)])
    #expect(try scenario.answer(CreateHiveInvite(hive)).number == 2)
    let context = Context(
      actor: First.account, at: Scenario.noon,
      freshKey: Key(high: 1, low: 0xFFFF_DEAD_BEEF_CAFE), zones: TableZones())
    guard
      case .hiveInviteCreated(let drawn) =
        try CreateHiveInvite(hive).decide(scenario.state, context).events[0]
    else { return }
    #expect(drawn.code == "deadbeefcafe")
  }

  @Test func `a removed member sees no invite of the past (HH-17)`() throws {
    let then = try Bees.hive(2)
    let now = try then.and(RemoveHiveMember(Bees.person(2), from: hive))
    let past = then.state.seen(from: now.state)
    let found = try #require(then.state.hives[hive])
    #expect(then.state.invites(of: found, seenBy: Bees.person(2)).count == 1)
    #expect(past.invites(of: found, seenBy: Bees.person(2)).isEmpty)
    #expect(past.invites(of: found, seenBy: First.account).count == 1)
  }

  @Test func `an invite's lifetime and uses have limits (HH-17)`() throws {
    let scenario = try Bees.hive()
    for minutes in [0, -1, 5_256_001, Int.max, Int.min] {
      #expect(throws: Rejection.invalidLifetime(minutes, "p_ttl_minutes")) {
        try scenario.when(CreateHiveInvite(hive, minutes: minutes, maximumUseCount: 0))
      }
    }
    for uses in [0, -1, 1_000_001, Int.max] {
      #expect(throws: Rejection.invalidUses(uses)) {
        try scenario.when(CreateHiveInvite(hive, maximumUseCount: uses, code: "x"))
      }
    }
    for (minutes, uses) in [(1, 1), (5_256_000, 1_000_000)] {
      #expect(throws: Never.self) {
        try scenario.when(CreateHiveInvite(hive, minutes: minutes, maximumUseCount: uses))
      }
    }
    for code in ["", "0000000000", "00000000000A", "00000000000g", "0000000000000", "ä0000000000"] {
      #expect(throws: Rejection.malformedCode(code)) {
        try scenario.when(CreateHiveInvite(hive, code: code))
      }
    }
    #expect(throws: Rejection.codeTaken(Bees.code, "invite")) {
      try scenario.when(CreateHiveInvite(hive, code: Bees.code))
    }
    // A revoked code stays taken, also for another hive.
    let revoked = try scenario.and(RevokeHiveInvite(Bees.code))
      .and(CreateHive(name: "Other"), by: 2)
    let other = try #require(Hive.ID(2))
    #expect(throws: Rejection.codeTaken(Bees.code, "invite")) {
      try revoked.when(CreateHiveInvite(other, code: Bees.code), by: 2)
    }
  }

  @Test func `only its owner revokes an invite, and others learn nothing (HH-17)`() throws {
    let scenario = try Bees.hive(2)
    let revoke = RevokeHiveInvite(" 00000000000A ")
    let revoked: HiveInviteRevoked = make {
      $0.hive = hive
      $0.invite = 1
    }
    #expect(try scenario.when(revoke) == [.hiveInviteRevoked(revoked)])
    #expect(try scenario.and(revoke).when(revoke) == [])
    for (actor, code) in [(2, Bees.code), (3, Bees.code), (1, "00000000000b"), (1, "")] {
      #expect(throws: Rejection.invalidCode) {
        try scenario.when(RevokeHiveInvite(code), by: actor)
      }
    }
    #expect(throws: Rejection.actorMissing) { try scenario.when(revoke, by: nil) }
    // Not even a member joins by it any more.
    let after = try scenario.and(revoke)
    for actor in [1, 2, 3] {
      #expect(throws: Rejection.invalidCode) {
        try after.when(JoinHive(Bees.code), by: actor)
      }
    }
  }

  // MARK: Joining

  @Test func `the code of an invite admits anyone, in any spelling (HH-17)`() throws {
    let scenario = try Bees.hive()
    for code in [Bees.code, " 00000000000A\n"] {
      #expect(
        try scenario.when(JoinHive(code), by: 2) == [Bees.joined(2, "2026-03-02", invite: 1)])
    }
    #expect(try scenario.answer(JoinHive(Bees.code), by: 2) == hive)
    for code in ["", "00000000000b", "0000 00000 00a", "%"] {
      #expect(throws: Rejection.invalidCode) { try scenario.when(JoinHive(code), by: 2) }
    }
    #expect(throws: Rejection.actorMissing) {
      try scenario.when(JoinHive(""), by: nil)
    }
  }

  @Test func `an invite is valid up to and including its last instant (HH-17)`() throws {
    let scenario = try Bees.hive().and(
      CreateHiveInvite(hive, minutes: 1, code: "00000000000b"))
    let last = Scenario.noon.advanced(byMilliseconds: 60_000)
    let join = JoinHive("00000000000b")
    #expect(try scenario.when(join, by: 2, at: last).count == 1)
    #expect(throws: Rejection.inviteExpired) {
      try scenario.when(join, by: 2, at: last.advanced(byMilliseconds: 1))
    }
  }

  @Test func `refusals are checked in this order: member, expired, exhausted, full (HH-17)`() throws
  {
    var scenario = try Bees.hive(2, 3, 4, 5, 6, 7, 8, 9, 10)
    scenario = scenario.and(.accountCreated(person(11)), .accountCreated(person(12)))
    #expect(scenario.state.hives[hive]?.activeMembers.count == 10)
    // The reasons are removed one by one.
    scenario = try scenario.and(
      CreateHiveInvite(hive, minutes: 1, maximumUseCount: 1, code: "00000000000c"))
    let join = JoinHive("00000000000c")
    let used = try scenario.and(LeaveHive(hive), by: 10).and(join, by: 11)
    #expect(throws: Rejection.inviteExpired) {
      try used.when(join, by: 12, at: later(1))
    }
    #expect(throws: Rejection.inviteExhausted) { try used.when(join, by: 12) }
    #expect(throws: Rejection.hiveFull) { try scenario.when(join, by: 12) }
    // A member changes nothing and uses nothing up, whatever other reasons exist.
    #expect(try used.when(join, by: 11, at: later(1)) == [])
    #expect(try used.answer(join, by: 1, at: later(1)) == hive)
    #expect(used.state.hives[hive]?.invites[1].useCount == 1)
    #expect(try used.and(join, by: 11).state.hives[hive]?.invites[1].useCount == 1)
  }

  @Test func `the eleventh member is refused, and joins after another left (HH-16)`() throws {
    let full = try Bees.hive(2, 3, 4, 5, 6, 7, 8, 9, 10).and(.accountCreated(person(11)))
    #expect(throws: Rejection.hiveFull) { try full.when(JoinHive(Bees.code), by: 11) }
    let after = try full.and(LeaveHive(hive), by: 4)
    #expect(try after.when(JoinHive(Bees.code), by: 11).count == 1)
  }

  @Test func `a member joins on their own day, and closed days do not require them (R3)`()
    throws
  {
    let zones = ["Etc/UTC", "Pacific/Kiritimati", "Pacific/Honolulu"]
    let scenario = try Bees.hive(zones: zones)
    // In Kiritimati it is two in the night of the third, and so still the second.
    let early = later(0, hours: 2)
    #expect(
      try scenario.when(JoinHive(Bees.code), by: 2, at: early) == [
        Bees.joined(2, "2026-03-03", invite: 1)
      ])
    // In Honolulu it is the first; Ada's second is open, and her first was before the hive.
    let noon = moment("2026-03-02T12:00:00Z")
    #expect(
      try scenario.when(JoinHive(Bees.code), by: 3, at: noon) == [
        Bees.joined(3, "2026-03-01", from: "2026-03-02", invite: 1)
      ])
    // At five on the third the second is closed for Ada, who was alone, and it goes on in Honolulu.
    #expect(
      try scenario.when(JoinHive(Bees.code), by: 3, at: moment("2026-03-03T05:00:00Z")) == [
        Bees.joined(3, "2026-03-02", from: "2026-03-03", invite: 1)
      ])
  }

  @Test func `after a journey west a new member joins today, and may log it (R1)`() throws {
    let scenario = try Bees.hive(zones: ["Etc/UTC", "Pacific/Kiritimati"])
      .and(UpdateProfile { $0.timeZone = "Pacific/Honolulu" }, by: 2, at: later(0, hours: 3))
    let at = later(0, hours: 4)
    let joined = try scenario.and(JoinHive(Bees.code), by: 2, at: at)
    #expect(joined.state.hives[hive]?.member(Bees.person(2))?.stays[0].joinedOn == Bees.today)
    #expect(
      try joined.when(LogHiveDay(hive), by: 2, at: at) == [Bees.logged("2026-03-02", by: 2)])
  }

  @Test func `a joining advances a day on which enough members are done (R5)`() throws {
    let scenario = try Bees.hive(threshold: 1).and(LogHiveDay(hive))
    #expect(scenario.state.hives[hive]?.advanced == [])
    #expect(
      try scenario.when(JoinHive(Bees.code), by: 2) == [
        Bees.joined(2, "2026-03-02", invite: 1), Bees.advanced("2026-03-02", streak: 1, 1, of: 2),
      ])
    // The same for an account that logged, left, and returns.
    let back = try Bees.hive(2).and(LogHiveDay(hive), by: 2).and(LeaveHive(hive), by: 2)
      .and(LogHiveDay(hive))
    #expect(
      try back.when(JoinHive(Bees.code), by: 2).last
        == Bees.advanced("2026-03-02", streak: 1, 2, of: 2))
  }

  // MARK: Leaving

  @Test func `a member leaves, and joins again (HH-18)`() throws {
    let scenario = try Bees.hive(2, 3)
    let at = later(5)
    #expect(
      try scenario.when(LeaveHive(hive), by: 2, at: at) == [Bees.left(2, through: "2026-03-06")])
    let left = try scenario.and(LeaveHive(hive), by: 2, at: at)
    #expect(throws: Rejection.notMember) { try left.when(LeaveHive(hive), by: 2, at: at) }
    #expect(throws: Rejection.notMember) { try left.when(LogHiveDay(hive), by: 2, at: at) }
    #expect(left.state.hives(of: Bees.person(2)) == [])
    let back = try left.and(JoinHive(Bees.code), by: 2, at: later(8))
    let member = try #require(back.state.hives[hive]?.member(Bees.person(2)))
    #expect(member.stays.map(\.joinedOn) == [Bees.today, day("2026-03-10")])
    #expect(member.stays.map(\.requiredThrough) == [day("2026-03-06"), nil])
    #expect(back.state.hives[hive]?.members.count == 3)
    #expect(back.state.hives[hive]?.invites[0].useCount == 3)
    // Days between the stays are not theirs; those of the first stay are, and are late.
    let on = { (text: String) in LogHiveDay(hive, day: .day(day(text))) }
    #expect(throws: Rejection.self) { try back.when(on("2026-03-08"), by: 2, at: later(8)) }
    #expect(
      try back.when(on("2026-03-06"), by: 2, at: later(8)) == [
        Bees.logged("2026-03-06", by: 2, late: true)
      ])
  }

  @Test func `strangers, owners and callers without an account cannot leave (HH-18)`() throws {
    let scenario = try Bees.hive(2)
    #expect(throws: Rejection.notMember) { try scenario.when(LeaveHive(hive), by: 3) }
    #expect(throws: Rejection.ownerMustHandOver) { try scenario.when(LeaveHive(hive)) }
    #expect(throws: Rejection.actorMissing) {
      try scenario.when(LeaveHive(hive), by: nil)
    }
    #expect(throws: Rejection.hiveNotFound) {
      try Bees.people().when(LeaveHive(hive))
    }
  }

  @Test func `the owner removes members, but not themselves (HH-18)`() throws {
    let scenario = try Bees.hive(2)
    let remove = RemoveHiveMember(Bees.person(2), from: hive)
    #expect(try scenario.when(remove) == [Bees.left(2, through: "2026-03-01")])
    #expect(throws: Rejection.hiveMemberNotFound) { try scenario.and(remove).when(remove) }
    #expect(throws: Rejection.hiveMemberNotFound) {
      try scenario.when(RemoveHiveMember(Bees.person(3), from: hive))
    }
    #expect(throws: Rejection.ownerMustHandOver) {
      try scenario.when(RemoveHiveMember(First.account, from: hive))
    }
    #expect(throws: Rejection.notOwner(of: .hive)) {
      try scenario.when(RemoveHiveMember(Bees.person(2), from: hive), by: 2)
    }
  }

  @Test func `a leaving advances the open days on which the others are done (R5)`() throws {
    let scenario = try Bees.hive(2, 3).and(LogHiveDay(hive)).and(LogHiveDay(hive), by: 2)
    #expect(
      try scenario.when(LeaveHive(hive), by: 3) == [
        Bees.left(3, through: "2026-03-01"), Bees.advanced("2026-03-02", streak: 1, 2, of: 2),
      ])
    // Two members remain after the first leaving, and one after both: then nothing is shared.
    let alone = try Bees.hive(2).and(LogHiveDay(hive))
    #expect(try alone.when(LeaveHive(hive), by: 2) == [Bees.left(2, through: "2026-03-01")])
  }

  @Test func `a leaving that breaks one day and advances the next gives the new streak (R5)`()
    throws
  {
    // Ada and Bob in Kiritimati are on the third; Cy in Honolulu is on the second, which nobody has done.
    let zones = ["Pacific/Kiritimati", "Pacific/Kiritimati", "Pacific/Honolulu"]
    let on = { (text: String) in LogHiveDay(hive, day: .day(day(text))) }
    var scenario = try Bees.hive(2, 3, zones: zones, at: later(-4))
    for (number, text) in ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01"].enumerated() {
      for member in 1...3 {
        scenario = try scenario.and(on(text), by: member, at: later(number - 3))
      }
    }
    let at = later(0, hours: 6)
    for member in [1, 2] { scenario = try scenario.and(on("2026-03-03"), by: member, at: at) }
    #expect(scenario.streak(at: at) == 4)
    #expect(
      try scenario.when(LeaveHive(hive), by: 3, at: at) == [
        Bees.left(3, through: "2026-03-01"), Bees.advanced("2026-03-03", streak: 1, 2, of: 2),
      ])
    #expect(try scenario.and(LeaveHive(hive), by: 3, at: at).streak(at: at) == 1)
  }
}
