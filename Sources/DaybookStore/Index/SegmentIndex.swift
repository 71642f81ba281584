import Avro
import Daybook
import Journal

/// The index of one sealed segment, open for lookups.
struct SegmentIndex: Sendable {
  /// The positions of the segment's first and last entries.
  let first: Position
  let last: Position
  /// When the last entry was recorded.
  let lastAt: Instant
  /// The counts of what was created until the segment's end.
  let countsAfter: AggregateReader

  private let path: String
  private let header: ContainerHeader
  /// Where the blocks of postings begin in the file, and where the last one ends.
  private let postingOffsets: [Int]
  /// The first aggregate of each block of postings.
  private let postingCodes: [Int64]
  /// How many bytes the roster has, which follows the postings.
  private let rosterByteCount: Int
  private let blockOffsets: [Int64]
  /// The position of each block's first entry, and when that entry was recorded.
  private let blockFirsts: [Int64]
  private let blockTimes: [Int64]
  private let entryTimes: TimeSamples

  /// Reads the index of a segment; fails when there is none, or it is damaged, belongs to another
  /// segment, or does not fit the counts before the segment.
  init?(of header: SegmentHeader, after counts: AggregateReader, in journal: Journal) {
    let path = IndexFile.path(of: SegmentName(first: header.first), in: journal)
    guard let (found, directory, offset) = try? Self.readDirectory(path, journal.storage),
      found == IndexFile.header(header.marker), directory.marker.bytes == header.marker,
      directory.fingerprint == IndexDirectory.currentFingerprint,
      directory.version == IndexDirectory.currentVersion,
      directory.countsBefore == counts.counts, directory.first == header.first.number,
      let after = AggregateReader(counts: directory.countsAfter),
      let seal = header.seal, directory.last == seal.last.number,
      directory.blockOffsets.count == directory.blockCounts.count,
      directory.blockTimes.count == directory.blockCounts.count,
      directory.postingCodes.count == directory.postingByteCounts.count,
      directory.last >= directory.first - 1, directory.hasValidByteCounts
    else { return nil }
    self.path = path
    self.header = found
    first = header.first
    last = seal.last
    lastAt = Instant(clamping: directory.lastAt)
    countsAfter = after
    postingOffsets = ([Int64(offset)] + directory.postingByteCounts).sums.map { Int($0) }
    postingCodes = directory.postingCodes.sums
    rosterByteCount = Int(directory.rosterByteCount)
    blockOffsets = directory.blockOffsets.sums
    blockFirsts = ([directory.first] + directory.blockCounts.dropLast()).sums
    blockTimes = directory.blockTimes.sums
    entryTimes = TimeSamples(
      samples: directory.entryTimes.sums, count: directory.last &- directory.first &+ 1,
      lastAt: directory.lastAt)
  }

  /// Whether a segment has an index that fits it, as far as that can be checked without the earlier
  /// segments.
  static func fits(_ header: SegmentHeader, in journal: Journal) -> Bool {
    let path = IndexFile.path(of: SegmentName(first: header.first), in: journal)
    guard let (_, directory, _) = try? readDirectory(path, journal.storage),
      let counts = AggregateReader(counts: directory.countsBefore)
    else { return false }
    return SegmentIndex(of: header, after: counts, in: journal) != nil
  }

  private static func readDirectory(
    _ path: String, _ storage: any Storage
  ) throws -> (ContainerHeader, IndexDirectory, end: Int) {
    let file = try storage.open(path, .read)
    var bytes: [UInt8] = []
    var count = 1 << 15
    while true {
      bytes.removeAll(keepingCapacity: true)
      try file.read(count, at: 0, appendingTo: &bytes)
      do throws(AvroError) {
        return try readDirectory(bytes)
      } catch {
        // A block longer than what was read looks truncated, or like one with a wrong length.
        guard bytes.count == count, count < 1 << 28 else { throw error }
        count *= 4
      }
    }
  }

