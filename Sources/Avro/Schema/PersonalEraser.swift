/// Finds the personal fields of encoded values and blanks them: a text becomes empty, an optional becomes
/// null, a list loses its items. Everything else stays, byte for byte.
///
/// The schema marks personal fields (``Schema/Field/isPersonal``).
public struct PersonalEraser: Sendable {
  private let scanner: ValueScanner

  /// Compiles a schema.
  ///
  /// - Throws: ``AvroError/invalidSchema(_:)`` when the type of a personal field has no blank value.
  public init(_ schema: Schema) throws(AvroError) {
    scanner = try ValueScanner(schema)
  }

  /// The bytes of one value with its personal fields blanked.
  ///
  /// - Complexity: Linear in the bytes, however many fields are personal.
  /// - Throws: ``AvroError`` when the bytes are not exactly one value of the schema.
  public func erased(_ value: ArraySlice<UInt8>) throws(AvroError) -> [UInt8] {
    var reader = unsafe BinaryReader(value.span.bytes)
    var found: [ValueScanner.Personal] = []
    try scanner.scan(over: &reader, personal: &found)
    guard reader.isAtEnd else { throw .trailingBytes }
    var erased: [UInt8] = []
    erased.reserveCapacity(value.count)
    var copied = value.startIndex
    for personal in found {
      erased += value[copied..<value.startIndex + personal.range.lowerBound]
      erased.append(personal.blank)
      copied = value.startIndex + personal.range.upperBound
    }
    erased += value[copied...]
    return erased
  }
}
