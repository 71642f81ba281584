import Calendar
import HTTPTypes

/// A moment in one of the forms that PostgreSQL reads: a date alone, or with a time after `T` or spaces, a fraction
/// of any length, and `Z`, `UTC`, an offset or no zone, which means UTC; or a word such as `now` or `today`.
struct TimestampText {
  /// The words whose meaning depends on the time of reading; `now()` is one, too.
  static let words = ["now", "today", "tomorrow", "yesterday"]

  /// The written day.
  let day: Day
  let instant: Instant
  /// Whether the text has a time, and not a day alone.
  let hasTime: Bool
  /// Whether the text is more precise than whole milliseconds.
  let isTruncated: Bool

  /// Reads a moment.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: The type's name in errors.
  ///   - now: The meaning of "now"; `nil` where "now" is not a valid literal.
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a moment that does not exist.
  init(_ text: String, as type: String, at now: Instant? = nil) throws(TableError) {
    var reader = DateReader(text)
    reader.skipSpaces()
    let malformed = TableError(
      .badRequest, "22007", "invalid input syntax for type \(type): \"\(text)\"")
    let missing = TableError(
      .badRequest, "22008", "date/time field value out of range: \"\(text)\"")
    guard let date = reader.date() else {
      guard let now, let instant = Self.instant(named: text, at: now) else { throw malformed }
      (day, self.instant, hasTime, isTruncated) = (Day(utc: instant), instant, true, false)
      return
    }
    var time = WrittenTime()
    var offset = 0
    hasTime = reader.takeTimeSeparator()
    if hasTime {
      guard let found = reader.time(), let zone = reader.zone() else { throw malformed }
      (time, offset) = (found, zone)
    }
    guard reader.isAtEnd else { throw malformed }
    guard let day = Day(year: date.year, month: date.month, day: date.day),
      time.isValid || time.isMidnightAfter, abs(offset) <= 16 * 3600,
      let instant = Instant(
        milliseconds: Int64(day.number) * 86_400_000 + time.milliseconds - Int64(offset) * 1000)
    else { throw missing }
    self.day = day
    self.instant = instant
    isTruncated = time.isTruncated
  }

  private static func instant(named text: String, at now: Instant) -> Instant? {
    var word = text.lowercased().drop { $0 == " " }
    while word.last == " " { word.removeLast() }
    if word.hasSuffix("()") { word.removeLast(2) }
    let start = Instant(clamping: Int64(Day(utc: now).number) * 86_400_000)
    switch word {
    case "now": return now
    case "today": return start
    case "tomorrow": return start.advanced(byMilliseconds: 86_400_000)
    case "yesterday": return start.advanced(byMilliseconds: -86_400_000)
    default: return nil
    }
  }

  /// Reads a time of day: `07:30`, perhaps with seconds, or `7:30 PM`.
  ///
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a time that does not exist.
  static func time(_ text: String) throws(TableError) -> String {
    var reader = DateReader(text)
    reader.skipSpaces()
    guard let time = reader.time(mayBeCompact: false), reader.isAtEnd else {
      throw TableError(.badRequest, "22007", "invalid input syntax for type time: \"\(text)\"")
    }
    guard time.isValid, time.second < 60 else {
      throw TableError(
        .badRequest, "22008", "date/time field value out of range: \"\(text)\"")
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let start = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? start : "\(start):\(two(time.second))"
  }
}
