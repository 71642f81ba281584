import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A book with random accounts and habits, in several segments, for proofs of streaks.
struct ProofWorld {
  let storage: MemoryStorage
  let reader: BookReader
  private(set) var habits: [Habit.ID] = []
  private(set) var accounts: [Account.ID] = []
  private var random: SplitMix64

  init(seed: UInt64, steps: Int = 60) throws {
    random = SplitMix64(seed: seed)
    let empty = try SegmentedBook()
    (storage, reader) = (empty.storage, empty.reader)
    let (clock, book) = (empty.clock, empty.book)
    for step in 0..<steps {
      clock.instant = clock.instant.advanced(
        byMilliseconds: Int64.random(in: 1...40_000_000, using: &random))
      if step < 2 || chance(20) {
        let zones = ["UTC", "Europe/London", "Asia/Tokyo", "Pacific/Honolulu"]
        accounts.append(
          try book.record(
            CreateAccount(
              name: "secret person \(step)", timeZone: zones[step % 4],
              dayStartHour: step % 3)))
      }
      if step < 3 || chance(12) {
        let owner = accounts[Int.random(in: 0..<accounts.count, using: &random)]
        let schedules: [Schedule] = [
          .daily, .weekdays(try #require(WeekdayMask(bits: 0b10101))),
          try #require(Schedule.quota(3, in: 7)), try #require(Schedule.quota(4, in: 30)),
        ]
        habits.append(
          try book.record(
            CreateHabit(
              name: "secret habit \(step)", type: .counter, target: 2,
              schedule: schedules[Int.random(in: 0..<4, using: &random)]), by: owner))
      }
      // Commands that the domain refuses are skipped.
      _ = try? act(in: book)
    }
    clock.instant = clock.instant.advanced(byMilliseconds: 1000)
    if chance(2) { try book.seal() }
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func act(in book: Book) throws {
    let habit = habits[Int.random(in: 0..<habits.count, using: &random)]
    let owner = book.read { $0.habits[habit]?.owner }
    let today = try #require(book.read { $0.habits[habit]?.createdOn })
    let day = today.advanced(by: Int.random(in: -3...30, using: &random))
    switch Int.random(in: 0..<14, using: &random) {
    case 0: try book.record(SkipDay(habit, note: "secret"), by: owner)
    case 1: try book.record(ClearLog(habit), by: owner)
    case 2: try book.record(Pause(first: day, last: day.advanced(by: 2)), by: owner)
    case 3: try book.record(Resume(), by: owner)
    case 4: try book.record(UpdateHabit(habit) { $0.target = 3 }, by: owner)
    case 5: try book.record(UpdateHabit(habit) { $0.schedule = .daily }, by: owner)
    case 6: try book.record(UpdateProfile { $0.timeZone = "Asia/Kolkata" }, by: owner)
    case 7: try book.record(ArchiveHabit(habit), by: owner)
    case 8: try book.record(RestoreHabit(habit), by: owner)
    case 9: try book.record(LogHabit(habit, value: 3, day: .day(day)), by: owner)
    default: try book.record(LogHabit(habit, value: 3, note: "secret"), by: owner)
    }
  }

  /// A query for the present.
  func query(on day: Day? = nil, _ rule: StreakRule = .daybook) throws -> Query {
    let last = try #require(try reader.head().at)
    return Query(
      asOf: last.advanced(byMilliseconds: 5000), on: day, rule: rule, zones: StateLedger.zones)
  }

  /// A proof of a habit.
  func proof(of habit: Habit.ID, on day: Day? = nil) throws -> [UInt8] {
    try reader.proof(of: habit, try query(on: day)).file
  }
}
