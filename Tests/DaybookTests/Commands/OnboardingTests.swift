import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct OnboardingTests {
  private func created(
    _ tile: StarterTile, key: Key = Scenario.fresh, on text: String = "2026-03-02"
  ) -> Event {
    .habitCreated(
      make {
        $0.key = key
        $0.owner = First.account
        $0.description.name = tile.name
        $0.description.emoji = tile.emoji
        $0.description.color = tile.color
        $0.description.unit = tile.unit
        $0.type = tile.timesPerDay == 1 ? .checkbox : .counter
        $0.target = Target(thousandths(Int64(tile.timesPerDay) * 1000))
        $0.day = day(text)
      })
  }

  private let end = Event.accountOnboarded(.placeholder)

  @Test func `an onboarding is one commit of all choices (HH-5)`() throws {
    let themed: ProfileChanged = make {
      $0.displayName = "Ada 1"
      $0.theme = .mint
    }
    let moved: DayClockChanged = make {
      $0.timeZone = "Pacific/Kiritimati"
      $0.dayStartHour = 5
      $0.closedBefore = day("2026-03-02")
    }
    let notified: NotificationsChanged = make {
      $0.isOn = true
      $0.times = [.midnight]
    }
    let second = Key(high: 5, low: 5)
    let command = CompleteOnboarding(habits: [.init(.drinkWater), .init(.walk, key: second)]) {
      $0.theme = .mint
      $0.timeZone = "Pacific/Kiritimati"
      $0.dayStartHour = 5
      $0.notificationsAreOn = true
      $0.notificationTimes = [.midnight]
    }
    // At 20:00 in Greenwich it is the 3rd of March in Kiritimati, where the habits begin.
    let evening = moment("2026-03-02T20:00:00Z")
    #expect(
      try given().when(command, at: evening) == [
        .profileChanged(themed), .dayClockChanged(moved), .notificationsChanged(notified),
        created(.drinkWater, on: "2026-03-03"), created(.walk, key: second, on: "2026-03-03"), end,
      ])
  }

  @Test func `a starter habit may have a name in the person's language (HH-5, DG-12)`() throws {
    let command = CompleteOnboarding(habits: [.init(.read, name: "Lesen")])
    let events = try given().when(command)
    guard case .habitCreated(let event)? = events.first else {
      Issue.record("no habit: \(events)")
      return
    }
    #expect(event.description.name == "Lesen")
    #expect(event.description.emoji == StarterTile.read.emoji)
    #expect(throws: Rejection.self) {
      try given().when(CompleteOnboarding(habits: [.init(.read, name: " ")]))
    }
  }

  @Test func `omitted choices change nothing, and an onboarding ends once (HH-5)`() throws {
    #expect(try given().when(CompleteOnboarding()) == [end])
    let done = try given().and(CompleteOnboarding())
    #expect(done.state.accounts[First.account]?.onboarded == Scenario.noon)
    let again = CompleteOnboarding(habits: [.init(.read)]) { $0.theme = .night }
    #expect(try done.when(again) == [])
    #expect(try done.answer(again) == First.account)
  }

  @Test func `two habits without keys get two keys`() throws {
    let command = CompleteOnboarding(habits: [.init(.read), .init(.walk)])
    let state = try given().and(command).state
    #expect(state.habits.elements.map(\.description.name) == ["Read", "Walk"])
    #expect(Set(state.habits.elements.map(\.key)).count == 2)
  }

  @Test func `an invalid choice refuses the whole onboarding (HH-5)`() throws {
    #expect(throws: Rejection.beyond(.starterHabits, "habits")) {
      try given().when(CompleteOnboarding(habits: [.init(.read), .init(.walk), .init(.stretch)]))
    }
    for hour in [-1, 7, 23, Int.max] {
      #expect(throws: Rejection.lateDayStart(hour)) {
        try given().when(CompleteOnboarding { $0.dayStartHour = hour })
      }
    }
    #expect(throws: Rejection.unknownTimeZone("Mars")) {
      try given().when(CompleteOnboarding { $0.timeZone = "Mars" })
    }
    let key = Key(high: 2, low: 1)
    #expect(throws: Rejection.keyTaken(key)) {
      try given().when(
        CompleteOnboarding(habits: [.init(.read, key: key), .init(.walk, key: key)]))
    }
    let eve = given(.accountCreated(person(2)), habit(of: Account.ID(2) ?? First.account))
    #expect(throws: Rejection.keyTaken(key)) {
      try eve.when(CompleteOnboarding(habits: [.init(.read, key: key)]))
    }
  }

  @Test func `every tile makes a habit (HH-5, HH-7)`() throws {
    for tile in StarterTile.allCases {
      let events = try given().when(CompleteOnboarding(habits: [.init(tile)]))
      #expect(events == [created(tile), end])
      #expect(!tile.name.isEmpty && !tile.emoji.isEmpty)
    }
    #expect(Set(StarterTile.allCases.map(\.name)).count == StarterTile.allCases.count)
    #expect(StarterTile.allCases.prefix(3).map(\.name) == ["Drink Water", "Walk", "Read"])
  }
}
