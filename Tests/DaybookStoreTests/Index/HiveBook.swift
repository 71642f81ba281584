import Daybook
import DaybookStore
import Journal
import Testing

/// A book in memory with Ada and Bob, who share a hive made from Ada's habit, and Cy, who is in none; in small
/// segments, all sealed except the last.
struct HiveBook {
  let storage = MemoryStorage()
  let book: Book
  let ada, bob, cy: Account.ID
  let read: Habit.ID
  let hive: Hive.ID

  init(days: Int = 40) throws {
    let start = try #require(Instant("2026-03-02T08:00:00Z"))
    let clock = HandClock(start)
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    let reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
    book = try Book(
      opening: reader, clock: clock.bookClock,
      segmentByteCount: Book.segmentByteCount(holding: 1500), sealing: .atOnce)
    ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    bob = try book.record(CreateAccount(name: "Bob", timeZone: "Pacific/Kiritimati"))
    cy = try book.record(CreateAccount(name: "Cy", timeZone: "Pacific/Honolulu"))
    read = try book.record(CreateHabit(name: "Read"), by: ada)
    let swim = try book.record(CreateHabit(name: "Swim"), by: bob)
    let walk = try book.record(CreateHabit(name: "Walk"), by: cy)
    hive = try book.record(CreateHiveFromHabit(read, name: "Readers"), by: ada)
    _ = try book.record(CreateHiveInvite(hive, code: "0123456789ab"), by: ada)
    _ = try book.record(JoinHive("0123456789ab"), by: bob)
    for number in 0..<days {
      let at = start.advanced(byMilliseconds: Int64(number) * 86_400_000)
      clock.instant = at
      for (habit, owner) in [(read, ada), (swim, bob), (walk, cy)] {
        // Now and then a day is omitted.
        if (number + Int(owner.number)) % 11 == 7 { continue }
        _ = try book.record(LogHabit(habit), by: owner)
        if habit != walk { _ = try book.record(LogHiveDay(hive), by: owner) }
        if number % 9 == 4 { _ = try book.record(ClearLog(habit), by: owner) }
      }
      if number % 6 == 5 { _ = try book.record(Settle()) }
    }
  }

  var indexFiles: [String] {
    get throws {
      (try storage.names(in: "book/journal") ?? []).filter { $0.hasSuffix(".index") }
        .map { "book/journal/\($0)" }
    }
  }

  /// A reader that has read no index yet.
  var reader: BookReader { BookReader(at: "book", storage: storage, zones: StateLedger.zones) }

  /// The book as a new reader sees it.
  func view() throws -> BookView {
    let state = book.read { $0 }
    return BookView(state, Query(asOf: state.at, zones: StateLedger.zones), reader)
  }

  /// The entries of every aggregate, by a full replay.
  func lists(until instant: Instant = .last, through position: Int64 = .max) throws -> [Aggregate:
    [Entry]]
  {
    var lists = EveryList()
    try book.reader.replay(into: &lists, until: instant)
    return lists.lists.mapValues { $0.filter { $0.head.position <= position } }
      .filter { !$0.value.isEmpty }
  }

  private struct EveryList: Projection {
    var reader = AggregateReader()
    var lists: [Aggregate: [Entry]] = [:]
    mutating func apply(_ entry: Entry) {
      lists[reader.aggregate(of: entry.event), default: []].append(entry)
    }
  }
}
