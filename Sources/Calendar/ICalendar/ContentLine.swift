/// A content line (RFC 5545, section 3.1), unfolded: `NAME;PARAMETER=value:value`.
struct ContentLine: Hashable, Sendable {
  /// The property's name, in upper case.
  var name: String
  /// Its parameters by upper-case name; of two with the same name, the first.
  var parameters: [String: [String]]
  /// Everything after the colon, unchanged.
  var value: String
  /// The number, from 1, of the line in the text where it begins.
  var number: Int

  /// Whether the value is blank.
  var isBlank: Bool { value.allSatisfy(\.isWhitespace) }

  /// The first value of a parameter.
  subscript(parameter: String) -> String? { parameters[parameter]?.first }
}

extension ContentLine {
  /// The bytes of one content line, and the number of the line where they begin.
  struct Raw {
    var bytes: [UInt8]
    var number: Int
  }

  /// Joins folded lines: a line that begins with a space or a tab continues the previous one.
  ///
  /// Lines end with CR LF, LF or CR. The function works on bytes, since a fold may split a character. Blank
  /// lines are dropped.
  static func unfold(_ bytes: some Sequence<UInt8>) -> [Raw] {
    var lines: [Raw] = []
    var number = 1
    var isAtStart = true
    var lastWasReturn = false
    for byte in bytes {
      if byte == UInt8(ascii: "\n"), lastWasReturn {
        lastWasReturn = false
        continue
      }
      lastWasReturn = byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") || lastWasReturn {
        number += 1
        isAtStart = true
        continue
      }
      if isAtStart {
        isAtStart = false
        let isFold = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        if isFold, !lines.isEmpty { continue }
        lines.append(Raw(bytes: [], number: number))
      }
      lines[lines.count - 1].bytes.append(byte)
    }
    return lines
  }

  /// Parses a line; `nil` when it is not a content line.
  init?(_ raw: Raw) {
    let bytes = raw.bytes
    var index = bytes.prefix { Self.isNameByte($0) }.count
    guard index > 0, index < bytes.count else { return nil }
    name = String(decoding: bytes[..<index], as: UTF8.self).uppercased()
    parameters = [:]
    while index < bytes.count, bytes[index] == UInt8(ascii: ";") {
      let nameStart = index + 1
      index = nameStart
      while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
      let parameter = String(decoding: bytes[nameStart..<index], as: UTF8.self).uppercased()
      var values: [String] = []
      // `=` precedes the first value and `,` each further one; a parameter without a value is accepted.
      var separator = UInt8(ascii: "=")
      while index < bytes.count, bytes[index] == separator {
        separator = UInt8(ascii: ",")
        index += 1
        let isQuoted = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
        if isQuoted { index += 1 }
        let valueStart = index
        while index < bytes.count, !Self.endsValue(bytes[index], isQuoted: isQuoted) { index += 1 }
        values.append(Self.decoded(bytes[valueStart..<index]))
        if isQuoted {
          guard index < bytes.count else { return nil }
          index += 1
        }
      }
      if parameters[parameter] == nil { parameters[parameter] = values }
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
    value = String(decoding: bytes[(index + 1)...], as: UTF8.self)
    number = raw.number
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func endsValue(_ byte: UInt8, isQuoted: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "\""): isQuoted
    case UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: ","): !isQuoted
    default: false
    }
  }

  private static let circumflexed: [UInt8: UInt8] = [
    UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "'"): UInt8(ascii: "\""),
    UInt8(ascii: "^"): UInt8(ascii: "^"),
  ]

  /// Decodes a parameter's value, in which `^n`, `^'` and `^^` stand for characters that may not occur
  /// (RFC 6868).
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "^")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
      let isCaret = bytes[index] == UInt8(ascii: "^")
      if isCaret, let stands = Self.circumflexed[next] {
        text.append(stands)
        index += 2
      } else {
        text.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
