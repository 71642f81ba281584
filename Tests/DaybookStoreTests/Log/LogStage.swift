import Avro
import Daybook
import Journal
import Testing

@testable import DaybookStore

/// The kinds of logs behind a book.
enum LogKind: CaseIterable, Sendable {
  case files
  case memory

  /// An empty book in a log of the kind; files are sealed and indexed continually.
  func book(_ clock: HandClock) throws -> Book {
    switch self {
    case .files:
      let storage = MemoryStorage()
      try Book.create(at: "book", storage: storage, clock: clock.bookClock)
      return try Self.open(
        BookReader(at: "book", storage: storage, zones: StateLedger.zones), clock)
    case .memory:
      // Files draw a key for the id in their headers; from here on both kinds draw the same keys.
      _ = clock.freshKey()
      return Book.inMemory(clock: clock.bookClock, zones: StateLedger.zones)
    }
  }

  fileprivate static func open(_ reader: BookReader, _ clock: HandClock) throws -> Book {
    try Book(
      opening: reader, clock: clock.bookClock,
      segmentByteCount: Book.segmentByteCount(holding: 500), sealing: .atOnce)
  }
}

/// A book in a log of some kind, with an account and a habit.
struct LogStage {
  let clock: HandClock
  private(set) var book: Book
  let ada: Account.ID
  let habit: Habit.ID

  init(_ kind: LogKind) throws {
    clock = HandClock(try #require(Instant(WriterFixture.now)))
    book = try kind.book(clock)
    ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    habit = try book.record(CreateHabit(name: "Read"), by: ada)
  }

  /// A log for a different day with each number.
  func log(_ number: Int, note: String? = nil) -> LogHabit {
    LogHabit(habit, day: .day(clock.today.advanced(by: -number)), note: note)
  }

  /// Another book on the same log; files allow one at a time.
  mutating func reopen() throws {
    let reader = BookReader(on: book.log, zones: StateLedger.zones)
    // The lock is released with its last holder, so another book takes this one's place meanwhile.
    book = Book.inMemory(clock: clock.bookClock)
    book = try LogKind.open(reader, clock)
  }

  /// The bytes of this many equal entries.
  func entries(_ count: Int) -> [UInt8] {
    var writer = BinaryWriter()
    let head = EntryHead(position: 0, at: clock.instant, actor: ada, key: nil)
    var archived = HabitArchived.placeholder
    (archived.habit, archived.day) = (habit, clock.today)
    for _ in 0..<count { Entry(head, .habitArchived(archived)).write(to: &writer) }
    return writer.bytes
  }

  /// Checks that a replay of the log gives the book's state.
  func expectSameWhenReplayed() throws {
    let live = book.read { $0 }
    let replayed = try book.reader.state()
    #expect(replayed.isSame(as: live))
    #expect(replayed.digest == live.digest)
  }
}

extension BookReader {
  /// Every entry, in order.
  func allEntries() throws -> [Entry] {
    var all = Collected()
    try replay(into: &all)
    return all.entries
  }
}

private struct Collected: Projection {
  var entries: [Entry] = []
  mutating func apply(_ entry: Entry) { entries.append(entry) }
}

extension EventLog {
  /// The positions of the entries of each block, from a position on.
  func blocks(from start: Int64 = 0) throws -> [ClosedRange<Int64>] {
    var blocks: [ClosedRange<Int64>] = []
    try read(from: Position(start)) { _, block in
      blocks.append(block.first.number...block.first.advanced(by: block.count - 1).number)
      return true
    }
    return blocks
  }
}
