import Calendar

/// A time of day as written.
struct WrittenTime {
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0
  /// Whether the text is more precise than whole milliseconds.
  var isTruncated = false

  /// Whether it is a valid time; second 60 means the next second.
  var isValid: Bool { hour < 24 && minute < 60 && second <= 60 }

  /// Whether it is 24:00, the end of the day.
  var isMidnightAfter: Bool { milliseconds == 24 * 3_600_000 && hour == 24 && !isTruncated }

  var milliseconds: Int64 {
    Int64((hour * 60 + minute) * 60 + second) * 1000 + Int64(millisecond)
  }
}

/// Reads dates, times and zones from the front of a text.
struct DateReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Whether nothing but spaces is left.
  var isAtEnd: Bool { bytes[offset...].allSatisfy { $0 == UInt8(ascii: " ") } }

  mutating func skipSpaces() {
    while next == UInt8(ascii: " ") { offset += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    offset += 1
    return true
  }

  private mutating func number(_ count: ClosedRange<Int>) -> Int? {
    digits(count).map(\.number)
  }

  private mutating func digits(_ counts: ClosedRange<Int>) -> (number: Int, count: Int)? {
    var (number, count) = (0, 0)
    while let next, (0x30...0x39).contains(next), count < counts.upperBound {
      number = number * 10 + Int(next - 0x30)
      count += 1
      offset += 1
    }
    return count >= counts.lowerBound ? (number, count) : nil
  }

  /// Reads one of some words, in any case, and returns its place among them.
  private mutating func word(of words: [String]) -> Int? {
    for (place, word) in words.enumerated() {
      let found = bytes[offset...].prefix(word.utf8.count)
      guard found.count == word.utf8.count,
        zip(found, word.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
      else { continue }
      offset += word.utf8.count
      return place
    }
    return nil
  }

  /// `2026-04-01`, `2026/04/01`, `20260401`, `4/1/2026`, `01 Apr 2026`, or the last with a weekday before it.
  mutating func date() -> (year: Int, month: Int, day: Int)? {
    if word(of: Day.weekdayNames) != nil {
      _ = take(",")
      skipSpaces()
    }
    guard let first = digits(1...8) else { return nil }
    switch first.count {
    case 8: return (first.number / 10_000, first.number / 100 % 100, first.number % 100)
    case 4:
      let separator: Unicode.Scalar = next == UInt8(ascii: "/") ? "/" : "-"
      guard take(separator), let month = number(1...2), take(separator), let day = number(1...2)
      else { return nil }
      return (first.number, month, day)
    case 1, 2:
      if take("/") {
        guard let day = number(1...2), take("/"), let year = number(4...4) else { return nil }
        return (year, first.number, day)
      }
      skipSpaces()
      guard let month = word(of: Day.monthNames) else { return nil }
      skipSpaces()
      return number(4...4).map { ($0, month + 1, first.number) }
    default: return nil
    }
  }

  /// Reads the separator between a date and a time, if a time follows.
  mutating func takeTimeSeparator() -> Bool {
    if isAtEnd { return false }
    if take("T") || take("t") { return true }
    let start = offset
    skipSpaces()
    _ = take(",")
    skipSpaces()
    return offset > start
  }

  /// `07:30`, `07:30:15.25`, `7:30 PM`, and after a date also `073015`.
  mutating func time(mayBeCompact: Bool = true) -> WrittenTime? {
    var time = WrittenTime()
    guard let first = digits(1...6) else { return nil }
    switch first.count {
    case 4 where mayBeCompact: (time.hour, time.minute) = (first.number / 100, first.number % 100)
    case 6 where mayBeCompact:
      (time.hour, time.minute) = (first.number / 10_000, first.number / 100 % 100)
      time.second = first.number % 100
      guard takeFraction(&time) else { return nil }
    case 1, 2:
      guard take(":"), let minute = number(2...2) else { return nil }
      (time.hour, time.minute) = (first.number, minute)
      if take(":") {
        guard let second = number(2...2) else { return nil }
        time.second = second
        guard takeFraction(&time) else { return nil }
      }
    default: return nil
    }
    return takeHalf(&time) ? time : nil
  }

  private mutating func takeFraction(_ time: inout WrittenTime) -> Bool {
    guard take(".") else { return true }
    let start = offset
    while let next, (0x30...0x39).contains(next) { offset += 1 }
    let digits = bytes[start..<offset]
    guard !digits.isEmpty else { return false }
    for place in 0..<3 {
      let digit = place < digits.count ? Int(digits[start + place] - 0x30) : 0
      time.millisecond = time.millisecond * 10 + digit
    }
    time.isTruncated = digits.dropFirst(3).contains { $0 != 0x30 }
    return true
  }

  /// Reads `AM` or `PM`, if there is one: 12 AM is midnight, and 12 PM is noon.
  private mutating func takeHalf(_ time: inout WrittenTime) -> Bool {
    var reader = self
    reader.skipSpaces()
    guard let half = reader.word(of: ["AM", "PM"]) else { return true }
    guard (1...12).contains(time.hour) else { return false }
    time.hour = time.hour % 12 + half * 12
    self = reader
    return true
  }

  /// The offset of a zone from UTC in seconds; zero where no zone is written.
  mutating func zone() -> Int? {
    skipSpaces()
    if isAtEnd || word(of: ["UTC", "GMT", "Z"]) != nil { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(1...2) else { return nil }
    var seconds = hours * 3600
    if !isAtEnd {
      _ = take(":")
      guard let minutes = number(2...2), minutes < 60 else { return nil }
      seconds += minutes * 60
    }
    return isBehind ? -seconds : seconds
  }
}
