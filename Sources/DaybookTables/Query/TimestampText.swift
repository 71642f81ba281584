import Calendar
import HTTPTypes

/// A moment as clients write it, in the forms that PostgreSQL reads: a date alone, or with a time after `T` or spaces, a
/// fraction of any length, and `Z`, `UTC`, an offset or no zone at all, which is UTC; or a word such as `now` or `today`.
struct TimestampText {
  /// What says a moment or a day by when it is read; `now()` is one, too.
  static let words = ["now", "today", "tomorrow", "yesterday"]

  /// The day that is written.
  let day: Day
  let instant: Instant
  /// Whether a time is written, and not a day alone.
  let hasTime: Bool
  /// Whether the text says more than whole milliseconds.
  let isCut: Bool

  /// Reads a moment.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: What errors call what is read.
  ///   - now: What "now" means; nothing where it is no moment.
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a moment that there is not.
  init(_ text: String, as type: String, at now: Instant? = nil) throws(TableError) {
    var reader = DateReader(text)
    reader.skipSpaces()
    let malformed = TableError(
      .badRequest, "22007", "invalid input syntax for type \(type): \"\(text)\"")
    let missing = TableError(
      .badRequest, "22008", "date/time field value out of range: \"\(text)\"")
    guard let date = reader.date() else {
      guard let now, let instant = Self.instant(named: text, at: now) else { throw malformed }
      (day, self.instant, hasTime, isCut) = (Day(utc: instant), instant, true, false)
      return
    }
    var time = TimeOfDay()
    var offset = 0
    hasTime = reader.takeTimeSeparator()
    if hasTime {
      guard let found = reader.time(), let zone = reader.zone() else { throw malformed }
      (time, offset) = (found, zone)
    }
    guard reader.isAtEnd else { throw malformed }
    guard let day = Day(year: date.year, month: date.month, day: date.day),
      time.isOne || time.isMidnightAfter, abs(offset) <= 16 * 3600,
      let instant = Instant(
        milliseconds: Int64(day.number) * 86_400_000 + time.milliseconds - Int64(offset) * 1000)
    else { throw missing }
    self.day = day
    self.instant = instant
    isCut = time.isCut
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

  /// Reads a time of day: `07:30`, with its seconds where it has some, or `7:30 PM`.
  ///
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a time that there is not.
  static func time(_ text: String) throws(TableError) -> String {
    var reader = DateReader(text)
    reader.skipSpaces()
    guard let time = reader.time(mayBeCompact: false), reader.isAtEnd else {
      throw TableError(.badRequest, "22007", "invalid input syntax for type time: \"\(text)\"")
    }
    guard time.isOne, time.second < 60 else {
      throw TableError(
        .badRequest, "22008", "date/time field value out of range: \"\(text)\"")
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let start = "\(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? start : "\(start):\(two(time.second))"
  }
}
