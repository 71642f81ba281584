import Daybook
import Testing

@testable import DaybookStore

/// The boundary between two commands whose entries were recorded at one instant by one account.
@Suite(.tags(.unit)) struct CommandBoundsTests {
  @Test
  func `a hive log belongs to a habit log only where the habit is linked to the hive`()
    throws
  {
    let instant = try #require(Instant("2026-03-02T12:00:00Z"))
    let book = Book.inMemory(clock: BookClock { instant })
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let hive = try book.record(CreateHive(name: "Bees"), by: ada)

    func entryCount(at position: Int64) throws -> Int? {
      try book.reader.commandHistory(at: position, knowing: book.read { $0 })?.entries.count
    }

    let alone = try book.recordWithReceipt(LogHabit(read), by: ada)
    let shared = try book.recordWithReceipt(LogHiveDay(hive), by: ada)
    #expect(try entryCount(at: alone.position) == 1)
    #expect(try entryCount(at: shared.position) == 1)

    try book.record(LinkHabit(read, to: hive), by: ada)
    let linked = try book.recordWithReceipt(LogHabit(read), by: ada)
    #expect(linked.count == 2)
    #expect(try entryCount(at: linked.position) == 2)
    #expect(try entryCount(at: linked.position + 1) == 2)
  }

  /// A book whose entries have one instant.
  ///
  /// The last two entries are from two commands of one account, and look like one command that deletes a goal.
  private static func deletions() throws -> (book: Book, ada: Account.ID, last: Receipt<Habit.ID>) {
    let instant = try #require(Instant("2026-03-02T12:00:00Z"))
    let book = Book.inMemory(clock: BookClock { instant })
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let goal = try book.record(CreateGoal(title: "Fit"), by: ada)
    let key = try #require(book.read { $0.goals[goal]?.key })
    let run = try book.record(CreateHabit(name: "Run", goal: key), by: ada)
    let swim = try book.record(CreateHabit(name: "Swim", goal: key), by: ada)
    try book.record(DeleteHabit(run), by: ada)
    let last = try book.recordWithReceipt(DeleteHabit(swim), by: ada)
    return (book, ada, last)
  }

  private static func entries(of book: Book) throws -> [Entry] {
    var every = EveryEntry()
    try book.reader.replay(into: &every)
    return every.entries
  }

  @Test func `two commands of one account at one instant are separated`() throws {
    let (book, ada, last) = try Self.deletions()
    #expect(last.count == 1)
    for position in [last.position - 1, last.position] {
      let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
      #expect(past?.entries.map(\.head.position) == [position])
    }
    let recent = try RecentQuestion(limit: 2).answer(from: book.view(), for: ada)
    #expect(recent.entries.map(\.head.position) == [last.position, last.position - 1])
    let past = try book.reader.commandHistory(at: last.position, knowing: book.read { $0 })
    try book.record(Undo(last.position, past), by: ada)
    #expect(book.read { $0.habits.elements.map(\.isDeleted) } == [true, false])
  }

  @Test func `steps delimit a command where entries have them, and its form does elsewhere`() throws
  {
    let (book, _, _) = try Self.deletions()
    let entries = try Self.entries(of: book)
    #expect(entries.map(\.head.step) == [1, 1, 1, 1, 1, 1])
    /// The entries that start a command, when some of them are older than the field.
    func begins(_ isOlder: (Int) -> Bool) -> [Bool] {
      var bounds = CommandBounds(book.read { $0 })
      return entries.enumerated().map { index, entry in
        bounds.begins(isOlder(index) ? entry.withoutStep : entry)
      }
    }
    #expect(begins { _ in false } == [true, true, true, true, true, true])
    #expect(begins { _ in true } == [true, true, true, true, true, false])
    // An older Daybook and a newer one may alternate, and each writes whole commands.
    #expect(begins { $0 == 4 } == [true, true, true, true, true, true])
    #expect(begins { $0 == 5 } == [true, true, true, true, true, true])
  }

  @Test func `each entry has its step, however its command was recorded`() throws {
    let instant = try #require(Instant("2026-03-02T12:00:00Z"))
    let book = Book.inMemory(clock: BookClock { instant })
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let run = try book.record(CreateHabit(name: "Run", type: .counter), by: ada)
    func steps(_ record: () throws -> Void) throws -> [Int32] {
      let before = book.read { $0.position }
      try record()
      return try Self.entries(of: book).dropFirst(Int(before)).map(\.head.step)
    }
    /// An edit that makes two entries.
    func edit(_ name: String, _ amount: Int64) throws -> UpdateHabit {
      let amount = try #require(Amount(thousandths: amount))
      return UpdateHabit(run) {
        $0.name = name
        $0.target.amount = amount
      }
    }
    #expect(try steps { try book.record(edit("a", 2000), by: ada) } == [1, 2])
    let batch = try steps {
      try book.transaction { batch in
        try batch.record(edit("b", 3000), by: ada)
        try batch.record(LogHabit(run), by: ada)
        try batch.record(LogHabit(run, note: "wet"), by: ada, id: Key(high: 1, low: 1))
        try batch.record(edit("c", 4000), by: ada)
      }
    }
    #expect(batch == [1, 2, 1, 1, 1, 2])
    let imported = try steps {
      try book.importing { importer in
        try importer.record(edit("d", 5000), by: ada)
        try importer.record(LogHabit(run), by: ada)
      }
    }
    #expect(imported == [1, 2, 1])
    // An erased account first leaves its hives and households, in the same commit.
    try book.record(CreateHive(name: "Bees"), by: ada)
    let erased = try steps { try book.erase(ada) }
    #expect(erased.count > 1 && erased == (1...Int32(erased.count)).map(\.self))
  }
}
