import Avro
import Daybook
import Journal

/// The index of the idempotency keys in one sealed segment; it answers whether a key is among them.
///
/// Layout: a file beside its segment (`….keys`), with little-endian numbers.
///
///     head     "daykeys1", the segment's sync marker (16 bytes), how many keys, how many blocks;
///              of each block its offset in the segment's file and the position of its first entry;
///              a checksum; zeros up to a whole page
///     pages    of 4096 bytes: the hashes of 408 keys (``Key/searchHash``), ascending through the file;
///              of each the number of its block, in 2 bytes; 8 zeros; a checksum
///
/// A key takes 10.04 bytes. Hashes are evenly spread, so a hash's value predicts its page, and a
/// lookup reads one or two pages, however many there are. The index is valid iff its checksums are
/// right; each covers the segment's marker and the page's number. It is disposable: where it is
/// missing, the segment itself is read.
struct KeyIndex: Sendable {
  static let (pageByteCount, pageKeyCount) = (4096, 408)
  private static let magic = Array("daykeys1".utf8)

  /// A key's hash, and the block of the segment that holds its entry.
  struct Item: Comparable {
    var hash: UInt64
    var block: UInt16

    static func < (left: Item, right: Item) -> Bool {
      (left.hash, left.block) < (right.hash, right.block)
    }
  }

  /// A block of the segment: its offset in the file, and the position of its first entry.
  typealias Place = (offset: Int, position: Position)

  /// The file holds something other than what was written.
  struct Damaged: Error {}

  /// How many keys there are.
  let count: Int
  private let blocks: [Place]
  private let seed: UInt64
  private let firstPage: Int
  private let file: any StorageFile

  /// Opens the index of a sealed segment; fails when there is none that fits it.
  init?(of header: SegmentHeader, in journal: Journal) {
    let path = Self.path(of: SegmentName(first: header.first), in: journal)
    guard header.seal != nil, let file = try? journal.storage.open(path, .read),
      let head = try? Self.readHead(of: file), head.starts(with: Self.magic),
      Array(head[8..<24]) == header.marker
    else { return nil }
    let (count, blockCount) = (head.number(at: 24), head.number(at: 32))
    seed = Self.seed(header.marker)
    guard Self.isWhole(head, seed), (try? file.byteCount()) == head.count + Self.byteCount(count)
    else { return nil }
    self.count = Int(count)
    blocks = (0..<Int(blockCount)).map { place in
      (
        Int(truncatingIfNeeded: head.number(at: 40 + 16 * place)),
        Position(Int64(truncatingIfNeeded: head.number(at: 48 + 16 * place)))
      )
    }
    firstPage = head.count
    self.file = file
  }

  /// The blocks that may hold the entry of a key with a hash, ascending.
  ///
  /// - Throws: ``Damaged`` or `StorageError`; then the segment must be read.
  func places(of hash: UInt64) throws -> [Place] {
    guard var (number, page) = try firstPage(reaching: hash) else { return [] }
    var places: [Place] = []
    while true {
      for place in 0..<page.count where page.hash(place) == hash {
        guard let block = blocks[at: page.block(place)] else { throw Damaged() }
        places.append(block)
      }
      guard page.hash(page.count - 1) == hash, number + 1 < pageCount else { return places }
      number += 1
      page = try self.page(number)
    }
  }

  /// Whether all pages are undamaged and in ascending order.
  func isWhole() -> Bool {
    var last: UInt64 = 0
    for number in 0..<pageCount {
      guard let page = try? page(number) else { return false }
      for place in 0..<page.count {
        guard page.hash(place) >= last, page.block(place) < blocks.count else { return false }
        last = page.hash(place)
      }
    }
    return true
  }

  private var pageCount: Int { (count + Self.pageKeyCount - 1) / Self.pageKeyCount }

  /// The first page whose last hash is not below a hash. It is sought at its predicted place, then
  /// next to that, then by binary search.
  private func firstPage(reaching hash: UInt64) throws -> (number: Int, page: Page)? {
    var (low, high) = (0, pageCount)
    var found: (number: Int, page: Page)?
    var guess = Int(hash.multipliedFullWidth(by: UInt64(pageCount)).high)
    var steps = 0
    while low < high {
      let page = try page(guess)
      steps += 1
      if page.hash(page.count - 1) < hash {
        low = guess + 1
        guess = steps < 4 ? low : (low + high) / 2
      } else {
        found = (guess, page)
        guard page.hash(0) >= hash else { break }
        high = guess
        guess = steps < 4 ? high - 1 : (low + high) / 2
      }
    }
    return found
  }

