import Avro
import PropertyTesting
import Testing

@testable import Journal

/// A verification of damaged journals reports every fault, and its cost.
@Suite(.tags(.damage)) struct VerifyDamageTests {
  /// A sealed segment of several blocks, a closed one, and an active one of several commits.
  struct World {
    let journal: Journal
    let notes: [Note]
    let files: [(path: String, bytes: [UInt8], headerByteCount: Int)]
    let head: Head

    static let commits: [Commit] = (1...9).map { [Note(at: Int64($0), "note \($0)")] }

    init() throws {
      journal = try VerifyTests.journal(Array(Self.commits[..<3]))
      try World.close(journal, sealing: true)
      let writer = try journal.open().writer
      for commit in Self.commits[3..<5] { try writer.append(commit) }
      try writer.closeSegment()
      for commit in Self.commits[5...] { try writer.append(commit) }
      notes = Self.commits.flatMap(\.self)
      files = try journal.segments().map { [journal] name in
        let path = journal.path(of: name)
        let header = try journal.header(of: name)
        return (path, try journal.bytes(of: path), header.container.encoded.count)
      }
      let found = try journal.verify()
      #expect(found.isWhole && found.sealedCount == 1 && found.segmentCount == 3)
      head = try #require(found.head)
    }

    /// Closes the active segment; seals it in blocks of two entries.
    static func close(_ journal: Journal, sealing: Bool) throws {
      let writer = try journal.open().writer
      try writer.closeSegment()
      guard sealing else { return }
      var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 15, level: 3)
      try sealer.sealNext()
    }

    /// The same journal on its own disk, with one file's bytes changed.
    func damaged(_ file: Int, _ change: (inout [UInt8]) -> Void) throws -> Journal {
      let copy = Journal(directory: journal.directory, storage: MemoryStorage())
      try copy.storage.createDirectory("\(copy.directory)/journal")
      for (index, (path, bytes, _)) in files.enumerated() {
        var bytes = bytes
        if index == file { change(&bytes) }
        try copy.overwrite(path, with: bytes)
      }
      return copy
    }

    /// Requirements after any change of one file.
    func check(
      _ damaged: Journal, _ file: Int, _ comment: Comment,
      at location: SourceLocation = #_sourceLocation
    ) throws -> Verification {
      func holds(_ condition: Bool, _ what: Comment) {
        #expect(condition, "\(what), \(comment)", sourceLocation: location)
      }
      let found = try damaged.verify()
      let read = try? damaged.entries()
      if found.isWhole {
        holds(read.map { notes.starts(with: $0) } == true, "what is whole is read and right")
        holds(found.entryCount == read?.count ?? -1, "it is counted")
      } else {
        holds(Set(found.damages.map(\.file)) == [files[file].path], "only this file is damaged")
        holds(read == nil, "what is damaged is refused")
        let lost = found.damages.reduce(Int64(0)) { sum, damage in
          guard let first = damage.first, let last = damage.last else { return sum }
          return sum + last.number - first.number + 1
        }
        if file < 2 {
          holds(found.entryCount + lost == Int64(notes.count), "each entry is there or lost")
        }
      }
      if let head = found.head {
        holds(
          try journal.verify(expecting: head).proof == .contained, "its head belongs to the book")
        holds(found.isWhole || head.position < self.head.position, "the head is before the damage")
      }
      return found
    }
  }

  @Test func `every flipped bit is detected in its file and block, or is harmless (ES-1)`()
    throws
  {
    let world = try World()
    var outcomes: [String: Int] = [:]
    for (file, (path, bytes, headerByteCount)) in world.files.enumerated() {
      for byte in try sample(bytes.indices, every: 3) {
        // The header's marker is its SHA-256, so one bit of each byte suffices there.
        for bit in byte < headerByteCount ? byte % 8..<byte % 8 + 1 : 0..<8 {
          let damaged = try world.damaged(file) { $0[byte] ^= 1 << UInt8(bit) }
          let found = try world.check(damaged, file, "bit \(bit) of byte \(byte) in \(path)")
          if let damage = found.damages.first {
            outcomes["damage", default: 0] += 1
            #expect(found.damages.count == 1, "\(path) \(byte): \(found.damages)")
            #expect(
              (damage.offset..<damage.offset + damage.byteCount).contains(byte),
              "\(damage), byte \(byte)")
          } else if let torn = found.torn {
            outcomes["torn", default: 0] += 1
            #expect(file == 2 && torn.offset <= byte, "\(torn), byte \(byte)")
          } else {
            outcomes["harmless", default: 0] += 1
            #expect(found.head == world.head)
          }
        }
      }
    }
    #expect(outcomes["harmless", default: 0] <= 2 * World.commits.count, "\(outcomes)")
    #expect(outcomes["damage", default: 0] > 1_000)
  }

  @Test func `every cut of a file is detected, unless it leaves a shorter book`()
    throws
  {
    let world = try World()
    for (file, (path, bytes, headerByteCount)) in world.files.enumerated() {
      for count in try sample(bytes.indices, every: 3) {
        let damaged = try world.damaged(file) { $0.removeLast($0.count - count) }
        let found = try world.check(damaged, file, "\(path) cut to \(count)")
        #expect(found.isWhole == (file == 2 && count >= headerByteCount), "\(path) cut to \(count)")
        if found.isWhole {
          #expect(
            try damaged.verify(expecting: world.head).proof
              == .endsBefore(last: Position(found.entryCount)))
        }
      }
    }
  }

  @Test func `each of several damages is detected, with its lost entries`() throws {
    let world = try World()
    let (path, bytes, headerByteCount) = world.files[2]
    var ends: [Int] = []
    try world.journal.readBlocks(from: Position(6)) { _, block in
      ends.append(block.place.offset)
      return true
    }
    #expect(ends.first == headerByteCount && ends.count == 4)
    let damaged = try world.damaged(2) { bytes in
      // The frame of entry 6 is damaged, and the count and size of entry 8.
      bytes[ends[0] + 15] ^= 1
      bytes[ends[2]] = 0x80
      bytes[ends[2] + 1] = 0xFF
    }
    let found = try damaged.verify()
    #expect(found.damages.map(\.file) == [path, path])
    #expect(found.damages.map(\.offset) == [ends[0], ends[2]])
    #expect(found.damages.map(\.byteCount) == [ends[1] - ends[0], ends[3] - ends[2]])
    #expect(found.damages.map(\.first) == [Position(6), Position(8)])
    // A block that states its count is believed; one that does not leaves it open.
    #expect(found.damages.map(\.last) == [Position(6), nil])
    #expect(found.head?.position == Position(5))
    #expect(found.entryCount == 7)
    #expect(
      try damaged.verify(expecting: world.head).proof
        == .unknown(reason: "entries before it are damaged"))
    #expect(bytes.count > ends[3])
  }

  @Test func `a missing or foreign file is reported with all its entries`() throws {
    let world = try World()
    let paths = world.files.map(\.path)
    let missing = try world.damaged(0) { _ in }
    try missing.storage.remove(paths[1])
    var found = try missing.verify()
    // The sealed segment before is complete, so a whole file is missing.
    #expect(
      found.damages == [
        Damage(
          file: paths[1], offset: 0, first: Position(4), last: Position(5),
          reason: "the segment is not there")
      ])
    #expect(found.head?.position == Position(3))
    let first = try world.damaged(0) { _ in }
    try first.storage.remove(paths[0])
    found = try first.verify()
    #expect(found.damages.map(\.file) == [paths[0]])
    #expect(found.damages.first?.last == Position(3))
    #expect(found.head == Head(book: Journal.book))

    let swapped = try world.damaged(1) { $0 = world.files[2].bytes }
    found = try swapped.verify()
    #expect(found.damages.map(\.reason) == ["the header's first position is not the file's name"])
    #expect(found.damages.first?.first == Position(4))

    let other = Journal(directory: "other", storage: MemoryStorage())
    try other.create(book: "another book", schemaText: Note.schemaText)
    do {
      let writer = try other.open().writer
      for commit in World.commits[..<3] { try writer.append(commit) }
      try writer.closeSegment()
    }
    let foreign = try world.damaged(0) { $0 = (try? other.bytes(of: other.path(of: 1))) ?? [] }
    found = try foreign.verify()
    #expect(
      found.damages.map(\.reason) == ["it belongs to book another book, not of \(Journal.book)"])
    #expect(found.book == Journal.book)
    #expect(found.damages.first?.last == Position(3))
  }

  @Test
  func `overlapping segments and one that ends early are damage`()
    throws
  {
    let world = try World()
    let longer = try world.damaged(1) { bytes in
      // The third segment's commit, sealed into the second: entry 6 occurs twice.
      let block = ContainerBlock.encode(
        count: 1,
        payload: (try? ZstandardCompressor().compress(Note(at: 6, "note 6").encoded)) ?? [],
        syncMarker: Array(world.files[1].bytes.suffix(16)))
      bytes += block
    }
    var found = try longer.verify()
    #expect(
      found.damages.map(\.reason) == [
        "it begins with entry 6, and the segment before it ends with 6"
      ])
    #expect(found.damages.first?.first == nil)
    let shorter = try world.damaged(1) { $0.removeLast($0.count - world.files[1].headerByteCount) }
    found = try shorter.verify()
    #expect(found.damages.map(\.file) == [world.files[1].path])
    #expect(
      found.damages.map(\.reason) == ["it ends with entry 3, and the next segment begins with 6"])
    #expect(found.damages.first?.first == Position(4))
    #expect(found.damages.first?.last == Position(5))
  }

  @Test func `times that go back, and wrong seals and chains are damage without loss`() throws {
    let backwards = try VerifyTests.journal([[Note(at: 2, "a")], [Note(at: 1, "b")]])
    var found = try backwards.verify()
    #expect(found.damages.map(\.reason) == ["an entry is earlier than the one before it"])
    #expect(found.damages.first?.first == nil)
    #expect(found.head?.position == Position(1))
    #expect(found.entryCount == 2)

    // A sealed segment in which an entry was replaced, with everything else consistent.
    let journal = try SealingTests.oldJournal()
    try journal.seal()
    let names = try journal.segments()
    let whole = try journal.verify()
    let seal = try #require(try journal.header(of: names[1]).seal)
    _ = try VerifyTests.rewrite(journal, names[1])
    found = try journal.verify(expecting: whole.head)
    #expect(found.damages.map(\.file) == [journal.path(of: names[2])])
    #expect(
      found.damages.map(\.reason) == [
        "the sealed file before it is not the one that it was sealed after"
      ])
    let forged = SegmentHeader(
      book: Journal.book, first: names[1].first, schemaText: Note.schemaText, seal: seal)
    let times = names[1].first.number...seal.last.number
    let notes = SealingTests.commits.flatMap(\.self)[
      Int(times.lowerBound - 1)..<Int(times.upperBound)
    ].map { Note(at: $0.at, "forged") }
    try journal.overwrite(
      journal.path(of: names[1]),
      with: forged.container.encoded
        + ContainerBlock.encode(
          count: notes.count,
          payload: try ZstandardCompressor().compress(notes.flatMap(\.encoded)),
          syncMarker: forged.marker))
    found = try journal.verify()
    #expect(found.damages.map(\.reason) == ["its entries are not those that were sealed"])
    #expect(found.head?.position.number == names[1].first.number - 1)
  }

  @Test func `a sealed segment after an open one is damage`() throws {
    let journal = try SealingTests.journal()
    let names = try journal.segments()
    let open = try journal.bytes(of: journal.path(of: names[0]))
    try journal.seal()
    try journal.storage.remove(journal.path(of: names[0]))
    try journal.overwrite(journal.path(of: names[0]), with: open)
    let found = try journal.verify()
    #expect(found.damages.first?.file == journal.path(of: names[1]))
    #expect(found.damages.first?.reason == "it is sealed, and a segment before it is not")
    #expect(found.head?.position.number == names[1].first.number - 1)
  }

  @Test func `unreadable sectors cost only their own entries`() throws {
    let commits = (1...400).map { number in
      [Note(at: Int64(number), "note \(number) " + String(repeating: "\(number)", count: 20))]
    }
    let journal = try VerifyTests.journal(commits)
    let byteCount = try journal.bytes(of: journal.path(of: 1)).count
    #expect(byteCount > 4 * 4096)
    let disk = BadSectors(journal.storage, 8192..<12_288)
    #expect(
      try failure { _ = try Journal(directory: journal.directory, storage: disk).entries() }
        == "storage system(5)")
    let found = try Journal(directory: journal.directory, storage: disk).verify()
    #expect(found.damages.count == 1)
    let damage = try #require(found.damages.first)
    #expect(damage.offset <= 8192 && damage.offset > 8000)
    #expect((12_288..<12_400).contains(damage.offset + damage.byteCount))
    #expect(damage.last == nil)
    #expect(found.entryCount > 150)
  }
}

/// A disk with unreadable sectors.
private struct BadSectors: StorageOverlay {
  let base: any Storage
  let sectors: Range<Int>

  init(_ base: any Storage, _ sectors: Range<Int>) { (self.base, self.sectors) = (base, sectors) }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    File(base: try base.open(path, access), sectors: sectors)
  }

  private final class File: StorageFileOverlay {
    let base: any StorageFile
    let sectors: Range<Int>

    init(base: any StorageFile, sectors: Range<Int>) { (self.base, self.sectors) = (base, sectors) }

    func read(
      _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
    ) throws(StorageError) {
      let end = min(offset + count, try base.byteCount())
      guard offset >= end || !(offset..<end).overlaps(sectors) else {
        throw StorageError(
          operation: "read", path: "", reason: .system(5), message: "input/output error")
      }
      try base.read(count, at: offset, appendingTo: &buffer)
    }
  }
}
