import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// One account is exported from a book and imported into another (DM-13).
@Suite(.tags(.unit)) struct AccountExportTests {
  @Test func `the export of the only account is the export of the book`() throws {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada))
    let run = try book.record(CreateHabit(name: "Run"), by: ada)
    try book.record(LogHabit(run), by: ada)
    try book.record(CreateHive(name: "Us"), by: ada)
    for format in ExportFormat.allCases {
      #expect(try Self.export(book, of: ada, as: format) == ExchangeWorld.export(book, as: format))
    }
  }

  @Test func `an account's export has all that is its own, and nothing that is only others'`()
    throws
  {
    let book = try EveryEvent.book()
    for number in 1...Int(book.read { $0.accounts.elements.count }) {
      let account = try #require(Account.ID(number))
      let part = try Self.imported(Self.export(book, of: account))
      let (whole, copy) = (book.read { $0 }, part.read { $0 })
      let key = try #require(whole.accounts[account]?.key)
      let own = try #require(copy.accounts.number(of: key))
      #expect(copy.habits.elements.allSatisfy { $0.owner == own })
      #expect(copy.goals.elements.allSatisfy { $0.owner == own })
      #expect(copy.habits(of: own).map(\.key) == whole.habits(of: account).map(\.key))
      #expect(copy.hives.elements.allSatisfy { $0.member(own) != nil })
      for other in copy.accounts.elements where other.key != key {
        #expect(other.identities.isEmpty && other.devices.isEmpty && other.contacts.isEmpty)
        #expect(other.birthday == nil)
      }
    }
  }

  @Test func `an export omits who created another account, and is still readable (DM-13)`()
    throws
  {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada, name: "Ada"))
    let cleo = try book.record(CreateAccount(name: "Cleo"))
    let dan = try book.record(CreateAccount(name: "Dan"), by: cleo)
    let home = try book.record(CreateHousehold(name: "Home"), by: ada)
    try book.record(AddHouseholdMember(dan, to: home), by: ada)
    let part = try Self.imported(Self.export(book, of: ada))
    #expect(part.read { $0.accounts.elements.map(\.displayName) }.sorted() == ["Ada", "Dan"])
    let cleos = try #require(book.read { $0.accounts[cleo]?.key })
    #expect(try !Self.export(book, of: ada).joined().contains(cleos.description))
  }

  @Test func `an exported activity names no hive that the account left (DM-13, HH-24)`() throws {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada))
    let bob = try book.record(CreateAccount(name: "Bob"))
    let hive = try book.record(CreateHive(name: "Bees"), by: ada)
    try book.record(CreateHiveInvite(hive, code: "0123456789ab"), by: ada)
    try book.record(JoinHive("0123456789ab"), by: bob)
    let data: JSON = ["mood": "good"]
    for person in [ada, bob] {
      try book.record(PostActivity(.hiveJoined, in: hive, data: data), by: person)
    }
    try book.record(LeaveHive(hive), by: bob)
    let (adas, bobs) = (
      try Self.imported(Self.export(book, of: ada)), try Self.imported(Self.export(book, of: bob))
    )
    #expect(adas.read { $0.activities.elements.map(\.hive) } == [hive])
    #expect(bobs.read { $0.activities.elements.map(\.hive) } == [nil])
    #expect(bobs.read { $0.activities.elements.map(\.data) } == [#"{"mood":"good"}"#])
  }

  @Test func `an export omits that a hive log came from another member's habit (DM-13, HH-17)`()
    throws
  {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada))
    let bob = try book.record(CreateAccount(name: "Bob"))
    let hive = try book.record(CreateHive(name: "Bees"), by: ada)
    try book.record(CreateHiveInvite(hive, code: "0123456789ab"), by: ada)
    try book.record(JoinHive("0123456789ab"), by: bob)
    let read = try book.record(CreateHabit(name: "Read"), by: bob)
    try book.record(LinkHabit(read, to: hive), by: bob)
    try book.record(LogHabit(read), by: bob)
    let name = "\"HiveDayLogged\""
    let line = try #require(try ExchangeWorld.export(book).first { $0.contains(name) })
    #expect(line.contains("\"step\":2,"), "the log of the habit comes first")
    let adas = try Self.export(book, of: ada)
    #expect(try #require(adas.first { $0.contains(name) }).contains("\"step\":1,"))
    let bobs = try Self.export(book, of: bob)
    #expect(try #require(bobs.first { $0.contains(name) }).contains("\"step\":2,"))
    #expect(try ExchangeWorld.export(Self.imported(adas)) == adas)
  }

  @Test func `an export of a past moment omits hives that the account left since (DM-13, HH-17)`()
    throws
  {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada))
    let bob = try book.record(CreateAccount(name: "Bob"))
    let hive = try book.record(CreateHive(name: "Bees"), by: ada)
    try book.record(CreateHiveInvite(hive, code: "0123456789ab"), by: ada)
    try book.record(JoinHive("0123456789ab"), by: bob)
    let then = book.read { $0.at }
    try book.record(LeaveHive(hive), by: bob, at: then.advanced(byMilliseconds: 1))
    for (account, hiveCount) in [(ada, 1), (bob, 0)] {
      var lines: [String] = []
      try book.reader.export(of: account, as: .jsonl, until: then) { lines.append($0) }
      #expect(lines.joined().contains("0123456789ab") == (hiveCount > 0))
      #expect(try Self.imported(lines).read { $0.hives.elements.count } == hiveCount)
    }
  }

  @Test func `every invitation code is in a field marked as a credential (HH-17, MC-11)`() throws {
    var walk = EveryEntry()
    try EveryEvent.book().reader.replay(into: &walk)
    #expect(Set(walk.entries.map(\.event.name)) == Set(EveryEvent.names))
    var lines = EntryLines(knowing: BookState())
    for entry in walk.entries {
      var outside = entry
      outside.event = entry.event.withoutCredentials
      let (told, all) = (try lines.json(of: outside).encoded, try lines.json(of: entry).encoded)
      #expect(!told.contains(/"[0-9a-f]{12}"/), "\(told)")
      #expect(told == all || entry.event.holdsCredential)
    }
  }

  private struct EveryEntry: Projection {
    var entries: [Entry] = []
    mutating func apply(_ entry: Entry) { entries.append(entry) }
  }

  @Test func `a CSV export of every event imports into the same book (DM-13)`() throws {
    let book = try EveryEvent.book()
    let table = try ExchangeWorld.export(book, as: .csv).joined()
    let copy = try ExchangeWorld.book()
    let storage = try ExchangeWorld.disk(["book.csv": "\u{FEFF}" + table])
    #expect(
      try copy.importExport(at: "book.csv", as: .csv, storage: storage)
        == Int(book.read { $0.position }))
    #expect(copy.read { $0.digest } == book.read { $0.digest })
    #expect(try ExchangeWorld.export(copy) == ExchangeWorld.export(book))
  }

  @Test func `a CSV export contains no formulas, and keeps every text`() throws {
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(key: ExchangeWorld.ada, name: "'=Ada"))
    let run = try book.record(CreateHabit(name: "Run"), by: ada)
    let texts = [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("@x", "'@x"), ("-2", "-2"), ("-2.5", "-2.5"),
      ("-x", "'-x"), ("\t=1", "'\t=1"), ("'=1", "''=1"), ("''-x", "'''-x"), ("'a", "'a"),
      ("\u{FF1D}1", "'\u{FF1D}1"), ("a=1", "a=1"),
    ]
    for (note, _) in texts { try book.record(LogHabit(run, note: note), by: ada) }
    let rows = try ExchangeWorld.export(book, as: .csv).suffix(texts.count)
    let cells = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[13] }
    #expect(cells.map(String.init) == texts.map(\.1))
    for format in [ExportFormat.csv, .rawCSV] {
      let table = try ExchangeWorld.export(book, as: format).joined()
      let copy = try ExchangeWorld.book()
      let storage = try ExchangeWorld.disk(["book.csv": table])
      try copy.importExport(at: "book.csv", as: format, storage: storage)
      #expect(copy.read { $0.digest } == book.read { $0.digest }, "\(format)")
      #expect(table.contains(",=1+1,") == (format == .rawCSV))
    }
  }

  @Test(arguments: [
    ("event,nonsense\r\n", "column \"nonsense\""),
    ("event,at\r\nHabitLogged\r\n", "it has 1 fields, but the first line has 2"),
    ("event,data\r\nHabitLogged,{\r\n", "data: it is"),
    ("event,at,value\r\nGoalDeleted,2026-01-01T00:00:00Z,7\r\n", "value: a GoalDeleted has none"),
  ])
  func `a malformed table is refused with its line`(_ table: String, _ reason: String) throws {
    let book = try ExchangeWorld.book()
    let error = #expect(throws: ExchangeError.self) {
      try book.importTable(file: "a.csv", Array(table.utf8))
    }
    #expect("\(try #require(error))".contains(reason), "\(String(describing: error))")
    #expect(book.read { $0.position } == 0)
  }

  // MARK: Tools

  static func export(
    _ book: Book, of account: Account.ID, as format: ExportFormat = .jsonl
  ) throws -> [String] {
    var lines: [String] = []
    try book.reader.export(of: account, as: format) { lines.append($0) }
    return lines
  }

  static func imported(_ lines: [String]) throws -> Book {
    let book = try ExchangeWorld.book()
    try ExchangeWorld.importing(lines, into: book)
    return book
  }
}

