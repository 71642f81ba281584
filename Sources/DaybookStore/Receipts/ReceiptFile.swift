import Avro
import Daybook
import Journal

/// The receipts of one segment's lines, from which answers are repeated without deciding anything.
///
/// Layout: a file beside its segment (`….receipts`), with little-endian numbers.
///
///     head     "daykept1"; the sync marker that the segment's header had before it was sealed (16 bytes);
///              what answers mean (``meaning``); how many blocks are listed
///     list     of each such block the position of its first receipt and its offset in the file
///     blocks   the position of the first receipt; how many bytes the frame has, in 4 bytes; a zstd frame: receipts
///              by ascending position (``KeptReceipt``)
///
/// While a segment is active, each commit appends a block and none is listed: the file is read once
/// to find them. When the segment is sealed, the file is rewritten with larger, listed blocks, so
/// that a lookup reads one block.
///
/// There are no checksums: each receipt has a digest of itself, its line and its entry, and is
/// valid iff the digest is right. The file is disposable: where a receipt is missing, the line is
/// decided again.
struct ReceiptFile: Sendable {
  private static let magic = Array("daykept1".utf8)
  private static let headByteCount = 40
  private static let blockHeadByteCount = 12
  /// About how many bytes of receipts a block holds.
  static let blockByteCount = 32 << 10
  /// Longer answers are not kept, so that a block is read quickly.
  static let largestAnswerByteCount = 1 << 20
  /// The largest size of a file.
  private static let largestByteCount = 1 << 26

  /// The fingerprint of the rules that decide commands and of the form of rows. Receipts of another
  /// Daybook are ignored.
  static let meaning: UInt64 = {
    let text = SnapshotHeader.fingerprint + BookState.schema.encoded
    return text.utf8.reduce(0) { splitMix($0 ^ UInt64($1)) }
  }()

  /// A block: the position of its first receipt, and its offset in the file.
  private typealias Place = (position: Int64, offset: Int)

  /// The file holds something other than what was written.
  struct Damaged: Error {}

  /// Whether the blocks are listed; nothing is appended to such a file.
  let isListed: Bool
  private let isWritable: Bool
  private let file: any StorageFile
  private var places: [Place]
  /// Where the last block ends.
  private var byteCount: Int

  /// Opens the receipts of a segment; fails when there are none that fit it.
  init?(of segment: SegmentName, _ access: FileAccess, in journal: Journal) {
    let path = Self.path(of: segment, in: journal)
    guard let file = try? journal.storage.open(path, access),
      let header = try? journal.header(of: segment),
      let end = try? file.byteCount(), end <= Self.largestByteCount,
      let head = try? Self.read(Self.headByteCount, at: 0, of: file),
      head.starts(with: Self.head(of: header))
    else { return nil }
    self.file = file
    let count = head.number(at: 32)
    isListed = count > 0
    isWritable = access != .read
    if isListed {
      guard count <= UInt64(end / 16),
        let list = try? Self.read(16 * Int(count), at: Self.headByteCount, of: file)
      else { return nil }
      places = (0..<Int(count)).map { place in
        (
          Int64(truncatingIfNeeded: list.number(at: 16 * place)),
          Int(truncatingIfNeeded: list.number(at: 16 * place + 8))
        )
      }
      byteCount = end
    } else {
      guard let (found, end) = try? Self.scan(file, end) else { return nil }
      (places, byteCount) = (found, end)
    }
  }

  /// Creates an empty file for a segment's receipts and replaces an existing one.
  ///
  /// - Throws: `StorageError`.
  init(creating segment: SegmentName, in journal: Journal) throws {
    var head = Self.head(of: try journal.header(of: segment))
    file = try journal.storage.open(Self.path(of: segment, in: journal), .create)
    (isListed, isWritable, places) = (false, true, [])
    head.append(number: 0)
    try file.write(head, at: 0)
    byteCount = head.count
  }

  /// The path of a segment's receipts.
  static func path(of segment: SegmentName, in journal: Journal) -> String {
    journal.path(of: segment).dropLast(5) + ".receipts"
  }

  private static func head(of header: SegmentHeader) -> [UInt8] {
    var head = magic + header.unsealedMarker
    head.append(number: meaning)
    return head
  }

  // MARK: Reading

  /// The receipt of the command whose first entry has a position, with its digest; nil when there
  /// is none.
  ///
  /// - Throws: ``Damaged``, `AvroError` or `StorageError`.
  func receipt(at position: Int64) throws -> (receipt: KeptReceipt, digest: [UInt8])? {
    guard let place = lastPlace(notAfter: position) else { return nil }
    var found: (KeptReceipt, [UInt8])?
    try forEachReceipt(ofBlock: place) { receipt, digest in
      if receipt.position == position { found = (receipt, digest) }
      return receipt.position < position
    }
    return found
  }

  /// Calls `body` with all receipts by ascending position; skips blocks that cannot be read.
  func forEachReceipt(_ body: (KeptReceipt, [UInt8]) throws -> Void) rethrows {
    for place in places.indices {
      var found: [(KeptReceipt, [UInt8])] = []
      try? forEachReceipt(ofBlock: place) { receipt, digest in
        found.append((receipt, digest))
        return true
      }
      for (receipt, digest) in found { try body(receipt, digest) }
    }
  }

