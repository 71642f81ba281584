import Daybook
import DaybookStore
import Journal
import Testing

/// The examples of the page for embedders, as they appear there.
@Suite(.tags(.unit)) struct EmbeddingTests {
  @Test func `a book in memory is used like one in files`() throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    try book.record(LogHabit(read), by: ada)
    let streak = try book.view().streak(of: read)

    #expect(streak.current?.length == 1)
  }

  @Test func `two books share a log`() throws {
    let log = MemoryLog()
    let here = try Book(on: log)
    let there = try Book(on: log)
    let ada = try here.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    try there.record(CreateHabit(name: "Read"), by: ada)
    try here.catchUp()

    #expect(here.read { $0.habits.elements.count } == 1)
    #expect(here.read { $0.digest } == there.read { $0.digest })
  }

  @Test func `a custom log needs four functions`() throws {
    let log = OwnLog()
    let book = try Book(on: log)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    try Book(on: log).record(CreateHabit(name: "Read"), by: ada)
    let receipt = try book.recordWithReceipt(CreateHabit(name: "Swim"), by: ada)
    #expect(receipt.position == 3)
    #expect(try BookReader(on: log).state().digest == book.read { $0.digest })
    #expect(throws: JournalError.self) { try book.erase(ada) }
  }
}

/// A log with the required functions only.
private final class OwnLog: EventLog {
  private let base = MemoryLog()

  var signal: CommitSignal? { nil }
  func head() throws(JournalError) -> Position { base.head() }

  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError) {
    try base.append(count: count, entries: entries, expecting: last)
  }

  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    try base.read(from: start, body)
  }
}
