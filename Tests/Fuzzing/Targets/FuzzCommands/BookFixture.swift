import Avro
import Daybook
import DaybookStore
import Fuzzing
import Journal
import Synchronization

/// A book that is the same for every input: two accounts, three habits, a goal, some days.
struct BookFixture {
  static let now = Instant(clamping: 1_773_144_000_000)  // 2026-03-10T12:00:00Z

  let book: Book
  /// The position of the last entry before the input.
  let position: Int64

  static let lines = #"""
    {"do":"create_account","key":"00000000-0000-4000-8000-0000000000a1","display_name":"Ada","timezone":"Europe/London","day_start_hour":4,"at":"2026-03-01T08:00:00Z"}
    {"do":"create_account","key":"00000000-0000-4000-8000-0000000000b1","display_name":"Ben","timezone":"Pacific/Kiritimati","at":"2026-03-01T08:00:00Z"}
    {"do":"create_goal","as":"00000000-0000-4000-8000-0000000000a1","key":"00000000-0000-4000-8000-0000000000c1","title":"Calm","at":"2026-03-01T08:01:00Z"}
    {"do":"create_habit","as":"00000000-0000-4000-8000-0000000000a1","key":"00000000-0000-4000-8000-0000000000d1","name":"Meditate","at":"2026-03-01T08:02:00Z"}
    {"do":"create_habit","as":"00000000-0000-4000-8000-0000000000a1","key":"00000000-0000-4000-8000-0000000000d2","name":"Run","type":"counter","target_per_day":2.5,"unit":"km","schedule_quota":{"times":3,"days":7},"at":"2026-03-01T08:03:00Z"}
    {"do":"create_habit","as":"00000000-0000-4000-8000-0000000000b1","key":"00000000-0000-4000-8000-0000000000d3","name":"Coffee","type":"counter","target_per_day":2,"target_bound":"at_most","schedule_weekmask":31,"at":"2026-03-01T08:04:00Z"}
    {"do":"log_habit","as":"00000000-0000-4000-8000-0000000000a1","habit":"00000000-0000-4000-8000-0000000000d1","id":"00000000-0000-4000-8000-0000000000e1","at":"2026-03-01T20:00:00Z"}
    {"do":"skip_day","as":"00000000-0000-4000-8000-0000000000a1","habit":"00000000-0000-4000-8000-0000000000d1","at":"2026-03-02T20:00:00Z"}
    """#

  /// The bytes of the book's segment after the lines above.
  private static let segment: (bytes: [UInt8], position: Int64) = {
    let storage = MemoryStorage()
    let book = succeed("a book is made") { try Book(at: "book", storage: storage, clock: clock()) }
    for line in lines.split(separator: "\n") {
      let outcome = succeed("a line is answered") { try book.record(line: String(line)) }
      hold(outcome.isAccepted, "\(outcome.json.encoded)")
    }
    let bytes = succeed("the segment is read") {
      let file = try storage.open(path, .read)
      var bytes: [UInt8] = []
      try file.read(file.byteCount(), at: 0, appendingTo: &bytes)
      return bytes
    }
    return (bytes, book.read { $0.position })
  }()

  private static let path = "book/journal/\(SegmentName(first: Position(1)).fileName)"

  init() {
    let storage = MemoryStorage()
    position = Self.segment.position
    book = succeed("the book is opened") {
      try storage.createDirectory("book/journal")
      try storage.open(Self.path, .create).write(Self.segment.bytes, at: 0)
      return try Book(at: "book", storage: storage, clock: Self.clock())
    }
  }

  /// A clock that stands still, and keys that are counted.
  private static func clock() -> BookClock {
    let count = Counter()
    return BookClock(now: { now }, freshKey: { Key(high: 0x4000, low: 1 << 63 | count.next()) })
  }

  private final class Counter: Sendable {
    private let count = Mutex<UInt64>(0)
    func next() -> UInt64 {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }
}
