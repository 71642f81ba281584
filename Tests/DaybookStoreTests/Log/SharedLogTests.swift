import Avro
import Daybook
import Journal
import Synchronization
import Testing

@testable import DaybookStore

/// Several books on one log: a book that loses a race catches up, and decides again.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct SharedLogTests {
  let log = RacingLog()
  let here: Book
  let there: Book
  let ada: Account.ID
  let habit: Habit.ID
  let today: Day

  init() throws {
    let clock = HandClock(try #require(Instant(WriterFixture.now)))
    today = clock.today
    here = try Book(on: log, clock: clock.bookClock)
    there = try Book(on: log, clock: clock.bookClock)
    ada = try here.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    habit = try here.record(CreateHabit(name: "Read"), by: ada)
  }

  private func log(_ number: Int) -> LogHabit {
    LogHabit(habit, day: .day(today.advanced(by: -number)))
  }

  /// Checks that both books equal the log.
  private func expectSame() throws {
    let replayed = try BookReader(on: log).state()
    for book in [here, there] {
      try book.catchUp()
      #expect(book.read { $0 }.isSame(as: replayed))
      #expect(book.read { $0.digest } == replayed.digest)
    }
  }

  @Test func `a command that loses a race is decided again in the newer state`() throws {
    // At the first decision there was a habit to log.
    log.race { try there.record(ArchiveHabit(habit), by: ada) }
    let refusal = #expect(throws: Rejection.self) { try here.record(log(1), by: ada) }
    #expect(refusal == .habitArchived("Read"))
    #expect(try log.head() == Position(3))
    log.race { try there.record(RestoreHabit(habit), by: ada) }
    let second = try here.record(CreateHabit(name: "Swim"), by: ada)
    #expect(second.index == 1 && here.read { $0.position } == 5)
    try expectSame()
  }

  @Test func `a command with an expected position is refused when it loses a race`() throws {
    log.race { try there.record(log(1), by: ada) }
    #expect(throws: PositionConflict(expected: Position(2), actual: Position(3))) {
      try here.recordWithReceipt(log(2), by: ada, expecting: Position(2))
    }
    try expectSame()
  }

  @Test func `a command whose key another book used first gets that receipt (HH-26)`() throws {
    let id = Menu.key(7, 1)
    log.race { try there.record(log(1), by: ada, id: id) }
    let receipt = try here.recordWithReceipt(log(1), by: ada, id: id)
    #expect(receipt.isRepeated && receipt.position == 3)
    #expect(try log.head() == Position(3))
    log.race { try there.record(log(2), by: ada, id: Menu.key(7, 2)) }
    #expect(throws: Rejection.keyReused(Menu.key(7, 2))) {
      try here.record(log(3), by: ada, id: Menu.key(7, 2))
    }
    try expectSame()
  }

  @Test(arguments: [3, 40])
  func `a group that loses a race is decided again, one by one (HH-26)`(count: Int) throws {
    let person = Menu.key(1, 5)
    let lines = (0..<count).map { number in
      #"{"do":"create_account","key":"\#(Menu.key(1, number))","id":"\#(Menu.key(7, number))"}"#
    }
    // One of the accounts is created elsewhere, and another with the same id.
    log.race {
      let line = #"{"do":"create_account","key":"\#(person)"}"#
      _ = try there.record(line: line)
      _ = try there.record(line: lines[1])
    }
    var answers: [String] = []
    try here.record(lines: lines.map { Array($0.utf8) }, from: .owner) {
      answers += $0.map { String(decoding: $0.text, as: UTF8.self) }
    }
    #expect(answers.count == count)
    #expect(answers.allSatisfy { $0.contains(#""ok""#) })
    #expect(answers[1].contains(#""position":4"#), "\(answers[1])")
    #expect(here.read { $0.accounts.elements.count } == (count > 5 ? count : count + 1) + 1)
    try expectSame()
  }

  @Test func `an undo that loses a race undoes what it then finds`() throws {
    let task = Menu.key(6, 1)
    let person = try #require(here.read { $0.accounts[ada]?.key })
    func line(_ text: String) -> String { #"{"as":"\#(person)",\#(text)}"# }
    _ = try here.record(line: line(#""do":"create_task","key":"\#(task)","title":"Sweep""#))
    _ = try here.record(line: line(#""do":"update_task","task":"\#(task)","title":"Mop""#))
    let undo = line(#""do":"undo_task","position":4"#)
    log.race { _ = try there.record(line: undo) }
    let answer = try here.record(line: undo)
    #expect(try here.reader.allEntries().count == 5, "\(answer.json.encoded)")
    #expect(here.read { $0.tasks.elements.first?.title } == "Sweep")
    try expectSame()
  }

  @Test func `a batch that loses a race runs again`() throws {
    log.race { try there.record(log(1), by: ada) }
    var met: [Int64] = []
    try here.transaction { batch in
      met.append(batch.state.position)
      for number in 2...4 { try batch.record(log(number), by: ada) }
    }
    #expect(met == [2, 3])
    #expect(try log.blocks() == [1...1, 2...2, 3...3, 4...6])
    try expectSame()
  }

  @Test func `an import ends when another book records, and can be repeated`() throws {
    func fill(_ importer: inout Importer) throws {
      for number in 1...9 {
        try importer.record(log(number), by: ada, id: Menu.key(7, number))
      }
    }
    log.race(after: 1) { try there.record(log(20), by: ada) }
    #expect(throws: PositionConflict(expected: Position(6), actual: Position(7))) {
      try here.importing({ Importer($0, blockCount: 4) }, fill)
    }
    #expect(here.read { $0.position } == 7)
    try here.importing({ Importer($0, blockCount: 4) }, fill)
    #expect(try log.head() == Position(12))
    try expectSame()
  }

  @Test func `an erasure also blanks what another book recorded meanwhile (ES-6)`()
    throws
  {
    log.race {
      try there.record(LogHabit(habit, note: "poetry"), by: ada, id: Menu.key(7, 1))
    }
    try here.erase(ada)
    #expect(!"\(try here.reader.allEntries())".contains("poetry"))
    try there.catchUp()
    let kept = try there.keys.find(Menu.key(7, 1), in: nil)
    #expect(kept?.entry.head.position == 3 && !"\(kept as Any)".contains("poetry"))
    try expectSame()
  }

  @Test func `an append-only log refuses an erasure`() throws {
    log.refusesReplacing.withLock { $0 = true }
    #expect(throws: JournalError.self) { try here.erase(ada) }
    #expect(here.read { $0.accounts[ada]?.isErased } == false)
    #expect(try log.head() == Position(2))
    try expectSame()
  }

  @Test func `books that record at once lose no entry, and see all of them`() async throws {
    let (books, ada, logs) = ([here, there], ada, (0..<300).map { log($0) })
    let tail = there.reader.tail(from: 3)
    let follower = Task {
      var seen: [Int64] = []
      for try await entry in tail {
        seen.append(entry.head.position)
        if seen.count == 300 { break }
      }
      return seen
    }
    let positions = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for writer in 0..<6 {
        group.addTask {
          var positions: [Int64] = []
          for number in 50 * writer..<50 * (writer + 1) {
            let book = books[writer % 2]
            let receipt = try await book.recordWithReceipt(
              logs[number], by: ada, id: Menu.key(7, number))
            positions.append(receipt.position)
          }
          return positions
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(positions.sorted() == Array(3...302))
    #expect(try await follower.value == Array(3...302))
    try expectSame()
    #expect(here.read { $0.habits[habit]?.days.records.count } == 300)
  }
}

/// A log in which another book may record once right before an append.
final class RacingLog: EventLog {
  private let base = MemoryLog()
  private let pending = Mutex<(skips: Int, body: @Sendable () throws -> Void)?>(nil)
  let refusesReplacing = Mutex(false)

  var signal: CommitSignal? { base.signal }
  func head() throws(JournalError) -> Position { base.head() }

  /// Runs a body before an append, after this many others.
  func race(after skips: Int = 0, _ body: @escaping @Sendable () throws -> Void) {
    pending.withLock { $0 = (skips, body) }
  }

  private func lose() {
    let body = pending.withLock { pending -> (@Sendable () throws -> Void)? in
      guard let (skips, body) = pending else { return nil }
      pending = skips > 0 ? (skips - 1, body) : nil
      return skips > 0 ? nil : body
    }
    do { try body?() } catch { Issue.record(error) }
  }

  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError) {
    lose()
    try base.append(count: count, entries: entries, expecting: last)
  }

  func replace(
    _ blocks: [Position: [UInt8]], appending count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError) {
    lose()
    if refusesReplacing.withLock({ $0 }) {
      throw .failed(.poisoned(reason: "nothing is replaced here"))
    }
    try base.replace(blocks, appending: count, entries: entries, expecting: last)
  }

  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    try base.read(from: start, body)
  }
}