  private static func readDirectory(
    _ bytes: [UInt8]
  ) throws(AvroError) -> (ContainerHeader, IndexDirectory, end: Int) {
    var reader = BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
    var buffer: [UInt8] = []
    let byteCount = try ZstandardDecompressor().decompress(
      bytes.span.bytes.extracting(block.payload), into: &buffer)
    var values = BinaryReader(buffer.span.bytes.extracting(first: byteCount))
    guard block.count == 1, try values.takeLong() == IndexFile.directoryBranch else {
      throw .trailingBytes
    }
    let directory = try IndexDirectory(from: &values)
    guard values.isAtEnd else { throw .trailingBytes }
    return (header, directory, block.end)
  }

  /// When the first entry was recorded.
  var firstAt: Instant { Instant(clamping: blockTimes.first ?? .min) }

  /// Where the block that holds a position of the segment begins.
  func block(holding position: Position) -> (offset: Int, position: Position)? {
    guard let index = blockFirsts.lastIndex(notAbove: position.number) else { return nil }
    return (Int(blockOffsets[index]), Position(blockFirsts[index]))
  }

  /// Where the last block begins whose first entry was recorded until an instant.
  func block(at instant: Instant) -> (offset: Int, position: Position)? {
    guard let index = blockTimes.lastIndex(notAbove: instant.milliseconds) else { return nil }
    return (Int(blockOffsets[index]), Position(blockFirsts[index]))
  }

  /// Calls `body` with the entries that touch some aggregates, oldest first.
  ///
  /// - Parameters:
  ///   - aggregates: The aggregates, ascending: those in the same block of postings cost one read.
  ///   - storage: The storage.
  ///   - decompressor: Decompresses the postings.
  ///   - isBefore: Whether an entry comes before the end of what is wanted.
  ///   - body: Receives each aggregate that has entries here, with those entries.
  /// - Throws: ``AvroError`` or ``StorageError`` when the index cannot be read; then the segment
  ///   must be read.
  func forEachList(
    of aggregates: [Aggregate], _ storage: any Storage, _ decompressor: ZstandardDecompressor,
    while isBefore: (EntryHead) -> Bool, _ body: (Aggregate, [Entry]) -> Void
  ) throws {
    var block: (index: Int, postings: Postings)?
    var buffer: [UInt8] = []
    var file: (any StorageFile)?
    for aggregate in aggregates {
      guard let index = postingCodes.lastIndex(notAbove: aggregate.code) else { continue }
      let opened = try file ?? storage.open(path, .read)
      file = opened
      let postings =
        if let block, block.index == index { block.postings } else {
          try self.postings(at: index, in: opened, decompressor, &buffer)
        }
      block = (index, postings)
      let code = aggregate.code
      let lists = try postings.lists(
        of: code..<code + 1, from: first.number, entryTimes, while: isBefore)
      if let list = lists.first { body(aggregate, list.entries) }
    }
  }

  /// The entries of all aggregates in a range of codes, by code and oldest first.
  ///
  /// - Throws: ``AvroError`` or ``StorageError`` when the index cannot be read.
  func lists(
    of range: Range<Int64>, _ storage: any Storage, _ decompressor: ZstandardDecompressor
  ) throws -> [(code: Int64, entries: [Entry])] {
    var lists: [(code: Int64, entries: [Entry])] = []
    var buffer: [UInt8] = []
    let file = try storage.open(path, .read)
    var index = postingCodes.lastIndex(notAbove: range.lowerBound) ?? 0
    while index < postingCodes.count, postingCodes[index] < range.upperBound {
      let postings = try postings(at: index, in: file, decompressor, &buffer)
      lists += try postings.lists(of: range, from: first.number, entryTimes) { _ in true }
      index += 1
    }
    return lists
  }

