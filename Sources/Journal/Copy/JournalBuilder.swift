import Avro

/// Builds a new journal from given entries; it becomes a book only when it is finished.
///
/// Entries are collected into blocks of about 256 KiB. The result is verified before it gets its
/// name.
package struct JournalBuilder: ~Copyable {
  private var stage: JournalStage
  private let book: String
  private let schemaText: String
  private let segmentByteCount: Int
  private let salts: SaltSource
  private let compressor: ZstandardCompressor
  private var segments: [SegmentName] = []
  private var segment: Segment?
  private var waiting: (count: Int, bytes: [UInt8]) = (0, [])
  private var next = Position.start.next

  /// The segment being written.
  private struct Segment: ~Copyable {
    let header: SegmentHeader
    var file: NewFile
    var byteCount: Int
  }

  private static let blockByteCount = 256 << 10

  /// Starts a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal. Its directory must not exist, or must be empty or left over from an
  ///     unfinished build.
  ///   - book: The new book's id.
  ///   - schemaText: The schema of an entry.
  ///   - notes: The names of files to be written beside the journal.
  ///   - segmentByteCount: The size at which a segment is full.
  ///   - salts: The source of the segments' salts.
  /// - Throws: ``JournalError/alreadyABook(path:)``, ``JournalError/notEmpty(path:)``,
  ///   ``JournalError/locked(path:holder:)``, or ``JournalError/storage(_:)``.
  package init(
    _ journal: Journal, book: String, schemaText: String, notes: [String] = [],
    segmentByteCount: Int = JournalWriter.segmentByteCount, salts: SaltSource = .system
  ) throws(JournalError) {
    // Both may throw, and nothing may be half initialised then.
    let compressor = try withCodec { () throws(AvroError) in try ZstandardCompressor() }
    let stage = try JournalStage(journal, notes: notes)
    self.compressor = compressor
    self.stage = stage
    self.book = book
    self.schemaText = schemaText
    self.segmentByteCount = segmentByteCount
    self.salts = salts
  }

  /// The position of the last entry.
  package var head: Position { Position(next.number - 1 + Int64(waiting.count)) }

  /// Adds an entry in Avro's binary encoding.
  ///
  /// - Throws: ``JournalError/storage(_:)``; then the journal must be abandoned.
  package mutating func append(_ entry: [UInt8]) throws(JournalError) {
    waiting.bytes += entry
    waiting.count += 1
    if waiting.bytes.count >= Self.blockByteCount { try flush() }
  }

  private mutating func flush() throws(JournalError) {
    guard waiting.count > 0 else { return }
    let bytes = waiting.bytes
    let payload = try withCodec { () throws(AvroError) in try compressor.compress(bytes) }
    if (segment?.byteCount ?? 0) + payload.count > segmentByteCount, isBegun { try closeSegment() }
    if segment == nil { try beginSegment() }
    let block = ContainerBlock.encode(
      count: waiting.count, payload: payload, syncMarker: segment?.header.marker ?? [])
    try segment?.file.write(block)
    segment?.byteCount += block.count
    next = next.advanced(by: waiting.count)
    waiting = (0, [])
  }

  /// Whether the segment has entries.
  private var isBegun: Bool { segments.last.map { $0.first < next } ?? false }

  private mutating func beginSegment() throws(JournalError) {
    let header = SegmentHeader(
      book: book, first: next, schemaText: schemaText, salts: salts.tree(for: next))
    let name = SegmentName(first: next)
    segments.append(name)
    var file = try NewFile(stage.begin(name), storage: stage.journal.storage)
    try file.write(header.container.encoded)
    segment = Segment(header: header, file: file, byteCount: header.container.encoded.count)
  }

  private mutating func closeSegment() throws(JournalError) {
    _ = try segment?.file.finish()
    segment = nil
  }

  /// Writes the remaining entries, verifies everything, writes the notes, and publishes the book.
  ///
  /// - Parameter notes: Makes the notes' contents by name, given the new book's head.
  /// - Returns: The head.
  /// - Throws: ``JournalError``; then there is no book.
  package mutating func finish(
    notes: (Head) -> [String: [UInt8]] = { _ in [:] }
  ) throws(JournalError) -> Head {
    let found: Verification
    do throws(JournalError) {
      try flush()
      if segment == nil { try beginSegment() }
      try closeSegment()
      var verifier = try JournalVerifier(stage.journal, segments, place: stage.place(of:))
      found = try verifier.run()
      if let damage = found.damages.first { throw damage.error(after: .start) }
    } catch {
      stage.abandon()
      throw error
    }
    guard let head = found.head else { throw .notABook(path: stage.journal.directory) }
    for (name, bytes) in notes(head).sorted(by: { $0.key < $1.key }) {
      try stage.write(bytes, to: name)
    }
    try stage.publish()
    return head
  }

  /// Removes what was built.
  package func abandon() { stage.abandon() }
}
