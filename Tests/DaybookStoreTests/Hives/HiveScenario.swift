import Daybook
import Foundation
import PropertyTesting

/// A random scenario of one hive: its accounts, and their actions over time.
struct HiveScenario: Sendable {
  var beginning: Int
  /// Each account's zone and start of the day, by their places in the menus.
  var people: [(zone: Int, start: Int)]
  var weekmask: Int
  var threshold: Int?
  /// A member's target, in thousandths.
  var target: Int
  var steps: [HiveStep]
}

/// Some time passes, then an account acts.
struct HiveStep: Sendable {
  /// The minutes that pass before.
  var wait: Int
  var action: HiveStepAction
}

/// An action; accounts and invites are named by their places.
enum HiveStepAction: Sendable {
  case look
  case settle
  case log(Int, HiveWhen, value: Int)
  case clear(Int, HiveWhen)
  case habitLog(Int, ago: Int, value: Int)
  case habitClear(Int, ago: Int)
  case link(Int, Bool)
  case invite(minutes: Int, maximumUseCount: Int)
  case revoke(Int)
  case join(Int, invite: Int)
  case leave(Int)
  case remove(Int)
  case handOver(Int)
  case move(Int, zone: Int, start: Int)
  case advance(Int, ago: Int)
}

/// A day, in the way that the account names it.
enum HiveWhen: Sendable {
  case today
  case ago(Int)
  /// Queued offline, and sent this many minutes later.
  case queued(minutes: Int)
}

/// The meaning of the small numbers in scenarios.
enum HiveMenu {
  /// From the first zone that a day reaches to the last. Troll's clocks go back over two o'clock.
  static let zones = [
    "Europe/London", "Pacific/Kiritimati", "Pacific/Honolulu", "Antarctica/Troll",
    "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia",
    "Pacific/Fakaofo", "Pacific/Kwajalein", "Pacific/Kanton", "Pacific/Auckland",
  ]
  static let starts = [4, 0, 2, 23, 12]
  /// Some days before clock changes, and before Apia skipped a day.
  static let beginnings = [
    "2026-03-02T09:10:00Z", "2026-03-26T21:40:30Z", "2026-10-22T13:05:00Z", "2011-12-27T08:00:00Z",
    "2026-10-31T23:59:59.999Z", "2026-04-02T15:15:00Z",
    "2011-12-28T19:30:00Z", "1994-12-29T22:00:00Z", "1993-08-19T20:45:00Z",
  ].compactMap { Instant($0) }
  /// The beginnings after which some zones skip a day, and the zones that do so or are near them.
  static let datelines = [3: [1, 7, 8], 6: [1, 7, 8], 7: [1, 10, 11], 8: [1, 9, 11]]
  static let masks = [127, 127, 31, 85, 96]
  static let values = [1000, 2000, 3000, 0, 500, 9000]

  static func zone(_ number: Int) -> TimeZone {
    TimeZone(identifier: zones[number % zones.count]) ?? .gmt
  }
}

