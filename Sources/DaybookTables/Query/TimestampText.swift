import Calendar
import HTTPTypes

/// A moment as clients write it: a date alone, or with a time after `T` or a space, a fraction of any length, and `Z`,
/// an offset or no zone at all, which is UTC.
struct TimestampText {
  /// The day that is written.
  let day: Day
  let instant: Instant
  /// Whether the text says more than whole milliseconds.
  let isCut: Bool

  /// Reads a moment.
  ///
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a moment that there is not.
  init(_ text: String, as type: String) throws(TableError) {
    var reader = DigitReader(text)
    let malformed = TableError(
      .badRequest, "22007", "invalid input syntax for type \(type): \"\(text)\"")
    let missing = TableError(
      .badRequest, "22008", "date/time field value out of range: \"\(text)\"")
    guard let year = reader.number(4...4), reader.take("-"), let month = reader.number(1...2),
      reader.take("-"), let dayOfMonth = reader.number(1...2)
    else { throw malformed }
    var time = TimeOfDay()
    var offset = 0
    if !reader.isAtEnd {
      guard reader.take("T") || reader.take("t") || reader.take(" "), let found = reader.time(),
        let zone = reader.zone()
      else { throw malformed }
      (time, offset) = (found, zone)
    }
    guard reader.isAtEnd else { throw malformed }
    guard let day = Day(year: year, month: month, day: dayOfMonth), time.isOne,
      abs(offset) <= 16 * 3600,
      let instant = Instant(
        milliseconds: Int64(day.number) * 86_400_000 + time.milliseconds - Int64(offset) * 1000)
    else { throw missing }
    self.day = day
    self.instant = instant
    isCut = time.isCut
  }

  /// Reads a time of day: `07:30`, with its seconds where it has some.
  ///
  /// - Throws: ``TableError``: `22007` for another text, `22008` for a time that there is not.
  static func time(_ text: String) throws(TableError) -> String {
    var reader = DigitReader(text)
    guard let time = reader.time(), reader.isAtEnd else {
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

private struct TimeOfDay {
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  var isCut = false

  /// Whether there is such a time; a leap second is the second after.
  var isOne: Bool { hour < 24 && minute < 60 && second <= 60 }

  var milliseconds: Int64 {
    Int64((hour * 60 + minute) * 60 + second) * 1000 + Int64(millisecond)
  }
}

/// Reads numbers of a few digits from the front of a text.
private struct DigitReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard offset < bytes.count, UInt32(bytes[offset]) == character.value else { return false }
    offset += 1
    return true
  }

  mutating func number(_ count: ClosedRange<Int>) -> Int? {
    var (number, digits) = (0, 0)
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]), digits < count.upperBound {
      number = number * 10 + Int(bytes[offset] - 0x30)
      digits += 1
      offset += 1
    }
    return digits >= count.lowerBound ? number : nil
  }

  mutating func time() -> TimeOfDay? {
    var time = TimeOfDay()
    guard let hour = number(1...2), take(":"), let minute = number(2...2) else { return nil }
    (time.hour, time.minute) = (hour, minute)
    guard take(":") else { return time }
    guard let second = number(2...2) else { return nil }
    time.second = second
    guard take(".") else { return time }
    let start = offset
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
    let digits = bytes[start..<offset]
    guard !digits.isEmpty else { return nil }
    for place in 0..<3 {
      let digit = place < digits.count ? Int(digits[start + place] - 0x30) : 0
      time.millisecond = time.millisecond * 10 + digit
    }
    time.isCut = digits.dropFirst(3).contains { $0 != 0x30 }
    return time
  }

  /// The seconds that a zone is ahead of UTC; none where none is written.
  mutating func zone() -> Int? {
    if isAtEnd { return 0 }
    if take("Z") || take("z") { return isAtEnd ? 0 : nil }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2...2) else { return nil }
    var seconds = hours * 3600
    if !isAtEnd {
      _ = take(":")
      guard let minutes = number(2...2), minutes < 60 else { return nil }
      seconds += minutes * 60
    }
    return isBehind ? -seconds : seconds
  }
}
