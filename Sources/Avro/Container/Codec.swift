/// How the blocks of a container are compressed.
public enum Codec: String, Sendable, CaseIterable {
  /// Not at all.
  case null
  /// One zstd frame a block.
  case zstandard
}
