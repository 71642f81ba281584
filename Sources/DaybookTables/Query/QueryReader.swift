import HTTPTypes

/// Reads a parameter of a query from the front, byte by byte: the grammar of its parts stands in extensions beside what
/// they read.
struct QueryReader {
  /// How deep conditions may stand in one another.
  static let maximumConditionDepth = 16
  /// How deep embedded tables may stand in one another.
  static let maximumEmbedDepth = 4

  private let text: String
  private let what: String
  private let bytes: [UInt8]
  private(set) var offset = 0
  /// Whether no value in quotation marks ends in what is left: a list of such is read once, and not once for each of them.
  private var endsNoQuoted = false

  /// Begins at the front of a parameter, which errors call `what`.
  init(_ text: String, as what: String) {
    self.text = text
    self.what = what
    bytes = Array(text.utf8)
  }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }
  var isAtEnd: Bool { offset == bytes.count }

  /// The parameter cannot be read from here on.
  func unexpected(_ expected: String) -> TableError {
    let found =
      isAtEnd
      ? "end of input" : "\"\(String(decoding: bytes[offset...].prefix(20), as: UTF8.self))\""
    return TableError(
      .badRequest, "PGRST100",
      "\"failed to parse \(what) (\(text))\" (line 1, column \(offset + 1))",
      details: "unexpected \(found) expecting \(expected)")
  }

  /// Whether the rest begins so.
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

  /// A `select` may be written over several lines.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  mutating func skipSpaces() {
    while let byte = next, Self.isSpace(byte) { offset += 1 }
  }

  /// Takes all up to one of these bytes, or to the end.
  mutating func take(upTo stops: [UInt8]) -> String {
    let start = offset
    while let byte = next, !stops.contains(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Takes all that is left.
  mutating func takeRest() -> String {
    defer { offset = bytes.count }
    return String(decoding: bytes[offset...], as: UTF8.self)
  }

  /// Takes a name, in quotation marks or plain; a plain one ends before a stop or an arrow.
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

  /// Takes a text in quotation marks with `\"` and `\\` in it, if one stands here that ends before what `isEnd` takes
  /// for an end; otherwise nothing is taken.
  ///
  /// One client leaves marks within as they are: a mark that nothing ends after is one of the text.
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

  /// Takes a text in braces with all braces within it, as arrays and JSON are written; nothing if none stands here that
  /// ends before a comma, a closing parenthesis or the end.
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

  /// Whether a value among others ends before a byte.
  static func endsValue(_ byte: UInt8?) -> Bool {
    byte == nil || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")")
  }

  /// Takes a value among others: in quotation marks, or all up to a comma or a closing parenthesis.
  mutating func listedValue() -> String {
    if next == UInt8(ascii: "\""), !endsNoQuoted {
      if let value = quoted(isEnd: Self.endsValue) { return value }
      endsNoQuoted = true
    }
    return take(upTo: [UInt8(ascii: ","), UInt8(ascii: ")")])
  }

  /// Takes values in parentheses, around which spaces may stand.
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
