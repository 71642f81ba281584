import Daybook
import Journal
import Testing

@testable import DaybookStore

/// An empty book in memory whose segments are sealed as soon as they are full, after some ten commits, with its own
/// clock.
struct SegmentedBook {
  let storage = MemoryStorage()
  let clock: HandClock
  let reader: BookReader
  let book: Book

  init() throws {
    clock = HandClock(try #require(Instant("2026-03-01T08:00:00Z")))
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
    book = try Book(
      opening: reader, clock: clock.bookClock,
      segmentByteCount: Book.segmentByteCount(holding: 1000), sealing: .atOnce)
  }
}
