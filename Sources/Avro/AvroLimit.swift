/// The bounds of what is read: what no bytes, whoever wrote them, make a reader go beyond.
///
/// Nearly all that a value takes, in memory and in time, its own bytes bound. These bounds are for what they do
/// not: a block of 206 bytes can hold a list of a thousand million nulls.
///
/// | limit | of what | |
/// |---|---|---|
/// | ``depth`` | records, arrays, maps and unions in each other, in a schema and in a value; JSON in JSON | 128 |
/// | ``byteCount`` | a block when decompressed, and what it comes to in another schema | 256 MiB |
/// | ``emptyItemCount`` | items of arrays that take no bytes, such as nulls, in all that is read at once | 65 536 |
/// | ``jsonValueCount`` | values of which the JSON of one value is made | 1 048 576 |
/// | ``defaultValueCount`` | values written to find which branches of unions the defaults of a schema are of | 65 536 |
/// | ``typeCount`` | types of a schema, each named one written out wherever it is used | 65 536 |
public enum AvroLimit: Hashable, Sendable, CaseIterable {
  /// Levels in each other.
  case depth
  /// Bytes of a block.
  case byteCount
  /// Items that take no bytes.
  case emptyItemCount
  /// Values of a value's JSON.
  case jsonValueCount
  /// Values written for the defaults of a schema.
  case defaultValueCount
  /// Types of a schema.
  case typeCount

  /// The most that is read.
  public var maximum: Int {
    switch self {
    case .depth: 128
    case .byteCount: 256 << 20
    case .emptyItemCount, .defaultValueCount, .typeCount: 1 << 16
    case .jsonValueCount: 1 << 20
    }
  }

  /// Refuses what is beyond the limit.
  ///
  /// - Throws: ``AvroError/limitExceeded(_:)``.
  func check(_ number: Int) throws(AvroError) {
    guard number <= maximum else { throw .limitExceeded(self) }
  }
}

extension AvroLimit: CustomStringConvertible {
  /// What is too much, as the end of a sentence.
  public var description: String {
    switch self {
    case .depth: "more than \(maximum) levels are nested in each other"
    case .byteCount: "a block takes more than \(maximum >> 20) MiB"
    case .emptyItemCount: "more than \(maximum) items of lists take no bytes"
    case .jsonValueCount: "a value's JSON is of more than \(maximum) values"
    case .defaultValueCount:
      "the defaults of a schema take more than \(maximum) values to be told apart"
    case .typeCount: "a schema is of more than \(maximum) types, each written out in full"
    }
  }
}
