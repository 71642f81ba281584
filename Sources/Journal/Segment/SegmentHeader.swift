import Avro

/// The header of a segment: an Avro container's header with these keys of Daybook's own.
///
///     daybook.format     3
///     daybook.book       the book's id, a UUID; the same in every segment
///     daybook.first      the position of the segment's first entry
///     daybook.salts      the source of its entries' salts (``SaltTree``)
///     daybook.erased     the commitments to erased entries, if there are any
///     daybook.blind      protects the digests of entries from guessing (``AggregateMap``)
///
/// A sealed segment has four more:
///
///     daybook.last       the position of the segment's last entry
///     daybook.entries    the digest of its entries (``EntriesDigest``)
///     daybook.previous   the digest of the head before it
///     daybook.created    how many entities of each kind were created up to its end (``EntityCounts``)
///
/// Format 2 has no blind and no counts. Format 1 also lacks salts and erased entries. In format 1,
/// `daybook.previous` is the SHA-256 of the previous sealed file, or 64 zeros in the first segment.
///
/// The sync marker is the start of the SHA-256 of everything before it, so a header is valid iff
/// its marker fits: neither a damaged schema nor a damaged marker goes unnoticed.
package struct SegmentHeader: Sendable {
  /// The format that this Daybook writes, and the newest that it reads.
  package static let newestFormat = 3

  /// The format of the segment.
  package let format: Int
  /// The book's id.
  package let book: String
  /// The position of the segment's first entry.
  package let first: Position
  /// The seal of a sealed segment; nil for other segments.
  package let seal: Seal?
  let container: ContainerHeader

  /// What a sealed segment says about itself.
  package struct Seal: Hashable, Sendable {
    /// The position of the last entry.
    package let last: Position
    /// The digest of the entries.
    package let entries: Digest
    /// The digest of the head before the segment; in format 1, of the sealed file before it.
    package let previous: Digest
    /// How many entities of each kind were created up to the last entry; empty before format 3.
    package var created = EntityCounts.none
  }

  /// The writer's schema, as JSON text. It is always the same string: readers ask for it at every
  /// block, and a string compares equal to itself without being read.
  package let schemaText: String

  /// Sixteen bytes that stand for the header: different headers have different markers.
  package var marker: [UInt8] { container.syncMarker }

  /// The source of the entries' salts; nil when it cannot be read.
  var salts: SaltTree? { container["daybook.salts"].flatMap(SaltTree.init) }

  /// The erased entries, by position; nil when the list cannot be read.
  var erased: [ErasedEntry]? {
    guard let text = container["daybook.erased"] else { return [] }
    guard let list = ErasedEntry.list(text), list.first.map({ $0.position >= first }) ?? true else {
      return nil
    }
    return list
  }

  /// The blind that protects digests of entries from guessing; nil when it cannot be read.
  var blind: Digest? { container["daybook.blind"].flatMap { Digest($0) } }

  /// The positions of the erased entries, ascending; empty when the list cannot be read.
  package var erasedPositions: [Position] { (erased ?? []).map(\.position) }

  /// Whether entries may be appended: the segment is not sealed, has the newest format, and has salts
  /// for all further entries.
  var takesEntries: Bool {
    seal == nil && format == Self.newestFormat
      && container["daybook.salts"]?.hasPrefix("1:") == true
  }

  /// Makes the header of a new segment in the newest format. By default the blind is the one that
  /// follows from the salts.
  init(
    book: String, first: Position, schemaText: String, salts: SaltTree, erased: [ErasedEntry] = [],
    blind: Digest? = nil, seal: Seal? = nil
  ) {
    let secrets = Self.secrets(salts, erased, blind: blind ?? salts.blind ?? Digest.none)
    self.init(book, first, schemaText, format: Self.newestFormat, secrets, seal)
  }

  init(book: String, first: Position, schemaText: String, seal: Seal? = nil) {
    self.init(book, first, schemaText, format: 1, [], seal)
  }

  private static func secrets(
    _ salts: SaltTree, _ erased: [ErasedEntry], blind: Digest?
  ) -> [ContainerHeader.Entry] {
    var secrets = [ContainerHeader.Entry("daybook.salts", salts.text)]
    if !erased.isEmpty { secrets.append(.init("daybook.erased", ErasedEntry.text(erased))) }
    if let blind { secrets.append(.init("daybook.blind", blind.description)) }
    return secrets
  }

  /// The header of the same segment when it is sealed.
  func sealed(_ seal: Seal) -> SegmentHeader { with(seal) }

  /// The marker of the segment's header before it was sealed, if nothing was erased since.
  package var unsealedMarker: [UInt8] { seal == nil ? marker : with(nil).marker }

  private func with(_ seal: Seal?) -> SegmentHeader {
    let secrets = container.metadata.filter {
      ["daybook.salts", "daybook.erased", "daybook.blind"].contains($0.key)
    }
    return SegmentHeader(book, first, schemaText, format: format, secrets, seal)
  }

  /// The header of the same segment after an erasure: it keeps only some salts, and has the
  /// commitments to the erased entries.
  func erasing(_ erased: [ErasedEntry], leaving salts: SaltTree) -> SegmentHeader {
    SegmentHeader(
      book, first, schemaText, format: format, Self.secrets(salts, erased, blind: blind), seal)
  }

  /// The header in format 2 of a segment with the same book, first position and schema.
  var asFormat2: SegmentHeader {
    SegmentHeader(
      book, first, schemaText, format: 2, Self.secrets(salts ?? .empty, erased ?? [], blind: nil),
      nil)
  }

  /// The unsealed header of a segment that holds only the entries before a position. It has no salts
  /// for further entries.
  func cut(before end: Position) -> SegmentHeader {
    guard format > 1 else { return SegmentHeader(book: book, first: first, schemaText: schemaText) }
    let count = Int(max(0, end.number - first.number))
    let secrets = Self.secrets(
      salts?.prefix(count) ?? .empty, (erased ?? []).filter { $0.position < end }, blind: blind)
    return SegmentHeader(book, first, schemaText, format: format, secrets, nil)
  }

  private init(
    _ book: String, _ first: Position, _ schemaText: String, format: Int,
    _ secrets: [ContainerHeader.Entry], _ seal: Seal?
  ) {
    self.book = book
    self.first = first
    self.seal = seal
    self.format = format
    self.schemaText = schemaText
    let kinds = (try? KnownSchemas.find(schemaText))?.aggregates.kinds ?? []
    let sealing: [ContainerHeader.Entry] =
      seal.map { seal in
        [
          .init("daybook.last", String(seal.last.number)),
          .init("daybook.entries", seal.entries.description),
          .init("daybook.previous", seal.previous.description),
        ]
          + (format > 2 ? [.init("daybook.created", seal.created.text(of: kinds))] : [])
      } ?? []
    // The marker is derived, not random: the same entries make the same file (design, "The journal
    // on disk").
    container = ContainerHeader(
      checkedSchema: schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", String(format)), .init("daybook.book", book),
        .init("daybook.first", String(first.number)),
      ] + secrets + sealing)
  }

  /// Checks that `bytes` are a header.
  init(
    _ container: ContainerHeader, bytes: ArraySlice<UInt8>, file: String, name: SegmentName
  ) throws(JournalError) {
    func corrupt(_ reason: String) -> JournalError {
      .corrupt(.init(file: file, offset: 0, after: Position(name.first.number - 1), reason: reason))
    }
    guard container.metadata.allSatisfy({ $0.text != nil }) else {
      throw corrupt("the header has a text that is not valid UTF-8")
    }
    guard let format = container["daybook.format"], let number = Int(format) else {
      throw corrupt("the header has no daybook.format")
    }
    guard number <= Self.newestFormat else { throw .newerFormat(file: file, format: format) }
    guard number >= 1, container.syncMarker == ContainerHeader.checkedMarker(of: bytes) else {
      throw corrupt("the header's marker does not fit the header")
    }
    guard let book = container["daybook.book"], !book.isEmpty else {
      throw corrupt("the header has no daybook.book")
    }
    guard container["daybook.first"] == String(name.first.number) else {
      throw corrupt("the header's first position is not the file's name")
    }
    guard container["avro.codec"] == Codec.zstandard.rawValue else {
      throw corrupt("the codec is not zstandard")
    }
    guard number == 1 || container["daybook.salts"] != nil else {
      throw corrupt("the header has no daybook.salts")
    }
    guard number <= 2 || container["daybook.blind"] != nil else {
      throw corrupt("the header has no daybook.blind")
    }
    self.book = book
    self.first = name.first
    self.format = number
    self.container = container
    schemaText = container.schemaText
    let keys = ["daybook.last", "daybook.entries", "daybook.previous"].map { container[$0] }
    guard keys.contains(where: { $0 != nil }) else {
      seal = nil
      return
    }
    guard let last = keys[0].flatMap({ Int64($0) }), last >= name.first.number,
      let entries = keys[1].flatMap({ Digest($0) }), let previous = keys[2].flatMap({ Digest($0) })
    else { throw corrupt("the header's seal is not whole") }
    let created =
      number > 2 ? container["daybook.created"].flatMap { EntityCounts($0) } : EntityCounts.none
    guard let created else { throw corrupt("the header's seal is not whole") }
    seal = Seal(last: Position(last), entries: entries, previous: previous, created: created)
  }
}
