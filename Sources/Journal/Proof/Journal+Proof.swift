import Avro

/// Data kept beside sealed segments: outlines of their maps, and their entries by entity. Any of it
/// may be missing or wrong.
package protocol MapSource {
  /// The outline of a segment's map.
  func outline(of header: SegmentHeader) -> MapOutline?

  /// The entries about the entities of a kind in a range of numbers, by number and as recorded, in
  /// the segment's encoding.
  func entries(
    of header: SegmentHeader, about kind: String, _ numbers: Range<Int64>
  ) -> [(number: Int32, position: Position, bytes: [UInt8])]?
}

/// A proof of the entries about some entities.
package struct JournalProof: Sendable {
  /// The head of the book.
  package var head: Head
  /// The segments in order.
  package var segments: [ProvenSegment]
  /// The sealed segments whose entries differ from the data kept elsewhere; these segments were
  /// read instead.
  package var misread: [SegmentName]
}

extension Journal {
  /// Proves all entries about some entities, with what leads from them to the book's head.
  ///
  /// For a sealed segment with an outline, only the entries about the entities and their neighbours
  /// are requested; every other segment is read. Both are checked against the seal.
  ///
  /// - Parameters:
  ///   - subjects: The entities.
  ///   - source: The data kept beside sealed segments.
  /// - Returns: The proof; nil when a segment has format 1 or 2.
  /// - Throws: ``JournalError``.
  package func prove(
    about subjects: [ProvenSubject], with source: some MapSource
  ) throws(JournalError) -> JournalProof? {
    let names = try segments()
    let book = try header(of: names[0]).book
    var prover = SegmentProver(subjects, Head(book: book))
    var misread: [SegmentName] = []
    var isProvable = true
    func addBlock(
      _ header: SegmentHeader, _ block: borrowing Block
    ) throws(JournalError) -> Bool {
      isProvable = isProvable && header.format > 2
      guard isProvable else { return false }
      try prover.add(block, header)
      return true
    }
    for name in names.dropLast() {
      let header = try header(of: name)
      guard header.format > 2 else { return nil }
      try prover.checkOrder(of: header, path(of: name), book)
      switch header.seal == nil ? .absent : prover.add(header, source) {
      case .taken: continue
      case .misread: misread.append(name)
      case .absent: break
      }
      try readBlocks(of: name, addBlock)
      try prover.finish()
    }
    // The writer may have started a new segment since.
    if let last = names.last {
      try prover.checkOrder(of: header(of: last), path(of: last), book)
      _ = try readBlocks(from: last.first, addBlock)
    }
    guard isProvable else { return nil }
    try prover.finish()
    return JournalProof(head: prover.head, segments: prover.segments, misread: misread)
  }
}

/// Makes proofs of segments, one after another.
private struct SegmentProver {
  private let subjects: [ProvenSubject]
  /// The head after the segments so far.
  private(set) var head: Head
  private(set) var segments: [ProvenSegment] = []
  private var created = EntityCounts.none
  private var scanners = ScannerCache()
  private var open: (header: SegmentHeader, digest: EntriesDigest, last: Position)?

  init(_ subjects: [ProvenSubject], _ head: Head) {
    self.subjects = subjects
    self.head = head
  }

  /// Checks that a segment is the next one.
  ///
  /// - Throws: ``JournalError/corrupt(_:)``.
  func checkOrder(
    of header: SegmentHeader, _ path: String, _ book: String
  ) throws(JournalError) {
    let expected = head.position.next
    guard header.first == expected else {
      throw .corrupt(.gap(before: SegmentName(first: header.first), path, expected: expected))
    }
    guard header.book == book else {
      throw Self.corruption("the segment is of book \(header.book), not of \(book)", header)
    }
  }

  /// Adds a sealed segment from the data kept elsewhere.
  mutating func add(_ header: SegmentHeader, _ source: some MapSource) -> OutlinedSegment.Result {
    guard let segment = OutlinedSegment(header, source) else { return .absent }
    guard let seal = header.seal, let proven = segment.shown(subjects) else { return .misread }
    segments.append(proven)
    created = seal.created
    head = head.advanced(to: seal.last, seal.entries, format: header.format)
    return .taken
  }

  /// Adds the next block.
  mutating func add(_ block: borrowing Block, _ header: SegmentHeader) throws(JournalError) {
    if open?.header.first != header.first {
      try finish()
      open = (header, EntriesDigest(of: header, after: created), head.position)
    }
    let personal = try PersonalEntries(of: block, scanners.scanner(of: header, block))
    open?.digest.update(block.count, in: block.bytes, from: block.first, personal)
    open?.last = block.first.advanced(by: block.count - 1)
  }

  /// Ends the current segment.
  mutating func finish() throws(JournalError) {
    guard let (header, entriesSoFar, last) = open else { return }
    open = nil
    var digest = entriesSoFar
    digest.end()
    let flaw = digest.flaw
    guard flaw == nil, let map = digest.aggregates else {
      throw Self.corruption(flaw ?? "it has no map", header)
    }
    // The openings give the digests of their kinds, so nothing is digested twice.
    let ways = subjects.compactMap { map.opening(of: $0.kind, $0.number) }
    guard ways.count == subjects.count else {
      throw Self.corruption("its schema does not know what is to be proved", header)
    }
    var shown: [String: Digest] = [:]
    for (subject, way) in zip(subjects, ways) {
      shown[subject.kind] = way.digest(of: subject.number)
    }
    let kinds = map.names.map { shown[$0] ?? map.digest(of: $0) }
    let content = digest.content
    let entries = EntriesDigest.digest(of: [digest.schema, content, ProvenKind.root(of: kinds)])
    if let seal = header.seal, seal.entries != entries {
      throw Self.corruption("its entries are not those that were sealed", header)
    }
    let others = zip(map.names, kinds).filter { name, _ in
      !subjects.contains { $0.kind == name }
    }
    segments.append(
      ProvenSegment(
        last: last, schemaText: header.schemaText, content: content,
        others: others.map(\.1), ways: ways))
    created = digest.created
    head = head.advanced(to: last, entries, format: header.format)
  }

  private static func corruption(_ reason: String, _ header: SegmentHeader) -> JournalError {
    .corrupt(
      .init(
        file: SegmentName(first: header.first).fileName, offset: 0,
        after: Position(header.first.number - 1), reason: reason))
  }
}
