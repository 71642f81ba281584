import Avro

/// The intact parts of a damaged journal in order, and the losses between them.
///
/// Sectors that cannot be read count as damage. A segment is identified by its own header, even if
/// the file has another segment's name. A segment with a damaged header is searched for commits in
/// a schema of its neighbours.
package struct JournalSalvage: Sendable {
  /// The id of the book; nil when no segment holds it.
  package let book: String?
  /// The damage that a verification finds.
  package let damages: [Damage]
  /// Bytes at the journal's end with nothing intact after them: a commit that was never
  /// acknowledged, or a damaged one. They are left out.
  package let torn: TornTail?
  /// The losses, in the order of the journal. They may be less than the damage: a commit is intact,
  /// too, when only the bytes around it are damaged.
  package private(set) var losses: [Damage] = []
  private let journal: Journal
  private var segments: [SalvagedSegment] = []
  private var plan: [Step] = []

  /// The next step: a loss, or an intact piece.
  private enum Step {
    case loss(Int)
    /// A piece of a segment, the position of its first entry, and how many of its entries belong to
    /// the journal; nil when the position is uncertain.
    case piece(segment: Int, piece: Int, first: Position, count: Int?)
  }

  /// Searches a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - schemaTexts: Schemas that entries may have when no header gives one.
  ///   - progress: Receives how many bytes were read, and how many there are.
  /// - Throws: ``JournalError`` when there is no journal, or its directory cannot be read.
  package init(
    of journal: Journal, schemaTexts: [String] = [],
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) {
    let found = try journal.verify(progress: progress)
    (book, damages, torn) = (found.book, found.damages, found.torn)
    self.journal = Journal(
      directory: journal.directory, storage: ZeroFillingStorage(journal.storage))
    let candidates = try SegmentCandidate.all(of: self.journal, book: book)
    var latest = Int64.min
    for (index, candidate) in candidates.enumerated() {
      let texts = Self.near(index, candidates) + schemaTexts
      let segment = try candidate.salvage(
        in: self.journal, book: book ?? "", schemaTexts: texts, after: latest,
        isLast: index == candidates.count - 1)
      guard let segment else { continue }
      latest = segment.latest
      segments.append(segment)
    }
    layOut(try self.journal.segments())
  }

  /// The schemas of the nearest segments, nearest first.
  private static func near(_ index: Int, _ candidates: [SegmentCandidate]) -> [String] {
    var texts: [String] = []
    for distance in 0..<candidates.count {
      for place in [index - distance, index + distance] where candidates.indices.contains(place) {
        if let text = candidates[place].schemaText, !texts.contains(text) { texts.append(text) }
      }
    }
    return texts
  }

  /// Determines the order of the pieces, and how many entries each gap may have held.
  private mutating func layOut(_ names: [SegmentName]) {
    var expected: Position? = .start.next
    for (index, segment) in segments.enumerated() {
      let first = segment.name.first
      if let expected, expected < first { lose(missing: expected, before: first) }
      let successor = index + 1 < segments.count ? segments[index + 1].name.first : nil
      let last = segment.header.seal?.last ?? successor.map { Position($0.number - 1) }
      layOut(segment, index, to: last)
      let end = first.advanced(by: segment.entryCount)
      expected = segment.claims.isEmpty ? last.map { min(end, $0.next) } ?? end : last?.next
    }
    // A name shows that there was a segment, whatever the file holds now.
    if let name = names.last, segments.last.map({ $0.name < name }) ?? true {
      lose(missing: expected ?? name.first, before: nil)
    }
  }

  private mutating func lose(missing first: Position, before next: Position?) {
    let known = damages.first { $0.first == first }
    plan.append(.loss(losses.count))
    losses.append(
      Damage(
        file: known?.file ?? journal.path(of: SegmentName(first: first)),
        offset: known?.offset ?? 0, first: first, last: next.map { Position($0.number - 1) },
        reason: known?.reason ?? "its entries are not there"))
  }

  private mutating func layOut(_ segment: SalvagedSegment, _ index: Int, to last: Position?) {
    let placed = Placement.place(
      from: segment.name.first, to: last, runs: segment.runs, claims: segment.claims)
    var (next, isPlaced, gap) = (segment.name.first, true, 0)
    for (number, piece) in segment.pieces.enumerated() {
      switch piece {
      case .blocks(_, let count), .frame(_, let count):
        // Entries beyond the start of the next segment do not belong to the journal.
        let room = last.map { max(0, Int($0.number - next.number) + 1) } ?? count
        plan.append(
          .piece(
            segment: index, piece: number, first: next, count: isPlaced ? min(count, room) : nil))
        next = next.advanced(by: count)
      case .gap(let range, _, let reason):
        let loss = placed[gap]
        gap += 1
        if let count = loss.count { next = next.advanced(by: count) } else { isPlaced = false }
        guard let span = loss.span else { continue }
        plan.append(.loss(losses.count))
        losses.append(
          Damage(
            file: segment.path, offset: range.lowerBound, byteCount: range.count, first: span.first,
            last: span.last, reason: reason))
      }
    }
  }

  /// Goes through everything that is left, in order.
  ///
  /// - Parameters:
  ///   - block: Receives intact entries: the header with their schema, the entries, and whether
  ///     their positions are certain.
  ///   - loss: Receives the index in ``losses`` of what is lost between the blocks before and
  ///     after.
  /// - Throws: ``JournalError/storage(_:)``, or what the bodies throw.
  package func forEach(
    block: (SegmentHeader, borrowing Block, _ isPlaced: Bool) throws(JournalError) -> Void,
    loss: (Int) throws(JournalError) -> Void
  ) throws(JournalError) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    for step in plan {
      switch step {
      case .loss(let index): try loss(index)
      case .piece(let number, let piece, let first, let count):
        let segment = segments[number]
        var left = count ?? .max
        try segment.read(segment.pieces[piece], at: first, in: journal, decompressor) {
          found throws(JournalError) in
          let taken = min(left, found.count)
          left -= taken
          guard taken > 0 else { return }
          try block(
            segment.header, try found.prefix(taken, segment.header.schemaText), count != nil)
        }
      }
    }
  }
}

extension Block {
  /// The first entries.
  @_lifetime(copy self)
  fileprivate func prefix(_ count: Int, _ schemaText: String) throws(JournalError) -> Block {
    guard count < self.count else { return self }
    var reader = BinaryReader(bytes)
    do throws(AvroError) {
      let scanner = try EntryScanner(schemaText: schemaText)
      for _ in 0..<count { _ = try scanner.scan(over: &reader) }
    } catch {
      throw corruption("its entries cannot be read (\(error))")
    }
    return Block(
      first: first, count: count, bytes: bytes.extracting(first: reader.offset), place: place)
  }
}
