/// A reason why a text is not JSON.
public struct JSONError: Error, Hashable, CustomStringConvertible {
  /// The offset of the fault in UTF-8 bytes, from 0.
  public var offset: Int
  /// The fault, in words.
  public var reason: String

  /// Whether the values are nested too deeply.
  package var isTooDeep: Bool { reason == Self.tooDeep }
  fileprivate static let tooDeep = "nested more than 128 levels deep"

  /// "not valid JSON at byte 12: …".
  public var description: String { "not valid JSON at byte \(offset): \(reason)" }
}

extension JSON {
  /// Parses one JSON value (RFC 8259) strictly: no comments, no trailing commas, no repeated name in an
  /// object, at most 128 levels.
  ///
  /// - Throws: ``JSONError`` with the offset of the fault.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Parses one JSON value from UTF-8 bytes.
  ///
  /// - Throws: ``JSONError`` with the offset of the fault.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes, lastOfNameCounts: false)
  }

  /// Parses one JSON value from UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - lastOfNameCounts: Whether to keep the last member where an object repeats a name, as PostgreSQL
  ///     does. If not, a repeated name is an error.
  /// - Throws: ``JSONError`` with the offset of the fault.
  package init(parsing bytes: [UInt8], lastOfNameCounts: Bool) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, lastOfNameCounts: lastOfNameCounts)
    self = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.offset == bytes.count else { throw parser.error("more text after the value") }
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  let lastOfNameCounts: Bool
  var offset = 0

  init(bytes: [UInt8], lastOfNameCounts: Bool) {
    self.bytes = bytes
    self.lastOfNameCounts = lastOfNameCounts
  }

  func error(_ reason: String, at place: Int? = nil) -> JSONError {
    JSONError(offset: place ?? offset, reason: reason)
  }

  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth < 128 else { throw error(JSONError.tooDeep) }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      return try number()
    case nil: throw error("the text ends where a value should be")
    default: throw error("no value begins like this")
    }
  }

  mutating func word(_ text: String, _ value: JSON) throws(JSONError) -> JSON {
    let count = text.utf8.count
    guard bytes.count - offset >= count,
      bytes[offset..<offset + count].elementsEqual(text.utf8)
    else { throw error("no value begins like this") }
    offset += count
    return value
  }

  mutating func object(depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var members: [JSON.Member] = []
    // Names are compared byte by byte, because Swift's `==` treats é as equal to e with a combining accent.
    // For a few names a linear search is faster than a set.
    var names: Set<[UInt8]> = []
    var hasRepeats = false
    skipSpace()
    if next == UInt8(ascii: "}") {
      offset += 1
      return .object(members)
    }
    while true {
      skipSpace()
      let start = offset
      guard next == UInt8(ascii: "\"") else { throw error("a member's name should be here") }
      let name = try string()
      let isNew: Bool
      if members.count < 16 {
        let count = name.utf8.count
        isNew = !members.contains {
          $0.name.utf8.count == count && $0.name.utf8.elementsEqual(name.utf8)
        }
      } else {
        if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
        isNew = names.insert(Array(name.utf8)).inserted
      }
      guard isNew || lastOfNameCounts else {
        throw error("the name \"\(name)\" comes twice", at: start)
      }
      hasRepeats = hasRepeats || !isNew
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw error("a colon should be here") }
      offset += 1
      members.append(JSON.Member(name, try value(depth: depth + 1)))
      skipSpace()
      switch next {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"):
        offset += 1
        return .object(hasRepeats ? Self.lastOfEachName(members) : members)
      default: throw error("a comma or a closing brace should be here")
      }
    }
  }

  private static func lastOfEachName(_ members: [JSON.Member]) -> [JSON.Member] {
    var names: Set<[UInt8]> = []
    return members.reversed().filter { names.insert(Array($0.name.utf8)).inserted }.reversed()
  }

  mutating func array(depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var elements: [JSON] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      offset += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth + 1))
      skipSpace()
      switch next {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "]"):
        offset += 1
        return .array(elements)
      default: throw error("a comma or a closing bracket should be here")
      }
    }
  }

  mutating func number() throws(JSONError) -> JSON {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { offset += 1 }
    guard offset > start else { throw error("a digit should be here") }
  }

  mutating func string() throws(JSONError) -> String {
    offset += 1
    let start = offset
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      offset += 1
    }
    if next == UInt8(ascii: "\"") {
      guard let text = String(valid: bytes.span.extracting(start..<offset)) else {
        throw error("the string is not valid UTF-8", at: start)
      }
      offset += 1
      return text
    }
    var content = Array(bytes[start..<offset])
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a control character in a string") }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        content.append(contentsOf: String(try escape()).utf8)
      } else {
        content.append(byte)
      }
    }
    guard next != nil else { throw error("the string has no end") }
    offset += 1
    guard let text = String(valid: content.span) else {
      throw error("the string is not valid UTF-8", at: start)
    }
    return text
  }

  mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 1
    guard let byte = next else { throw error("the string has no end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\"), offset + 1 < bytes.count,
        bytes[offset + 1] == UInt8(ascii: "u")
      {
        offset += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else {
          throw error("half of a surrogate pair", at: start)
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw error("half of a surrogate pair", at: start)
      }
      return scalar
    default: throw error("no escape looks like this", at: start)
    }
  }

  mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard bytes.count - offset >= 4 else { throw error("four hexadecimal digits should be here") }
    var code: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw error("four hexadecimal digits should be here")
      }
      code = code << 4 | UInt32(digit)
    }
    offset += 4
    return code
  }
}
