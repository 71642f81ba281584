import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// A snapshot is read only if it is whole, from this version of Daybook and from this history; else it is ignored.
@Suite(.tags(.damage)) struct SnapshotTests {
  let ledger: BookLedger
  let entries: [Entry]
  var reader: BookReader { ledger.book.reader }
  var snapshots: Snapshots { Snapshots(journal: reader.journal) }

  static let spacing = SnapshotSpacing(smallestGap: 1, share: 4)

  init() throws {
    ledger = try Self.ledger()
    entries = try ledger.entries()
  }

  /// A book with a few snapshots in small segments.
  static func ledger() throws -> BookLedger {
    for history in try Generator<History>.histories(50...60).samples(20, seed: 5) {
      let ledger = try JournalLawTests.play(history, snapshots: spacing)
      let positions = Snapshots(journal: ledger.book.reader.journal).positions
      if positions.count >= 3, ledger.keyed.count > 2 { return ledger }
    }
    throw JournalError.noBook(path: "a book with snapshots")
  }

  @Test func `opening a book reads no segment before its newest snapshot`() throws {
    let watch = WatchedStorage(base: ledger.storage)
    let state = try BookReader(at: "book", storage: watch, zones: StateLedger.zones).state()
    #expect(state.isSame(as: ledger.state))
    let newest = try #require(snapshots.positions.last)
    let before = try reader.journal.segments().filter { $0.first <= newest }
    for name in before.dropLast() {
      #expect(watch.readCount(of: reader.journal.path(of: name)) == 0)
    }
    // The header of the segment that the snapshot is bound to.
    #expect(watch.readCount(of: reader.journal.path(of: try #require(before.last))) == 1)
  }

  @Test func `a snapshot of another version is ignored, and replaced by the next writer`()
    throws
  {
    // A separate book, which can be closed.
    var ledger = try Self.ledger()
    let reader = ledger.book.reader
    let snapshots = Snapshots(journal: reader.journal)
    let newest = try #require(snapshots.positions.last)
    let right = BookState(entries.prefix(Int(newest.number)))
    // A wrong state in a snapshot shows whether the snapshot was read.
    let head = EntryHead(position: right.position, at: right.at, actor: nil, key: nil)
    var created = AccountCreated.placeholder
    created.key = Menu.key(1, 77)
    var wrong = right
    wrong.apply(Entry(head, .accountCreated(created)))
    let segment = try #require(snapshots.segment(endingAt: newest))
    func write(_ fingerprint: String) throws {
      let header = SnapshotHeader(of: wrong, at: segment, fingerprint: fingerprint)
      guard let header else { throw SnapshotReader.Failure.notUnderstood }
      try SnapshotWriter.write(
        wrong, KeyFilter(), header, to: snapshots.path(of: newest), storage: ledger.storage)
    }
    try write(SnapshotHeader.fingerprint)
    #expect(try !reader.state().isSame(as: ledger.state))
    try write(SnapshotHeader.fingerprint + "0")
    #expect(try reader.state().isSame(as: ledger.state))
    let before = try ledger.storage.bytes(snapshots.path(of: newest))
    try ledger.reopen()
    #expect(ledger.state.isSame(as: BookState(entries)))
    #expect(try ledger.storage.bytes(snapshots.path(of: newest)) != before)
    #expect(snapshots.positions.allSatisfy(snapshots.isWhole))
  }

  @Test func `snapshots of another history are ignored`() throws {
    // A book that was restored to an earlier day, and continued.
    let storage = MemoryStorage()
    try storage.createDirectory("book/journal")
    try storage.createDirectory("book/snapshots")
    let names = try reader.journal.segments()
    for name in names.dropLast(names.count / 2) {
      let path = reader.journal.path(of: name)
      try storage.replace(path, with: try ledger.storage.bytes(path))
    }
    let other = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
    let restored = try other.state()
    #expect(restored.position > 0 && restored.position < ledger.state.position)
    for position in snapshots.positions {
      let path = snapshots.path(of: position)
      try storage.replace(path, with: try ledger.storage.bytes(path))
    }
    #expect(try other.state().isSame(as: restored))
    let book = try Book(
      opening: other, clock: ledger.clock.bookClock, segmentByteCount: 1, sealing: .atOnce,
      snapshots: SnapshotSpacing(smallestGap: 1, share: 1 << 20))
    while book.read({ $0.position }) < ledger.state.position {
      try book.record(CreateAccount(timeZone: "UTC"))
      #expect(try other.state().isSame(as: book.read { $0 }))
    }
    let others = Snapshots(journal: other.journal)
    #expect(others.positions.allSatisfy(others.isWhole))
  }

  @Test func `every changed byte and every shortened length is detected`() throws {
    let newest = try #require(snapshots.positions.last)
    let path = snapshots.path(of: newest)
    let original = try ledger.storage.bytes(path)
    let headerEnd = try headerByteCount(original)
    func isRead() -> Bool { snapshots.isWhole(newest) }
    #expect(isRead())
    for place in original.indices where place >= headerEnd - 400 || place % 16 == 0 {
      // No digest covers the last block.
      let bits = place >= original.count - 160 ? 0..<8 : place % 8..<place % 8 + 1
      for bit in bits {
        var bytes = original
        bytes[place] ^= 1 << UInt8(bit)
        try ledger.storage.replace(path, with: bytes)
        #expect(!isRead(), "byte \(place), bit \(bit)")
      }
    }
    for count in 0..<original.count where count >= headerEnd || count % 16 == 0 {
      try ledger.storage.replace(path, with: Array(original.prefix(count)))
      #expect(!isRead(), "\(count) bytes")
    }
    for more in [[0], [0, 0], Array(original.suffix(60))] {
      try ledger.storage.replace(path, with: original + more)
      #expect(!isRead(), "\(more.count) bytes more")
    }
  }

  private func headerByteCount(_ bytes: [UInt8]) throws -> Int {
    var reader = BinaryReader(bytes.span.bytes)
    _ = try ContainerHeader(from: &reader)
    return reader.offset
  }

  @Test func `lost, duplicated and exchanged blocks are detected`() throws {
    let newest = try #require(snapshots.positions.last)
    let path = snapshots.path(of: newest)
    let original = try ledger.storage.bytes(path)
    var reader = BinaryReader(original.span.bytes)
    let header = try ContainerHeader(from: &reader)
    let start = reader.offset
    let first = try ContainerBlock(from: &reader, syncMarker: header.syncMarker).end
    let (head, state, end) = (original[..<start], original[start..<first], original[first...])
    for bytes in [head + end, head + state + state + end, head + end + state, head + state] {
      try ledger.storage.replace(path, with: Array(bytes))
      #expect(!snapshots.isWhole(newest))
    }
  }

  @Test func `a reader writes nothing, whatever it finds`() throws {
    for position in snapshots.positions {
      try ledger.storage.replace(snapshots.path(of: position), with: [1, 2, 3])
    }
    let before = try files()
    #expect(try reader.state().isSame(as: ledger.state))
    #expect(try files() == before)
  }

  private func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for directory in ["book/journal", snapshots.directory] {
      for name in try ledger.storage.names(in: directory) ?? [] {
        files[name] = try ledger.storage.bytes("\(directory)/\(name)")
      }
    }
    return files
  }
}

extension BookState {
  init(_ entries: some Sequence<Entry>) {
    self.init()
    for entry in entries { apply(entry) }
  }
}
