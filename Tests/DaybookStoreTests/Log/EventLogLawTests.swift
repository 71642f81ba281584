import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Random commands have the same results in files, in memory, and in memory through two books in turn.
@Suite(.tags(.law)) struct EventLogLawTests {
  @Test func `commands have the same answers, entries and states on either log (ES-2)`() {
    let report = check("commands", .histories(), cases: 12) { history, statistics in
      let clock = { HandClock(Menu.beginnings[history.beginning]) }
      var files = try BooksLedger(.files, clock())
      var memory = try BooksLedger(.memory, clock())
      var shared = try BooksLedger(.memory, clock(), count: 2)
      for step in history.steps {
        let answer = try files.play(step)
        try expectEqual(try memory.play(step), answer)
        try expectEqual(try shared.play(step), answer)
      }
      try expectEqual(memory.told, files.told)
      try expectEqual(shared.told, files.told)
      let repeated = try files.repeated()
      try expectEqual(try memory.repeated(), repeated)
      try expectEqual(try shared.repeated(), repeated)
      statistics.cover("a repeated command", atLeast: 40, !repeated.isEmpty)
      try files.expectSame(memory)
      try files.expectSame(shared)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `lines have the same answers, entries and states on either log (HH-26)`() {
    let lines = Generator.zip(
      LineGroupTests.lines.array(count: 0...40), Generator<Int>.integer(in: 1...9))
    let report = check("lines", lines, cases: 30) { pair, statistics in
      let (lines, size) = pair
      let all = LineGroupTests.people + lines
      let beginning = Menu.beginnings[0]
      let files = try BooksLedger(.files, HandClock(beginning))
      let memory = try BooksLedger(.memory, HandClock(beginning))
      let shared = try BooksLedger(.memory, HandClock(beginning), count: 2)
      var turn = 0
      for start in stride(from: 0, to: all.count, by: size) {
        let group = Array(all[start..<min(all.count, start + size)])
        turn += 1
        let expected = try files.apply(group, turn)
        try expectEqual(try memory.apply(group, turn), expected)
        try expectEqual(try shared.apply(group, turn), expected)
      }
      statistics.cover("several groups", atLeast: 50, turn > 2)
      try files.expectSame(memory)
      try files.expectSame(shared)
    }
    #expect(report.passed, "\(report)")
  }
}

/// Books on one log, which record in turn.
private struct BooksLedger: Ledger {
  let books: [Book]
  let clock: HandClock
  /// The result of each command.
  private(set) var told: [String] = []
  /// The commands with an id, to be sent again.
  private var again: [(Book) throws -> String] = []
  private var last = 0

  init(_ kind: LogKind, _ clock: HandClock, count: Int = 1) throws {
    self.clock = clock
    let book = try kind.book(clock)
    books =
      try [book]
      + (1..<count).map { _ in
        try Book(on: book.log, clock: clock.bookClock, zones: StateLedger.zones)
      }
  }

  /// The state of the book that recorded last; the next one is behind.
  var state: BookState {
    books.map { $0.read { $0 } }.reduce(BookState()) { $1.position > $0.position ? $1 : $0 }
  }

  /// Selects the next book.
  private mutating func take() -> Book {
    last = (last + 1) % books.count
    return books[last]
  }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    let receipt = try take().recordWithReceipt(command, by: actor, at: at, id: id)
    told.append("\(receipt)")
    if id != nil, receipt.count > 0, !receipt.isRepeated {
      again.append { "\(try $0.recordWithReceipt(command, by: actor, at: at, id: id))" }
    }
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    try take().transaction { batch in
      for command in commands { try batch.record(command, by: actor, at: at) }
    }
  }

  /// The answer of every command with an id when it is sent again to any of the books.
  func repeated() throws -> [Set<String>] {
    try again.map { again in Set(try books.map { try again($0) }) }
  }

  func apply(_ lines: [String], _ turn: Int) throws -> [String] {
    var answers: [String] = []
    try books[turn % books.count].record(lines: lines.map { Array($0.utf8) }, from: .owner) {
      answers += $0.map { String(decoding: $0.text, as: UTF8.self) }
    }
    return answers
  }

  func expectSame(_ other: BooksLedger) throws {
    let entries = try books[0].reader.allEntries()
    for book in other.books {
      try book.catchUp()
      let (found, expected) = (book.read { $0 }, try books[0].reader.state())
      try expect(found.isSame(as: expected), "another state")
      try expectEqual(found.digest, expected.digest)
      try expectEqual(try book.reader.state().digest, expected.digest)
    }
    try expectEqual(try other.books[0].reader.allEntries(), entries)
  }
}
