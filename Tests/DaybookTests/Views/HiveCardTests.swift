import Daybook
import Testing

@Suite(.tags(.unit)) struct HiveCardTests {
  private static let hive = BookState().hives.nextNumber

  /// Ada in Greenwich and Bob in Honolulu, from 2026-03-02 on.
  private static func scenario() throws -> Scenario {
    try Scenario().and(.accountCreated(person(1))).and(
      .accountCreated(person(2, zone: "Pacific/Honolulu", start: 0))
    ).and(.accountCreated(person(3))).and(CreateHive(key: Key(high: 4, low: 1), name: "Readers"))
      .and(CreateHiveInvite(hive, code: "0123456789ab")).and(JoinHive("0123456789ab"), by: 2)
  }

  private static func logged(_ days: [(Int, String)]) throws -> BookState {
    var scenario = try scenario()
    for (actor, at) in days {
      scenario = try scenario.and(LogHiveDay(hive), by: actor, at: moment(at))
    }
    return scenario.state
  }

  private static func query(_ at: String, on text: String? = nil) -> Query {
    Query(asOf: moment(at), on: text.map { day($0) }, zones: TableZones())
  }

  @Test func `a card shows the streak, the ring and the members' checks (HH-23)`() throws {
    let state = try Self.logged([
      (1, "2026-03-02T13:00:00Z"), (2, "2026-03-02T14:00:00Z"), (1, "2026-03-03T13:00:00Z"),
    ])
    let card = try state.hiveCard(Self.hive, for: First.account, Self.query("2026-03-03T20:00:00Z"))
    #expect(card.streak == 1 && card.isAtRisk)
    #expect(card.day.completeCount == 1 && card.day.requiredCount == 2)
    #expect(card.members.map(\.isDone) == [true, false])
    #expect(card.members.map(\.name) == ["Ada 1", "Ada 2"])
    #expect(card.comb(last: 5).map(\.verdict) == [.advanced, .open])
    let before = try state.hiveCard(
      Self.hive, for: First.account, Self.query("2026-03-09T12:00:00Z", on: "2026-03-02"))
    #expect(before.streak == 1 && before.day.hasAdvanced && before.comb(last: 9).count == 1)
    let after = try state.hiveCard(
      Self.hive, for: First.account, Self.query("2026-03-09T12:00:00Z"))
    #expect(after.streak == 0 && !after.isAtRisk)
    #expect(after.hive.longestStreak(firstOpen: after.firstOpen) == 1)
  }

  @Test func `a card names the viewer's own habit from which the hive was made (HH-13)`() throws {
    let begun = try Self.scenario().and(habit(1))
    let habit = try #require(begun.state.habits.elements.first)
    let number = try #require(begun.state.habits.number(of: habit.key))
    let second = begun.state.hives.nextNumber
    let made = try begun.and(CreateHiveFromHabit(number)).and(
      CreateHiveInvite(second, code: "a123456789ab")
    )
    .and(JoinHive("a123456789ab"), by: 2)
    let query = Self.query("2026-03-03T20:00:00Z")
    let bob = try #require(Account.ID(2))
    #expect(try made.state.hiveCard(second, for: First.account, query).source == habit.key)
    #expect(try made.state.hiveCard(second, for: bob, query).source == nil)
    #expect(try made.state.hiveCard(Self.hive, for: First.account, query).source == nil)
    let gone = try made.and(DeleteHabit(number))
    #expect(try gone.state.hiveCard(second, for: First.account, query).source == nil)
  }

  @Test func `strangers see no hive (HH-16)`() throws {
    let state = try Self.scenario().state
    let query = Self.query("2026-03-03T20:00:00Z")
    let stranger = Account.ID(3) ?? First.account
    #expect(throws: Rejection.notMember) {
      try state.hiveCard(Self.hive, for: stranger, query)
    }
    #expect(try state.hiveCards(of: stranger, query).isEmpty)
    #expect(try state.hiveCards(of: First.account, query).count == 1)
  }

  @Test func `a future day has no card`() throws {
    #expect(throws: Rejection.self) {
      try Self.scenario().state.hiveCard(
        Self.hive, for: First.account, Self.query("2026-03-03T20:00:00Z", on: "2026-03-04"))
    }
  }
}
