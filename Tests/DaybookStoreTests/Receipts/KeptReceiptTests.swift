import Avro
import Daybook
import Journal
import PropertyTesting
import SimulatedStorage
import Testing

@testable import DaybookStore

/// Answers to lines are stored, and no answer depends on the stored ones.
@Suite(.tags(.law)) struct KeptReceiptTests {
  private typealias Stage = ReceiptStage

  private static let lines = Stage.lines(60)

  /// A disk with a sealed segment and an active one, and the answers to its lines.
  private static func stage() throws -> (storage: MemoryStorage, answers: [String]) {
    let storage = MemoryStorage()
    let book = try Stage.open(storage)
    _ = try Stage.answers(Stage.beginning, of: book)
    var answers = try Stage.answers(Array(lines[..<30]), of: book)
    try book.seal()
    var rest: [RequestOutcome] = []
    try book.record(lines: lines[30...].map { Array($0.utf8) }, from: .owner) { rest += $0 }
    answers += rest.map { String(decoding: $0.text, as: UTF8.self) }
    return (storage, answers)
  }

  @Test
  func `a repeated line is answered from its receipt alone`()
    throws
  {
    let (storage, answers) = try Self.stage()
    #expect(answers.allSatisfy { $0.hasPrefix(#"{"ok""#) }, "\(answers)")
    #expect(try Stage.files(of: storage).count == 2)
    let watched = WatchedStorage(base: storage)
    let book = try Stage.open(watched)
    let segments = try book.reader.journal.segments()
    #expect(try Stage.answers(Self.lines, of: book) == answers)
    let before = segments.map { watched.readCount(of: book.reader.journal.path(of: $0)) }
    #expect(try Stage.answers(Self.lines, of: book) == answers)
    let after = segments.map { watched.readCount(of: book.reader.journal.path(of: $0)) }
    // In the sealed segment the block with the entry is read, and in the active one nothing.
    #expect(after[0] - before[0] <= 4 * 30)
    #expect(after[1] == before[1])
  }

  @Test func `a repeated line gets the journal's answer, in any spelling and from any caller`()
    throws
  {
    let (storage, _) = try Self.stage()
    let (ada, bob) = (Stage.ada, Stage.bob)
    let (task, id) = (Menu.key(6, 0), Menu.key(7, 0))
    let spellings = [
      #"{"id":"\#(id)","title":"Sweep 0","as":"\#(ada)","key":"\#(task)","do":"create_task"}"#,
      #"{"do":"create_task", "key":"\#(task)","title":"\u0053weep 0","as":"\#(ada)","id":"\#(id)"}"#,
      #"{"do":"create_task","key":"\#(task)","title":"Sweep 0","as":"\#(bob)","id":"\#(id)"}"#,
      #"{"do":"create_task","key":"\#(task)","title":"Sweep 0","id":"\#(id)"}"#,
      #"{"do":"create_task","key":"\#(task)","title":"Sweep 1","as":"\#(ada)","id":"\#(id)"}"#,
      #"{"do":"create_task","key":"\#(task)","title":"Sweep 0","as":"\#(ada)","id":"\#(id)","at":7}"#,
      #"{"do":"rename_household","name":"Home 2","id":"\#(Menu.key(7, 2))"}"#,
      #"{"do":"create_account","key":"\#(ada)","id":"\#(id)"}"#,
      #"{"do":"create_task","id":7}"#,
    ]
    let callers: [Caller] = [
      .owner, .owner { _ in Account.ID(1) }, .owner { _ in Account.ID(2) },
      .owner { $0.accounts.elements.count == 1 ? Account.ID(1) : nil },
      .owner { _ throws(Rejection) in throw .accountNotFound },
      .account(try #require(Account.ID(1))), .account(try #require(Account.ID(2))),
    ]
    let (book, bare) = (try Stage.open(storage), try Stage.open(try Stage.bare(storage)))
    for spelling in spellings {
      for caller in callers {
        let answers = try [book, bare].map {
          String(
            decoding: try $0.record(line: Array(spelling.utf8), from: caller).text, as: UTF8.self)
        }
        #expect(answers[0] == answers[1], "\(spelling)")
      }
    }
    #expect(book.read { $0.position } == bare.read { $0.position })
  }

  @Test func `receipts of lines sent together are stored, too`() async throws {
    let storage = MemoryStorage()
    let account = try #require(Account.ID(1))
    let lines = try (0..<3).map { number in
      try JSON(
        parsing: #"{"do":"create_task","key":"\#(Menu.key(6, number))","title":"Sweep \#(number)"}"#
      )
    }
    var book: Book? = try Stage.open(storage)
    _ = try Stage.answers(Stage.beginning, of: try #require(book))
    func send() async throws -> [String] {
      try await #require(book).record(together: lines, from: .account(account), id: Menu.key(7, 0))
        .map { String(decoding: $0.text, as: UTF8.self) }
    }
    let first = try await send()
    #expect(try Stage.files(of: storage).count == 1)
    #expect(try await send() == first)
    book = nil
    let watched = WatchedStorage(base: storage)
    book = try Stage.open(watched)
    #expect(try await send() == first)
    let count = watched.readCount(of: "book/journal/00000000000000000001.avro")
    #expect(try await send() == first)
    #expect(watched.readCount(of: "book/journal/00000000000000000001.avro") == count)
  }

  @Test func `random lines with random ids are answered alike with and without receipts (HH-26)`() {
    let report = check(
      "receipts", LineGroupTests.lines.array(count: 10...40), cases: 15
    ) { lines, statistics in
      let storage = MemoryStorage()
      var book: Book? = try Stage.open(storage)
      let all = LineGroupTests.people + lines
      func answers(_ lines: [String]) throws -> [String] {
        guard let book else { return [] }
        return try Stage.answers(lines, of: book)
      }
      _ = try answers(all)
      var entries = AllEntries()
      try book?.reader.replay(into: &entries)
      let spent = Set(entries.entries.compactMap(\.head.key))
      let repeated = all.filter { line in
        (try? JSON(parsing: line)).flatMap { Request.id(of: $0) }.map(spent.contains) ?? false
      }
      statistics.cover("a line that is kept", atLeast: 40, try !Stage.files(of: storage).isEmpty)
      let expected = try Stage.answers(repeated, of: try Stage.open(try Stage.bare(storage)))
      try expectEqual(try answers(repeated), expected, "live")
      book = nil
      book = try Stage.open(storage)
      try expectEqual(try answers(repeated), expected, "opened again")
      _ = try book?.seal()
      try expectEqual(try answers(repeated), expected, "sealed")
      book = nil
      book = try Stage.open(storage)
      try expectEqual(try answers(repeated), expected, "sealed and opened again")
      for path in try Stage.files(of: storage) { try storage.remove(path) }
      try expectEqual(try answers(repeated), expected, "removed while open")
      book = nil
      book = try Stage.open(storage)
      try expectEqual(try answers(repeated), expected, "removed")
    }
    #expect(report.passed, "\(report)")
  }

  @Test
  func `damage to the receipt files changes no answer and no verification`()
    throws
  {
    let (storage, answers) = try Self.stage()
    let files = try Stage.files(of: storage)
    let contents = try files.map { try storage.bytes($0) }
    var random = ReceiptStage.Random(state: 0xDA7)
    func flipped(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      return bytes
    }
    let damages: [([UInt8], Int) -> [UInt8]] = [
      { bytes, _ in flipped(bytes) }, { bytes, _ in flipped(flipped(bytes)) },
      { bytes, _ in Array(bytes.prefix(random.below(bytes.count))) },
      { bytes, _ in bytes + [UInt8](repeating: 0, count: 40) },
      { bytes, _ in Array(bytes.prefix(48)) + flipped(Array(bytes.dropFirst(48))) },
      { _, place in contents[(place + 1) % contents.count] }, { _, _ in [] },
    ]
    for round in 0..<35 {
      for (place, path) in files.enumerated() {
        try storage.replace(path, with: damages[round % damages.count](contents[place], place))
      }
      let book = try Stage.open(storage)
      #expect(try Stage.answers(Self.lines, of: book) == answers, "round \(round)")
      #expect(try book.reader.verify().isWhole)
      let new =
        #"{"do":"create_task","as":"\#(Stage.ada)","key":"\#(Menu.key(6, 900 + round))","#
        + #""title":"\#(round)","id":"\#(Menu.key(9, round))"}"#
      let first = try Stage.answers([new], of: book)
      #expect(try Stage.answers([new], of: book) == first)
    }
  }

  @Test func `a forged receipt, or one for another entry, is ignored`() throws {
    let (storage, answers) = try Self.stage()
    let path = try #require(try Stage.files(of: storage).last)
    let journal = BookReader(at: "book", storage: storage).journal
    let segment = try #require(try journal.segments().last)
    let file = try #require(ReceiptFile(of: segment, .read, in: journal))
    var kept: [(KeptReceipt, [UInt8])] = []
    file.forEachReceipt { kept.append(($0, $1)) }
    #expect(kept.count == 30)
    let forgeries: [(inout KeptReceipt, inout [UInt8]) -> Void] = [
      { receipt, _ in receipt.answer = Array(#"{"ok":{"title":"SECRET"}}"#.utf8) },
      { receipt, _ in receipt.visibility = .nothing },
      { receipt, _ in receipt.aggregate = nil },
      { receipt, _ in receipt.count += 1 },
      { _, digest in digest.reverse() },
      { receipt, digest in (receipt.answer, digest) = (kept[3].0.answer, kept[3].1) },
    ]
    for forge in forgeries {
      var blocks = try ReceiptBlocks(level: 1)
      for (receipt, digest) in kept {
        var (receipt, digest) = (receipt, digest)
        forge(&receipt, &digest)
        try blocks.append(receipt, digest)
      }
      try blocks.endBlock()
      let header = try journal.header(of: segment)
      try storage.replace(path, with: ReceiptFile.encoded(blocks, of: header))
      #expect(try Stage.answers(Self.lines, of: try Stage.open(storage)) == answers)
    }
  }

  @Test func `a failed call on a receipt file changes no answer`()
    throws
  {
    func play(_ storage: any Storage) throws -> [String] {
      var book: Book? = try Stage.open(storage)
      func answers(_ lines: ArraySlice<String>) throws -> [String] {
        try Stage.answers(Array(lines), of: try #require(book))
      }
      _ = try answers(Stage.beginning[...])
      var all = try answers(Self.lines[..<12])
      book = nil
      book = try Stage.open(storage)
      all += try answers(Self.lines[..<18])
      try book?.seal()
      all += try answers(Self.lines[..<24])
      return all
    }
    let counting = RefusingStorage(
      base: MemoryStorage(), refusing: ".receipts", after: .max, isGone: true)
    let expected = try play(counting)
    #expect(counting.callCount > 60)
    for limit in stride(from: 0, to: counting.callCount, by: 3) {
      let storage = RefusingStorage(
        base: MemoryStorage(), refusing: ".receipts", after: limit, isGone: true)
      #expect(try play(storage) == expected, "from call \(limit) on")
    }
  }

  @Test func `after a power loss the recovered receipts change no answer`() throws {
    let storage = SimulatedStorage(faults: [:], keepsHistory: true)
    var book: Book? = try Stage.open(storage)
    _ = try Stage.answers(Stage.beginning + Stage.lines(3), of: try #require(book))
    try book?.seal()
    _ = try Stage.answers(Stage.lines(5), of: try #require(book))
    book = nil
    var random = Stage.Random(state: 0xDA7)
    var count = 0
    for disk in storage.history.suffix(40) {
      let found = SimulatedStorage(disk.crashState(using: &random).disk)
      guard let book = try? Stage.open(found) else { continue }
      let bare = try Stage.open(try Stage.bare(SimulatedStorage(found.disk)))
      let lines = Stage.lines(5)
      #expect(try Stage.answers(lines, of: book) == Stage.answers(lines, of: bare))
      count += 1
    }
    #expect(count > 20)
  }

  @Test func `a backup has no receipts`() throws {
    let (storage, answers) = try Self.stage()
    let book = try Stage.open(storage)
    _ = try book.reader.backup(to: "copy")
    let names = try storage.names(in: "copy/journal") ?? []
    #expect(!names.isEmpty && !names.contains { $0.contains(".receipts") })
    #expect(answers.count == 60)
  }

  @Test func `receipts of another pepper are ignored`() throws {
    let storage = MemoryStorage()
    let peppers = try ["0123456789abcdef", "fedcba9876543210"].map { try Pepper($0) }
    let line =
      #"{"do":"link_identity","as":"\#(Stage.ada)","kind":"phone","value":"+44 20 7946 0958","#
      + #""id":"\#(Menu.key(7, 0))"}"#
    var book: Book? = try Stage.open(storage, pepper: peppers[0])
    _ = try Stage.answers(Stage.beginning, of: try #require(book))
    let first = try Stage.answers([line], of: try #require(book))
    for pepper in [peppers[0], peppers[1], nil] {
      book = nil
      let bare = try Stage.answers(
        [line], of: try Stage.open(try Stage.bare(storage), pepper: pepper))
      book = try Stage.open(storage, pepper: pepper)
      #expect(try Stage.answers([line], of: try #require(book)) == bare)
    }
    #expect(first.count == 1)
  }
}
