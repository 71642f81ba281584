import HTTPTypes

/// Reads a query parameter from the front, byte by byte. The grammar of each part is in an extension beside the
/// type that it reads.
struct QueryReader {
  /// The deepest nesting of conditions.
  static let maximumConditionDepth = 16
  /// The deepest nesting of embedded tables.
  static let maximumEmbedDepth = 4

  private let text: String
  private let what: String
  private let bytes: [UInt8]
  private(set) var offset = 0
  /// Whether no quoted value ends in the rest of the text, so that a list is searched once and not once per value.
  private var endsNoQuoted = false

  /// Begins at the front of a parameter, which errors call `what`.
  init(_ text: String, as what: String) {
    self.text = text
    self.what = what
    bytes = Array(text.utf8)
  }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }
  var isAtEnd: Bool { offset == bytes.count }

  /// The rest of the parameter cannot be read.
  func unexpected(_ expected: String) -> TableError {
    let found =
      isAtEnd
      ? "end of input" : "\"\(String(decoding: bytes[offset...].prefix(20), as: UTF8.self))\""
    return TableError(
      .badRequest, "PGRST100",
      "\"failed to parse \(what) (\(text))\" (line 1, column \(offset + 1))",
      details: "unexpected \(found) expecting \(expected)")
  }

  /// Whether the rest begins with a word.
  func starts(with word: String) -> Bool {
    bytes[offset...].starts(with: word.utf8)
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  mutating func take(_ word: String) -> Bool {
    guard starts(with: word) else { return false }
    offset += word.utf8.count
    return true
  }

  mutating func expect(_ byte: UInt8) throws(TableError) {
    guard take(byte) else { throw unexpected("\"\(Character(Unicode.Scalar(byte)))\"") }
  }

  mutating func expectEnd() throws(TableError) {
    guard isAtEnd else { throw unexpected("end of input") }
  }

  /// Whether a byte is white space; a `select` may span several lines.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  mutating func skipSpaces() {
    while let byte = next, Self.isSpace(byte) { offset += 1 }
  }

  /// Reads everything up to one of these bytes, or to the end.
  mutating func take(upTo stops: [UInt8]) -> String {
    let start = offset
    while let byte = next, !stops.contains(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Reads everything that is left.
  mutating func takeRest() -> String {
    defer { offset = bytes.count }
    return String(decoding: bytes[offset...], as: UTF8.self)
  }

  /// Reads a name, quoted or plain; a plain name ends before a stop or an arrow.
  mutating func name(upTo stops: [UInt8]) throws(TableError) -> String {
    skipSpaces()
    if next == UInt8(ascii: "\""), let name = quoted(isEnd: { _ in true }) {
      skipSpaces()
      return name
    }
    let start = offset
    while let byte = next, !stops.contains(byte), !starts(with: "->") { offset += 1 }
    var end = offset
    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
    guard end > start else { throw unexpected("a name") }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Reads a quoted text with the escapes `\"` and `\\`, if there is one here and `isEnd` accepts the byte after
  /// it; otherwise reads nothing.
  ///
  /// One client does not escape inner quotation marks, so a mark that is not followed by an end
  /// belongs to the text.
  mutating func quoted(isEnd: (UInt8?) -> Bool) -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    var content: [UInt8] = []
    var place = offset + 1
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\\"), place < bytes.count {
        content.append(bytes[place])
        place += 1
      } else if byte == UInt8(ascii: "\""), isEnd(place < bytes.count ? bytes[place] : nil) {
        offset = place
        return String(decoding: content, as: UTF8.self)
      } else {
        content.append(byte)
      }
    }
    return nil
  }

  /// Reads a text in braces with all nested braces, as in arrays and JSON; `nil` unless one stands here and ends
  /// before a comma, a closing parenthesis or the end.
  mutating func braced() -> String? {
    guard next == UInt8(ascii: "{") else { return nil }
    var depth = 0
    var isQuoted = false
    var place = offset
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isQuoted: place += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "{") where !isQuoted: depth += 1
      case UInt8(ascii: "}") where !isQuoted: depth -= 1
      default: break
      }
      place += 1
      guard depth == 0 else { continue }
      let end = place < bytes.count ? bytes[place] : nil
      guard Self.endsValue(end) else { return nil }
      defer { offset = place }
      return String(decoding: bytes[offset..<place], as: UTF8.self)
    }
    return nil
  }

  /// Whether a byte ends a value of a list.
  static func endsValue(_ byte: UInt8?) -> Bool {
    byte == nil || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")")
  }

  /// Reads a value of a list: quoted, or up to a comma or a closing parenthesis.
  mutating func listedValue() -> String {
    if next == UInt8(ascii: "\""), !endsNoQuoted {
      if let value = quoted(isEnd: Self.endsValue) { return value }
      endsNoQuoted = true
    }
    return take(upTo: [UInt8(ascii: ","), UInt8(ascii: ")")])
  }

  /// Reads values in parentheses, with optional spaces around them.
  mutating func list() throws(TableError) -> [String] {
    skipSpaces()
    try expect(UInt8(ascii: "("))
    skipSpaces()
    var values: [String] = []
    if next != UInt8(ascii: ")") {
      repeat { values.append(listedValue()) } while take(UInt8(ascii: ","))
    }
    try expect(UInt8(ascii: ")"))
    skipSpaces()
    return values
  }
}
