import Avro
import PropertyTesting
import Testing

@testable import Journal

/// The whole parts found in damaged journals.
@Suite(.tags(.damage)) struct JournalSalvageTests {
  typealias World = VerifyDamageTests.World

  /// The salvaged notes, with their positions where these are certain, and the losses between them.
  struct Found {
    var notes: [(note: Note, position: Int64?)] = []
    var losses: [Damage] = []
    /// How many entries may be lost, if that is known.
    var maximumLostCount: Int64? = 0
    /// Whether positions can be right: no disk removes bytes so that blocks move to the place of others.
    var arePlacesTold = true

    init(_ journal: Journal, schemaTexts: [String] = []) throws {
      let salvage = try JournalSalvage(of: journal, schemaTexts: schemaTexts)
      var found: [(Note, Int64?)] = []
      var seen: [Int] = []
      try salvage.forEach { _, block, isPlaced throws(JournalError) in
        for (index, note) in try Note.notes(in: block).enumerated() {
          found.append((note, isPlaced ? block.first.number + Int64(index) : nil))
        }
      } loss: { index throws(JournalError) in
        seen.append(index)
      }
      #expect(seen == Array(salvage.losses.indices))
      notes = found
      losses = salvage.losses
      // A seemingly torn end may be damaged commits, of unknown number.
      maximumLostCount = losses.reduce(salvage.torn == nil ? Int64?.some(0) : nil) { sum, loss in
        guard let sum, let first = loss.first else { return sum }
        return loss.last.map { sum + $0.number - first.number + 1 }
      }
    }

    /// Checks that nothing unrecorded is found, nothing twice, and nothing at a wrong place.
    func expectSound(
      _ original: [Note], _ comment: Comment, at location: SourceLocation = #_sourceLocation
    ) {
      var rest = original[...]
      for (note, position) in notes {
        guard let place = rest.firstIndex(of: note) else {
          Issue.record("\(note) is not next, \(comment)", sourceLocation: location)
          return
        }
        if let position, arePlacesTold {
          #expect(Int(position) == place + 1, comment, sourceLocation: location)
        }
        rest = rest[(place + 1)...]
      }
      if let maximumLostCount {
        #expect(
          Int(maximumLostCount) >= original.count - notes.count, comment, sourceLocation: location)
      }
    }
  }

  @Test
  func `a flipped bit costs the entries of its frame, and nothing elsewhere`()
    throws
  {
    let world = try World()
    var costs: [Int: Int] = [:]
    for (file, (path, bytes, headerByteCount)) in world.files.enumerated() {
      let frames = Self.frames(in: bytes, from: headerByteCount)
      for byte in bytes.indices {
        let damaged = try world.damaged(file) { $0[byte] ^= 1 << UInt8(byte % 8) }
        guard try !damaged.verify().isWhole else { continue }
        let comment: Comment = "byte \(byte) in \(path)"
        let found = try Found(damaged)
        found.expectSound(world.notes, comment)
        let lost = world.notes.count - found.notes.count
        costs[lost, default: 0] += 1
        if frames.contains(where: { $0.contains(byte) }) {
          #expect((1...2).contains(lost), comment)
          #expect(found.maximumLostCount.map { Int($0) } ?? lost == lost, comment)
        } else {
          #expect(lost == 0, comment)
        }
      }
    }
    #expect(costs[0, default: 0] > 1000 && costs[1, default: 0] > 100, "\(costs)")
  }

  /// The places of a segment's frames.
  private static func frames(in bytes: [UInt8], from start: Int) -> [Range<Int>] {
    var frames: [Range<Int>] = []
    for place in start..<bytes.count - 4 where SegmentReader.isFrame(at: place, in: bytes) {
      let rest = bytes.span.bytes.extracting(droppingFirst: place)
      if let count = ZstandardDecompressor.frameByteCount(rest) {
        frames.append(place..<place + count)
      }
    }
    return frames
  }

  @Test func `all entries before a cut are recovered`() throws {
    let world = try World()
    for (file, (path, bytes, headerByteCount)) in world.files.enumerated() {
      for count in stride(from: 0, to: bytes.count, by: try scaledStep(3 * 5)) {
        let damaged = try world.damaged(file) { $0.removeLast($0.count - count) }
        guard try !damaged.verify().isWhole else { continue }
        let found = try Found(damaged)
        found.expectSound(world.notes, "\(path) cut to \(count)")
        let frames = Self.frames(in: bytes, from: headerByteCount).filter { $0.upperBound <= count }
        #expect(found.notes.count >= frames.count)
      }
    }
  }

  @Test func `any damage leaves the whole frames, in order`() {
    let changes = Generator { source in
      (
        file: try source.draw(Generator<Int>.integer(in: 0...2)),
        place: try source.draw(Generator<Int>.integer(in: 0...600)),
        count: try source.draw(Generator<Int>.element(of: [1, 2, 20, 60, 200])),
        kind: try source.draw(Generator<Int>.integer(in: 0...4))
      )
    }
    let report = check(
      "any damage", changes.array(count: 1...4), cases: 60
    ) { changes, statistics in
      let world = try World()
      let journal = try world.damaged(9) { _ in }
      for change in changes {
        let path = world.files[change.file].path
        guard var bytes = try? journal.bytes(of: path), !bytes.isEmpty else { continue }
        let place = change.place % bytes.count
        let range = place..<min(bytes.count, place + change.count)
        switch change.kind {
        case 0: for index in range { bytes[index] ^= 0x55 }
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: [UInt8](repeating: 7, count: change.count), at: place)
        case 3: bytes.removeLast(bytes.count - place)
        default: bytes += Array(bytes[range])
        }
        try journal.storage.remove(path)
        if change.count < 200 || change.kind != 3 { try journal.overwrite(path, with: bytes) }
      }
      guard let found = try? journal.verify(), !found.isWhole else { return }
      var salvage = try Found(journal, schemaTexts: [Note.schemaText])
      // Nothing shows that the journal's end is missing.
      if changes.contains(where: { $0.file == 2 && [1, 3].contains($0.kind) }) {
        salvage.maximumLostCount = nil
      }
      salvage.arePlacesTold = !changes.contains { $0.kind == 1 }
      // With several losses, one may hide how many entries another cost: then not all bounds are right yet.
      if changes.count > 1 { (salvage.arePlacesTold, salvage.maximumLostCount) = (false, nil) }
      statistics.cover("something is lost", atLeast: 30, !salvage.losses.isEmpty)
      statistics.cover("something is left", atLeast: 50, !salvage.notes.isEmpty)
      // A block that is damaged in its place and whole in a copy behind others counts as a later one, since nothing
      // shows otherwise.
      if changes.count > 1, changes.contains(where: { $0.kind == 4 }) { return }
      salvage.expectSound(world.notes, "\(changes)")
      // Where bytes were duplicated, whole blocks may be, too.
      if !changes.contains(where: { $0.kind == 4 }) {
        try expect(salvage.notes.count >= Int(found.entryCount), "fewer entries than are whole")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: 1...4)
  func `duplicated last blocks are recovered once`(count: Int) throws {
    let world = try World()
    let (path, bytes, headerByteCount) = world.files[2]
    let frames = Self.frames(in: bytes, from: headerByteCount)
    // A count and a size come before a frame, and the sixteen-byte marker after it.
    let begin = frames[frames.count - count].lowerBound - 2
    let end = try #require(frames.last).upperBound + 16
    try #require(end == bytes.count)
    let damaged = try world.damaged(2) { $0 += bytes[begin..<end] }
    // A commit that occurs twice may also have been recorded twice.
    guard count > 1 else { return #expect(try damaged.verify().isWhole) }
    let found = try Found(damaged)
    #expect(found.notes.map(\.note) == world.notes, "\(path)")
  }

  @Test func `a damaged header is distinguished from damaged blocks`() throws {
    let world = try World()
    let bytes = world.files[2].bytes
    let frames = Self.frames(in: bytes, from: world.files[2].headerByteCount)
    // From within the header to within the third block: the rest of the four may be as long as a sealed header.
    for end in frames[1].lowerBound..<frames[3].lowerBound - 2 {
      let damaged = try world.damaged(2) { for index in end - 200..<end { $0[index] ^= 0x55 } }
      let found = try Found(damaged)
      found.expectSound(world.notes, "up to \(end)")
      #expect(found.notes.count < world.notes.count)
    }
  }

  @Test func `segments are recognised by their headers, under any file name`() throws {
    let world = try World()
    let paths = world.files.map(\.path)
    let journal = try world.damaged(9) { _ in }
    try journal.storage.rename(paths[1], to: "other")
    try journal.storage.rename(paths[2], to: paths[1])
    try journal.storage.rename("other", to: paths[2])
    #expect(try journal.verify().damages.count == 2)
    let found = try Found(journal)
    #expect(found.notes.map(\.note) == world.notes)
    #expect(found.losses == [])
    // A file with a better alternative is ignored.
    try journal.overwrite(paths[1], with: world.files[1].bytes)
    let again = try Found(journal)
    again.expectSound(world.notes, "doubled")
    #expect(again.losses.map(\.first) == [Position(6)])
    #expect(again.losses.map(\.last) == [nil])
  }

  @Test func `a missing segment is a loss, and so is a foreign one`() throws {
    let world = try World()
    let paths = world.files.map(\.path)
    for isForeign in [false, true] {
      let journal = try world.damaged(9) { _ in }
      try journal.storage.remove(paths[1])
      if isForeign {
        let header = SegmentHeader(
          book: "another", first: Position(4), schemaText: Note.schemaText)
        let payload = try ZstandardCompressor().compress(Note(at: 4, "foreign").encoded)
        try journal.overwrite(
          paths[1],
          with: header.container.encoded
            + ContainerBlock.encode(count: 1, payload: payload, syncMarker: header.marker))
      }
      let found = try Found(journal)
      found.expectSound(world.notes, "missing")
      #expect(found.losses.map(\.file) == [paths[1]])
      #expect(found.losses.first?.first == Position(4) && found.losses.first?.last == Position(5))
      #expect(found.notes.count == 7)
    }
  }

  @Test func `entries that overlap the next segment are left out`() throws {
    let world = try World()
    let journal = try world.damaged(1) { bytes in
      let payload = (try? ZstandardCompressor().compress(Note(at: 6, "note 6").encoded)) ?? []
      bytes += ContainerBlock.encode(
        count: 1, payload: payload, syncMarker: Array(bytes.suffix(16)))
    }
    let found = try Found(journal)
    #expect(found.notes.map(\.note) == world.notes)
    #expect(found.losses == [])
  }

  @Test func `a lone segment with a damaged header is read with a given schema`()
    throws
  {
    let journal = try VerifyTests.journal(World.commits)
    let path = journal.path(of: 1)
    var bytes = try journal.bytes(of: path)
    // The schema in the header is damaged, too.
    for index in 10..<60 { bytes[index] = 0 }
    try journal.overwrite(path, with: bytes)
    let found = try Found(journal, schemaTexts: [Note.schemaText])
    #expect(found.notes.map(\.note) == World.commits.flatMap(\.self))
    #expect(found.losses == [])
    #expect(try Found(journal).notes.isEmpty)
  }
}
