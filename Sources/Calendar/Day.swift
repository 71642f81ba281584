/// A calendar day: days since 1970-01-01 in the proleptic Gregorian calendar, years 1…9999.
///
/// A day belongs to no time zone. The ``DayClock`` decides once, when a command is accepted, which day an
/// instant falls on for a person (HH-3).
public struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  /// The first possible day: 0001-01-01.
  public static let first = Day(unchecked: -719_162)
  /// The last possible day: 9999-12-31.
  public static let last = Day(unchecked: 2_932_896)

  @inlinable
  package init(unchecked number: Int32) { self.number = number }

  /// Makes a day, or `nil` outside the years 1…9999.
  @inlinable
  public init?(number: Int) {
    guard number >= -719_162, number <= 2_932_896 else { return nil }
    self.init(unchecked: Int32(truncatingIfNeeded: number))
  }

  /// The day nearest to `number` within the years 1…9999.
  public init(clampingNumber number: Int) {
    self.init(unchecked: Int32(min(max(number, Int(Self.first.number)), Int(Self.last.number))))
  }

  /// The day in UTC at an instant.
  public init(utc instant: Instant) {
    self.init(clampingNumber: Int(DayClock.floorDivide(instant.milliseconds, 86_400_000)))
  }

  /// Makes a day from its parts, or `nil` when there is no such day (2026-02-30).
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= Day.dayCount(year: year, month: month)
    else { return nil }
    // The algorithm is `days_from_civil` from Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(number: era * 146_097 + dayOfEra - 719_468)
  }

  /// Earlier days are less.
  @inlinable
  public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  /// The day this many days later (earlier when negative), clamped to the years 1…9999.
  @inlinable
  public func advanced(by days: Int) -> Day {
    let (sum, overflow) = Int(number).addingReportingOverflow(days)
    if !overflow, let day = Day(number: sum) { return day }
    return Day(unchecked: days < 0 ? -719_162 : 2_932_896)
  }

  /// How many days `other` is after this day (negative when before).
  @inlinable
  public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }

  /// Year 1…9999, month 1…12 and day of the month 1…31.
  public var parts: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The weekday, 0 = Monday … 6 = Sunday (the bit numbers of ``WeekdayMask``, HH-7).
  @inlinable
  public var weekday: Int {
    // 1970-01-01 was a Thursday (3).
    let remainder = (Int(number) + 3) % 7
    return remainder < 0 ? remainder + 7 : remainder
  }

  /// How many days the month has: 28…31.
  package static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
