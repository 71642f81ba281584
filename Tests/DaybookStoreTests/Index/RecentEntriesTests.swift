import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// An open book's cache of its newest entries equals its files.
@Suite(.tags(.law)) struct RecentEntriesTests {
  @Test func `an open book finds the same entries as a reader of its files`() {
    let report = check("recent entries", Generator<History>.histories(4...30), cases: 20) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      var beginnings: Set<Int64> = []
      for (number, step) in history.steps.enumerated() {
        _ = try ledger.play(step)
        guard number % 2 == 0 else { continue }
        let files = BookReader(at: "book", storage: ledger.storage, zones: StateLedger.zones)
        beginnings.insert(try files.openIndexes().indexes.last?.last.number ?? 0)
        let all = try everything(in: files)
        let (position, at) = (ledger.state.position, ledger.state.at)
        for (through, until) in [
          (Int64.max, Instant.last), (position / 2, .last), (.max, at.advanced(byMilliseconds: -1)),
        ] {
          let ours = try AggregateEntries(
            of: all, until: until, through: through, in: ledger.book.reader)
          let theirs = try AggregateEntries(of: all, until: until, through: through, in: files)
          try expectEqual(ours.lists, theirs.lists)
          try expectEqual(ours.lastAt, theirs.lastAt)
        }
        // A full scan finds the same entries as the cache.
        let fresh = BookReader(on: ledger.book.reader.log, zones: StateLedger.zones)
        for reader in [ledger.book.reader, fresh] {
          let ours = try AggregateEntries(of: all, mayScan: true, in: reader)
          try expectEqual(ours.lists, try AggregateEntries(of: all, in: files).lists)
        }
        for habit in all where habit.kind == .habit {
          let ours = try AggregateEntries(
            of: [habit], withOwners: true, in: ledger.book.reader)
          let theirs = try AggregateEntries(of: [habit], withOwners: true, in: files)
          try expectEqual(ours.lists, theirs.lists)
        }
      }
      statistics.cover("sealed meanwhile", atLeast: 10, beginnings.count > 1)
    }
    #expect(report.passed, "\(report)")
  }

  private func everything(in reader: BookReader) throws -> [Aggregate] {
    var all = Subjects()
    try reader.replay(into: &all)
    return all.found.sorted()
  }

  private struct Subjects: Projection {
    var found: Set<Aggregate> = []
    private var reader = AggregateReader()
    init() {}
    mutating func apply(_ entry: Entry) { found.insert(reader.aggregate(of: entry.event)) }
  }

  /// The bytes read to look up one habit that was logged since the last lookup, in an unsealed book of this many
  /// entries.
  private func readByteCount(entries count: Int) throws -> Int {
    let watched = WatchedStorage(base: MemoryStorage())
    let book = try Book(at: "book", storage: watched)
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    try book.transaction { batch in
      for number in 0..<count { try batch.record(CreateTask(title: "\(number)"), by: ada) }
    }
    for _ in 0..<20 { try book.record(CreateTask(title: "another"), by: ada) }
    _ = try HabitEntries(of: habit, until: .last, in: book.reader)
    try book.record(LogHabit(habit), by: ada)
    let before = watched.readByteCount
    let found = try HabitEntries(of: habit, until: .last, in: book.reader)
    #expect(found.entries.count == 3)
    return watched.readByteCount - before
  }

  @Test func `a lookup in an open book reads only what is new`()
    throws
  {
    let (one, ten) = (try readByteCount(entries: 300), try readByteCount(entries: 3000))
    #expect(one > 0)
    #expect(ten < one + one / 2, "\(one) bytes, then \(ten)")
  }

  @Test func `a lookup far behind the head scans the unsealed entries, and keeps none`()
    throws
  {
    let book = try Book(at: "book", storage: MemoryStorage())
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    for _ in 0..<60 { try book.record(CreateTask(title: "another"), by: ada) }
    func isFarBehind() throws -> Bool {
      let head = try #require(book.reader.log.signal?.head)
      return book.reader.recent.isFarBehind(head, from: 1)
    }
    #expect(try isFarBehind())
    let scanned = try AggregateEntries(of: [.habit(habit)], mayScan: true, in: book.reader)
    #expect(scanned.lists[.habit(habit)]?.count == 1)
    #expect(try isFarBehind(), "nothing was kept")
    _ = try AggregateEntries(of: [.habit(habit)], in: book.reader)
    #expect(try !isFarBehind())
    try book.record(LogHabit(habit), by: ada)
    #expect(try !isFarBehind(), "one new entry is not far behind")
    let found = try AggregateEntries(of: [.habit(habit)], mayScan: true, in: book.reader)
    #expect(found.lists[.habit(habit)]?.count == 2)
    for _ in 0..<5 { try book.record(CreateTask(title: "another"), by: ada) }
    #expect(try isFarBehind())
  }

  @Test
  func `erased entries are dropped from memory, even if no index can be written (ES-6)`()
    throws
  {
    var interrupted = 0
    for limit in 0... {
      let storage = RefusingStorage(base: MemoryStorage(), refusing: ".index", after: limit)
      let book = try Book(at: "book", storage: storage)
      let ada = try book.record(CreateAccount(timeZone: "UTC"))
      let habit = try book.record(CreateHabit(name: "Read"), by: ada)
      #expect(try HabitEntries(of: habit, until: .last, in: book.reader).entries.count == 2)
      let isWhole = (try? book.erase(ada)) != nil
      if book.read({ $0.accounts[ada]?.isErased == true }) {
        interrupted += isWhole ? 0 : 1
        let files = BookReader(at: "book", storage: storage)
        let found = try HabitEntries(of: habit, until: .last, in: book.reader).entries
        #expect(found == (try HabitEntries(of: habit, until: .last, in: files).entries))
      }
      if isWhole { break }
    }
    #expect(interrupted > 0)
  }

  @Test func `entries beyond the memory limit are read from the files`() throws {
    let book = try Book(at: "book", storage: MemoryStorage())
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let recent = RecentEntries(keeping: 3)
    func found() throws -> Int? {
      try recent.entries(
        of: [.account(ada)], from: 1, after: AggregateReader(), head: book.position,
        through: .max, until: .last, in: book.reader.log)?.lists.values.map(\.count).reduce(0, +)
    }
    #expect(try found() == 1)
    try book.record(UpdateProfile { $0.displayName = "Ada" }, by: ada)
    #expect(try found() == 2)
    try book.record(CreateTask(title: "Milk"), by: ada)
    #expect(try found() == 2)
    try book.record(CreateTask(title: "Bread"), by: ada)
    #expect(try found() == nil)
  }
}
