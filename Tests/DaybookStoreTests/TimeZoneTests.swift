import Daybook
import DaybookStore
import Foundation
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct TimeZoneTests {
  let zones = SystemTimeZones()

  @Test(.enabled(if: Fixtures.exist, "../shared/fixtures is not here"))
  func `local days match another time-zone library (HH-3)`() throws {
    let rows = try Fixtures.lines("local_day_cases.csv").dropFirst()
    #expect(rows.count == 200)
    for row in rows {
      let cells = row.split(separator: ",").map(String.init)
      try #require(cells.count == 4, "\(row)")
      let clock = DayClock(timeZone: cells[0], dayStartHour: try #require(Int(cells[1])))
      let instant = try #require(Instant(cells[2]))
      #expect(clock.day(of: instant, in: zones)?.description == cells[3], "\(row)")
    }
  }

  static let names = [
    "Europe/London", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Asia/Kathmandu",
    "Australia/Lord_Howe", "Pacific/Kiritimati", "Etc/GMT+5", "US/Eastern", "UTC", "GMT", "EST5EDT",
    "Japan",
  ]

  @Test(arguments: names) func `an IANA name is a time zone (HH-1)`(name: String) {
    #expect(zones.offsetSeconds(of: name, at: Instant(clamping: 0)) != nil)
  }

  static let others = [
    "", " ", "UTC+5", "GMT+5", "+05:00", "PST", "EDT", "Local", "local", "Mars/Olympus",
    "europe/london", "EUROPE/LONDON", "Europe/London ", " Europe/London", "Europe/", "/London",
    "Europe//London", "../Europe/London", "Europe/../Europe/London", "posix/Europe/London",
    "right/Europe/London", "Etc/Unknown", "Eastern Standard Time", "London",
  ]

  @Test(arguments: others) func `any other name is refused (HH-1)`(name: String) {
    #expect(zones.offsetSeconds(of: name, at: Instant(clamping: 0)) == nil)
  }

  @Test func `offsets follow a zone's clock changes`() throws {
    let rows = [
      ("Australia/Lord_Howe", "2026-04-04T14:59:59.999Z", 39_600),
      ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37_800),
      ("America/St_Johns", "2026-03-08T05:29:59.999Z", -12_600),
      ("America/St_Johns", "2026-03-08T05:30:00Z", -9000),
      ("Pacific/Apia", "2011-12-30T09:59:59.999Z", -36_000),
      ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400),
      ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20_700),
    ]
    for (name, text, offset) in rows {
      let instant = try #require(Instant(text))
      #expect(zones.offsetSeconds(of: name, at: instant) == offset, "\(name) \(text)")
    }
  }

  @Test func `cached offsets of a zone hold for later questions`() {
    for (number, name) in TimeZone.knownTimeZoneIdentifiers.enumerated() {
      guard let zone = TimeZone(identifier: name) else { continue }
      var chance = SplitMix64(seed: UInt64(number))
      // From 1880 on, in steps of up to a day, some of which go back.
      var time = Int64(truncatingIfNeeded: chance.next() % 6_600_000_000_000) - 2_840_000_000_000
      for _ in 0..<300 {
        let step = Int64(truncatingIfNeeded: chance.next() % 259_200_000) - 86_400_000
        time += chance.next() % 8 == 0 ? step * 60 : step
        let date = Date(timeIntervalSince1970: Double(time) / 1000)
        let offset = zones.offsetSeconds(of: name, at: Instant(clamping: time))
        guard offset == zone.secondsFromGMT(for: date) else {
          Issue.record("\(name) at \(time)")
          return
        }
      }
    }
  }

  /// Zones, day starts and days for which the end of a day is hard to find.
  static let ends = [
    ("America/New_York", 1, "2026-10-31"), ("Europe/Berlin", 3, "2026-10-24"),
    ("America/New_York", 3, "2026-03-07"), ("America/St_Johns", 4, "2026-03-07"),
    ("Australia/Lord_Howe", 2, "2026-04-04"), ("Australia/Lord_Howe", 2, "2026-10-03"),
    ("Africa/Cairo", 0, "2026-04-23"), ("Africa/Cairo", 23, "2026-10-29"),
    ("America/Havana", 0, "2026-03-07"), ("America/Havana", 0, "2026-10-31"),
    ("Pacific/Kiritimati", 0, "2026-01-01"), ("Pacific/Honolulu", 23, "2026-01-01"),
  ]

  @Test(arguments: ends)
  func `the end of a day is its last millisecond`(zone: String, start: Int, text: String) throws {
    let clock = DayClock(timeZone: zone, dayStartHour: start)
    try expectEnd(of: try #require(Day(text)), clock)
  }

  @Test func `a day ending in a repeated hour ends in the second one`() throws {
    let clock = DayClock(timeZone: "America/New_York", dayStartHour: 2)
    let day = Day("2026-10-31")
    try expectEnd(of: day, clock)
  }

  @Test func `a day whose end a zone left out ends when the clocks went forward`() throws {
    let clock = DayClock(timeZone: "Pacific/Apia", dayStartHour: 1)
    #expect(
      clock.end(of: "2011-12-29", in: zones) == Instant("2011-12-30T09:59:59.999Z"))
    #expect(
      clock.end(of: "2011-12-30", in: zones) == Instant("2011-12-30T10:59:59.999Z"))
  }

  @Test func `the left-out days match the time zone database since 1970`() throws {
    for name in TimeZone.knownTimeZoneIdentifiers + DateLine.daysLeftOut.keys {
      guard zones.offsetSeconds(of: name, at: Instant(clamping: 0)) != nil else { continue }
      #expect(try dayLeftOut(of: name) == DateLine.dayLeftOut(of: name), "\(name)")
    }
  }

  /// The day that a zone left out since 1970: its offset grew by most of a day then.
  private func dayLeftOut(of name: String) throws -> Day? {
    let step: Int64 = 180 * 86_400_000
    for number in Int64(0)..<135 {
      var (low, high) = (number * step, (number + 1) * step)
      let before = try #require(zones.offsetSeconds(of: name, at: Instant(clamping: low)))
      let after = try #require(zones.offsetSeconds(of: name, at: Instant(clamping: high)))
      guard after - before > 20 * 3600 else { continue }
      while high - low > 1 {
        let middle = (low + high) / 2
        let offset = try #require(zones.offsetSeconds(of: name, at: Instant(clamping: middle)))
        if offset - before > 20 * 3600 { high = middle } else { low = middle }
      }
      let clock = DayClock(timeZone: name, dayStartHour: 0)
      let last = try #require(clock.day(of: Instant(clamping: low), in: zones))
      #expect(clock.day(of: Instant(clamping: high), in: zones) == last.advanced(by: 2), "\(name)")
      return last.advanced(by: 1)
    }
    return nil
  }

  private func expectEnd(of day: Day, _ clock: DayClock) throws {
    let end = try #require(clock.end(of: day, in: zones))
    #expect(clock.day(of: end, in: zones) == day)
    let later = (0..<120).map { end.advanced(byMilliseconds: $0 * 60_000 + 1) }
    #expect(later.allSatisfy { clock.day(of: $0, in: zones) == day.advanced(by: 1) }, "\(end)")
  }
}
