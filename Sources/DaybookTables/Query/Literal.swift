import Avro
import Calendar
import HTTPTypes
import Values

/// A text parsed as a value of a column's type.
///
/// Instants are kept in whole milliseconds. When a text is more precise, a comparison must know that the text's
/// moment lies after the value.
struct Literal: Sendable {
  var value: TableValue
  /// Whether the text means a moment slightly after the value.
  var isTruncated = false

  /// Reads a text as PostgreSQL does for a type.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: The type.
  ///   - now: The meaning of "now"; `nil` where "now" is not a valid literal.
  /// - Throws: ``TableError``: `22P02`, or `22007` and `22008` for an invalid time.
  init(_ text: String, _ type: ColumnType, at now: Instant? = nil) throws(TableError) {
    switch type {
    case .text: value = .text(text)
    case .bool: value = .bool(try Self.bool(text))
    case .integer: value = .integer(try Self.integer(text))
    case .decimal:
      let digits = Self.trimmed(text)
      guard DecimalText(digits) != nil else { throw .malformed("numeric", text) }
      value = .decimal(Self.number(digits))
    case .uuid:
      guard let key = Self.key(Self.trimmed(text)) else { throw .malformed("uuid", text) }
      value = .uuid(key)
    case .timestamp:
      let time = try TimestampText(text, as: "timestamp with time zone", at: now)
      (value, isTruncated) = (.timestamp(time.instant), time.isTruncated)
    case .date: value = .date(try TimestampText(text, as: "date", at: now).day)
    case .time: value = .text(try TimestampText.time(text))
    case .json:
      let bytes = Array(text.utf8)
      do throws(JSONError) {
        value = .json(try JSON(parsing: bytes, lastOfNameCounts: true))
      } catch { throw .malformed("json", text) }
    case .textArray:
      guard let elements = Self.array(text) else {
        throw TableError(.badRequest, "22P02", "malformed array literal: \"\(text)\"")
      }
      value = .array(elements)
    case .enumeration(let allowed):
      guard allowed.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
        throw TableError(.badRequest, "22P02", "invalid input value for enum: \"\(text)\"")
      }
      value = .text(text)
    }
  }

  private static func trimmed(_ text: String) -> String {
    guard text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text }
    let bytes = Array(text.utf8)
    let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
    let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func bool(_ text: String) throws(TableError) -> Bool {
    let word = trimmed(text).lowercased()
    switch word {
    case "t", "tr", "tru", "true", "y", "ye", "yes", "on", "1": return true
    case "f", "fa", "fal", "fals", "false", "n", "no", "of", "off", "0": return false
    default: throw .malformed("boolean", text)
    }
  }

  private static func integer(_ text: String) throws(TableError) -> Int64 {
    let digits = trimmed(text)
    if let number = Int32(digits) { return Int64(number) }
    let unsigned = digits.utf8.first.map { $0 == 0x2B || $0 == 0x2D } ?? false
    let rest = digits.utf8.dropFirst(unsigned ? 1 : 0)
    guard !rest.isEmpty, rest.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformed("integer", text)
    }
    throw TableError(
      .badRequest, "22P02", "value \"\(text)\" is out of range for type integer")
  }

  /// The JSON form of a number that `DecimalText` accepts.
  private static func number(_ digits: String) -> String {
    var text = digits
    if text.utf8.first == 0x2B { text.removeFirst() }
    if let json = try? JSON(parsing: text), case .number = json { return text }
    // `007`, `.5` and `5.` are numbers too, but not in JSON.
    let isNegative = text.utf8.first == 0x2D
    if isNegative { text.removeFirst() }
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    let places = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    var whole = (places.first ?? "").drop { $0 == "0" }
    if whole.isEmpty { whole = "0" }
    var number = (isNegative ? "-" : "") + whole
    if places.count > 1, !places[1].isEmpty { number += "." + places[1] }
    if parts.count > 1 { number += "e" + parts[1] }
    return number
  }

  private static func key(_ text: String) -> Key? {
    if let key = Key(text) { return key }
    // A UUID in braces, or without hyphens, is valid as well.
    var digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    if digits.first == UInt8(ascii: "{"), digits.last == UInt8(ascii: "}") {
      digits = Array(digits.dropFirst().dropLast())
    }
    guard digits.count == 32 else { return nil }
    for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
    return Key(String(decoding: digits, as: UTF8.self))
  }

  /// The elements of `{a,"b c"}`; `nil` for any other text.
  static func array(_ text: String) -> [String]? {
    let bytes = Array(trimmed(text).utf8)
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}")
    else { return nil }
    var reader = ArrayReader(bytes: bytes.dropFirst().dropLast())
    return reader.elements()
  }
}

/// Reads the content of an array's braces.
private struct ArrayReader {
  var bytes: ArraySlice<UInt8>

  mutating func elements() -> [String]? {
    skipSpaces()
    if bytes.isEmpty { return [] }
    var elements: [String] = []
    while true {
      skipSpaces()
      guard let element = element() else { return nil }
      elements.append(element)
      skipSpaces()
      guard let byte = bytes.popFirst() else { return elements }
      guard byte == UInt8(ascii: ",") else { return nil }
    }
  }

  private mutating func skipSpaces() { bytes = bytes.drop { $0 == 0x20 } }

  private mutating func element() -> String? {
    var content: [UInt8] = []
    let isQuoted = bytes.first == UInt8(ascii: "\"")
    if isQuoted { bytes = bytes.dropFirst() }
    while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "\""):
        guard isQuoted else { return nil }
        bytes = bytes.dropFirst()
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        bytes = bytes.dropFirst()
        guard let escaped = bytes.first else { return nil }
        content.append(escaped)
      case UInt8(ascii: ",") where !isQuoted: return plain(content)
      case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "}") where !isQuoted: return nil
      default: content.append(byte)
      }
      bytes = bytes.dropFirst()
    }
    return isQuoted ? nil : plain(content)
  }

  private func plain(_ content: [UInt8]) -> String? {
    let end = content.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
    return end == 0 ? nil : String(decoding: content[..<end], as: UTF8.self)
  }
}

extension TableError {
  /// A text is not a valid literal of a type.
  static func malformed(_ type: String, _ text: String) -> TableError {
    TableError(.badRequest, "22P02", "invalid input syntax for type \(type): \"\(text)\"")
  }
}
