/// Writes JSON text (RFC 8259) into bytes piece by piece: one line, no spaces, members in order.
///
/// An answer of a million rows is written this way, a page at a time, without building a tree.
///
///     var json = JSONWriter()
///     json.object { $0.name("day"); $0.string("2026-03-01") }
///
/// - Precondition: In an object each value follows its name.
public struct JSONWriter: Sendable {
  /// The text so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// Whether a value precedes the next value or name at this level.
  private var isAfterValue = false
  /// The number of arrays and objects around the next value.
  private var depth = 0
  private let separator: UInt8

  /// Makes an empty writer. Values outside of an array or object are separated by commas, for a caller that
  /// writes the enclosing array itself.
  public init() { separator = 0x2C }

  /// Makes an empty writer whose values are separated by line ends.
  public static var lines: JSONWriter { JSONWriter(separator: 0x0A) }

  private init(separator: UInt8) { self.separator = separator }

  /// Discards the text and keeps its memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    isAfterValue = false
  }

  /// Writes an object whose names and values `body` writes.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    begin(0x7B)
    body(&self)
    end(0x7D)
  }

  /// Writes an array whose elements `body` writes.
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    begin(0x5B)
    body(&self)
    end(0x5D)
  }

  /// Writes the name of the next value.
  public mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(0x3A)
    isAfterValue = false
  }

  /// Writes `null`.
  public mutating func null() { digits("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { digits(value ? "true" : "false") }

  /// Writes a string.
  public mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  /// Writes a string whose bytes `body` appends: ASCII without quotation marks, backslashes and control
  /// characters.
  public mutating func plain(_ body: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(0x22)
    body(&bytes)
    bytes.append(0x22)
  }

  /// Writes a number from its JSON text.
  public mutating func digits(_ digits: String) {
    separate()
    bytes.append(contentsOf: digits.utf8)
  }

  /// Writes a number whose bytes `body` appends.
  public mutating func digits(_ body: (inout [UInt8]) -> Void) {
    separate()
    body(&bytes)
  }

  /// Writes a whole number.
  public mutating func number(_ value: Int64) {
    separate()
    if value < 0 { bytes.append(0x2D) }
    bytes.append(decimal: value.magnitude)
  }

  /// Writes any value.
  public mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let digits): self.digits(digits)
    case .string(let text): string(text)
    case .array(let elements):
      begin(0x5B)
      for element in elements { value(element) }
      end(0x5D)
    case .object(let members):
      begin(0x7B)
      for member in members {
        name(member.name)
        value(member.value)
      }
      end(0x7D)
    }
  }

  /// Writes a value from its JSON text.
  public mutating func written(_ text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    isAfterValue = false
    depth += 1
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    isAfterValue = true
    depth -= 1
  }

  private mutating func separate() {
    if isAfterValue { bytes.append(depth == 0 ? separator : 0x2C) }
    isAfterValue = true
  }

  private mutating func quote(_ text: String) {
    let text8 = text.utf8Span.span
    var isPlain = true
    bytes.append(addingCapacity: text8.count + 2) { quoted in
      quoted.append(0x22)
      for place in text8.indices {
        let byte = text8[place]
        isPlain = isPlain && byte >= 0x20 && byte != 0x22 && byte != 0x5C
        quoted.append(byte)
      }
      quoted.append(0x22)
    }
    // Nearly every text needs no escaping.
    if isPlain { return }
    bytes.removeLast(text8.count + 1)
    escape(text)
    bytes.append(0x22)
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case 0x22: bytes += [0x5C, 0x22]
      case 0x5C: bytes += [0x5C, 0x5C]
      case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
      case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
      case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
      case ..<0x20:
        let digits = String(byte, radix: 16)
        bytes += Array((digits.count == 1 ? "\\u000" : "\\u00").utf8) + Array(digits.utf8)
      default: bytes.append(byte)
      }
    }
  }
}

extension [UInt8] {
  /// Appends the decimal digits of a whole number, zero-padded to a width of at most 20.
  public mutating func append(decimal number: UInt64, width: Int = 1) {
    var digits = InlineArray<20, UInt8>(repeating: 0x30)
    var rest = number
    var start = digits.count
    repeat {
      start -= 1
      digits[start] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    start = Swift.max(0, Swift.min(start, digits.count - width))
    append(addingCapacity: digits.count - start) { text in
      for place in start..<digits.count { text.append(digits[place]) }
    }
  }
}

extension JSON {
  /// Parses what a closure writes as JSON text, so that the same code can produce text or a value.
  ///
  /// - Parameter body: Writes one value.
  public init(written body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    body(&writer)
    do throws(JSONError) {
      self = try JSON(parsing: writer.bytes)
    } catch {
      preconditionFailure("exactly one value must be written, in its place: \(error)")
    }
  }
}
