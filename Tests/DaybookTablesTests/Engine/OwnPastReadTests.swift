import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Journal
import PropertyTesting
import Testing
import Values
import Wire

@testable import DaybookTables

/// Past rows of the caller's own habit are read from its entries, and equal those of the whole past.
@Suite(.tags(.law)) struct OwnPastReadTests {
  private static let (ada, ben) = (Key(high: 1, low: 1), Key(high: 1, low: 2))
  private static let start = Instant(clamping: 1_773_144_000_000)
  private static let stepCount = 90

  private static func habit(_ number: Int) -> Key { Key(high: 2, low: UInt64(number)) }

  private static func moment(_ step: Int) -> Instant {
    start.advanced(byMilliseconds: Int64(step) * 21_600_000)
  }

  /// Fills a book with two accounts' logs, six hours apart; the same seed gives the same book.
  private static func fill(_ book: Book, seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    func below(_ bound: UInt64) -> Int { Int(chance.next() % bound) }
    let people = try [ada, ben].map { key in
      try book.record(CreateAccount(key: key, timeZone: "Europe/Berlin"), at: start)
    }
    let habits = try (1...3).map { number in
      try book.record(
        CreateHabit(key: habit(number), name: "Habit \(number)", target: 3),
        by: people[number / 3], at: start)
    }
    let owners = [people[0], people[0], people[1]]
    for step in 1...stepCount {
      let number = below(3)
      let at = moment(step)
      let day = DayChoice.day(Day(clampingNumber: Int(at.milliseconds / 86_400_000) - below(6)))
      do {
        switch below(10) {
        case 0: try book.record(SkipDay(habits[number], day: day), by: owners[number], at: at)
        case 1: try book.record(ClearLog(habits[number], day: day), by: owners[number], at: at)
        default:
          let value = Amount(below(3) + 1) ?? .one
          try book.record(
            LogHabit(habits[number], value: value, day: day), by: owners[number], at: at)
        }
      } catch is Rejection {}
    }
  }

  private static let queries = [
    "habit_logs?habit_id=eq.HABIT", "habit_logs?select=id,value&habit_id=in.(HABIT)&value=gt.1",
    "habit_logs?habit_id=eq.HABIT&order=log_date.desc&limit=3&offset=1",
    "habit_logs?select=log_date,habits(name)&habit_id=eq.HABIT", "habit_progress?habit_id=eq.HABIT",
  ]

  @Test(arguments: [UInt64(1), 2, 3])
  func `past rows of one habit equal those of the whole past (ES-4, MO-9)`(
    seed: UInt64
  ) async throws {
    let clock = BookClock(now: { Self.moment(Self.stepCount + 1) })
    let own = try Book(at: "book", storage: MemoryStorage(), clock: clock)
    let whole = Book.inMemory(clock: clock)
    for book in [own, whole] { try Self.fill(book, seed: seed) }
    let services = (TableService(own), TableService(whole))
    var rowCount = 0
    for step in stride(from: 0, to: Self.stepCount, by: 7) {
      for number in 1...3 {
        for (place, query) in Self.queries.enumerated() where (place + step + number) % 2 == 0 {
          let target = query.replacing("HABIT", with: Self.habit(number).description)
          let request = Self.request("\(target)&as_of=\(Self.moment(step))")
          let viewer = Viewer.account(Self.ada)
          let found = await services.0.answer(request, in: .together, by: viewer)
          let expected = await services.1.answer(request, in: .together, by: viewer)
          #expect(found.text == expected.text && found.status == expected.status, "\(target)")
          #expect(found.headers[.contentRange] == expected.headers[.contentRange], "\(target)")
          #expect(expected.status == .ok, "\(expected.text)")
          if number < 3 { rowCount += found.json?.elements?.count ?? 0 }
          // Ada does not see Ben's habit.
          if number == 3 { #expect(found.text == "[]") }
        }
      }
    }
    #expect(rowCount > 50)
  }

  private static func request(_ target: String) -> WireRequest {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return WireRequest(.get, [parts[0]], query: WireQuery(encoded: parts[1]))
  }
}
