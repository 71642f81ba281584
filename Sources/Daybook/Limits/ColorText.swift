import Avro

/// A colour as the web writes it, `#RGB` or `#RRGGBB`; it is kept as it was written.
enum ColorText {
  /// How a schema says it.
  static let pattern: JSON = ["pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"]

  /// Refuses what is no colour.
  ///
  /// - Throws: ``Rejection/invalidColor(_:_:)``.
  static func check(_ text: String, _ field: String) throws(Rejection) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 3 || digits.count == 6,
      text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { throw .invalidColor(text, field) }
  }
}
