import Avro

extension Journal {
  /// Shows all entries about some things, and what leads from them to the book's head.
  ///
  /// All entries are read, and sealed segments held against their seals.
  ///
  /// - Parameter subjects: The things; no two of a kind.
  /// - Returns: The head, and the segments in their order; nothing when a segment is of format 1 or 2.
  /// - Throws: ``JournalError``.
  package func prove(
    about subjects: [ProvenSubject]
  ) throws(JournalError) -> (head: Head, segments: [ProvenSegment])? {
    let names = try segments()
    let book = try header(of: names[0]).book
    var prover = SegmentProver(subjects, Head(book: book))
    var isProvable = true
    _ = try readBlocks { header, block throws(JournalError) in
      isProvable = header.format > 2
      guard isProvable else { return false }
      try prover.add(block, header)
      return true
    }
    guard isProvable else { return nil }
    try prover.finish()
    return (prover.head, prover.segments)
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

  /// Takes the next block.
  mutating func add(_ block: borrowing Block, _ header: SegmentHeader) throws(JournalError) {
    if open?.header.first != header.first {
      try finish()
      open = (header, EntriesDigest(of: header, after: created), head.position)
    }
    let personal = try PersonalEntries(of: block, scanners.scanner(of: header, block))
    open?.digest.update(block.count, in: block.bytes, from: block.first, personal)
    open?.last = block.first.advanced(by: block.count - 1)
  }

  /// Ends the segment at hand.
  mutating func finish() throws(JournalError) {
    guard let (header, entriesSoFar, last) = open else { return }
    open = nil
    var digest = entriesSoFar
    digest.end()
    let flaw = digest.flaw
    guard flaw == nil, let map = digest.aggregates else {
      throw Self.corruption(flaw ?? "it has no map", header)
    }
    // The ways come to the digests of their kinds: nothing is digested twice.
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
