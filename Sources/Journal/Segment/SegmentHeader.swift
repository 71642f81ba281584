import Avro
import Crypto

/// The head of a segment: an Avro container's header with these keys of Daybook's own.
///
///     daybook.format     1
///     daybook.book       the book's id, a UUID; the same in every segment
///     daybook.first      the position of the segment's first entry
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
  let container: ContainerHeader

  /// The writer's schema, as JSON text.
  public var schemaText: String { container.schemaText }

  init(book: String, first: Position, schemaText: String) {
    self.book = book
    self.first = first
    var container = ContainerHeader(
      schema: schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", String(Self.format)), .init("daybook.book", book),
        .init("daybook.first", String(first.number)),
      ],
      syncMarker: [UInt8](repeating: 0, count: 16))
    // Derived, not random: the same entries make the same file (design, "The journal on disk").
    container.syncMarker = Self.syncMarker(of: container.encoded.dropLast(16))
    self.container = container
  }

  private static func syncMarker(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(SHA256.hash(data: Array(bytes)).prefix(16))
  }

  /// Judges the header that `bytes` are.
  init(
    _ container: ContainerHeader, bytes: ArraySlice<UInt8>, file: String, name: SegmentName
  ) throws(JournalError) {
    func corrupt(_ reason: String) -> JournalError {
      .corrupt(.init(file: file, offset: 0, after: Position(name.first.number - 1), reason: reason))
    }
    guard let format = container["daybook.format"], let number = Int(format) else {
      throw corrupt("the header has no daybook.format")
    }
    guard number <= Self.format else { throw .newerFormat(file: file, format: format) }
    guard number >= 1, container.syncMarker == Self.syncMarker(of: bytes.dropLast(16)) else {
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
  }
}
