import Avro
import Calendar
import Daybook
import Testing

@testable import DaybookStore
@testable import Journal

/// Books replayed in parts that begin inside segments.
@Suite(.tags(.unit)) struct ParallelReplayTests {
  private let storage = MemoryStorage()

  /// A book of this many logs, with one entry or several in a block.
  private func book(_ count: Int, segmentByteCount: Int = 1 << 20) throws -> BookReader {
    let now = try #require(Instant(WriterFixture.now))
    try Book.create(at: "book", storage: storage)
    let reader = BookReader(at: "book", storage: storage)
    let book = try Book(
      opening: reader, clock: BookClock(now: { now }), segmentByteCount: segmentByteCount,
      sealing: .onRequest)
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    let today = Day("2026-03-01")
    var made = 2
    while made < count {
      let size = min(made % 50 == 0 ? 60 : 1, count - made)
      try book.transaction { batch in
        for number in made..<made + size {
          try batch.record(
            LogHabit(habit, day: .day(today.advanced(by: -number))), by: ada,
            at: now.advanced(byMilliseconds: Int64(number)))
        }
      }
      made += size
    }
    return reader
  }

  @Test func `any number of parts makes the whole (ES-2)`() throws {
    let reader = try book(1500, segmentByteCount: Book.segmentByteCount(holding: 6000))
    let whole = try reader.replayInParts(threads: 1) { _ in Positions() }
    #expect(whole.map(\.found) == [Array(1...1500)])
    let segmentCount = try reader.journal.segments().count
    #expect(segmentCount > 1)
    var counts: Set<Int> = []
    for threads in 2...40 {
      let parts = try reader.replayInParts(threads: threads, smallestPartByteCount: 1) {
        Positions(start: $0)
      }
      #expect(parts.flatMap(\.found) == Array(1...1500), "\(threads) threads")
      for part in parts { #expect(part.found.first == part.start + 1) }
      counts.insert(parts.count)
    }
    #expect(counts.contains { $0 > 4 * segmentCount }, "some begin in the midst of segments")
  }

  @Test func `parts end at the end of the question (ES-2)`() throws {
    let reader = try book(900)
    let now = try #require(Instant(WriterFixture.now))
    for number in [1, 2, 77, 500, 898, 899, 5000] {
      let query = Query(
        asOf: now.advanced(byMilliseconds: Int64(number)), zones: SystemTimeZones.shared)
      let parts = try reader.replayInParts(
        until: query.asOf, threads: 5, smallestPartByteCount: 1
      ) { StreakReplay(after: $0) }
      var whole = parts[0]
      for part in parts.dropFirst() { whole.append(part) }
      let expected = try reader.state(asOf: query.asOf).streaks(query)
      #expect(parts.count > 10)
      #expect(try whole.summaries(query).map(\.summary) == expected.map(\.summary))
    }
  }

  @Test(arguments: [2, 5, 9])
  func `a book sealed during a parallel read is read whole (ES-2)`(threads: Int) throws {
    let reader = try book(1500, segmentByteCount: Book.segmentByteCount(holding: 6000))
    let sealed = {
      try reader.journal.segments().count { try reader.journal.header(of: $0).seal != nil }
    }
    #expect(try sealed() == 0)
    var asked = 0
    let parts = try reader.replayInParts(threads: threads, smallestPartByteCount: 1) { start in
      // The places are known by now, and nothing has been read yet.
      if asked == 0 { _ = try? Book(opening: reader).seal() }
      asked += 1
      return Positions(start: start)
    }
    #expect(try asked > threads && sealed() > 1)
    #expect(parts.flatMap(\.found) == Array(1...1500))
  }

  @Test func `a part whose last block overlaps the next part is refused`() throws {
    let reader = try book(400)
    let (name, first) = (SegmentName(first: Position(1)), Position(1))
    let place = try #require(try reader.journal.places(in: name, after: [0]).first)
    #expect(place.position == first)
    var long: ClosedRange<Int64>?
    try reader.journal.readBlocks { _, block throws(JournalError) in
      let last = block.first.number + Int64(block.count) - 1
      if block.count > 2 { long = block.first.number...last }
      return long == nil
    }
    let block = try #require(long)
    for end in [block.lowerBound, block.upperBound + 1] {
      var part = Positions()
      try reader.replay(into: &part, from: place, to: end, until: .last)
      #expect(part.found == Array(1..<end))
    }
    for end in [block.lowerBound + 1, block.upperBound] {
      var part = Positions()
      #expect(throws: JournalError.self) {
        try reader.replay(into: &part, from: place, to: end, until: .last)
      }
    }
  }

  @Test func `a segment is split where its blocks begin`() throws {
    let reader = try book(900)
    let (journal, name) = (reader.journal, SegmentName(first: Position(1)))
    var blocks: [BlockPlace] = []
    try journal.readBlocks { _, block throws(JournalError) in
      blocks.append(
        BlockPlace(segment: name, offset: block.place.offset, position: block.first))
      return true
    }
    #expect(try journal.places(in: name, after: blocks.map(\.offset)) == blocks)
    // One byte further it is the next block; after the last one there is none.
    let next = try journal.places(in: name, after: blocks.map { $0.offset + 1 })
    #expect(next == Array(blocks.dropFirst()))
    #expect(try journal.places(in: name, after: [0, 0, 1]) == [blocks[0]])
    #expect(try journal.places(in: name, after: [.max]) == [])
    for place in blocks {
      var first: Position?
      try journal.readBlocks(at: place) { _, block throws(JournalError) in
        first = block.first
        return false
      }
      #expect(first == place.position)
    }
  }

  @Test func `a wrong count is reported as in a sequential read`() throws {
    let reader = try book(400)
    let name = SegmentName(first: Position(1))
    var offsets: [Int] = []
    try reader.journal.readBlocks { _, block throws(JournalError) in
      offsets.append(block.place.offset)
      return true
    }
    let file = try storage.open(reader.journal.path(of: name), .readWrite)
    for offset in [offsets[1], offsets[offsets.count / 2], try #require(offsets.last)] {
      var byte: [UInt8] = []
      try file.read(1, at: offset, appendingTo: &byte)
      try file.write([byte[0] ^ 2], at: offset)
      let told = #expect(throws: JournalError.self) {
        var positions = Positions()
        try reader.replay(into: &positions)
      }
      let parted = #expect(throws: JournalError.self) {
        try reader.replayInParts(threads: 4, smallestPartByteCount: 1) { Positions(start: $0) }
      }
      #expect(told != nil && "\(parted as Any)" == "\(told as Any)")
      try file.write(byte, at: offset)
    }
    #expect(
      try reader.replayInParts(threads: 4, smallestPartByteCount: 1) { Positions(start: $0) }
        .flatMap(\.found) == Array(1...400))
  }
}

/// The positions of the entries received.
private struct Positions: Projection, Sendable {
  var start: Int64 = 0
  var found: [Int64] = []

  mutating func apply(_ entry: Entry) { found.append(entry.head.position) }
  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) { found.append(head.position) }
}
