import Avro
import Values

extension Day: CustomStringConvertible {
  /// ISO 8601: `2026-03-01`.
  public var description: String { String(capacity: 24, appendText) }

  /// Appends the ``description`` of the day.
  package func appendText(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: 10) { write(to: &$0) }
  }

  @inline(__always)
  fileprivate func write(to text: inout OutputSpan<UInt8>) {
    let (year, month, day) = parts
    text.append(twoDigits: year / 100)
    text.append(twoDigits: year)
    text.append(UInt8(ascii: "-"))
    text.append(twoDigits: month)
    text.append(UInt8(ascii: "-"))
    text.append(twoDigits: day)
  }

  /// Reads `2026-03-01`; `nil` for another format, or when there is no such day (2026-02-30).
  public init?(_ text: some StringProtocol) { self.init(ascii: Array(text.utf8)[...]) }

  fileprivate init?(ascii bytes: ArraySlice<UInt8>) {
    let start = bytes.startIndex
    guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"),
      bytes[start + 7] == UInt8(ascii: "-"), let year = decimal(bytes[start..<start + 4]),
      let month = decimal(bytes[start + 5..<start + 7]),
      let day = decimal(bytes[start + 8..<start + 10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension Instant: CustomStringConvertible {
  /// RFC 3339 in UTC: `2026-03-01T12:00:00Z`, with milliseconds unless they are 0.
  public var description: String { String(capacity: 24, appendText) }

  /// Appends the ``description`` of the instant.
  package func appendText(to bytes: inout [UInt8]) {
    let dayNumber = DayClock.floorDivide(milliseconds, 86_400_000)
    let inDay = Int(milliseconds - dayNumber * 86_400_000)
    let seconds = inDay / 1000
    bytes.append(addingCapacity: 24) { text in
      Day(clampingNumber: Int(dayNumber)).write(to: &text)
      text.append(UInt8(ascii: "T"))
      text.append(twoDigits: seconds / 3600)
      text.append(UInt8(ascii: ":"))
      text.append(twoDigits: seconds / 60 % 60)
      text.append(UInt8(ascii: ":"))
      text.append(twoDigits: seconds % 60)
      if inDay % 1000 != 0 {
        text.append(UInt8(ascii: "."))
        text.append(0x30 &+ UInt8(truncatingIfNeeded: inDay % 1000 / 100))
        text.append(twoDigits: inDay % 100)
      }
      text.append(UInt8(ascii: "Z"))
    }
  }

  /// Reads RFC 3339 (section 5.6): a date, `T`, a time with or without a fraction, then `Z` or `±hh:mm`.
  ///
  /// Digits beyond milliseconds are cut off. A leap second (`:60`) becomes the following second.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let day = Day(ascii: bytes[..<10]),
      bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let hour = decimal(bytes[11..<13]), hour < 24,
      let minute = decimal(bytes[14..<16]), minute < 60,
      let second = decimal(bytes[17..<19]), second <= 60
    else { return nil }
    var index = 19
    var fraction = 0
    if bytes[index] == UInt8(ascii: ".") {
      let digits = bytes[20...].prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      fraction = decimal((Array(digits.prefix(3)) + [0x30, 0x30]).prefix(3)) ?? 0
      index = digits.endIndex
    }
    let rest = Array(bytes[index...])
    var offsetMinutes = 0
    if rest.count == 6, rest[3] == UInt8(ascii: ":"),
      rest[0] == UInt8(ascii: "+") || rest[0] == UInt8(ascii: "-"),
      let hours = decimal(rest[1..<3]), hours < 24, let minutes = decimal(rest[4..<6]), minutes < 60
    {
      offsetMinutes = (hours * 60 + minutes) * (rest[0] == UInt8(ascii: "-") ? -1 : 1)
    } else {
      guard rest.count == 1, rest[0] | 0x20 == UInt8(ascii: "z") else { return nil }
    }
    let seconds = (hour * 60 + minute - offsetMinutes) * 60 + second
    self.init(
      milliseconds: Int64(day.number) * 86_400_000 + Int64(seconds) * 1000 + Int64(fraction))
  }
}

extension Amount: CustomStringConvertible {
  /// The shortest decimal: `2.5`, or `3` when whole.
  public var description: String { String(capacity: 24, appendText) }

  /// Appends the ``description`` of the amount.
  package func appendText(to bytes: inout [UInt8]) {
    bytes.append(decimal: (thousandths / 1000).magnitude)
    let fraction = Int(thousandths % 1000)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(decimal: UInt64(fraction), width: 3)
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
  }

  /// Reads a decimal with at most three fraction digits that are not zero, as JSON writes numbers.
  public init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.count <= 10, let whole = decimal(first) else { return nil }
    var thousandths = Int64(whole) * 1000
    if parts.count == 2 {
      var digits = Array(parts[1])
      while digits.count > 3, digits.last == UInt8(ascii: "0") { digits.removeLast() }
      guard !digits.isEmpty, digits.count <= 3, let fraction = decimal(digits) else { return nil }
      thousandths += Int64(fraction) * [0, 100, 10, 1][digits.count]
    }
    self.init(thousandths: thousandths)
  }
}

extension LocalTime: CustomStringConvertible {
  /// `07:30`.
  public var description: String { String(capacity: 24, appendText) }

  /// Appends the ``description`` of the time.
  package func appendText(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: 5) { text in
      text.append(twoDigits: Int(minutes) / 60)
      text.append(UInt8(ascii: ":"))
      text.append(twoDigits: Int(minutes) % 60)
    }
  }

  /// Reads `07:30`; `nil` when there is no such time.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = decimal(bytes[0..<2]),
      hour < 24, let minute = decimal(bytes[3..<5]), minute < 60
    else { return nil }
    self.init(minutes: hour * 60 + minute)
  }
}

extension OutputSpan<UInt8> {
  /// Appends the last two digits of a number that is at least 0.
  @inline(__always)
  fileprivate mutating func append(twoDigits number: Int) {
    append(0x30 &+ UInt8(truncatingIfNeeded: number / 10 % 10))
    append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
  }
}

/// The number in ASCII digits; `nil` when there are none, or there is any other character.
private func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard !digits.isEmpty, digits.count <= 12 else { return nil }
  var number = 0
  for digit in digits {
    guard (0x30...0x39).contains(digit) else { return nil }
    number = number * 10 + Int(digit - 0x30)
  }
  return number
}