/// The same for any account of any history.
@Suite(.tags(.law)) struct AccountExportLawTests {
  @Test func `an export is the same after import and another export, in either format (DM-13)`()
    throws
  {
    let report = check("an account's export", .histories(), cases: 12) {
      (history: History, statistics) in
      let ledger = try JournalLawTests.play(history)
      for number in 1...max(1, ledger.state.accounts.elements.count) {
        guard let account = Account.ID(number), let key = ledger.state.accounts[account]?.key else {
          continue
        }
        let lines = try AccountExportTests.export(ledger.book, of: account)
        let copy = try AccountExportTests.imported(lines)
        let own = try #require(copy.read { $0.accounts.number(of: key) })
        try expectEqual(try AccountExportTests.export(copy, of: own), lines, "exported again")
        let table = try AccountExportTests.export(ledger.book, of: account, as: .csv).joined()
        let other = try ExchangeWorld.book()
        try other.importTable(file: "account.csv", Array(table.utf8))
        try expectEqual(other.read { $0.digest }, copy.read { $0.digest }, "through CSV")
        statistics.cover(
          "others are in it", atLeast: 5, copy.read { $0.accounts.elements.count } > 1)
        statistics.cover("hives are in it", atLeast: 5, copy.read { !$0.hives.elements.isEmpty })
      }
    }
    #expect(report.passed, "\(report)")
  }
}
