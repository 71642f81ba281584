import Avro
import Daybook
import Journal
import Testing

@testable import DaybookStore

/// An idempotency key is found through the indexes of sealed segments, and also without them.
@Suite(.tags(.law)) struct KeyIndexTests {
  let storage = MemoryStorage()

  private static let (ada, habit) = (Menu.key(1, 1), Menu.key(2, 1))

  private func open(_ storage: (any Storage)? = nil) throws -> Book {
    try Book(
      at: "book", storage: storage ?? self.storage,
      clock: HandClock(Menu.beginnings[0]).bookClock)
  }

  private static func line(_ number: Int) -> String {
    let day = Day(clampingNumber: 20_500 - number)
    return #"{"do":"log_habit","as":"\#(ada)","habit":"\#(habit)","day":"\#(day)","#
      + #""id":"\#(Menu.key(7, number))"}"#
  }

  /// A book with three sealed segments and an active one, each with this many logs; and the answers to the logs.
  private func answers(_ count: Int) throws -> [String] {
    let book = try open()
    try #require(
      try book.record(line: #"{"do":"create_account","key":"\#(Self.ada)"}"#).isAccepted)
    try #require(
      try book.record(
        line: #"{"do":"create_habit","as":"\#(Self.ada)","key":"\#(Self.habit)","name":"Read"}"#
      ).isAccepted)
    var answers: [String] = []
    for part in 0..<4 {
      let lines = (part * count..<(part + 1) * count).map { Array(Self.line($0).utf8) }
      try book.record(lines: lines, from: .owner) { answers += $0.map(\.json.encoded) }
      if part < 3 { try book.seal() }
    }
    return answers
  }

  private func keyFiles() throws -> [String] {
    try (storage.names(in: "book/journal") ?? []).filter { $0.hasSuffix(".keys") }
      .map { "book/journal/" + $0 }
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let file = try storage.open(path, .read)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  private func put(_ bytes: [UInt8], at path: String) throws {
    try storage.open(path, .create).write(bytes, at: 0)
  }

  @Test func `every sealed segment has a key index of at most eleven bytes a key`() throws {
    _ = try answers(3000)
    let files = try keyFiles()
    #expect(files.count == 3)
    for path in files {
      // A header and a partial page are two pages.
      #expect(try bytes(of: path).count <= 11 * 3000 + 2 * KeyIndex.pageByteCount)
    }
  }

  @Test func `a key's entry is found with the next one, or with its segment's end`()
    throws
  {
    _ = try answers(40)
    let book = try open()
    let keys = (0..<120).map { Menu.key(7, $0) }
    var ends = 0
    for (number, key) in keys.enumerated() {
      let found = try #require(try book.keys.find(key, in: book.reader.journal))
      // Two entries come before the first log.
      #expect(found.entry.head.position == Int64(number + 3))
      switch found.following {
      case .entry(let next): #expect(next.head.position == Int64(number + 4))
      case .nothing: ends += 1
      case .unknown: Issue.record("a sealed segment's entries are all known")
      }
    }
    #expect(ends == 3)
  }

  @Test func `a key is found wherever it was used, also right after opening (HH-26)`() throws {
    let answers = try answers(40)
    let books = [try open()]
    for (number, answer) in answers.enumerated() {
      #expect(try books[0].record(line: Self.line(number)).json.encoded == answer)
    }
    let new = try books[0].record(line: Self.line(answers.count))
    #expect(new.json["position"]?.integer == answers.count + 3)
  }

  @Test func `damage to the indexes changes no answer`() throws {
    let answers = try answers(40)
    let files = try keyFiles()
    let contents = try files.map { try bytes(of: $0) }
    var random = SplitMix(seed: 0xDA7)
    func flipped(_ bytes: [UInt8]) -> [UInt8] {
      var bytes = bytes
      bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      return bytes
    }
    let damages: [([UInt8], Int) -> [UInt8]] = [
      { bytes, _ in flipped(bytes) }, { bytes, _ in flipped(flipped(bytes)) },
      { bytes, _ in Array(bytes.prefix(random.below(bytes.count))) },
      { bytes, _ in bytes + [0] }, { _, place in contents[(place + 1) % contents.count] },
    ]
    for round in 0..<40 {
      // Nothing rebuilds them, and the book is closed: the damage stays.
      for (place, path) in files.enumerated() {
        try put(damages[round % damages.count](contents[place], place), at: path)
      }
      if round % 7 == 6 { for path in files { try storage.remove(path) } }
      let book = try Book(
        opening: BookReader(at: "book", storage: storage), sealing: .onRequest)
      for number in [0, 39, 40, 81, 119, 120, 159] {
        let answer = try book.record(line: Self.line(number)).json.encoded
        #expect(answer == answers[number], "round \(round), line \(number)")
      }
      #expect(book.read { $0.position } == Int64(answers.count + 2), "round \(round)")
    }
    let book = try open()
    try book.seal()
    #expect(try files.allSatisfy { try !bytes(of: $0).isEmpty }, "they are rebuilt")
  }

  @Test func `all keys with one hash are found, however many pages they fill`() throws {
    _ = try answers(10)
    let journal = Journal(directory: "book", storage: storage)
    let header = try journal.header(of: try #require(journal.segments().first))
    var items: [KeyIndex.Item] = []
    for number in 0..<2000 {
      items.append(.init(hash: splitMix(UInt64(number)), block: 0))
    }
    let hash = splitMix(77)
    for block in 0..<1000 { items.append(.init(hash: hash, block: UInt16(block))) }
    let blocks = (0..<1000).map { (offset: $0 * 7, position: Position(Int64($0 + 1))) }
    let file = try #require(KeyIndex.encoded(items, blocks, of: header))
    try put(file, at: KeyIndex.path(of: SegmentName(first: Position(1)), in: journal))
    let index = try #require(KeyIndex(of: header, in: journal))
    #expect(index.isWhole() && index.count == 3000)
    #expect(try index.places(of: hash).map(\.offset) == [0] + (0..<1000).map { $0 * 7 })
    for number in 0..<2000 where number != 77 {
      #expect(try index.places(of: splitMix(UInt64(number))).map(\.offset) == [0])
    }
    #expect(try index.places(of: splitMix(5000)).isEmpty && index.places(of: .max).isEmpty)
  }

  @Test(arguments: [200, 2000])
  func `a lookup reads a page or two of each index, however many there are`(
    _ count: Int
  ) throws {
    _ = try answers(count)
    let watched = WatchedStorage(base: storage)
    let journal = Journal(directory: "book", storage: watched)
    let path = KeyIndex.path(of: SegmentName(first: Position(1)), in: journal)
    let index = try #require(
      KeyIndex(of: journal.header(of: SegmentName(first: Position(1))), in: journal))
    let before = watched.readCount(of: path)
    for number in 0..<count {
      #expect(try index.places(of: Menu.key(7, number).searchHash).count == 1)
      #expect(try index.places(of: Menu.key(8, number).searchHash).isEmpty)
    }
    #expect(watched.readCount(of: path) - before <= 3 * 2 * count)
  }

  @Test func `after an erasure all keys are still found`() throws {
    let answers = try answers(20)
    let book = try open()
    let before = try keyFiles().map { try bytes(of: $0) }
    let other = try book.record(CreateAccount(name: "Eve", timeZone: "UTC"))
    try book.erase(other)
    #expect(try keyFiles().count >= before.count)
    for (number, answer) in answers.enumerated() {
      #expect(try book.record(line: Self.line(number)).json.encoded == answer)
    }
  }

  @Test func `a filter has few false positives, even for keys that share half their bits (HH-26)`()
  {
    for shares in [{ Key(high: $0, low: 5) }, { Key(high: 5, low: $0) }] as [(UInt64) -> Key] {
      var filter = KeyFilter()
      for number in 0..<20_000 { filter.insert(shares(UInt64(number))) }
      let wrong = (20_000..<120_000).count { filter.mayContain(shares(UInt64($0))) }
      #expect(wrong < 300, "\(wrong) of 100 000")
    }
  }
}

/// Random numbers that are the same in every run.
private struct SplitMix {
  var seed: UInt64

  mutating func below(_ count: Int) -> Int {
    seed &+= 0x9E37_79B9_7F4A_7C15
    return Int(splitMix(seed) % UInt64(max(1, count)))
  }
}
