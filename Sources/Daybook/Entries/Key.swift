public import Avro

/// The UUID by which a client names an entity (RFC 9562), and by which it names a command that it may repeat.
public struct Key: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes.
  public let high: UInt64
  /// The last eight bytes.
  public let low: UInt64

  /// Makes a key from its sixteen bytes.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads `b946c09a-4a47-4fde-ade2-1d2859c784ef`, in either case; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    var count = 0
    var digits = 0
    for byte in text.utf8 {
      if count == 8 || count == 13 || count == 18 || count == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        let digit: UInt8
        switch byte {
        case 0x30...0x39: digit = byte - 0x30
        case 0x41...0x46: digit = byte - 0x37
        case 0x61...0x66: digit = byte - 0x57
        default: return nil
        }
        if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        digits += 1
      }
      count += 1
    }
    guard count == 36 else { return nil }
    self.init(high: high, low: low)
  }

  /// The UUID in lower case.
  public var description: String {
    String(capacity: 36, appendText)
  }

  /// Appends the key as its ``description`` has it.
  func appendText(to bytes: inout [UInt8]) {
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let half = index < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index % 16)) & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// By their bytes, the first ones first.
  public static func < (left: Key, right: Key) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension Key: AvroValue {
  /// `fixed(16)`, logical type `uuid`.
  public static var schema: Schema {
    .fixed(.init(name: "Key", byteCount: 16, logicalType: "uuid"))
  }

  /// Takes sixteen bytes.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    var high: UInt64 = 0
    var low: UInt64 = 0
    for _ in 0..<8 { high = high << 8 | UInt64(try reader.takeByte()) }
    for _ in 0..<8 { low = low << 8 | UInt64(try reader.takeByte()) }
    self.init(high: high, low: low)
  }

  /// Appends sixteen bytes.
  public func write(to writer: inout BinaryWriter) {
    for half in [high, low] {
      writer.put(raw: (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) })
    }
  }
}
