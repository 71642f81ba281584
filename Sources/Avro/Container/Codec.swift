/// The compression of a container's blocks.
///
/// The specification requires `null` and `deflate`. Daybook writes one of the two below. A container with
/// another codec is refused with the codec's name, since each one would need another system library.
public enum Codec: String, Sendable, CaseIterable {
  /// No compression.
  case null
  /// One zstd frame for each block.
  case zstandard

  /// The names of the codecs, for an error message.
  static let list = allCases.map(\.rawValue).joined(separator: " and ")
}
