import Daybook
import PropertyTesting
import Testing

/// The text forms of instants, amounts, times and keys.
@Suite(.tags(.unit)) struct CalendarTextTests {
  static let instants: [(String, Int64)] = [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T00:00:00.001Z", 1),
    ("2026-03-02T12:00:00Z", 1_772_452_800_000), ("2026-03-02t12:00:00z", 1_772_452_800_000),
    ("2026-03-02T12:00:00+05:45", 1_772_432_100_000),
    ("2026-03-02T12:00:00-03:30", 1_772_465_400_000),
    ("2026-03-02T12:00:00-00:00", 1_772_452_800_000),
    ("2026-03-02T12:00:00.5Z", 1_772_452_800_500),
    ("2026-03-02T12:00:00.12Z", 1_772_452_800_120),
    ("2026-03-02T12:00:00.1239999+00:00", 1_772_452_800_123),
    ("2026-12-31T23:59:60Z", 1_798_761_600_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ]

  @Test(arguments: instants) func `an instant is read`(text: String, milliseconds: Int64) {
    #expect(Instant(text)?.milliseconds == milliseconds)
  }

  static let noInstants = [
    "", "2026-03-02", "2026-03-02T12:00:00", "2026-03-02 12:00:00Z", "2026-03-02T12:00Z",
    "2026-03-02T24:00:00Z", "2026-03-02T12:60:00Z", "2026-03-02T12:00:61Z",
    "2026-03-02T12:00:00.Z", "2026-03-02T12:00:00.1", "2026-03-02T12:00:00+5:45",
    "2026-03-02T12:00:00+0545", "2026-03-02T12:00:00+24:00", "2026-03-02T12:00:00+05:60",
    "2026-03-02T12:00:00ZZ", "2026-02-30T12:00:00Z", "2026-03-02T-1:00:00Z",
    "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-03-02T12:00:00 Z",
  ]

  @Test(arguments: noInstants) func `text that is not an instant is refused`(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test func `every instant prints and reads back, whatever the offset`() {
    let values = Generator.zip(
      Generator<Int64>.integer(in: -62_135_596_800_000...253_402_300_799_999),
      Generator<Int>.integer(in: -1439...1439))
    let report = check("round trip", values, cases: 5000) { milliseconds, offset in
      let instant = Instant(clamping: milliseconds)
      try expectEqual(Instant(instant.description), instant)
      let local = Int64(offset) * 60_000 + milliseconds
      guard let shown = Instant(milliseconds: local)?.description.dropLast() else { return }
      let minutes = String(10_000 + abs(offset) / 60 * 100 + abs(offset) % 60).suffix(4)
      let zone = "\(offset < 0 ? "-" : "+")\(minutes.prefix(2)):\(minutes.suffix(2))"
      try expectEqual(Instant(shown + zone), instant, "\(shown)\(zone)")
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `an instant stays within the years 1…9999`() {
    #expect(Instant(milliseconds: Instant.last.milliseconds + 1) == nil)
    #expect(Instant(milliseconds: .min) == nil)
    #expect(Instant.last.advanced(byMilliseconds: .max) == .last)
    #expect(Instant.first.advanced(byMilliseconds: .min) == .first)
  }

  static let amounts: [(String, Int64, String)] = [
    ("0", 0, "0"), ("1", 1000, "1"), ("2.5", 2500, "2.5"), ("2.50", 2500, "2.5"),
    ("0.001", 1, "0.001"), ("0.010", 10, "0.01"), ("1.0000000", 1000, "1"),
    ("1000000000", 1_000_000_000_000, "1000000000"),
    ("999999999.999", 999_999_999_999, "999999999.999"),
  ]

  @Test(arguments: amounts)
  func `an amount is read to the thousandth`(text: String, thousandths: Int64, shown: String) {
    #expect(Amount(text)?.thousandths == thousandths)
    #expect(Amount(text)?.description == shown)
  }

  @Test(arguments: [
    "", ".", ".5", "1.", "-1", "+1", "1.0001", "0.0005", "1e3", "1,5", "1000000001",
    "1000000000.001", "99999999999999999999", "1.2.3", " 1", "NaN",
  ])
  func `text that is not an amount is refused`(text: String) {
    #expect(Amount(text) == nil)
  }

  @Test func `every amount prints and reads back`() {
    let values = Generator<Int64>.integer(in: 0...1_000_000_000_000)
    let report = check("round trip", values, cases: 5000) { number in
      try expectEqual(Amount(Amount(thousandths: number)?.description ?? "")?.thousandths, number)
    }
    #expect(report.passed, "\(report)")
    #expect(Amount(thousandths: -1) == nil)
    let (negative, most) = (-1, 1_000_000_000)
    #expect(Amount(negative) == nil)
    #expect(Amount(most) == .last)
  }

  @Test func `every time of day prints and reads back`() throws {
    for minutes in 0..<1440 {
      let time = try #require(LocalTime(minutes: minutes))
      #expect(LocalTime(time.description) == time)
    }
    #expect(LocalTime(minutes: 450)?.description == "07:30")
    for text in ["", "7:30", "24:00", "12:60", "12:5", "12-30", "12:30:00", "-1:30"] {
      #expect(LocalTime(text) == nil, "\(text)")
    }
    #expect(LocalTime(minutes: 1440) == nil)
    #expect(LocalTime(minutes: -1) == nil)
  }

  @Test func `every key prints in lower case and reads back in either`() {
    let keys = Generator.zip(Generator<UInt64>.bits(), Generator<UInt64>.bits())
    let report = check("round trip", keys, cases: 2000) { high, low in
      let key = Key(high: high, low: low)
      try expectEqual(Key(key.description), key)
      try expectEqual(Key(key.description.uppercased()), key)
    }
    #expect(report.passed, "\(report)")
    let text = "b946c09a-4a47-4fde-ade2-1d2859c784ef"
    #expect(Key(text)?.description == text)
    for wrong in [
      "", String(text.dropLast()), text + "0", text.replacing("-", with: ""), "{\(text)}",
      text.replacing("b", with: "g"), "b946c09-a4a47-4fde-ade2-1d2859c784ef",
    ] {
      #expect(Key(wrong) == nil, "\(wrong)")
    }
    #expect(Key(high: 1, low: .max) < Key(high: 2, low: 0))
  }
}