  /// One page of keys.
  private struct Page {
    let bytes: [UInt8]
    let count: Int

    func hash(_ place: Int) -> UInt64 { bytes.number(at: 8 * place) }
    func block(_ place: Int) -> Int {
      let offset = 8 * KeyIndex.pageKeyCount + 2 * place
      return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }
  }

  private func page(_ number: Int) throws -> Page {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.pageByteCount)
    try file.read(
      Self.pageByteCount, at: firstPage + number * Self.pageByteCount, appendingTo: &bytes)
    guard bytes.count == Self.pageByteCount, Self.isWhole(bytes, seed &+ UInt64(number) &+ 1) else {
      throw Damaged()
    }
    return Page(bytes: bytes, count: min(Self.pageKeyCount, count - number * Self.pageKeyCount))
  }
}

// MARK: The file

extension KeyIndex {
  /// The path of a segment's key index.
  static func path(of segment: SegmentName, in journal: Journal) -> String {
    journal.path(of: segment).dropLast(5) + ".keys"
  }

  /// The file of a segment's key index; nil when the segment has more blocks than can be numbered.
  static func encoded(_ items: [Item], _ blocks: [Place], of header: SegmentHeader) -> [UInt8]? {
    guard blocks.count <= Int(UInt16.max) else { return nil }
    let seed = seed(header.marker)
    var file = magic + header.marker
    file.append(number: UInt64(items.count))
    file.append(number: UInt64(blocks.count))
    for block in blocks {
      file.append(number: UInt64(block.offset))
      file.append(number: UInt64(bitPattern: block.position.number))
    }
    file.close(seed)
    let items = items.sorted()
    for start in stride(from: 0, to: items.count, by: pageKeyCount) {
      let items = items[start..<min(items.count, start + pageKeyCount)]
      var page: [UInt8] = []
      page.reserveCapacity(pageByteCount)
      for item in items { page.append(number: item.hash) }
      page.append(contentsOf: [UInt8](repeating: 0, count: 8 * (pageKeyCount - items.count)))
      for item in items {
        page += [UInt8(truncatingIfNeeded: item.block), UInt8(truncatingIfNeeded: item.block >> 8)]
      }
      page.close(seed &+ UInt64(start / pageKeyCount) &+ 1)
      file += page
    }
    return file
  }

  /// The size in bytes of the pages for a number of keys.
  private static func byteCount(_ count: UInt64) -> Int {
    guard count <= UInt64(Int32.max) else { return -1 }
    return (Int(count) + pageKeyCount - 1) / pageKeyCount * pageByteCount
  }

  private static func readHead(of file: any StorageFile) throws -> [UInt8] {
    var head: [UInt8] = []
    try file.read(pageByteCount, at: 0, appendingTo: &head)
    guard head.count == pageByteCount else { throw Damaged() }
    let blockCount = head.number(at: 32)
    guard blockCount <= UInt64(UInt16.max) else { throw Damaged() }
    let byteCount = wholePages(40 + 16 * Int(blockCount) + 8)
    try file.read(byteCount - head.count, at: head.count, appendingTo: &head)
    guard head.count == byteCount else { throw Damaged() }
    return head
  }

  private static func seed(_ marker: [UInt8]) -> UInt64 { checksum(of: marker, 0) }

  /// Whether the last eight bytes are the checksum of those before them.
  private static func isWhole(_ bytes: [UInt8], _ seed: UInt64) -> Bool {
    checksum(of: bytes[..<(bytes.count - 8)], seed) == bytes.number(at: bytes.count - 8)
  }

  fileprivate static func checksum(of bytes: some Collection<UInt8>, _ seed: UInt64) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return stride(from: 0, to: bytes.count & ~7, by: 8).reduce(splitMix(seed)) { sum, offset in
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return splitMix(sum ^ UInt64(littleEndian: word))
      }
    } ?? 0
  }

  fileprivate static func wholePages(_ byteCount: Int) -> Int {
    (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount
  }
}

extension [UInt8] {
  /// The little-endian number of eight bytes at an offset.
  ///
  /// - Precondition: there are eight bytes.
  func number(at offset: Int) -> UInt64 {
    withUnsafeBytes { bytes in
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  mutating func append(number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Pads to whole pages with zeros and ends with a checksum of everything before it.
  fileprivate mutating func close(_ seed: UInt64) {
    let end = KeyIndex.wholePages(count + 8)
    append(contentsOf: [UInt8](repeating: 0, count: end - 8 - count))
    append(number: KeyIndex.checksum(of: self, seed))
  }
}

extension Array {
  /// The element at an index, if there is one.
  fileprivate subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
