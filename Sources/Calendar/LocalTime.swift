/// A time of day on a wall clock, in minutes since midnight: 0…1439.
public struct LocalTime: Hashable, Comparable, Sendable {
  /// Minutes since midnight, 0…1439.
  public let minutes: Int32

  /// 00:00.
  public static let midnight = LocalTime(unchecked: 0)

  @inlinable
  package init(unchecked minutes: Int32) { self.minutes = minutes }

  /// Makes a time, or `nil` outside 0…1439.
  public init?(minutes: Int) {
    guard (0..<1440).contains(minutes) else { return nil }
    self.init(unchecked: Int32(minutes))
  }

  /// Earlier times are less.
  public static func < (left: LocalTime, right: LocalTime) -> Bool { left.minutes < right.minutes }
}
