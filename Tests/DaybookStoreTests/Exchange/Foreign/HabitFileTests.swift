import Archives
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

/// Habits from other trackers: archived, in one table, or as a database.
@Suite(.tags(.unit)) struct HabitFileTests {
  private static func export(
    _ text: String, from program: HabitExport.Program
  ) throws -> HabitExport {
    try HabitExport(
      at: "export.csv", from: program, storage: try ExchangeWorld.disk(["export.csv": text]))
  }

  private static func refusal(_ text: String, from program: HabitExport.Program) -> String {
    do {
      _ = try export(text, from: program)
      return "taken"
    } catch { return "\(error)" }
  }

  private static let days: [(String, String)] = [
    ("Habits.csv", LoopImportTests.head + LoopImportTests.run),
    ("001 Run/Checkmarks.csv", "Date,Value,Notes\n2026-07-02,YES_MANUAL,\n"),
  ]

  @Test func `Loop's archive reads like its directory, also inside a folder`() throws {
    let storage = MemoryStorage()
    for (name, text) in Self.days {
      try ExchangeWorld.write(Array(text.utf8), to: "loop/\(name)", storage)
    }
    let unpacked = try HabitExport(at: "loop", storage: storage).habits
    for prefix in ["", "Loop Habits CSV/"] {
      let files = Self.days.map { (prefix + $0.0, Array($0.1.utf8)) }
      try ExchangeWorld.write(StoredZip.archive(files), to: "loop.zip", storage)
      let packed = try HabitExport(at: "loop.zip", storage: storage).habits
      #expect(packed.map(\.name) == unpacked.map(\.name))
      #expect(packed.map { $0.entries.map(\.day) } == unpacked.map { $0.entries.map(\.day) })
    }
  }

  @Test
  func `a database is refused with advice to export, and any other file with what was expected`()
    throws
  {
    let storage = MemoryStorage()
    try ExchangeWorld.write(Array("SQLite format 3\0...".utf8), to: "loop.db", storage)
    for program in HabitExport.Program.allCases {
      let error = #expect(throws: ExchangeError.self) {
        try HabitExport(at: "loop.db", from: program, storage: storage)
      }
      #expect(error?.code == "database")
      #expect(error?.description.contains("Export as CSV") == true)
    }
    try ExchangeWorld.write(Array("hello".utf8), to: "letter", storage)
    let error = #expect(throws: ExchangeError.self) {
      try HabitExport(at: "letter", storage: storage)
    }
    #expect(error?.description.contains("not a ZIP archive") == true)
    try ExchangeWorld.write(StoredZip.archive([("a.txt", [])]), to: "other.zip", storage)
    let none = #expect(throws: ExchangeError.self) {
      try HabitExport(at: "other.zip", storage: storage)
    }
    #expect(none?.code == "not_a_loop_export")
  }

  @Test
  func
    `HabitBull's days are kept, categories counted, and other values than 0 and 1 counted habits`()
    throws
  {
    let export = try Self.export(
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
        + "Read,a page,Mind,2026-03-02,1,\"late, but\"\nRead,a page,Mind,2026-3-1,0,\n"
        + "Water,,,2026-03-01,1,\nWater,,,2026-03-02,6.5,\n", from: .habitBull)
    let (read, water) = (export.habits[0], export.habits[1])
    #expect(export.habits.map(\.name) == ["Read", "Water"])
    #expect(read.type == .checkbox && read.question == "a page")
    #expect(
      read.entries.map { "\($0.day) \($0.value?.description ?? "")" } == [
        "2026-03-01 0", "2026-03-02 1",
      ])
    #expect(read.entries[1].note == "late, but")
    #expect(water.type == .counter && water.target.amount.description == "0.001")
    #expect(export.leftOut.map { "\($0.count) \($0.what)" } == ["1 categories"])
  }

  @Test func `HabitBull's export is read after a spreadsheet saved it`() throws {
    let export = try Self.export(
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
        + "Read,,,2/9/2026,1\nRead,,,12/31/2025,0,\nRead,,,2/10/2026,-2.15E+09,\n"
        + "Read,,,2/11/2026,-2147483648,\nRead,,,2/12/2026\nRest,,,2/9/2026,-2147483648,\n",
      from: .habitBull)
    #expect(export.habits.map(\.name) == ["Read", "Rest"])
    #expect(export.habits[0].type == .checkbox && export.habits[1].entries.isEmpty)
    #expect(
      export.habits[0].entries.map { "\($0.day) \($0.value?.description ?? "")" } == [
        "2025-12-31 0", "2026-02-09 1",
      ])
  }

  @Test(arguments: [
    "-2147483648", "-2147483648.0", "-2147483600", "-2.15E+09", "-2.147E+09", "-2.1E+09", "-2.2e9",
    "-2000000000", "",
  ])
  func `HabitBull's lowest value counts as no entry, even rounded by a spreadsheet`(value: String)
    throws
  {
    let export = try Self.export(
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
        + "Read,,,2026-03-01,\(value),\nRead,,,2026-03-02,1,\n", from: .habitBull)
    #expect(export.habits.map { $0.entries.map(\.day.description) } == [["2026-03-02"]])
    #expect(export.habits[0].type == .checkbox)
  }

  @Test func `HabitBull's comments on days without an entry are counted, also in a dry run`()
    throws
  {
    let export = try Self.export(
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
        + "Read,,,2026-03-01,-2147483648,ill\nRead,,,2026-03-02,,away\nRead,,,2026-03-02,,away\n"
        + "Read,,,2026-03-03,1,at home\nRead,,,2026-03-04,-2147483648,\nRun,,,2026-03-01,,rain\n",
      from: .habitBull)
    #expect(export.habits.map(\.looseNoteCount) == [2, 1])
    #expect(export.habits[0].entries.map(\.note) == ["at home"])
    let tried = try ExchangeWorld.book().importHabits(
      export, for: ExchangeWorld.account(), recorded: .asLived, trying: true)
    #expect(tried.notesNotKept == 3 && tried.habitsMade == 2 && tried.entriesRecorded == 1)
  }

  @Test func `a HabitBull line that repeats an earlier one is skipped`() throws {
    let export = try Self.export(
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"
        + "Read,,,2026-03-01,1,early\nRead,,,2026-03-02,0,\nRead,,,3/1/2026,1.0,early\n"
        + "Read,,,2026-03-02,0,\nRead,,,2026-03-02,-2147483648,\n", from: .habitBull)
    #expect(
      export.habits[0].entries.map { "\($0.line.number) \($0.day) \($0.value?.description ?? "")" }
        == ["2 2026-03-01 1", "3 2026-03-02 0"])
  }

  @Test(arguments: [
    ("", "the names of the columns are missing"),
    ("Name,Value\n", "not the columns of a HabitBull export"),
    ("HEAD\nRead,,,2026-02-30,1,\n", "CalendarDate: \"2026-02-30\""),
    ("HEAD\nRead,,,2026-02-28,-1,\n", "Value: \"-1\""),
    ("HEAD\nRead,,,2026-02-28,1,,\n", "it has 7 cells"),
    ("HEAD\nRead,,,13/1/2026,1,\n", "CalendarDate: \"13/1/2026\""),
    ("HEAD\nRead,,,1/2/26,1,\n", "CalendarDate: \"1/2/26\""),
    ("HEAD\n,,,2026-02-28,1,\n", "HabitName: it is empty"),
    ("HEAD\nRead,,,2026-02-28,1,\nRead,,,2026-02-28,0,\n", "2026-02-28 comes twice"),
    ("HEAD\nRead,,,2026-02-28,1,a\nRead,,,2026-02-28,1,b\n", "line 3: 2026-02-28 comes twice"),
    ("HEAD\nRead,,,2026-02-28,-1999999999,\n", "Value: \"-1999999999\""),
  ])
  func `a wrong HabitBull line is named`(text: String, reason: String) {
    let head = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText"
    let said = Self.refusal(text.replacing("HEAD", with: head), from: .habitBull)
    #expect(said.contains(reason), "\(said)")
  }

  @Test(arguments: [
    "Date,Read,Coffee\n2/27/26,1,0\n2/28/26,0,3\n3/1/26,1,1\n",
    "Date,Read,Coffee\n27.02.2026,1,0\n28.02.2026,0,3\n01.03.2026,1,1\n",
    "Date,Read,Coffee\n2026-02-27,1,0\n2026-02-28,0,3\n2026-03-01,1,1\n",
  ])
  func `Tickmate's dates are read as month first or day first, by their sequence`(text: String)
    throws
  {
    let habits = try Self.export(text, from: .tickmate).habits
    #expect(habits.map(\.name) == ["Read", "Coffee"])
    #expect(habits[0].entries.map(\.day.description) == ["2026-02-27", "2026-03-01"])
    #expect(habits[0].type == .checkbox && habits[1].type == .counter)
    #expect(habits[1].entries.map { $0.value?.description } == ["3", "1"])
  }

  @Test(arguments: [
    ("Date,Read\n3/4/26,1\n", "too few lines"), ("Date,Read\n3/4/26,1\n3/9/26,1\n", "not one day"),
    ("Date,Read\n2026-03-01,1,2\n", "it has 3 cells"), ("Date,Read\n2026-03-01,x\n", "no"),
    ("Day,Read\n", "does not name \"Date\""), ("Date\n", "does not name"),
  ])
  func `a table that is not a Tickmate export is refused`(text: String, reason: String) {
    let said = Self.refusal(text, from: .tickmate)
    #expect(said.contains(reason), "\(said)")
  }

  @Test(arguments: HabitExport.Program.allCases)
  func `a second import records nothing, and a dry run never does`(program: HabitExport.Program)
    throws
  {
    let storage = MemoryStorage()
    let text =
      program == .habitBull
      ? "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\nRun,,,2026-07-01,1,\n"
      : "Date,Run\n2026-06-30,0\n2026-07-01,1\n"
    try ExchangeWorld.write(Array(text.utf8), to: "export", storage)
    if program == .loop {
      let files = Self.days.map { ($0.0, Array($0.1.utf8)) }
      try ExchangeWorld.write(StoredZip.archive(files), to: "export", storage)
    }
    let export = try HabitExport(at: "export", from: program, storage: storage)
    let book = try ExchangeWorld.book()
    let tried = try book.importHabits(
      export, for: ExchangeWorld.account(), recorded: .asLived, trying: true)
    #expect(tried.habitsMade == 1 && tried.entriesRecorded == 1)
    #expect(book.read { $0.position } == 0)
    let first = try book.importHabits(export, for: ExchangeWorld.account(), recorded: .asLived)
    #expect(first == tried)
    let position = book.read { $0.position }
    let again = try book.importHabits(export, for: .existing(first.account), recorded: .now)
    #expect(again.habitsFound == 1 && again.entriesFound == 1 && again.entriesRecorded == 0)
    #expect(book.read { $0.position } == position)
  }

  @Test func `a file cut anywhere gives an error or fewer entries, never a trap`() throws {
    let texts = [
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\nRun,\"a\",b,2026-07-01,1,\n",
      "Date,Run\n6/29/26,0\n6/30/26,0\n7/1/26,1\n",
    ]
    for text in texts {
      for count in 0...text.count {
        for program in [HabitExport.Program.habitBull, .tickmate] {
          _ = Self.refusal(String(text.prefix(count)), from: program)
        }
      }
    }
  }
}

/// Makes ZIP archives of uncompressed files, for tests.
enum StoredZip {
  static func archive(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var body: [UInt8] = []
    var list: [UInt8] = []
    for (name, bytes) in files {
      let common =
        two(0) + two(0) + two(0) + two(0) + four(checksum(bytes)) + four(UInt32(bytes.count))
        + four(UInt32(bytes.count)) + two(UInt16(name.utf8.count)) + two(0)
      list += [0x50, 0x4B, 1, 2] + two(20) + two(20) + common + two(0) + two(0) + two(0) + four(0)
      list += four(UInt32(body.count)) + Array(name.utf8)
      body += [0x50, 0x4B, 3, 4] + two(20) + common + Array(name.utf8) + bytes
    }
    let count = two(UInt16(files.count))
    return body + list + [0x50, 0x4B, 5, 6] + two(0) + two(0) + count + count
      + four(UInt32(list.count)) + four(UInt32(body.count)) + two(0)
  }

  private static func two(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  private static func four(_ number: UInt32) -> [UInt8] {
    two(UInt16(truncatingIfNeeded: number)) + two(UInt16(truncatingIfNeeded: number >> 16))
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
    return ~value
  }
}
