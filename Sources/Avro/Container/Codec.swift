/// How the blocks of a container are compressed.
///
/// The specification asks for `null` and `deflate`. What Daybook writes is one of these two; a container of any
/// other codec is refused by its name, for reading it would take another system library each.
public enum Codec: String, Sendable, CaseIterable {
  /// Not at all.
  case null
  /// One zstd frame a block.
  case zstandard

  /// Their names, for an error.
  static let list = allCases.map(\.rawValue).joined(separator: " and ")
}
