public import Daybook
public import Foundation

// Conversions from and to Foundation's values, which the domain itself does not know.

extension Instant {
  /// The instant of a date, to the millisecond; a date outside the years 1…9999 becomes the nearest
  /// instant.
  public init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
    // NaN, and a number that does not fit in 64 bits, becomes the first or last instant.
    let isLate = milliseconds > 0
    self.init(clamping: Int64(exactly: milliseconds) ?? (isLate ? .max : .min))
  }
}

extension Date {
  /// The date of an instant.
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
  }
}

extension Key {
  /// A fresh random key: a UUID of version 4 (RFC 9562, section 5.4).
  public init() {
    var generator = SystemRandomNumberGenerator()
    let version: UInt64 = 0x4000
    let variant: UInt64 = 1 << 63
    self.init(
      high: generator.next() & ~0xF000 | version, low: generator.next() & ~(3 << 62) | variant)
  }

  /// The key of a UUID: the same 128 bits.
  public init(_ uuid: UUID) {
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    func number(_ half: ArraySlice<UInt8>) -> UInt64 { half.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
  }
}
