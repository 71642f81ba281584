import Daybook
import Foundation
import Journal
import Testing

@testable import DaybookStore

/// A book with an account and a habit, on a disk that can be held and broken.
struct WriterFixture: Sendable {
  let storage: GatedStorage
  let book: Book
  let ada: Account.ID
  let habit: Habit.ID
  let clock: HandClock

  static let now = "2026-03-01T12:00:00Z"

  init(_ storage: GatedStorage = GatedStorage(), segmentByteCount: Int = 1 << 20) throws {
    self.storage = storage
    clock = HandClock(try #require(Instant(Self.now)))
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    book = try Self.open(storage, clock, segmentByteCount)
    ada = try book.record(CreateAccount(timeZone: "Europe/London"))
    habit = try book.record(CreateHabit(name: "Read"), by: ada)
  }

  static func open(
    _ storage: any Storage, _ clock: HandClock, _ segmentByteCount: Int = 1 << 20
  ) throws -> Book {
    try Book(
      opening: BookReader(at: "book", storage: storage, zones: StateLedger.zones),
      clock: clock.bookClock,
      segmentByteCount: segmentByteCount, sealing: .onRequest)
  }

  /// A log for a different day with each number.
  func log(_ number: Int) -> LogHabit {
    LogHabit(habit, day: .day(clock.today.advanced(by: -number)))
  }

  /// A log for today with a note of any length.
  func log(note: String?) -> NotedLog { NotedLog(habit: habit, day: clock.today, note: note) }

  /// A log for a future day.
  func future() -> LogHabit { LogHabit(habit, day: .day(clock.today.advanced(by: 3))) }

  /// Holds one commit at its sync until others wait behind it, each in a task; then releases all. The body receives
  /// the number of its task, from 1.
  func hold<Result: Sendable>(
    waiting count: Int, _ body: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> (first: Receipt<Day>, others: [Result]) {
    storage.close()
    let first = Task { try await book.recordWithReceipt(log(0), by: ada) }
    while storage.heldCount == 0 { await Task.yield() }
    let others = (1...count).map { number in Task { try await body(number) } }
    while book.queue.waitingCount < count { await Task.yield() }
    storage.open()
    var results: [Result] = []
    for other in others { results.append(try await other.value) }
    return (try await first.value, results)
  }

  /// The number of entries in each commit of the journal.
  func commits() throws -> [Int] {
    var counts: [Int] = []
    try book.reader.journal.readBlocks { _, block in
      counts.append(block.count)
      return true
    }
    return counts
  }

  /// Checks that the journal equals the book.
  func expectSameWhenReopened() throws {
    let live = book.read { $0 }
    let replayed = try book.reader.state()
    #expect(replayed.isSame(as: live))
    #expect(replayed.digest == live.digest)
  }
}

extension HandClock {
  var today: Day { Day(clampingNumber: Int(instant.milliseconds / 86_400_000)) }
}

/// Runs blocking code on a thread that may block.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// A log whose note may exceed the domain's limit, for tests of large commits in a journal.
struct NotedLog: Command {
  var habit: Habit.ID
  var day: Day
  var note: String?

  func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Day> {
    Decision([.habitLogged(HabitLogged(habit: habit, day: day, value: .one, note: note))], day)
  }
}
