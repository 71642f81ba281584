/// A wall-clock date and time without a time zone: a day and a second of it.
///
/// This is the local form of a DATE-TIME in RFC 5545 (3.3.5, form 1). A ``WallClock`` converts it to an
/// instant.
public struct LocalDateTime: Hashable, Comparable, Sendable {
  /// The day.
  public let day: Day
  /// The second of the day, 0…86 399.
  public let second: Int32

  @inlinable
  package init(unchecked day: Day, _ second: Int32) {
    self.day = day
    self.second = second
  }

  /// Makes a local time; `nil` when the second is not in 0…86 399.
  public init?(day: Day, second: Int) {
    guard (0..<86_400).contains(second) else { return nil }
    self.init(unchecked: day, Int32(second))
  }

  public init(day: Day, time: LocalTime = .midnight) {
    self.init(unchecked: day, time.minutes * 60)
  }

  /// Earlier ones are less.
  @inlinable
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
    left.day == right.day ? left.second < right.second : left.day < right.day
  }

  /// Seconds since 1970-01-01T00:00:00 on the same wall clock.
  @inlinable
  package var secondsSince1970: Int { Int(day.number) * 86_400 + Int(second) }

  /// The local time this many seconds after 1970-01-01T00:00:00, clamped to the years 1…9999.
  package init(clampingSecondsSince1970 seconds: Int) {
    let day = Self.dayNumber(of: seconds)
    if let day = Day(number: day) {
      self.init(unchecked: day, Int32(seconds - Int(day.number) * 86_400))
    } else {
      self.init(unchecked: day < 0 ? .first : .last, day < 0 ? 0 : 86_399)
    }
  }

  static func dayNumber(of seconds: Int) -> Int {
    let quotient = seconds / 86_400
    return seconds % 86_400 < 0 ? quotient - 1 : quotient
  }
}

extension LocalDateTime: CustomStringConvertible {
  /// ISO 8601: `1997-09-02T09:00:00`.
  public var description: String {
    let (hour, minute, second) = clock
    return "\(day)T\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(second))"
  }

  /// The iCalendar form: `19970902T090000`.
  public var iCalendar: String {
    let (hour, minute, second) = clock
    return day.iCalendar + "T\(Self.digits(hour))\(Self.digits(minute))\(Self.digits(second))"
  }

  /// Reads `1997-09-02T09:00:00`, `1997-09-02T09:00`, `1997-09-02` (midnight), or the same without hyphens
  /// and colons, as in iCalendar. A second of 60 is read as 59 (RFC 5545, 3.3.12).
  public init?(_ text: some StringProtocol) {
    let halves = text.utf8.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x74 })
    guard let first = halves.first, let day = Day(dateDigits: Array(first)) else { return nil }
    guard halves.count == 2 else {
      self.init(unchecked: day, 0)
      return
    }
    var time = Array(halves[1])
    if time.count == 5 || time.count == 8 {
      guard time[2] == 0x3A, time.count == 5 || time[5] == 0x3A else { return nil }
      time.removeAll { $0 == 0x3A }
    }
    guard time.count == 4 || time.count == 6, time.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let pair = { (at: Int) in Int(time[at] - 0x30) * 10 + Int(time[at + 1] - 0x30) }
    let (hour, minute, second) = (pair(0), pair(2), time.count == 6 ? pair(4) : 0)
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    self.init(unchecked: day, Int32(hour * 3600 + minute * 60 + min(second, 59)))
  }

  private var clock: (hour: Int, minute: Int, second: Int) {
    (Int(second) / 3600, Int(second) / 60 % 60, Int(second) % 60)
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Day {
  /// The iCalendar form: `19970902`.
  public var iCalendar: String { description.filter { $0 != "-" } }

  /// Reads the digits of `1997-09-02` or `19970902`.
  fileprivate init?(dateDigits bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count == 10 {
      guard bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
      bytes.removeAll { $0 == 0x2D }
    }
    guard bytes.count == 8, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = { (range: Range<Int>) in bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    self.init(year: number(0..<4), month: number(4..<6), day: number(6..<8))
  }
}
