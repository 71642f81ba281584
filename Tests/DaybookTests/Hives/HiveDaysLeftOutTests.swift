import Avro
import Testing

@testable import Daybook

/// Days that never existed for a hive's members. Apia went from 29 to 31 December 2011, at 10:00 UTC on the 30th.
@Suite(.tags(.unit)) struct HiveDaysLeftOutTests {
  private let hive = Bees.hive
  private let missing = day("2011-12-30")
  private let week = day("2011-12-28")...day("2012-01-01")
  private let newYear = moment("2012-01-03T00:00:00Z")

  /// A hive of Ada (1), Bob (2) and so on, in these zones, which they form on 28 December 2011.
  private func formed(
    _ zones: String..., start: Int32 = 4, threshold: Int? = nil
  ) throws -> Scenario {
    let at = moment("2011-12-28T18:00:00Z")
    var scenario = Scenario()
    for (index, zone) in zones.enumerated() {
      scenario = scenario.and(
        .accountCreated(person(UInt64(index) + 1, zone: zone, start: start)), at: at)
    }
    scenario = try scenario.and(
      CreateHive(key: Bees.key, name: "Bees", threshold: threshold), at: at
    ).and(CreateHiveInvite(hive, minutes: 100_000, code: Bees.code), at: at)
    for member in 2...zones.count {
      scenario = try scenario.and(JoinHive(Bees.code), by: member, at: at)
    }
    return scenario
  }

  private func log(_ text: String) -> LogHiveDay { LogHiveDay(hive, day: .day(day(text))) }

  /// The members log a day at a moment.
  private func logged(
    _ scenario: Scenario, _ text: String, by members: Int..., at: String
  ) throws -> Scenario {
    try members.reduce(scenario) { try $0.and(log(text), by: $1, at: moment(at)) }
  }

  /// Members in Greenwich and members in Apia log every day that they have.
  private func lived(_ others: [Int], _ islanders: [Int], in scenario: Scenario) throws -> Scenario
  {
    var scenario = scenario
    let moments = [
      ("2011-12-28", "2011-12-28T21:00:00Z", "2011-12-28T21:00:00Z"),
      ("2011-12-29", "2011-12-29T21:00:00Z", "2011-12-29T21:00:00Z"),
      ("2011-12-30", "2011-12-30T21:00:00Z", nil),
      ("2011-12-31", "2011-12-31T21:00:00Z", "2011-12-31T09:00:00Z"),
    ]
    for (text, other, islander) in moments {
      for member in others { scenario = try scenario.and(log(text), by: member, at: moment(other)) }
      guard let islander else { continue }
      for member in islanders {
        scenario = try scenario.and(log(text), by: member, at: moment(islander))
      }
    }
    return scenario
  }

  // MARK: Verdicts

  @Test func `a hive advances without the member who never had the day (HH-20, R3)`() throws {
    let scenario = try lived([1, 2], [3], in: formed("Etc/UTC", "Etc/UTC", "Pacific/Apia"))
    #expect(
      scenario.verdicts(week, at: newYear) == [.advanced, .advanced, .advanced, .advanced, .broken])
    #expect(scenario.streak(at: moment("2011-12-31T22:00:00Z")) == 4)
    let advances = scenario.entries.map(\.event).filter { event in
      if case .hiveAdvanced(let advanced) = event { advanced.day == missing } else { false }
    }
    #expect(advances == [Bees.advanced("2011-12-30", streak: 3, 2, of: 2)])
  }

  @Test func `the others break the streak if they do nothing`() throws {
    var scenario = try formed("Etc/UTC", "Etc/UTC", "Pacific/Apia")
    scenario = try logged(scenario, "2011-12-29", by: 1, 2, 3, at: "2011-12-29T21:00:00Z")
    scenario = try logged(scenario, "2011-12-30", by: 1, at: "2011-12-30T21:00:00Z")
    #expect(scenario.verdicts(missing...missing, at: newYear) == [.broken])
    #expect(
      try scenario.when(Settle(), by: nil, at: newYear) == [
        Bees.broken("2011-12-30", streak: 1, 1, of: 2)
      ])
  }

  @Test func `a single other member shares the day with nobody`() throws {
    let scenario = try lived([1], [2], in: formed("Etc/UTC", "Pacific/Apia"))
    #expect(
      scenario.verdicts(week, at: newYear) == [.advanced, .advanced, .unshared, .advanced, .broken])
    #expect(scenario.streak(at: moment("2011-12-31T22:00:00Z")) == 3)
  }

  @Test func `a day that nobody had neither advances nor breaks`() throws {
    let scenario = try lived([], [1, 2], in: formed("Pacific/Apia", "Pacific/Apia"))
    #expect(
      scenario.verdicts(week, at: newYear) == [.advanced, .advanced, .leftOut, .advanced, .broken])
    let after = moment("2011-12-31T22:00:00Z")
    #expect(scenario.streak(at: after) == 3)
    #expect(try scenario.when(Settle(), by: nil, at: after) == [])
    let told = try scenario.answer(AdvanceHiveDay(hive, day: missing), at: after)
    #expect(told.verdict == .leftOut && !told.hasAdvanced)
    #expect([told.completeCount, told.requiredCount, told.neededCount] == [0, 0, 0])
    #expect(try scenario.when(AdvanceHiveDay(hive, day: missing), at: after) == [])
  }

  @Test func `a day that nobody had is left out even if the schedule does not name it`() throws {
    // 30 December 2011 was a Friday.
    let at = moment("2011-12-28T18:00:00Z")
    var scenario = Scenario()
    for number: UInt64 in 1...2 {
      scenario = scenario.and(.accountCreated(person(number, zone: "Pacific/Apia")), at: at)
    }
    let weekend = try #require(WeekdayMask(bits: 96))
    scenario = try scenario.and(
      CreateHive(key: Bees.key, name: "Bees", schedule: weekend), at: at)
    #expect(scenario.verdicts(missing...missing, at: newYear) == [.leftOut])
    #expect(scenario.verdicts(day("2011-12-29")...missing, at: at) == [.off, .off])
  }

  @Test func `a threshold counts only members who had the day`() throws {
    var scenario = try formed("Etc/UTC", "Etc/UTC", "Pacific/Apia", threshold: 3)
    scenario = try logged(scenario, "2011-12-30", by: 1, 2, at: "2011-12-30T21:00:00Z")
    #expect(scenario.verdicts(missing...missing, at: newYear) == [.advanced])
  }

  @Test func `a log of a day that its member never had counts nowhere`() throws {
    var scenario = try formed("Etc/UTC", "Etc/UTC", "Pacific/Apia")
    scenario = try logged(scenario, "2011-12-30", by: 1, 3, at: "2011-12-30T21:00:00Z")
    let told = try scenario.answer(
      AdvanceHiveDay(hive, day: missing), at: moment("2011-12-30T22:00:00Z"))
    #expect([told.completeCount, told.requiredCount] == [1, 2] && told.verdict == .open)
  }

  // MARK: Closing

  @Test func `a member who never had the day does not keep it open (R4)`() throws {
    // By their day start of 23, the first 23 hours of the 31st in Apia belong to the 30th. In Kiritimati, whose days
    // begin at midnight, the 30th ends at 10:00 UTC.
    let at = moment("2011-12-28T18:00:00Z")
    var scenario = Scenario()
    for (number, zone, start): (UInt64, String, Int32) in [
      (1, "Pacific/Kiritimati", 0), (2, "Pacific/Kiritimati", 0), (3, "Pacific/Apia", 23),
    ] {
      scenario = scenario.and(.accountCreated(person(number, zone: zone, start: start)), at: at)
    }
    scenario = try scenario.and(CreateHive(key: Bees.key, name: "Bees"), at: at)
      .and(CreateHiveInvite(hive, minutes: 100_000, code: Bees.code), at: at)
    for member in 2...3 { scenario = try scenario.and(JoinHive(Bees.code), by: member, at: at) }
    let end = moment("2011-12-30T10:00:00Z")
    #expect(scenario.verdicts(missing...missing, at: end) == [.broken])
    let before = end.advanced(byMilliseconds: -1)
    #expect(scenario.verdicts(missing...missing, at: before) == [.open])
  }

  // MARK: Moves

  private func move(_ zone: String) -> UpdateProfile { UpdateProfile { $0.timeZone = zone } }

  @Test func `a move that takes the day from the last member advances it (R5)`() throws {
    var scenario = try formed("Pacific/Kiritimati", "Etc/UTC", "Pacific/Kiritimati")
    scenario = try logged(scenario, "2011-12-30", by: 1, 3, at: "2011-12-29T15:00:00Z")
    let at = moment("2011-12-29T16:00:00Z")
    let events = try scenario.when(move("Pacific/Apia"), by: 2, at: at)
    #expect(events.last == Bees.advanced("2011-12-30", streak: 1, 2, of: 2))
    #expect(events.count == 2)
    // Moving back gives the day back, but a day that advanced stays so.
    scenario = try scenario.and(move("Pacific/Apia"), by: 2, at: at)
      .and(move("Etc/UTC"), by: 2, at: at)
    let told = try scenario.answer(AdvanceHiveDay(hive, day: missing), at: at)
    #expect([told.completeCount, told.requiredCount] == [2, 3] && told.hasAdvanced)
  }

  @Test func `moves after the day was first over change nothing`() throws {
    let scenario = try lived([], [1, 2], in: formed("Pacific/Apia", "Pacific/Apia"))
    for zone in ["Etc/UTC", "Pacific/Kiritimati", "Pacific/Honolulu"] {
      let moved = try scenario.and(move(zone), by: 1, at: newYear)
      #expect(moved.verdicts(week, at: newYear) == scenario.verdicts(week, at: newYear))
    }
  }

  @Test func `members have the missing days of their accounts, however the state was made`() throws
  {
    var scenario = try formed("Pacific/Kiritimati", "Etc/UTC", "Pacific/Apia")
    let at = moment("2011-12-29T16:00:00Z")
    func check(_ state: BookState) {
      for member in state.hives[hive]?.members ?? [] {
        #expect(member.leftOut == state.accounts[member.account]?.daysLeftOut)
      }
    }
    for (zone, member) in [("Pacific/Apia", 2), ("Etc/UTC", 3), ("Pacific/Apia", 1)] {
      var rollback = Rollback()
      var state = scenario.state
      for (index, event) in try scenario.when(move(zone), by: member, at: at).enumerated() {
        let head = EntryHead(
          position: state.position + Int64(index) + 1, at: at, actor: nil, key: nil)
        state.apply(Entry(head, event), noting: &rollback)
      }
      check(state)
      #expect(state.hives[hive] != scenario.state.hives[hive])
      state.rollBack(&rollback)
      #expect(state.hives[hive] == scenario.state.hives[hive])
      scenario = try scenario.and(move(zone), by: member, at: at)
      let restored = try #require(
        StateRecordTests.state(of: StateRecordTests.records(of: scenario.state)))
      check(restored)
      #expect(restored.hives[hive] == scenario.state.hives[hive])
    }
    #expect(scenario.state.hives[hive]?.members.map(\.leftOut.count) == [2, 1, 0])
  }

  @Test func `a break of such a day in an older book ends no streak`() throws {
    let scenario = try lived([], [1, 2], in: formed("Pacific/Apia", "Pacific/Apia"))
      .and(Bees.broken("2011-12-30", streak: 2, 0, of: 2), at: newYear)
    #expect(scenario.streak(at: moment("2011-12-31T22:00:00Z")) == 3)
  }

  // MARK: Views

  @Test func `the card and the audit show who never had the day (HH-23, ES-3)`() throws {
    let scenario = try lived([1, 2], [3], in: formed("Etc/UTC", "Etc/UTC", "Pacific/Apia"))
    let query = Query(
      asOf: moment("2011-12-31T22:00:00Z"), on: missing, zones: TableZones())
    let card = try scenario.state.hiveCard(hive, for: Bees.person(3), query)
    #expect(card.members.map(\.isLeftOut) == [false, false, true])
    #expect(card.members.map(\.isRequired) == [true, true, false])
    let row = card.members[2].json(in: scenario.state)
    #expect(row["left_out"] == true && row["required"] == false)
    #expect(card.members[0].json(in: scenario.state)["left_out"] == nil)
    let found = try scenario.state.hive(hive, seenBy: Bees.person(1))
    let audit = HiveAudit(
      hive, found, for: Bees.person(1), in: scenario.state, query, scenario.entries)
    let audited = try #require(audit.days.last)
    #expect(audited.judged.day == missing && audited.judged.verdict == .advanced)
    #expect(audited.members.map(\.isLeftOut) == [false, false, true])
    #expect(audited.members.filter(\.isMissing).isEmpty)
    let told = audit.json(in: scenario.state)["days"]?.elements?.last?["members"]?.elements
    #expect(told?.last?["left_out"] == true && told?.first?["left_out"] == nil)
  }

  @Test func `nobody is warned of a day that they never have (HH-25)`() throws {
    var scenario = try formed("Etc/UTC", "Etc/UTC", "Pacific/Apia", start: 23)
    scenario = try logged(scenario, "2011-12-30", by: 1, at: "2011-12-30T23:30:00Z")
    let due = scenario.state.risks(
      of: hive, after: moment("2011-12-30T00:00:00Z"), through: moment("2012-01-01T00:00:00Z"),
      in: TableZones())
    #expect(!due.contains { $0.account == Bees.person(3) && $0.day == missing })
  }
}