  /// The outline of the segment's map, if it can be read.
  func outline(_ storage: any Storage, _ decompressor: ZstandardDecompressor) -> MapOutline? {
    postingOffsets.last.flatMap {
      Self.outline(at: $0 + rosterByteCount, in: path, header.syncMarker, storage, decompressor)
    }
  }

  /// The outline in an index, whatever segment the index was made for.
  static func outline(
    in path: String, _ storage: any Storage, _ decompressor: ZstandardDecompressor
  ) -> MapOutline? {
    guard let (header, directory, end) = try? readDirectory(path, storage),
      directory.hasValidByteCounts
    else { return nil }
    let offset = Int(
      directory.postingByteCounts.reduce(Int64(end) &+ directory.rosterByteCount, &+))
    return outline(at: offset, in: path, header.syncMarker, storage, decompressor)
  }

  private static func outline(
    at offset: Int, in path: String, _ marker: [UInt8], _ storage: any Storage,
    _ decompressor: ZstandardDecompressor
  ) -> MapOutline? {
    guard let file = try? storage.open(path, .read), let end = try? file.byteCount(),
      offset >= 0, offset < end
    else { return nil }
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], [])
    guard (try? file.read(end - offset, at: offset, appendingTo: &bytes)) != nil else { return nil }
    var reader = BinaryReader(bytes.span.bytes)
    guard let block = try? ContainerBlock(from: &reader, syncMarker: marker), block.count == 1,
      let byteCount = try? decompressor.decompress(
        bytes.span.bytes.extracting(block.payload), into: &buffer)
    else { return nil }
    var values = BinaryReader(buffer.span.bytes.extracting(first: byteCount))
    guard (try? values.takeLong()) == IndexFile.mapBranch, let map = try? IndexedMap(from: &values),
      values.isAtEnd
    else { return nil }
    return map.outline
  }

  /// Who owns what was created in the segment.
  ///
  /// - Throws: ``AvroError`` or ``StorageError`` when the index cannot be read.
  func roster(
    _ storage: any Storage, _ decompressor: ZstandardDecompressor
  ) throws -> Roster {
    guard let start = postingOffsets.last else { throw AvroError.trailingBytes }
    var buffer: [UInt8] = []
    return try record(
      IndexFile.rosterBranch, in: start..<start + rosterByteCount, of: storage.open(path, .read),
      decompressor, &buffer)
  }

  /// Reads a block of postings through a buffer.
  private func postings(
    at index: Int, in file: any StorageFile, _ decompressor: ZstandardDecompressor,
    _ buffer: inout [UInt8]
  ) throws -> Postings {
    try record(
      IndexFile.postingsBranch, in: postingOffsets[index]..<postingOffsets[index + 1], of: file,
      decompressor, &buffer)
  }

  /// Reads the one record of a block through a buffer.
  private func record<Record: AvroRecord>(
    _ branch: Int64, in range: Range<Int>, of file: any StorageFile,
    _ decompressor: ZstandardDecompressor, _ buffer: inout [UInt8]
  ) throws -> Record {
    var bytes: [UInt8] = []
    try file.read(range.count, at: range.lowerBound, appendingTo: &bytes)
    var reader = BinaryReader(bytes.span.bytes)
    let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
    let byteCount = try decompressor.decompress(
      bytes.span.bytes.extracting(block.payload), into: &buffer)
    var values = BinaryReader(buffer.span.bytes.extracting(first: byteCount))
    guard block.count == 1, try values.takeLong() == branch else { throw AvroError.trailingBytes }
    let record = try Record(from: &values)
    guard values.isAtEnd else { throw AvroError.trailingBytes }
    return record
  }
}

extension IndexDirectory {
  /// Whether the sizes of the blocks are sizes of blocks.
  fileprivate var hasValidByteCounts: Bool {
    postingByteCounts.allSatisfy { 0...Int64(Int32.max) ~= $0 }
      && 0...Int64(Int32.max) ~= rosterByteCount
  }
}
