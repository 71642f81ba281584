import Avro
import Daybook
import Journal

/// The header of a snapshot: its book, and its position.
///
///     daybook.format        1
///     daybook.book          the book's id
///     daybook.position      the last entry that it takes into account: the last one of a sealed segment
///     daybook.at            when that was recorded, in milliseconds since 1970
///     daybook.fingerprint   what its bytes mean: see ``fingerprint``
///     daybook.binding       the sync marker of the sealed segment that ends there, in hexadecimal
///
/// The header of a sealed segment holds the digests of its entries and of the sealed segment before
/// it, and its sync marker stands for all of them. So a snapshot of another history, however
/// similar, has another binding.
struct SnapshotHeader {
  let book: String
  let position: Position
  let at: Instant
  let binding: String
  let container: ContainerHeader

  static let format = "1"

  /// The fingerprints of the schemas of entries and of snapshots, and the version of the rules of
  /// `apply`. A snapshot with another fingerprint is ignored, because this Daybook might have
  /// reached another state.
  static let fingerprint =
    [Entry.schema.fingerprint, SnapshotRecords.schema.fingerprint]
    .map { String($0, radix: 16) }.joined(separator: "-") + "-\(BookState.version)"

  init?(
    of state: BookState, at segment: SegmentHeader, fingerprint: String = SnapshotHeader.fingerprint
  ) {
    guard let seal = segment.seal, seal.last.number == state.position else { return nil }
    book = segment.book
    position = seal.last
    at = state.at
    binding = Self.binding(to: segment)
    container = ContainerHeader(
      checkedSchema: SnapshotRecords.schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", Self.format), .init("daybook.book", book),
        .init("daybook.position", String(position.number)),
        .init("daybook.at", String(at.milliseconds)),
        .init("daybook.fingerprint", fingerprint), .init("daybook.binding", binding),
      ])
  }

  /// Reads the header at the start of some bytes; fails when they are no snapshot that is
  /// understood here.
  init?(_ container: ContainerHeader, bytes: ArraySlice<UInt8>) {
    guard container.syncMarker == ContainerHeader.checkedMarker(of: bytes),
      container["daybook.format"] == Self.format,
      container["daybook.fingerprint"] == Self.fingerprint,
      container["avro.codec"] == Codec.zstandard.rawValue,
      let book = container["daybook.book"], let binding = container["daybook.binding"],
      let position = container["daybook.position"].flatMap({ Int64($0) }),
      let at = container["daybook.at"].flatMap({ Int64($0) }).flatMap(Instant.init(milliseconds:))
    else { return nil }
    self.book = book
    self.position = Position(position)
    self.at = at
    self.binding = binding
    self.container = container
  }

  /// Whether the snapshot belongs to the history that ends with a segment.
  func isBound(to segment: SegmentHeader) -> Bool {
    segment.seal?.last == position && segment.book == book
      && Self.binding(to: segment) == binding
  }

  private static func binding(to segment: SegmentHeader) -> String {
    AvroBytes(segment.marker).formText
  }
}
