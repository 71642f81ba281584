/// The weekdays of a schedule: bit 0 = Monday … bit 6 = Sunday, 1…127 (HH-7).
public struct WeekdayMask: Hashable, Sendable {
  /// The bits, 1…127.
  public let bits: UInt8

  /// Every day of the week: 127.
  public static let everyDay = WeekdayMask(unchecked: 127)

  @usableFromInline
  package init(unchecked bits: UInt8) { self.bits = bits }

  /// Makes a mask, or `nil` outside 1…127: a schedule needs a day (HH-7).
  public init?(bits: Int) {
    guard (1...127).contains(bits) else { return nil }
    self.init(unchecked: UInt8(bits))
  }

  /// Whether the mask names the day's weekday.
  @inlinable
  public func contains(_ day: Day) -> Bool { bits >> UInt8(day.weekday) & 1 == 1 }

  /// The number of weekdays in the mask, 1…7.
  public var count: Int { bits.nonzeroBitCount }
}

/// When a habit is due: on certain weekdays, or a number of times in any window of days.
public enum Schedule: Hashable, Sendable {
  /// Due on the weekdays of the mask; daily is the mask 127.
  case weekdays(WeekdayMask)
  /// Due `times` in every `days` days, 1 ≤ times < days ≤ 1000, judged as Loop Habit Tracker does.
  case quota(times: Int, days: Int)

  /// Due every day.
  public static let daily = Schedule.weekdays(.everyDay)

  /// A quota of `times` in `days` days, or `nil` unless 1 ≤ times ≤ days ≤ 1000.
  ///
  /// A quota of as many times as days equals ``daily``.
  package static func quota(_ times: Int, in days: Int) -> Schedule? {
    guard times >= 1, times <= days, days <= 1000 else { return nil }
    return times == days ? .daily : .quota(times: times, days: days)
  }
}
