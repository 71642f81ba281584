import Avro

/// A colour as on the web; it is stored as it was written.
package enum ColorText {
  /// The schema pattern of `#RGB` or `#RRGGBB`.
  static let pattern: JSON = ["pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"]
  /// The schema of a label's colour: apps may add opacity, leave out the `#`, or use a few names.
  static let labelPattern: JSON = [
    "pattern": .string(
      "^(#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|\(names.joined(separator: "|")))$")
  ]

  /// The original names of CSS, and those of the palettes of phones. No other name is accepted: in a free text, people
  /// could write something that would survive an erasure.
  private static let names = [
    "aqua", "black", "blue", "brown", "clear", "coral", "cyan", "fuchsia", "gold", "gray", "green",
    "grey", "indigo", "lime", "magenta", "maroon", "mint", "navy", "olive", "orange", "pink",
    "purple", "red", "silver", "teal", "violet", "white", "yellow",
  ]

  /// Refuses a text that is not a colour.
  ///
  /// - Throws: ``Rejection/invalidColor(_:_:)``.
  package static func check(_ text: String, _ field: String) throws(Rejection) {
    let digits = text.utf8.dropFirst().count
    guard text.utf8.first == UInt8(ascii: "#"), digits == 3 || digits == 6,
      isHexadecimal(text.dropFirst())
    else { throw .invalidColor(text, field) }
  }

  /// Refuses a text that is not a colour of a label.
  ///
  /// - Throws: ``Rejection/invalidColor(_:_:)``.
  package static func checkLabel(_ text: String) throws(Rejection) {
    if names.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { return }
    let digits = text.utf8.first == UInt8(ascii: "#") ? text.dropFirst() : text[...]
    guard [3, 4, 6, 8].contains(digits.utf8.count), isHexadecimal(digits) else {
      throw .invalidColor(text, "color")
    }
  }

  private static func isHexadecimal(_ digits: Substring) -> Bool {
    digits.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
