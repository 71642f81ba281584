import Avro

/// A sealed segment with an outline and with its entries by entity.
struct OutlinedSegment {
  /// The result of using one.
  enum Result {
    case taken
    /// The kept data is of other entries than those sealed.
    case misread
    case absent
  }

  private let header: SegmentHeader
  private let outline: MapOutline
  /// Returns the entries about the entities of a kind.
  private let entries:
    (String, Range<Int64>) -> [(number: Int32, position: Position, bytes: [UInt8])]?
  private let seal: SegmentHeader.Seal
  private let blind: Digest
  private let kinds: [String]
  private let scanner: ValueScanner
  private let erased: [Position: Digest]

  /// Looks up a segment; fails when there is no data about it.
  init?(_ header: SegmentHeader, _ source: some MapSource) {
    guard let seal = header.seal, let blind = header.blind, let erased = header.erased,
      let outline = source.outline(of: header),
      let known = try? KnownSchemas.find(header.schemaText),
      outline.trees.count == known.aggregates.kinds.count
    else { return nil }
    self.header = header
    self.outline = outline
    entries = { source.entries(of: header, about: $0, $1) }
    self.seal = seal
    self.blind = blind
    kinds = known.aggregates.kinds
    scanner = known.scanner
    self.erased = Dictionary(
      erased.map { ($0.position, $0.commitment) }, uniquingKeysWith: { first, _ in first })
  }

  /// What the segment shows of some entities; nil when that does not lead to the seal.
  func shown(_ subjects: [ProvenSubject]) -> ProvenSegment? {
    var salts = header.salts
    var ways = [ProvenKind?](repeating: nil, count: subjects.count)
    var digests: [Digest] = []
    var others: [Digest] = []
    for (kind, tree) in zip(kinds, outline.trees) {
      let key = MapKey(of: kind, through: seal.last, blind: blind)
      let outlined = OutlinedTree(tree, key)
      var shown: Digest?
      for (index, subject) in subjects.enumerated() where subject.kind == kind {
        let way = outlined.opening(of: subject.number) { things(kind, $0, &salts) }
        guard let way, let digest = way.digest(of: subject.number), shown == nil || shown == digest
        else { return nil }
        ways[index] = way
        shown = digest
      }
      guard let digest = shown ?? outlined.digest else { return nil }
      digests.append(digest)
      if shown == nil { others.append(digest) }
    }
    let found = ways.compactMap(\.self)
    let entries = EntriesDigest.digest(
      of: [Digest(of: header.schemaText.utf8), outline.content, ProvenKind.root(of: digests)])
    guard found.count == subjects.count, entries == seal.entries else { return nil }
    return ProvenSegment(
      last: seal.last, schemaText: header.schemaText, content: outline.content, others: others,
      ways: found)
  }

  /// All entries about the entities in a range of numbers, in the order of the map.
  private func things(
    _ kind: String, _ numbers: Range<Int64>, _ salts: inout SaltTree?
  ) -> [OutlinedTree.Thing]? {
    guard let entries = entries(kind, numbers) else { return nil }
    var things: [OutlinedTree.Thing] = []
    for (number, position, bytes) in entries {
      guard let entry = entry(at: position, bytes, &salts) else { return nil }
      if things.last?.number != number { things.append((number, [])) }
      things[things.count - 1].entries.append(entry)
    }
    return things
  }

  /// The public form of an entry, and the commitment to the rest.
  private func entry(
    at position: Position, _ bytes: [UInt8], _ salts: inout SaltTree?
  ) -> ProvenEntry? {
    let block = Block(first: position, count: 1, bytes: bytes.span.bytes, of: "entry")
    guard let personal = try? PersonalEntries(of: block, scanner) else { return nil }
    guard let found = personal.entries.first else {
      return ProvenEntry(position: position, form: bytes[...], commitment: erased[position])
    }
    let ordinal = Int(position.number - header.first.number)
    guard erased[position] == nil, let salt = salts?.salt(at: ordinal) else { return nil }
    var form: [UInt8] = []
    var copied = 0
    for field in personal.fields[found.fields] {
      form += bytes[copied..<field.range.lowerBound]
      form.append(field.blank)
      copied = field.range.upperBound
    }
    form += bytes[copied...]
    return ProvenEntry(
      position: position, form: form[...],
      commitment: personal.commitment(to: found, at: position, in: bytes.span.bytes, salt))
  }
}