  private func forEachReceipt(
    ofBlock place: Int, while body: (KeptReceipt, [UInt8]) throws -> Bool
  ) throws {
    let (first, offset) = places[place]
    let end = place + 1 < places.count ? places[place + 1].offset : byteCount
    let count = end.subtractingReportingOverflow(offset).partialValue
    guard Self.headByteCount..<end ~= offset,
      Self.blockHeadByteCount...Self.largestByteCount ~= count
    else { throw Damaged() }
    let block = try Self.read(count, at: offset, of: file)
    guard Self.frameByteCount(block, at: 0) == count - Self.blockHeadByteCount,
      Int64(truncatingIfNeeded: block.number(at: 0)) == first
    else { throw Damaged() }
    var buffer: [UInt8] = []
    let byteCount = try ZstandardDecompressor().decompress(
      block.span.bytes.extracting(droppingFirst: Self.blockHeadByteCount), into: &buffer)
    var reader = BinaryReader(buffer.span.bytes.extracting(first: byteCount))
    while !reader.isAtEnd {
      let (receipt, digest) = try KeptReceipt.take(after: first, from: &reader)
      guard try body(receipt, digest) else { return }
    }
  }

  private func lastPlace(notAfter position: Int64) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// Finds the blocks that are not listed, up to the first incomplete one.
  private static func scan(
    _ file: any StorageFile, _ end: Int
  ) throws -> (places: [Place], end: Int) {
    let bytes = try read(end, at: 0, of: file)
    var places: [Place] = []
    var offset = headByteCount
    while offset + blockHeadByteCount <= end {
      let count = frameByteCount(bytes, at: offset)
      let position = Int64(truncatingIfNeeded: bytes.number(at: offset))
      let next = offset + blockHeadByteCount + count
      guard count > 0, next <= end, position > places.last?.position ?? 0 else { break }
      places.append((position, offset))
      offset = next
    }
    return (places, offset)
  }

  private static func frameByteCount(_ bytes: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + 8 + $1]) << (8 * $1) }
  }

  private static func read(
    _ count: Int, at offset: Int, of file: any StorageFile
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    try file.read(count, at: offset, appendingTo: &bytes)
    guard bytes.count == count else { throw Damaged() }
    return bytes
  }
}

// MARK: Writing

extension ReceiptFile {
  /// Whether receipts from a position on can be appended. They can, unless somebody restored an
  /// older journal: the receipts in the file then reach past the position.
  func takes(from position: Int64) -> Bool {
    isWritable && !isListed && places.last?.position ?? 0 < position
  }

  /// Appends blocks of receipts that follow those in the file.
  ///
  /// - Throws: `StorageError`; nothing more may be appended after that.
  mutating func append(_ blocks: ReceiptBlocks) throws {
    guard byteCount + blocks.bytes.count <= Self.largestByteCount else { throw Damaged() }
    try file.write(blocks.bytes, at: byteCount)
    places += blocks.places.map { ($0.position, byteCount + $0.offset) }
    byteCount += blocks.bytes.count
  }

  /// Cuts off a torn block, so that appended bytes are not read as part of it.
  ///
  /// - Throws: `StorageError`.
  func cutTail() throws {
    if try file.byteCount() != byteCount { try file.truncate(to: byteCount) }
  }

  /// The file of a sealed segment, with its blocks listed.
  static func encoded(_ blocks: ReceiptBlocks, of header: SegmentHeader) -> [UInt8] {
    var file = head(of: header)
    file.append(number: UInt64(blocks.places.count))
    let start = file.count + 16 * blocks.places.count
    for place in blocks.places {
      file.append(number: UInt64(bitPattern: place.position))
      file.append(number: UInt64(start + place.offset))
    }
    return file + blocks.bytes
  }
}

/// Receipts in blocks, on their way into a file.
struct ReceiptBlocks {
  /// The blocks, one after another.
  private(set) var bytes: [UInt8] = []
  /// The position of each block's first receipt, and the block's offset among the bytes.
  private(set) var places: [(position: Int64, offset: Int)] = []
  private let compressor: ZstandardCompressor
  private var receipts = BinaryWriter()
  private var first: Int64 = 0

  /// Starts without receipts; the level is zstd's.
  ///
  /// - Throws: `AvroError` when there is no memory.
  init(level: Int) throws {
    compressor = try ZstandardCompressor(level: level)
  }

  /// Adds the next receipt; positions ascend.
  ///
  /// - Throws: `AvroError` when there is no memory.
  mutating func append(_ receipt: KeptReceipt, _ digest: [UInt8]) throws {
    if receipts.bytes.isEmpty { first = receipt.position }
    receipt.write(after: first, digest, to: &receipts)
    if receipts.bytes.count >= ReceiptFile.blockByteCount { try endBlock() }
  }

  /// Ends the last block.
  ///
  /// - Throws: `AvroError` when there is no memory.
  mutating func endBlock() throws {
    guard !receipts.bytes.isEmpty else { return }
    let frame = try compressor.compress(receipts.bytes)
    places.append((first, bytes.count))
    bytes.append(number: UInt64(bitPattern: first))
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: frame.count >> (8 * $0)) }
    bytes += frame
    receipts.removeAll()
  }
}
