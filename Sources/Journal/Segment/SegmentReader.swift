import Avro

/// Reads a segment block by block from the start, in memory bounded by the largest block.
struct SegmentReader: ~Copyable {
  let name: SegmentName
  let path: String
  let header: SegmentHeader
  /// The position of the next block's first entry.
  private(set) var next: Position
  /// The offset of the next block; everything before it is complete.
  private(set) var wholeByteCount: Int
  /// The offset of the block of the last step.
  private(set) var blockOffset = 0

  let file: any StorageFile
  private let decompressor: ZstandardDecompressor
  /// Bytes of the file from `windowOffset` on.
  private var window: [UInt8] = []
  private var windowOffset = 0
  private var decompressed: [UInt8] = []

  private static let readByteCount = 1 << 18

  /// Opens the segment with a name, or a file at another path that will get the name.
  init(
    name: SegmentName, of journal: Journal, at otherPath: String? = nil,
    decompressor: ZstandardDecompressor
  ) throws(JournalError) {
    let storage = journal.storage
    let path = otherPath ?? journal.path(of: name)
    let file = try onDisk { () throws(StorageError) in try storage.open(path, .read) }
    let (header, byteCount, window) = try Self.readHeader(of: file, path: path, name: name)
    self.name = name
    self.path = path
    self.file = file
    self.decompressor = decompressor
    self.header = header
    self.window = window
    next = name.first
    wholeByteCount = byteCount
  }

  /// Opens a segment, whose header was read before, at one of its blocks: the block's offset in the
  /// file, and the position of its first entry.
  init(
    under header: SegmentHeader, of journal: Journal, from start: (offset: Int, position: Position),
    decompressor: ZstandardDecompressor
  ) throws(JournalError) {
    let (storage, name) = (journal.storage, SegmentName(first: header.first))
    let path = journal.path(of: name)
    file = try onDisk { () throws(StorageError) in try storage.open(path, .read) }
    self.name = name
    self.path = path
    self.header = header
    self.decompressor = decompressor
    next = start.position
    wholeByteCount = start.offset
    windowOffset = start.offset
  }

  private static func readHeader(
    of file: any StorageFile, path: String, name: SegmentName
  ) throws(JournalError) -> (SegmentHeader, Int, [UInt8]) {
    var count = 1 << 16
    while true {
      var window: [UInt8] = []
      try onDisk { () throws(StorageError) in
        try file.read(count, at: 0, appendingTo: &window)
      }
      var reader = BinaryReader(window.span.bytes)
      let container: ContainerHeader
      do throws(AvroError) { container = try ContainerHeader(from: &reader) } catch {
        // A header longer than the window looks truncated, so more is read if there is more.
        guard window.count == count, count < 1 << 26 else {
          throw .corrupt(
            .init(
              file: path, offset: 0, after: Position(name.first.number - 1),
              reason: "the header cannot be read (\(error))"))
        }
        count *= 4
        continue
      }
      let byteCount = reader.offset
      let header = try SegmentHeader(
        container, bytes: window[0..<byteCount], file: path, name: name)
      return (header, byteCount, window)
    }
  }

  /// The result of a step.
  enum Step {
    case block(count: Int, byteCount: Int)
    case end
    /// The bytes from `wholeByteCount` on form no complete block.
    case damage(String)
  }

  /// Steps over the next block.
  mutating func step() throws(JournalError) -> Step {
    try require(20)
    let start = wholeByteCount - windowOffset
    if window.count == start {
      guard let seal = header.seal, next != seal.last.next else { return .end }
      return .damage("it ends at entry \(next.number - 1), and was sealed with \(seal.last)")
    }
    var payload = 0..<0
    var count = 0
    var end = 0
    do {
      while true {
        var reader = BinaryReader(
          window.span.bytes.extracting(droppingFirst: wholeByteCount - windowOffset))
        let byteCountNeeded: Int
        do throws(AvroError) {
          let block = try ContainerBlock(from: &reader, syncMarker: header.container.syncMarker)
          let base = wholeByteCount - windowOffset
          payload = block.payload.lowerBound + base..<block.payload.upperBound + base
          count = block.count
          end = block.end
          break
        } catch .truncated {
          byteCountNeeded = try Self.neededByteCount(
            window.span.bytes.extracting(droppingFirst: wholeByteCount - windowOffset))
        }
        guard try requireMore(byteCountNeeded) else { throw AvroError.truncated }
      }
      guard count > 0 else { return .damage("a block holds no entries") }
      let window = window
      let byteCount = try decompressor.decompress(
        window.span.bytes.extracting(payload), into: &decompressed)
      blockOffset = wholeByteCount
      wholeByteCount += end
      next = next.advanced(by: count)
      return .block(count: count, byteCount: byteCount)
    } catch let error as AvroError {
      return .damage("\(error)")
    } catch let error as JournalError {
      throw error
    } catch {
      return .damage("\(error)")
    }
  }

  /// Moves to the block at an offset; its first entry has the position.
  mutating func seek(to offset: Int, _ position: Position) {
    wholeByteCount = offset
    next = position
    refresh()
  }

  /// The range in the file of the block of the last step; empty when there was none.
  var lastBlock: Range<Int> {
    blockOffset > 0 ? blockOffset..<wholeByteCount : wholeByteCount..<wholeByteCount
  }

