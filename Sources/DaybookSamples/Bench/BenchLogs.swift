package import Daybook

/// Makes up logs for measurements: each habit is logged on about nine days of ten, at a time of day
/// of its own.
package struct BenchLogs {
  /// When the first account is created.
  package static let start = Instant(clamping: 1_704_067_200_000)

  /// A log of a habit.
  package struct Log {
    /// The habit's index, from 0.
    package var index: Int
    package var day: Day
    /// When it is recorded.
    package var at: Instant
    /// The logged value.
    package var value: Amount
  }

  private let habitCount: Int
  private var random = BenchRandom()
  private var day = Day(clampingNumber: 19_723)
  private var index = 0
  private var at = BenchLogs.start

  /// Makes logs of a number of habits; every fifth is a counter.
  package init(habitCount: Int) { self.habitCount = max(1, habitCount) }

  /// The next log.
  package mutating func next() -> Log {
    while true {
      if index == habitCount {
        day = day.advanced(by: 1)
        index = 0
      }
      defer { index += 1 }
      guard random.next(10) > 0 else { continue }
      let morning = Instant(clamping: Int64(day.number) * 86_400_000 + 18_000_000)
      at = max(at, morning.advanced(byMilliseconds: Int64(index * 60_000_000 / habitCount)))
      let value = index % 5 == 4 ? Amount(random.next(8) + 1) : .one
      return Log(index: index, day: day, at: at, value: value ?? .one)
    }
  }

  /// The commands that create a number of accounts, given how many exist.
  package static func accounts(_ count: Int, after first: Int = 0) -> [CreateAccount] {
    let zones = ["Europe/London", "America/New_York", "Asia/Tokyo", "UTC"]
    return (first..<first + count).map { index in
      CreateAccount(
        key: Key(high: 1, low: UInt64(index)), name: "Bee \(index)",
        timeZone: zones[index % zones.count])
    }
  }

  /// The commands that create an account's five habits, given how many exist.
  package static func habits(after count: Int) -> [CreateHabit] {
    (0..<5).map { number in
      let target: Amount = number == 4 ? 8 : 1
      return CreateHabit(
        key: Key(high: 2, low: UInt64(count + number)), name: "Habit \(number)",
        type: number == 4 ? .counter : .checkbox, target: Target(target))
    }
  }
}

/// Random numbers for measurements, the same at each run.
package struct BenchRandom {
  private var state: UInt64 = 0x5EED

  package init() {}

  /// A number from 0 to below a bound, which counts as at least 1.
  package mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, bound)
  }
}
