import Daybook

/// The start of the hive tests: Ada (1), Bob (2) and Cy (3), all in Greenwich, and a hive of Ada's with an invite.
enum Bees {
  static let hive = BookState().hives.nextNumber
  static let key = Key(high: 4, low: 1)
  static let code = "00000000000a"
  static let today = day("2026-03-02")

  /// The accounts, without a hive.
  static func people(
    _ count: UInt64 = 3, zones: [String] = []
  ) -> Scenario {
    var scenario = Scenario()
    for number in 1...count {
      let zone = Int(number) <= zones.count ? zones[Int(number) - 1] : "Etc/UTC"
      scenario = scenario.and(.accountCreated(person(number, zone: zone)))
    }
    return scenario
  }

  /// Ada's hive, joined by the given members in that order.
  static func hive(
    _ members: Int..., zones: [String] = [], target: Amount = .one,
    schedule: WeekdayMask = .everyDay, threshold: Int? = nil, at: Instant = Scenario.noon
  ) throws -> Scenario {
    var scenario = try people(max(3, UInt64(members.max() ?? 3)), zones: zones)
      .and(
        CreateHive(
          key: key, name: "Bees", target: target, schedule: schedule, threshold: threshold), at: at
      )
      .and(CreateHiveInvite(hive, minutes: 100_000, code: code), at: at)
    for member in members { scenario = try scenario.and(JoinHive(code), by: member, at: at) }
    return scenario
  }

  static func person(_ number: Int) -> Account.ID { Account.ID(number) ?? .first }

  private static func person(_ number: UInt64, zone: String) -> AccountCreated {
    DaybookTests.person(number, zone: zone)
  }

  static func logged(
    _ text: String, by member: Int = 1, _ value: Amount = .one, late: Bool = false,
    source: LogSource = .manual, entered: Amount? = nil
  ) -> Event {
    .hiveDayLogged(
      make {
        $0.hive = hive
        $0.member = person(member)
        $0.day = day(text)
        $0.value = value
        $0.source = source
        $0.isLate = late
        $0.entered = entered
      })
  }

  static func advanced(
    _ text: String, streak: Int32, _ complete: Int32, of required: Int32
  ) -> Event {
    .hiveAdvanced(
      make {
        $0.hive = hive
        $0.day = day(text)
        $0.streak = streak
        $0.completeCount = complete
        $0.requiredCount = required
      })
  }

  static func broken(
    _ text: String, streak: Int32, _ complete: Int32, of required: Int32
  ) -> Event {
    .hiveBroken(
      make {
        $0.hive = hive
        $0.day = day(text)
        $0.streak = streak
        $0.completeCount = complete
        $0.requiredCount = required
      })
  }

  static func left(_ member: Int, through text: String) -> Event {
    .hiveLeft(
      make {
        $0.hive = hive
        $0.member = person(member)
        $0.requiredThrough = day(text)
      })
  }

  static func joined(_ member: Int, _ text: String, from: String? = nil, invite: Int32?) -> Event {
    .hiveJoined(
      make {
        $0.hive = hive
        $0.member = person(member)
        $0.day = day(text)
        $0.requiredFrom = day(from ?? text)
        $0.invite = invite
      })
  }
}

/// A number of days after noon of 2026-03-02, and some hours.
func later(_ days: Int, hours: Int = 0) -> Instant {
  Scenario.noon.advanced(byMilliseconds: Int64(days * 24 + hours) * 3_600_000)
}

extension Scenario {
  /// The verdicts of the hive's days, at an instant.
  func verdicts(_ days: ClosedRange<Day>, at: Instant) -> [HiveVerdict] {
    guard let hive = state.hives[Bees.hive] else { return [] }
    let open = state.firstOpenDay(of: hive, at: at, in: TableZones())
    return hive.days(days, firstOpen: open).map(\.verdict)
  }

  func streak(at: Instant) -> Int? {
    state.hives[Bees.hive].map {
      $0.streak(firstOpen: state.firstOpenDay(of: $0, at: at, in: TableZones()))
    }
  }
}
