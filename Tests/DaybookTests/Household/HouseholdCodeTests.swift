import Avro
import Testing

@testable import Daybook

/// A household's code lets people join it; nothing else does.
@Suite(.tags(.unit)) struct HouseholdCodeTests {
  private let home = Home.household
  private static let code = "0123456789ab"

  private func shown(minutes: Int = 60) throws -> Scenario {
    try Home.with(2).and(CreateHouseholdCode(home, minutes: minutes, code: Self.code))
  }

  @Test func `a code admits anyone who has it, once (MC-1)`() throws {
    let join = JoinHousehold(" 0123456789AB ")
    let joined = HouseholdJoined(household: home, member: Bees.person(3), byCode: true)
    #expect(try shown().when(join, by: 3) == [.householdJoined(joined)])
    #expect(try shown().and(join, by: 3).when(join, by: 3) == [])
    #expect(try shown().when(join, by: 2) == [])
  }

  @Test func `a household's key, a guessed code and an empty code admit nobody (MC-11)`() throws {
    for text in [Home.key.description, "000000000000", ""] {
      #expect(throws: Rejection.invalidHouseholdCode) {
        try shown().when(JoinHousehold(text), by: 3)
      }
    }
    #expect(throws: Rejection.invalidHouseholdCode) {
      try Home.with(2).when(JoinHousehold(Self.code), by: 3)
    }
    #expect(throws: Rejection.householdNotFound) {
      try Home.with(2).when(AddHouseholdMember(Bees.person(3), to: home), by: 3)
    }
  }

  @Test func `a code is valid until it expires or is revoked`() throws {
    let join = JoinHousehold(Self.code)
    let last = Scenario.noon.advanced(byMilliseconds: 3_600_000)
    #expect(try shown().when(join, by: 3, at: last).count == 1)
    #expect(throws: Rejection.householdCodeExpired) {
      try shown().when(join, by: 3, at: last.advanced(byMilliseconds: 1))
    }
    #expect(throws: Rejection.invalidHouseholdCode) {
      try shown().and(RevokeHouseholdCode(home), by: 2).when(join, by: 3)
    }
    #expect(throws: Rejection.invalidHouseholdCode) {
      try shown().and(DeleteHousehold(home)).when(join, by: 3)
    }
  }

  @Test func `a valid code is shown again, and a new one replaces it on request`()
    throws
  {
    let scenario = try shown()
    #expect(try scenario.when(CreateHouseholdCode(home), by: 2) == [])
    let another = try scenario.and(CreateHouseholdCode(home, isNew: true), by: 2)
    let text = try #require(another.state.households[home]?.code?.text)
    #expect(text != Self.code && JoinCode.isCode(text))
    #expect(throws: Rejection.invalidHouseholdCode) {
      try another.when(JoinHousehold(Self.code), by: 3)
    }
    #expect(try another.when(JoinHousehold(text), by: 3).count == 1)
    let late = Scenario.noon.advanced(byMilliseconds: 3_600_001)
    #expect(try scenario.when(CreateHouseholdCode(home), by: 2, at: late).count == 1)
  }

  @Test func `a refusal of a code names its column (MC-11)`() throws {
    let scenario = try shown()
    for minutes in [0, 5_256_001] {
      let refusal = Rejection.invalidLifetime(minutes, "ttl_minutes")
      #expect(refusal.field == "ttl_minutes" && refusal.description.hasPrefix("ttl_minutes: "))
      #expect(throws: refusal) {
        try scenario.when(CreateHouseholdCode(home, minutes: minutes, isNew: true), by: 2)
      }
    }
    let taken = Rejection.codeTaken(Self.code, "household")
    #expect(throws: taken) { try scenario.when(CreateHouseholdCode(home, code: Self.code), by: 2) }
  }

  @Test func `a removed member cannot return with the old code (MC-11)`() throws {
    let removed = try shown().and(RemoveHouseholdMember(Bees.person(2), from: home))
    #expect(removed.state.households[home]?.code == nil)
    #expect(throws: Rejection.invalidHouseholdCode) {
      try removed.when(JoinHousehold(Self.code), by: 2)
    }
    let left = try shown().and(LeaveHousehold(home), by: 2)
    #expect(try left.when(JoinHousehold(Self.code), by: 2).count == 1)
    let themselves = try shown().and(RemoveHouseholdMember(Bees.person(2), from: home), by: 2)
    #expect(themselves.state.households[home]?.code?.text == Self.code)
  }

  @Test func `only members see the code or create one (MC-11)`() throws {
    #expect(throws: Rejection.householdNotFound) {
      try shown().when(CreateHouseholdCode(home), by: 3)
    }
    #expect(throws: Rejection.householdNotFound) {
      try shown().when(RevokeHouseholdCode(home), by: 3)
    }
    let state = try shown().state
    let household = try #require(state.households[home])
    #expect(state.householdRow(household)["code"] == .string(Self.code))
    #expect(throws: Rejection.codeTaken(Self.code, "household")) {
      try shown().when(CreateHouseholdCode(home, code: Self.code, isNew: true))
    }
    #expect(throws: Rejection.malformedCode("12")) {
      try shown().when(CreateHouseholdCode(home, code: "12"))
    }
    #expect(throws: Rejection.invalidLifetime(0, "ttl_minutes")) {
      try Home.with().when(CreateHouseholdCode(home, minutes: 0))
    }
  }
}
