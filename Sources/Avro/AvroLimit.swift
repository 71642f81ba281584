/// The limits of a reader. No input can make it exceed them.
///
/// The memory and time that a value needs are mostly bounded by its own bytes. These limits cover the
/// exceptions: a block of 206 bytes can hold a list of a thousand million nulls.
///
/// | limit | of what | |
/// |---|---|---|
/// | ``depth`` | nested records, arrays, maps and unions, in a schema and in a value; nested JSON | 128 |
/// | ``byteCount`` | a block after decompression, and after conversion to another schema | 256 MiB |
/// | ``emptyItemCount`` | array items without bytes, such as nulls, in everything read at once | 65 536 |
/// | ``jsonValueCount`` | JSON values in the JSON of one value | 1 048 576 |
/// | ``defaultValueCount`` | values written to find the union branches of a schema's defaults | 65 536 |
/// | ``typeCount`` | types of a schema, with each named type expanded wherever it is used | 65 536 |
public enum AvroLimit: Hashable, Sendable, CaseIterable {
  /// Nested levels.
  case depth
  /// Bytes of a block.
  case byteCount
  /// Items without bytes.
  case emptyItemCount
  /// JSON values in the JSON of one value.
  case jsonValueCount
  /// Values written for the defaults of a schema.
  case defaultValueCount
  /// Types of a schema.
  case typeCount

  /// The largest number allowed.
  public var maximum: Int {
    switch self {
    case .depth: 128
    case .byteCount: 256 << 20
    case .emptyItemCount, .defaultValueCount, .typeCount: 1 << 16
    case .jsonValueCount: 1 << 20
    }
  }

  /// Throws if a number exceeds the limit.
  ///
  /// - Throws: ``AvroError/limitExceeded(_:)``.
  func check(_ number: Int) throws(AvroError) {
    guard number <= maximum else { throw .limitExceeded(self) }
  }
}

extension AvroLimit: CustomStringConvertible {
  /// The description of the excess, worded as the end of a sentence.
  public var description: String {
    switch self {
    case .depth: "more than \(maximum) levels are nested in each other"
    case .byteCount: "a block takes more than \(maximum >> 20) MiB"
    case .emptyItemCount: "more than \(maximum) items of lists take no bytes"
    case .jsonValueCount: "a value's JSON has more than \(maximum) values"
    case .defaultValueCount:
      "the defaults of a schema take more than \(maximum) values to be told apart"
    case .typeCount: "a schema has more than \(maximum) types when each is written out in full"
    }
  }
}
