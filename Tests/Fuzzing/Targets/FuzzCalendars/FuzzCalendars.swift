import Daybook
import DaybookStore
import Fuzzing
import Journal

/// iCalendar files: a household imports or refuses one, importing it again changes nothing, and every question about
/// it has an answer at bounded cost.
@c(LLVMFuzzerTestOneInput)
public func fuzzCalendars(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Input(start, count: count)
  let (book, ada, home) = succeed("a household is made") {
    let clock = BookClock(
      now: { Instant(clamping: 1_773_144_000_000) }, freshKey: { Key(high: 0x4000, low: 1 << 63) })
    let book = try Book(at: "book", storage: MemoryStorage(), clock: clock)
    let create = CreateAccount(
      key: Key(high: 1, low: 1), name: "Ada", timeZone: "Europe/Berlin")
    let ada = try book.record(create)
    let home = try book.record(
      CreateHousehold(key: Key(high: 1, low: 2), name: "Home"), by: ada)
    return (book, ada, home)
  }
  let file = ImportCalendar(Array(input.rest), into: home)
  guard let first = try? book.recordWithReceipt(file, by: ada) else { return 0 }
  let position = book.read { $0.position }
  _ = succeed("what was taken once is taken twice") { try book.recordWithReceipt(file, by: ada) }
  hold(book.read { $0.position } == position, "a file imported twice changes nothing (MC-10)")
  hold(first.answer.problems.count <= Limit.calendarProblems.maximum + 1, "problems are bounded")

  let state = book.read { $0 }
  for (from, to) in [("2026-01-01", "2026-12-31"), ("1900-01-01", "1901-01-01")] {
    guard let from = Day(from), let to = Day(to) else { continue }
    let found = state.calendar(of: home, for: ada, on: from...to, zones: book.reader.zones)
    hold(found.occurrences.count <= Limit.calendarSteps.maximum, "answers are bounded")
    for occurrence in found.occurrences.prefix(100) {
      hold(occurrence.start <= occurrence.end, "nothing is over before it begins")
      checkJSON(state.calendarRow(occurrence))
    }
  }
  let text = state.iCalendar(of: home, for: ada)
    .write(stamp: Instant(clamping: 0), zones: book.reader.zones)
  _ = ICalendar.read(text, zones: book.reader.zones)
  return 0
}
