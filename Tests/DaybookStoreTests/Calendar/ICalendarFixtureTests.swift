import Avro
import Daybook
import DaybookStore
import Foundation
import Testing

/// Compares with the results of recurring-ical-events for real calendars (../shared/fixtures/ics).
@Suite(.tags(.law), .enabled(if: Fixtures.exist, "../shared/fixtures is not here"))
struct ICalendarFixtureTests {
  @Test(arguments: fixtures)
  func `files of other programs have the times that another reader finds (MC-10)`(
    name: String, expected: JSON
  ) throws {
    let reading = try Self.read(name)
    let found = reading.calendar.occurrences(
      from: try #require(Instant("2000-01-01T00:00:00Z")),
      until: try #require(Instant("2031-01-01T00:00:00Z")), seenFrom: "Etc/UTC",
      zones: SystemTimeZones.shared)
    #expect(found.count == expected["total_2000_2030"]?.integer)
    let first = try #require(expected["first"]?.elements).map(Times.init)
    // The other reader orders simultaneous events in its own way.
    let zones = reading.calendar.timeZones(beside: SystemTimeZones.shared)
    let mine = found.prefix(first.count).map { Times($0, zones: zones) }
    #expect(mine.sorted() == first.sorted())
  }

  @Test(arguments: fixtures.map(\.name))
  func `an imported calendar is the same after writing and reading (MC-10)`(name: String) throws {
    let zones = SystemTimeZones.shared
    let stamp = try #require(Instant("2026-01-01T00:00:00Z"))
    let text = try Self.read(name).calendar.write(stamp: stamp, zones: zones)
    let again = ICalendar.read(text, zones: zones)
    #expect(again.problems == [])
    #expect(again.calendar.write(stamp: stamp, zones: zones) == text)
  }

  static let fixtures: [(name: String, expected: JSON)] = {
    let file = Fixtures.directory.appending(path: "ics/EXPECTED.json")
    guard let text = try? String(contentsOf: file, encoding: .utf8),
      let members = (try? JSON(parsing: text))?.members
    else { return [] }
    return members.map { ($0.name, $0.value) }
  }()

  private static func read(_ name: String) throws -> ICalendar.Reading {
    let bytes = try Data(contentsOf: Fixtures.directory.appending(path: "ics/\(name)"))
    return ICalendar.read(Array(bytes), zones: SystemTimeZones.shared)
  }
}

/// The time in a form that both readers use: dates and floating times unchanged, others as instants.
private struct Times: Hashable, Comparable, CustomStringConvertible {
  let description: String

  init(_ expected: JSON) {
    let uid = expected["uid"]?.text ?? ""
    let times = ["start", "end"].map { name in
      let text = (expected[name]?.text ?? "").replacing(" ", with: "T")
      return Instant(text)?.description ?? text
    }
    description = "\(times[0]) \(times[1]) \(uid)"
  }

  init(_ found: ICalendar.Occurrence, zones: any TimeZones) {
    let times = [found.start, found.end].map { time in
      switch time {
      case .date(let day): day.description
      case .floating(let local): local.description
      case .zoned: time.instant(seenFrom: "Etc/UTC", zones: zones).description
      }
    }
    let uid = found.event.uid.hasPrefix("no-uid-") ? "None" : found.event.uid
    description = "\(times[0]) \(times[1]) \(uid)"
  }

  static func < (left: Times, right: Times) -> Bool { left.description < right.description }
}
