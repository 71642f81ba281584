/// The UUID by which a client identifies an entity (RFC 9562), or a command that it may repeat.
public struct Key: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first eight bytes.
  public let high: UInt64
  /// The last eight bytes.
  public let low: UInt64

  /// Makes a key from its sixteen bytes.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads `b946c09a-4a47-4fde-ade2-1d2859c784ef`, in either case; `nil` for anything else.
  @inlinable
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

  /// Appends the ``description`` of the key.
  package func appendText(to bytes: inout [UInt8]) {
    let (first, second) = (Self.digits(of: high, at: 32), Self.digits(of: high, at: 0))
    let (third, fourth) = (Self.digits(of: low, at: 32), Self.digits(of: low, at: 0))
    bytes.append(addingCapacity: 36) { text in
      text.append(digits: first, 8)
      text.append(UInt8(ascii: "-"))
      text.append(digits: second, 4)
      text.append(UInt8(ascii: "-"))
      text.append(digits: second << 32, 4)
      text.append(UInt8(ascii: "-"))
      text.append(digits: third, 4)
      text.append(UInt8(ascii: "-"))
      text.append(digits: third << 32, 4)
      text.append(digits: fourth, 8)
    }
  }

  /// The eight hex digits of four bytes, the first digit in the highest byte. Keys make up most of an answer,
  /// so the digits are computed in parallel in one word.
  @inline(__always)
  private static func digits(of number: UInt64, at shift: UInt64) -> UInt64 {
    var halves = number >> shift & 0xFFFF_FFFF
    halves = (halves | halves << 16) & 0x0000_FFFF_0000_FFFF
    halves = (halves | halves << 8) & 0x00FF_00FF_00FF_00FF
    halves = (halves | halves << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // Adding six carries every value above nine to sixteen or more.
    let letters = (halves &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return halves &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
  }

  /// Compares bytewise, first byte first.
  public static func < (left: Key, right: Key) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the leading bytes of a word, highest byte first.
  @inline(__always)
  fileprivate mutating func append(digits: UInt64, _ count: Int) {
    for place in 0..<count { append(UInt8(truncatingIfNeeded: digits >> UInt64(56 - 8 * place))) }
  }
}
