import Avro
import Daybook
import Dispatch
import Journal
import PropertyTesting
import Synchronization
import Testing

@testable import DaybookStore

/// Requirements of every log behind a book, in files or in memory.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct EventLogTests {
  // MARK: The log itself

  @Test(arguments: LogKind.allCases)
  func `appended entries read back in whole commits, from any position`(kind: LogKind) throws {
    let stage = try LogStage(kind)
    let log = stage.book.log
    try log.append(count: 3, entries: stage.entries(3), expecting: Position(2))
    try log.append(count: 1, entries: stage.entries(1), expecting: Position(5))
    #expect(try log.head() == Position(6))
    #expect(try log.blocks() == [1...1, 2...2, 3...5, 6...6])
    #expect(try log.blocks(from: 4) == [3...5, 6...6])
    #expect(try log.blocks(from: 6) == [6...6])
    #expect(try log.blocks(from: 7) == [])
    var bytes: [UInt8] = []
    let end = try log.read(from: Position(3)) { schemaText, block throws(JournalError) in
      #expect(schemaText == Entry.schema.json.encoded)
      bytes = block.bytes.withUnsafeBytes { Array($0) }
      return false
    }
    #expect(bytes == stage.entries(3))
    #expect(end.head == Position(5))
    #expect(try log.read(from: .start) { _, _ in true }.head == Position(6))
  }

  @Test(arguments: LogKind.allCases)
  func `an append with the wrong expected position is refused with the actual one`(
    kind: LogKind
  ) throws {
    let stage = try LogStage(kind)
    let log = stage.book.log
    for expected: Int64 in [0, 1, 3, 99] {
      do throws(AppendError) {
        try log.append(count: 1, entries: stage.entries(1), expecting: Position(expected))
        Issue.record("the append after \(expected) succeeded")
      } catch {
        guard case .conflict(let conflict) = error else { throw error }
        #expect(conflict == PositionConflict(expected: Position(expected), actual: Position(2)))
      }
    }
    #expect(try log.blocks() == [1...1, 2...2])
    try stage.expectSameWhenReplayed()
  }

  @Test(arguments: LogKind.allCases)
  func `a concurrent reader sees whole commits only`(kind: LogKind) async throws {
    let stage = try LogStage(kind)
    let log = stage.book.log
    let isDone = Mutex(false)
    async let seen = onThread { () throws -> Set<Int64> in
      var heads: Set<Int64> = []
      while !isDone.withLock({ $0 }) {
        heads.insert(try log.read(from: .start) { _, _ in true }.head.number)
      }
      return heads
    }
    let count = try scaled(20)
    for number in 0..<count {
      try log.append(
        count: 3, entries: stage.entries(3), expecting: Position(Int64(2 + 3 * number)))
    }
    isDone.withLock { $0 = true }
    let heads = try await seen
    #expect(heads.allSatisfy { $0 % 3 == 2 }, "\(heads.sorted())")
    #expect(try log.head() == Position(Int64(2 + 3 * count)))
  }

  @Test(arguments: LogKind.allCases)
  func `a follower receives each block once, and none beyond the end`(
    kind: LogKind
  ) throws {
    let stage = try LogStage(kind)
    let log = stage.book.log
    let follower = try log.follow(from: Position(2))
    var seen: [Int64] = []
    func follow(until end: Int64? = nil) throws {
      while try follower.step(until: end.map { Position($0) }) {
        try follower.withBlock { _, block throws(JournalError) in seen.append(block.first.number) }
      }
    }
    try follow()
    #expect(seen == [2])
    for number in 0..<40 {
      try log.append(
        count: 2, entries: stage.entries(2), expecting: Position(Int64(2 + 2 * number)))
      if number % 7 == 0 { try follow(until: Int64(1 + 2 * number)) }
    }
    #expect(seen.last == 71)
    try follow()
    #expect(seen == [2] + stride(from: 3, through: 81, by: 2))
  }

  @Test(arguments: LogKind.allCases)
  func `a book applies entries that were appended behind its back`(kind: LogKind) throws {
    let stage = try LogStage(kind)
    let event = stage.entries(1)
    try stage.book.log.append(count: 1, entries: event, expecting: Position(2))
    #expect(stage.book.read { $0.position } == 2)
    #expect(throws: Rejection.self) { try stage.book.record(stage.log(1), by: stage.ada) }
    #expect(stage.book.read { $0.position } == 3)
    try stage.book.record(RestoreHabit(stage.habit), by: stage.ada)
    try stage.book.log.append(count: 1, entries: event, expecting: Position(4))
    try stage.book.catchUp()
    #expect(stage.book.read { $0.position } == 5)
    try stage.expectSameWhenReplayed()
  }

  // MARK: The book above it

  @Test(arguments: LogKind.allCases)
  func `a past state is what was known then (ES-2)`(kind: LogKind) throws {
    let stage = try LogStage(kind)
    var past: [BookState] = []
    for number in 0..<20 {
      stage.clock.instant = stage.clock.instant.advanced(byMilliseconds: 86_400_000)
      try stage.book.record(LogHabit(stage.habit, note: "day \(number)"), by: stage.ada)
      past.append(stage.book.read { $0 })
    }
    let reader = stage.book.reader
    for then in past {
      #expect(try reader.state(asOf: then.at).digest == then.digest)
      let view = try reader.view(of: stage.habit, asOf: then.at)
      #expect(view.state.habits[stage.habit] == then.habits[stage.habit])
    }
    let audit = try stage.book.view().audit(of: stage.habit)
    #expect(audit.days.flatMap(\.evidence).map(\.position) == (3...22).map { Int64($0) })
    #expect(try reader.replayInParts(threads: 4, { _ in BookState() }).last?.position == 22)
    #expect(try reader.verifyDeeply() == [])
    try stage.expectSameWhenReplayed()
  }

  @Test(arguments: LogKind.allCases)
  func `a repeated command gets its first receipt, also from the next book on the log (HH-26)`(
    kind: LogKind
  ) throws {
    var stage = try LogStage(kind)
    let first = try stage.book.recordWithReceipt(stage.log(1), by: stage.ada, id: Menu.key(7, 1))
    try stage.book.record(ClearLog(stage.habit, day: .day(first.answer)), by: stage.ada)
    for _ in 0..<2 {
      let digest = stage.book.read { $0.digest }
      let again = try stage.book.recordWithReceipt(stage.log(1), by: stage.ada, id: Menu.key(7, 1))
      #expect(again.isRepeated && again.answer == first.answer)
      #expect(again.position == first.position && again.count == first.count)
      #expect(throws: Rejection.keyReused(Menu.key(7, 1))) {
        try stage.book.record(stage.log(2), by: stage.ada, id: Menu.key(7, 1))
      }
      #expect(stage.book.read { $0.digest } == digest)
      try stage.reopen()
    }
    #expect(try stage.book.position(of: Menu.key(7, 1)) == first.position)
  }

  @Test(arguments: LogKind.allCases)
  func `a command with the wrong expected position is refused`(kind: LogKind) throws {
    let stage = try LogStage(kind)
    #expect(throws: PositionConflict(expected: Position(1), actual: Position(2))) {
      try stage.book.recordWithReceipt(stage.log(1), by: stage.ada, expecting: Position(1))
    }
    #expect(
      try stage.book.recordWithReceipt(stage.log(1), by: stage.ada, expecting: Position(2)).position
        == 3)
  }

  @Test(arguments: LogKind.allCases)
  func `a batch is recorded whole or not at all, like a small import`(
    kind: LogKind
  ) throws {
    let stage = try LogStage(kind)
    #expect(throws: Rejection.self) {
      try stage.book.transaction { batch in
        try batch.record(stage.log(1), by: stage.ada)
        try batch.record(LogHabit(try #require(Habit.ID(99))), by: stage.ada)
      }
    }
    #expect(try stage.book.log.head() == Position(2))
    try stage.book.transaction { batch in
      for number in 1...3 { try batch.record(stage.log(number), by: stage.ada) }
    }
    try stage.book.importing { importer in
      for number in 4...9 { try importer.record(stage.log(number), by: stage.ada) }
    }
    #expect(try stage.book.log.blocks() == [1...1, 2...2, 3...5, 6...11])
    try stage.expectSameWhenReplayed()
  }

  @Test(arguments: LogKind.allCases)
  func `an import of many blocks is complete when it ends`(kind: LogKind) throws {
    let stage = try LogStage(kind)
    try stage.book.importing({ Importer($0, blockCount: 7) }) { importer in
      for number in 0..<30 {
        try importer.record(stage.log(number), by: stage.ada, id: Menu.key(7, number))
      }
    }
    #expect(try stage.book.log.head() == Position(32))
    #expect(
      try stage.book.recordWithReceipt(stage.log(29), by: stage.ada, id: Menu.key(7, 29)).isRepeated
    )
    #expect(try stage.book.recordWithReceipt(stage.log(30), by: stage.ada).position == 33)
    try stage.expectSameWhenReplayed()
  }

  @Test(arguments: LogKind.allCases)
  func `a tail gives the existing entries, then new ones (ES-1)`(kind: LogKind) async throws {
    let stage = try LogStage(kind)
    // The clock never moves: nothing waits for it while the book is open in this process.
    let clock = ManualClock()
    let tail = stage.book.reader.tail(from: 2, clock: clock)
    let follower = Task {
      var positions: [Int64] = []
      for try await entry in tail {
        positions.append(entry.head.position)
        if entry.head.position == 42 { break }
      }
      return positions
    }
    for number in 1...40 { try await stage.book.record(stage.log(number), by: stage.ada) }
    #expect(try await follower.value == Array(2...42))
    #expect(clock.sleepCount == 0)
  }

  @Test(arguments: LogKind.allCases)
  func `an erased account's words are blank everywhere, also in the past (ES-6)`(
    kind: LogKind
  ) throws {
    var stage = try LogStage(kind)
    let bee = try stage.book.record(CreateAccount(name: "Bee", timeZone: "UTC"))
    let swim = try stage.book.record(CreateHabit(name: "Swim"), by: bee)
    try stage.book.record(
      stage.log(1, note: "poetry"), by: stage.ada, id: Menu.key(7, 1))
    try stage.book.record(LogHabit(swim, note: "calm"), by: bee)
    let before = stage.book.read { $0 }
    #expect(try stage.book.erase(stage.ada) > 0)
    for _ in 0..<2 {
      try stage.expectSameWhenReplayed()
      let entries = try stage.book.reader.allEntries()
      #expect(entries.count == Int(before.position) + 1)
      let text = "\(entries)"
      for secret in ["Ada", "Read", "poetry"] { #expect(!text.contains(secret), "\(secret)") }
      for word in ["Bee", "Swim", "calm"] { #expect(text.contains(word), "\(word)") }
      let past = try stage.book.reader.state(asOf: before.at)
      #expect(past.habits[stage.habit]?.description.name == "")
      #expect(stage.book.read { $0.accounts[stage.ada]?.isErased } == true)
      // Cached entries with keys are blank, too.
      let found = try stage.book.keys.find(Menu.key(7, 1), in: stage.book.files?.journal)
      #expect(found?.entry.head.position == 5 && !"\(found as Any)".contains("poetry"))
      try stage.reopen()
    }
    #expect(try stage.book.erase(stage.ada) == 0)
    #expect(stage.book.read { $0.position } == before.position + 1)
    #expect(throws: Rejection.accountNotFound) {
      try stage.book.erase(try #require(Account.ID(99)))
    }
  }

  @Test func `a book in memory refuses operations on files with a sentence`() throws {
    let book = try LogStage(.memory).book
    func expectRefusal(_ body: () throws -> Void) {
      do {
        try body()
        Issue.record("it was done")
      } catch JournalError.storage(let error) {
        #expect(error.reason == .noFiles)
        #expect(
          "\(error)".hasSuffix("the book is not kept in files; use a book in a directory for that.")
        )
      } catch {
        Issue.record(error)
      }
    }
    expectRefusal { try book.seal() }
    expectRefusal { _ = try book.reader.head() }
    expectRefusal { _ = try book.reader.verify() }
    expectRefusal { try book.backup(to: "backup") }
    expectRefusal { try book.reader.restore(to: "restored") }
    #expect(book.recovered == nil)
    #expect(book.read { $0.position } == 2)
  }

  @Test func `only the book that opened the files appends to them`() throws {
    let stage = try LogStage(.files)
    let readers = FileLog(stage.book.reader.journal)
    #expect(try readers.head() == Position(2))
    do throws(AppendError) {
      try readers.append(count: 1, entries: stage.entries(1), expecting: Position(2))
      Issue.record("it was appended")
    } catch {
      guard case .failed(.storage(let refusal)) = error else { throw error }
      #expect(refusal.reason == .notPermitted)
    }
    #expect(throws: JournalError.self) { try Book(on: stage.book.log) }
  }
}
