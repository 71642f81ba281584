import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A habit's past read through the index equals that of a full replay.
@Suite(.tags(.law)) struct IndexTests {
  @Test func `a habit read through the index equals the habit of the whole book (ES-3, ES-4)`()
    throws
  {
    let report = check("looked up is replayed", .histories(), cases: 15) { history, statistics in
      let ledger = try JournalLawTests.play(history)
      let book = ledger.book
      statistics.cover("two sealed segments", atLeast: 20, try ledger.indexFiles.count > 1)
      let instants = Set(ledger.states.map(\.at)).sorted().suffix(4)
      for instant in instants {
        try Self.compare(book.reader, asOf: instant)
        try Self.compare(book.reader, asOf: instant.advanced(byMilliseconds: -1))
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a missing, damaged or foreign index changes no answer`() throws {
    let ledger = try Self.ledger()
    let files = try ledger.indexFiles
    try #require(files.count >= 3)
    let storage = ledger.storage
    let instant = ledger.state.at
    let damages: [(String, (String) throws -> Void)] = [
      ("absent", { try storage.remove($0) }),
      ("empty", { _ = try storage.open($0, .create) }),
      (
        "cut",
        { path in
          let file = try storage.open(path, .readWrite)
          try file.truncate(to: file.byteCount() - 20)
        }
      ),
      ("another's", { try storage.replace($0, with: try storage.bytes(files[1])) }),
    ]
    for file in files {
      let original = try storage.bytes(file)
      for (name, damage) in damages where !(name == "another's" && file == files[1]) {
        try damage(file)
        try Self.compare(ledger.book.reader, asOf: instant)
        try ledger.book.seal()
        #expect(try storage.bytes(file) == original || name == "cut", "\(name)")
        try storage.replace(file, with: original)
      }
    }
  }

  @Test func `every flipped bit of an index is detected, or changes no answer`() throws {
    let ledger = try Self.ledger()
    let path = try #require(try ledger.indexFiles.first)
    let original = try ledger.storage.bytes(path)
    let habit = try Self.habit(of: ledger)
    let instant = ledger.state.at
    func answer() throws -> String {
      let view = try ledger.book.reader.view(of: habit, asOf: instant)
      return try view.audit(of: habit).json(in: view.state).encoded
    }
    let expected = try answer()
    // One bit of each byte, a different one each time.
    for place in try sample(original.indices, every: 5) {
      var bytes = original
      bytes[place] ^= 1 << UInt8(place % 8)
      try ledger.storage.replace(path, with: bytes)
      #expect(try answer() == expected, "byte \(place)")
    }
  }

  @Test func `a flipped bit in a count or size of any index changes no habit's answer`() throws {
    let ledger = try Self.ledger()
    let reader = ledger.book.reader
    let instant = ledger.state.at
    let habits = ledger.state.habits(of: nil).compactMap {
      ledger.state.habits.number(of: $0.key)
    }
    func answers() throws -> [String] {
      try habits.map { habit in
        try JSON.array(
          reader.auditTrail(of: habit, until: instant).items.map { $0.json(in: ledger.state) }
        ).encoded
      }
    }
    let expected = try answers()
    var flips = 0
    for path in try ledger.indexFiles {
      let original = try ledger.storage.bytes(path)
      for byte in try Self.unguarded(original) {
        for bit in try sample(0..<8, every: 5) {
          var bytes = original
          bytes[byte] ^= 1 << UInt8(bit)
          try ledger.storage.replace(path, with: bytes)
          #expect(try answers() == expected, "\(path), bit \(bit) of byte \(byte)")
          flips += 1
        }
      }
      try ledger.storage.replace(path, with: original)
    }
    #expect(flips >= 24)
  }

  /// The bytes of a container that no checksum covers: the counts and sizes of its blocks.
  private static func unguarded(_ bytes: [UInt8]) throws -> [Int] {
    var reader = BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    var unguarded: [Int] = []
    while !reader.isAtEnd {
      let start = reader.offset
      let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
      unguarded += start..<block.payload.lowerBound
    }
    return unguarded
  }

  @Test func `an audit reads only its own postings, and no sealed segment`() throws {
    let ledger = try Self.ledger()
    try ledger.book.seal()
    let watch = WatchedStorage(base: ledger.storage)
    let reader = BookReader(at: "book", storage: watch, zones: StateLedger.zones)
    let habit = try Self.habit(of: ledger)
    _ = try reader.view(of: habit, asOf: ledger.state.at).audit(of: habit)
    let segments = try reader.journal.segments().dropLast()
    for name in segments {
      // The header, which is read to check that the index belongs to it.
      #expect(watch.readCount(of: reader.journal.path(of: name)) == 1)
    }
  }

  @Test func `positions and times lead to the block that holds them`() throws {
    let ledger = try Self.ledger()
    let journal = ledger.book.reader.journal
    var counts = AggregateReader()
    let entries = try ledger.entries()
    for name in try journal.segments().dropLast() {
      let index = try #require(
        SegmentIndex(of: journal.header(of: name), after: counts, in: journal))
      counts = index.countsAfter
      for number in index.first.number...index.last.number {
        let place = try #require(index.block(holding: Position(number)))
        try journal.readBlocks(under: journal.header(of: name), from: place) { _, block in
          #expect(block.first.number...block.first.number + Int64(block.count) - 1 ~= number)
          return false
        }
        let at = entries[Int(number) - 1].head.at
        let block = try #require(index.block(at: at))
        let first = entries[Int(block.position.number) - 1].head.at
        #expect(first <= at)
      }
      #expect(
        index.block(at: entries[Int(index.first.number) - 1].head.at.advanced(byMilliseconds: -1))
          == nil)
    }
  }

  @Test func `a habit created later is not found`() throws {
    let ledger = try Self.ledger()
    let habit = try #require(Habit.ID(4000))
    #expect(throws: Rejection.habitNotFound) { try ledger.book.reader.view(of: habit) }
    #expect(throws: Rejection.habitNotFound) {
      try ledger.book.reader.view(of: #require(Habit.ID(1)), asOf: .first)
    }
  }

  // MARK: Tools

  /// A long history in small segments, all sealed and indexed except the last.
  static func ledger() throws -> BookLedger { try JournalLawTests.play(longHistory.get()) }

  private static let longHistory = Result {
    for history in try Generator<History>.histories(60...70).samples(20, seed: 8) {
      let ledger = try JournalLawTests.play(history)
      let hasDays = ledger.state.habits(of: nil).contains { $0.days.records.count > 5 }
      if try hasDays && ledger.indexFiles.count >= 3 { return history }
    }
    throw JournalError.noBook(path: "a long history")
  }

  /// The habit with the longest history.
  static func habit(of ledger: BookLedger) throws -> Habit.ID {
    let habits = ledger.state.habits(of: nil)
    let habit = try #require(habits.max { $0.days.records.count < $1.days.records.count })
    return try #require(ledger.state.habits.number(of: habit.key))
  }

  /// Compares each habit's own view with the view of the whole book.
  static func compare(_ reader: BookReader, asOf instant: Instant) throws {
    let whole = try reader.view(asOf: instant)
    for number in whole.state.habits.elements.indices {
      guard let habit = Habit.ID(number + 1), let found = whole.state.habits[habit] else {
        continue
      }
      var replayed = AuditTrail(habit: habit, owner: found.owner)
      try reader.replay(into: &replayed, until: instant)
      try expectEqual(try reader.auditTrail(of: habit, until: instant).items, replayed.items)
      guard !found.isDeleted else { continue }
      let own = try reader.view(of: habit, asOf: instant)
      try expectEqual(own.state.habits[habit], found)
      try expectEqual(own.state.accounts[found.owner], whole.state.accounts[found.owner])
      try expectEqual(try own.streak(of: habit), try whole.streak(of: habit))
      try expectEqual(
        try own.audit(of: habit).days.map(\.evidence),
        try whole.audit(of: habit).days.map(\.evidence))
    }
  }
}

extension BookLedger {
  /// The paths of the index files.
  var indexFiles: [String] {
    get throws {
      (try storage.names(in: "book/journal") ?? []).filter { $0.hasSuffix(".index") }
        .map { "book/journal/\($0)" }
    }
  }
}

extension MemoryStorage {
  func bytes(_ path: String) throws -> [UInt8] {
    let file = try open(path, .read)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  func replace(_ path: String, with bytes: [UInt8]) throws {
    try open(path, .create).write(bytes, at: 0)
  }
}
