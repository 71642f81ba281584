/// A moment in time: whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Phones and browsers have this precision. JSON uses RFC 3339 in UTC: `2026-03-01T12:00:00Z`.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public let milliseconds: Int64

  /// The first possible instant: 0001-01-01T00:00:00Z.
  public static let first = Instant(unchecked: -62_135_596_800_000)
  /// The last possible instant: 9999-12-31T23:59:59.999Z.
  public static let last = Instant(unchecked: 253_402_300_799_999)

  @inlinable
  package init(unchecked milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Makes an instant, or `nil` outside the years 1…9999.
  @inlinable
  public init?(milliseconds: Int64) {
    guard milliseconds >= -62_135_596_800_000, milliseconds <= 253_402_300_799_999 else {
      return nil
    }
    self.init(unchecked: milliseconds)
  }

  /// The instant nearest to `milliseconds` within the years 1…9999.
  public init(clamping milliseconds: Int64) {
    self.init(unchecked: min(max(milliseconds, Self.first.milliseconds), Self.last.milliseconds))
  }

  /// Earlier instants are less.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant this many milliseconds later (earlier when negative), clamped to the years 1…9999.
  public func advanced(byMilliseconds delta: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
    return Instant(clamping: overflow ? (delta < 0 ? .min : .max) : sum)
  }
}