  /// The block of the last step.
  @_lifetime(borrow self)
  func block(count: Int, byteCount: Int) -> Block {
    Block(
      first: Position(next.number - Int64(count)), count: count,
      bytes: decompressed.span.bytes.extracting(first: byteCount), place: (path, blockOffset))
  }

  /// Whether a complete block begins anywhere after the damage at `wholeByteCount`.
  ///
  /// This distinguishes a torn tail, which nothing follows, from damage in the middle.
  mutating func wholeBlockFollows() throws(JournalError) -> Bool { try !nextWholeBlock().isEmpty }

  /// The offsets at which the next complete block after the damage at `wholeByteCount` may begin;
  /// empty when there is none.
  ///
  /// Bytes before a count may look like part of it. All offsets that lead to the same frame are
  /// returned; only at one of them does the count match the entries.
  mutating func nextWholeBlock() throws(JournalError) -> [Int] {
    let start = wholeByteCount
    let left = max(0, try fileByteCount() - start)
    // The next block is usually near; otherwise all the rest is searched.
    for byteCount in [min(left, 4 * Self.readByteCount), left] {
      var rest: [UInt8] = []
      try onDisk { () throws(StorageError) in
        try file.read(byteCount, at: start, appendingTo: &rest)
      }
      let starts = wholeBlock(in: rest)
      if !starts.isEmpty || byteCount == left { return starts.map { start + $0 } }
    }
    return []
  }

  /// The offsets at which the first complete block may begin, in bytes that begin with damage.
  ///
  /// A block is sought by the first bytes of its zstd frame, so that neither a damaged length nor a
  /// damaged marker hides it.
  private mutating func wholeBlock(in rest: [UInt8]) -> [Int] {
    guard rest.count > 24 else { return [] }
    for payload in 7..<rest.count - 4 where Self.isFrame(at: payload, in: rest) {
      // The first five bytes are the damaged block's own count: read from its middle, the block may
      // look complete.
      let starts = (max(5, payload - 10)..<payload).filter { start in
        var reader = BinaryReader(rest.span.bytes.extracting(droppingFirst: start))
        guard
          let block = try? ContainerBlock(from: &reader, syncMarker: header.container.syncMarker),
          block.payload.lowerBound + start == payload, block.count > 0
        else { return false }
        let frame = rest.span.bytes.extracting(payload..<payload + block.payload.count)
        return (try? decompressor.decompress(frame, into: &decompressed)) != nil
      }
      if !starts.isEmpty { return starts }
    }
    return []
  }

  /// Whether the bytes at an offset begin a zstd frame.
  static func isFrame(at offset: Int, in bytes: [UInt8]) -> Bool {
    bytes[offset] == 0x28 && bytes[offset + 1] == 0xB5 && bytes[offset + 2] == 0x2F
      && bytes[offset + 3] == 0xFD
  }

  /// The block at `wholeByteCount`, if its count, size and marker are right and only the bytes
  /// between them are damaged: the number of entries that it claims, and its end.
  func framedBlock() throws(JournalError) -> (count: Int, end: Int)? {
    var bytes: [UInt8] = []
    let start = wholeByteCount
    let left = max(0, try fileByteCount() - start)
    try onDisk { () throws(StorageError) in try file.read(20, at: start, appendingTo: &bytes) }
    guard let byteCount = try? Self.neededByteCount(bytes.span.bytes), byteCount <= left else {
      return nil
    }
    bytes = []
    try onDisk { () throws(StorageError) in
      try file.read(byteCount, at: start, appendingTo: &bytes)
    }
    var reader = BinaryReader(bytes.span.bytes)
    guard let block = try? ContainerBlock(from: &reader, syncMarker: header.container.syncMarker),
      block.count > 0
    else { return nil }
    return (block.count, start + block.end)
  }

  /// Forgets bytes read ahead, which a writer may have replaced since.
  mutating func refresh() {
    window.removeAll(keepingCapacity: true)
    windowOffset = wholeByteCount
  }

  func fileByteCount() throws(JournalError) -> Int {
    try onDisk { () throws(StorageError) in try file.byteCount() }
  }

  /// Makes the window hold `count` bytes from the next block on, or all there are.
  private mutating func require(_ count: Int) throws(JournalError) {
    if windowOffset + window.count - wholeByteCount < count { _ = try requireMore(count) }
  }

  /// Reads on from the start of the next block.
  ///
  /// Bytes of that block already in the window are read again, never extended: the block may have
  /// been torn when it was read, then cut off and overwritten. No checksum covers a count that is
  /// composed of both.
  private mutating func requireMore(_ count: Int) throws(JournalError) -> Bool {
    let held = windowOffset + window.count - wholeByteCount
    refresh()
    let wanted = max(Self.readByteCount, count)
    // A damaged length must not take more memory than the file fills.
    if wanted > Self.readByteCount {
      guard try windowOffset + wanted <= fileByteCount() else { return false }
    }
    try onDisk { () throws(StorageError) in
      try file.read(wanted, at: windowOffset, appendingTo: &window)
    }
    return window.count > held && window.count >= count
  }

  /// The length of a block, from its first bytes; throws when even these are incomplete.
  private static func neededByteCount(_ bytes: RawSpan) throws(AvroError) -> Int {
    var reader = BinaryReader(bytes)
    let byteCount = try ContainerBlock.takeHead(from: &reader).byteCount
    return reader.offset + byteCount + 16
  }
}