extension Generator where Value == HiveScenario {
  /// Scenarios of two to twelve accounts, ten of which fit into the hive.
  ///
  /// - Parameters:
  ///   - count: The number of steps.
  ///   - travels: How often an account moves to another zone.
  /// - Returns: The generator.
  static func hiveStories(
    _ count: ClosedRange<Int> = 0...45, travels: Int = 4
  ) -> Generator<HiveScenario> {
    Generator { source in
      // In hives of few members, all are done on some days.
      let size = try source.draw(
        .frequency((6, .integer(in: 2...3)), (3, .integer(in: 4...6)), (1, .integer(in: 10...12))))
      let beginning = try source.below(HiveMenu.beginnings.count)
      let zones = HiveMenu.datelines[beginning] ?? []
      let people = try (0..<size).map { _ in
        (
          zone: try !zones.isEmpty && source.happens(60)
            ? zones[source.below(zones.count)] : source.below(HiveMenu.zones.count),
          start: try source.happens(60) ? 0 : try source.below(HiveMenu.starts.count)
        )
      }
      var scenario = HiveScenario(
        beginning: beginning, people: people,
        weekmask: try source.below(HiveMenu.masks.count),
        threshold: try source.happens(30) ? 1 + (try source.below(3)) : nil,
        target: try source.draw(.element(of: [1000, 2000, 500])), steps: [])
      // Most join early.
      scenario.steps.append(
        HiveStep(wait: 0, action: .invite(minutes: 100_000, maximumUseCount: 20)))
      scenario.steps.append(
        HiveStep(wait: 0, action: .invite(minutes: 100_000, maximumUseCount: 1)))
      for person in 1..<size where try source.happens(75) {
        scenario.steps.append(HiveStep(wait: person % 3, action: .join(person, invite: 0)))
      }
      try source.repeated(count) { source in
        scenario.steps += try source.hiveSteps(size, travels)
      }
      return scenario
    }
  }
}

extension PropertyTesting.Source {
  /// One step; or most members' logs of one day, so that days advance.
  fileprivate mutating func hiveSteps(_ size: Int, _ travels: Int) throws -> [HiveStep] {
    let wait = try draw(
      .frequency(
        (2, .constant(0)), (4, .integer(in: 1...180)), (5, .integer(in: 200...1000)),
        (3, .integer(in: 1200...1700)), (1, .integer(in: 2000...5000))))
    if try happens(30) {
      let when = try hiveWhen()
      let value = try below(3)
      var steps: [HiveStep] = []
      for person in 0..<size where try happens(90) {
        steps.append(
          HiveStep(wait: steps.isEmpty ? wait : 7, action: .log(person, when, value: value)))
      }
      return steps
    }
    if try happens(8) {
      // Logs, leaves and returns at once; or another account joins.
      let person = try below(size)
      let other = try happens(50) ? person : try below(size)
      return [
        HiveStep(wait: wait, action: .log(person, .today, value: 1)),
        HiveStep(wait: 1, action: .leave(person)),
        HiveStep(wait: 1, action: .log(0, .today, value: 1)),
        HiveStep(wait: 1, action: .join(other, invite: try below(2))),
      ]
    }
    return [HiveStep(wait: wait, action: try hiveAction(size, travels))]
  }

  private mutating func hiveAction(_ size: Int, _ travels: Int) throws -> HiveStepAction {
    let person = try below(size)
    let kinds: [(Int, HiveStepAction)] = [
      (10, .log(person, try hiveWhen(), value: try below(HiveMenu.values.count))),
      (4, .clear(person, try hiveWhen())), (2, .look), (3, .settle),
      (4, .habitLog(person, ago: try below(4), value: try below(3))),
      (1, .habitClear(person, ago: try below(3))), (3, .link(person, try happens(80))),
      (
        2,
        .invite(
          minutes: try draw(.element(of: [1, 300, 3000, 100_000])),
          maximumUseCount: 1 + (try below(3)))
      ),
      (1, .revoke(try below(4))), (7, .join(person, invite: try below(5))), (4, .leave(person)),
      (2, .remove(person)), (2, .handOver(person)),
      (
        travels,
        .move(
          person, zone: try below(HiveMenu.zones.count), start: try below(HiveMenu.starts.count))
      ),
      (3, .advance(person, ago: try draw(.integer(in: -2...5)))),
    ]
    var number = try below(kinds.reduce(0) { $0 + $1.0 })
    for (weight, action) in kinds {
      if number < weight { return action }
      number -= weight
    }
    return .look
  }

  private mutating func hiveWhen() throws -> HiveWhen {
    try draw(
      .frequency(
        (6, .constant(.today)), (5, Generator<Int>.integer(in: -1...4).map { .ago($0) }),
        (2, Generator<Int>.integer(in: -20...3000).map { .queued(minutes: $0) })))
  }
}
