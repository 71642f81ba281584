import Avro

/// The head of a segment: an Avro container's header with these keys of Daybook's own.
///
///     daybook.format     1
///     daybook.book       the book's id, a UUID; the same in every segment
///     daybook.first      the position of the segment's first entry
///
/// A sealed segment has three more:
///
///     daybook.last       the position of the segment's last entry
///     daybook.entries    the digest of its entries: SHA-256 of the schema's text and the entries' bytes
///     daybook.previous   SHA-256 of the sealed file before it; 64 zeros in the first
///
/// The sync marker is the start of the SHA-256 of all that stands before it, so a header is valid iff its
/// marker fits it: neither a damaged schema nor a damaged marker passes for another one.
public struct SegmentHeader: Sendable {
  /// The format that this Daybook writes, and the newest that it reads.
  public static let format = 1

  /// The book's id.
  public let book: String
  /// The position of the segment's first entry.
  public let first: Position
  /// What a sealed segment says of itself; a segment that is not sealed has none.
  public let seal: Seal?
  let container: ContainerHeader

  /// What a sealed segment says of itself.
  public struct Seal: Hashable, Sendable {
    /// The position of the last entry.
    public let last: Position
    /// The digest of the entries.
    public let entries: Digest
    /// The digest of the sealed file before.
    public let previous: Digest
  }

  /// The writer's schema, as JSON text.
  public var schemaText: String { container.schemaText }

  /// Sixteen bytes that stand for the header: two segments whose headers differ have different ones.
  package var marker: [UInt8] { container.syncMarker }

  init(book: String, first: Position, schemaText: String, seal: Seal? = nil) {
    self.book = book
    self.first = first
    self.seal = seal
    let sealing: [ContainerHeader.Entry] =
      seal.map { seal in
        [
          .init("daybook.last", String(seal.last.number)),
          .init("daybook.entries", seal.entries.description),
          .init("daybook.previous", seal.previous.description),
        ]
      } ?? []
    // The marker is derived, not random: the same entries make the same file (design, "The journal on
    // disk").
    container = ContainerHeader(
      checkedSchema: schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", String(Self.format)), .init("daybook.book", book),
        .init("daybook.first", String(first.number)),
      ] + sealing)
  }

  /// Judges the header that `bytes` are.
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
    guard number <= Self.format else { throw .newerFormat(file: file, format: format) }
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
    self.book = book
    self.first = name.first
    self.container = container
    let keys = ["daybook.last", "daybook.entries", "daybook.previous"].map { container[$0] }
    guard keys.contains(where: { $0 != nil }) else {
      seal = nil
      return
    }
    guard let last = keys[0].flatMap({ Int64($0) }), last >= name.first.number,
      let entries = keys[1].flatMap(Digest.init), let previous = keys[2].flatMap(Digest.init)
    else { throw corrupt("the header's seal is not whole") }
    seal = Seal(last: Position(last), entries: entries, previous: previous)
  }
}
