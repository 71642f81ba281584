import Daybook
import Testing

@Suite(.tags(.unit)) struct AccountCommandTests {
  let key = Key(high: 1, low: 7)

  @Test func `a new account has the specification's defaults (HH-1)`() throws {
    let created: AccountCreated = make {
      $0.key = key
      $0.displayName = "New Bee"
      $0.timeZone = "Europe/Berlin"
      $0.dayStartHour = 4
      $0.theme = .honey
    }
    let command = CreateAccount(key: key, timeZone: "Europe/Berlin")
    #expect(try Scenario().when(command, by: nil) == [.accountCreated(created)])
    #expect(
      CreateAccount().profile.dayClock == DayClock(timeZone: "America/New_York", dayStartHour: 4))
  }

  @Test func `an account without a key gets a new one, and its name is trimmed`() throws {
    let command = CreateAccount(name: " Ada\n", timeZone: "Etc/UTC")
    let created: AccountCreated = make {
      $0.key = Scenario.fresh
      $0.displayName = "Ada"
      $0.timeZone = "Etc/UTC"
      $0.dayStartHour = 4
    }
    #expect(try Scenario().when(command, by: nil) == [.accountCreated(created)])
  }

  @Test func `an account created again is the same account (HH-26)`() throws {
    let again = CreateAccount(
      key: Scenario.fresh, name: "Ada ", timeZone: "Etc/UTC", dayStartHour: 4)
    let made = try Scenario().and(again, by: nil)
    #expect(try made.when(again, by: nil) == [])
    #expect(try made.answer(again, by: nil) == First.account)
  }

  @Test func `another account's profile cannot be read by guessing its key (HH-1, MO-9)`() throws {
    let other = CreateAccount(key: person(1).key, name: "Eve", timeZone: "Etc/UTC")
    #expect(throws: Rejection.keyTaken(person(1).key)) {
      try given().when(other, by: nil)
    }
  }

  @Test func `invalid accounts are refused (HH-1)`() {
    #expect(throws: Rejection.emptyDisplayName) {
      try Scenario().when(CreateAccount(name: " \t", timeZone: "Etc/UTC"), by: nil)
    }
    #expect(throws: Rejection.unknownTimeZone("UTC+5")) {
      try Scenario().when(CreateAccount(timeZone: "UTC+5"), by: nil)
    }
    #expect(throws: Rejection.accountNotFound) {
      try Scenario().when(CreateAccount(timeZone: "Etc/UTC"), by: 1)
    }
    for hour in [-1, 24, Int.min, Int.max] {
      #expect(throws: Rejection.invalidDayStart(hour)) {
        try Scenario().when(CreateAccount(timeZone: "Etc/UTC", dayStartHour: hour), by: nil)
      }
    }
  }

  @Test func `an update changes only the given parts of a profile (HH-1)`() throws {
    let changed: ProfileChanged = make {
      $0.account = First.account
      $0.displayName = "Eve"
      $0.avatarURL = "a.png"
      $0.theme = .night
    }
    let moved: DayClockChanged = make {
      $0.account = First.account
      $0.timeZone = "Pacific/Honolulu"
      $0.dayStartHour = 4
      $0.closedBefore = day("2026-03-02")
    }
    let command = UpdateProfile {
      $0.displayName = "Eve"
      $0.avatarURL = "a.png"
      $0.timeZone = "Pacific/Honolulu"
      $0.theme = .night
    }
    let scenario = given(habit())
    #expect(try scenario.when(command) == [.profileChanged(changed), .dayClockChanged(moved)])
  }

  @Test func `a closed day stays closed on further journeys (HH-3)`() throws {
    let west = UpdateProfile { $0.timeZone = "Pacific/Honolulu" }
    let farther = UpdateProfile { $0.dayStartHour = 9 }
    let moved: DayClockChanged = make {
      $0.account = First.account
      $0.timeZone = "Pacific/Honolulu"
      $0.dayStartHour = 9
      $0.closedBefore = day("2026-03-02")
    }
    // In Honolulu it is still the evening of the first of March.
    #expect(try given(habit()).and(west).when(farther) == [.dayClockChanged(moved)])
  }

  @Test func `a clock that was never in use closes no day (HH-3, HH-5)`() throws {
    // In Honolulu it is the first of March, which is over in the account's first zone.
    let west = UpdateProfile { $0.timeZone = "Pacific/Honolulu" }
    let today = try given().and(west).state.accounts[First.account]?.openDay(
      at: Scenario.noon, in: TableZones())
    #expect(today == day("2026-03-01"))
    // An account that continues with a habit or a hive has used the clock.
    let begun = try given().and(west).and(CreateHabit(name: "Read"))
    let east = UpdateProfile { $0.timeZone = "Etc/UTC" }
    for lived in [begun, try given().and(west).and(CreateHive(name: "Bees"))] {
      let back = try lived.and(east).and(west)
      let open = back.state.accounts[First.account]?.openDay(at: Scenario.noon, in: TableZones())
      #expect(open == day("2026-03-02"))
    }
  }

  @Test func `an edit without changes appends nothing`() throws {
    let same = UpdateProfile {
      $0.displayName = " Ada 1 "
      $0.avatarURL = nil
      $0.timeZone = "Etc/UTC"
      $0.dayStartHour = 4
      $0.theme = .honey
    }
    #expect(try given().when(same) == [])
    #expect(try given().when(UpdateProfile()) == [])
    #expect(try given().when(Resume()) == [])
    #expect(try given().when(UserLocalDate()) == [])
  }

  @Test func `invalid edits and edits without an account are refused (MO-9)`() {
    #expect(throws: Rejection.emptyDisplayName) {
      try given().when(UpdateProfile { $0.displayName = " " })
    }
    #expect(throws: Rejection.unknownTimeZone("Mars/Olympus")) {
      try given().when(UpdateProfile { $0.timeZone = "Mars/Olympus" })
    }
    #expect(throws: Rejection.invalidDayStart(24)) {
      try given().when(UpdateProfile { $0.dayStartHour = 24 })
    }
    #expect(throws: Rejection.actorMissing) { try given().when(Resume(), by: nil) }
    #expect(throws: Rejection.accountNotFound) { try given().when(Resume(), by: 2) }
  }

  @Test func `a pause may lie in the past, in the future, or have no end`() throws {
    let spans = [
      ("2026-01-01", "2026-01-05"), ("2027-01-01", nil), ("2026-03-02", "2026-03-02"),
    ]
    for (first, last) in spans {
      let paused: AccountPaused = make {
        $0.account = First.account
        $0.first = day(first)
        $0.last = last.map { day($0) }
      }
      let command = Pause(first: day(first), last: last.map { day($0) })
      #expect(try given().when(command) == [.accountPaused(paused)])
    }
    let (late, early) = (day("2026-03-02"), day("2026-03-01"))
    #expect(throws: Rejection.invalidPause(first: late, last: early)) {
      try given().when(Pause(first: late, last: early))
    }
  }

  @Test func `resume ends all pauses that hold today`() throws {
    let resumed: AccountResumed = make {
      $0.account = First.account
      $0.day = day("2026-03-02")
    }
    let scenario = try given().and(Pause(first: day("2026-02-27"), last: nil))
      .and(Pause(first: day("2026-03-02"), last: day("2026-03-09")))
      .and(Pause(first: day("2026-05-01"), last: nil))
    #expect(try scenario.when(Resume()) == [.accountResumed(resumed)])
    let pauses = try scenario.and(Resume()).state.accounts[First.account]?.pauses.map(\.days)
    #expect(
      pauses == [
        DaySpan(first: day("2026-02-27"), last: day("2026-03-01")),
        DaySpan(first: day("2026-05-01"), last: nil),
      ])
  }

  @Test func `resume on a day to come shortens a pause, and calls off one that begins then`() throws
  {
    let scenario = try given().and(Pause(first: day("2026-03-01"), last: nil))
      .and(Pause(first: day("2026-03-20"), last: day("2026-03-22")))
    func pauses(after day: Day) throws -> [DaySpan]? {
      try scenario.and(Resume(on: day)).state.accounts[First.account]?.pauses.map(\.days)
    }
    #expect(
      try pauses(after: day("2026-03-05")) == [
        DaySpan(first: day("2026-03-01"), last: day("2026-03-04")),
        DaySpan(first: day("2026-03-20"), last: day("2026-03-22")),
      ])
    #expect(
      try pauses(after: day("2026-03-20")) == [
        DaySpan(first: day("2026-03-01"), last: day("2026-03-19"))
      ])
    let (past, today) = (day("2026-03-01"), day("2026-03-02"))
    #expect(throws: Rejection.resumptionInPast(on: past, today: today)) {
      try scenario.when(Resume(on: past))
    }
  }

  @Test func `the local date of any instant is answered (HH-3)`() throws {
    let scenario = given()
    #expect(try scenario.answer(UserLocalDate()) == day("2026-03-02"))
    let night = moment("2026-03-02T03:59:59.999Z")
    #expect(try scenario.answer(UserLocalDate(at: night)) == day("2026-03-01"))
  }

  @Test func `rejections have their codes`() {
    let codes: [(Rejection, String)] = [
      (.actorMissing, "actor_missing"), (.accountNotFound, "account_not_found"),
      (.keyTaken(key), "key_taken"), (.emptyDisplayName, "empty_name"),
      (.unknownTimeZone(""), "unknown_timezone"), (.invalidDayStart(24), "invalid_day_start"),
      (.invalidPause(first: .last, last: .first), "invalid_pause"),
    ]
    for (rejection, code) in codes {
      #expect(rejection.code == code)
      #expect(rejection.description.hasSuffix("."))
    }
  }
}
