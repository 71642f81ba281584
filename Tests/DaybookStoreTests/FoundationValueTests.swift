import Daybook
import DaybookStore
import Foundation
import PropertyTesting
import Testing

/// Conversions between Foundation's values and a book's.
@Suite(.tags(.unit)) struct FoundationValueTests {
  @Test func `an instant converts to a Date and back, to the millisecond`() {
    let report = check(
      "dates", Generator<Int64>.integer(in: -62_135_596_800_000...253_402_300_799_999)
    ) { milliseconds in
      let instant = Instant(clamping: milliseconds)
      return Instant(Date(instant).addingTimeInterval(0.0002)) == instant
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: [
    (Double.infinity, Instant.last), (-.infinity, .first), (.nan, .first), (1e300, .last),
    (-1e300, .first),
  ])
  func `a Date outside the range becomes the nearest instant`(seconds: Double, nearest: Instant) {
    #expect(Instant(Date(timeIntervalSince1970: seconds)) == nearest)
  }

  @Test func `a key is a UUID's 128 bits`() throws {
    let uuid = try #require(UUID(uuidString: "01234567-89AB-4CDE-8F01-23456789ABCD"))
    #expect(Key(uuid).description == uuid.uuidString.lowercased())
    let fresh = Key()
    #expect(fresh != Key())
    #expect(UUID(uuidString: fresh.description).map { Key($0) } == fresh)
    #expect(fresh.description.split(separator: "-")[2].first == "4")
  }
}
