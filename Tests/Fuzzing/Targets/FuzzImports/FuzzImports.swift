import Avro
import Daybook
import DaybookStore
import Fuzzing
import Journal

/// Files of other programs: an export in JSON Lines (the input begins with a brace), or the files of a Loop export,
/// each ended by a zero byte: Habits.csv, Checkmarks.csv, and the days of the first and second habit. They are imported
/// whole or refused whole; what was imported survives an export and an import unchanged. An input that begins like an
/// archive, a gzip file, an array or a table of another program is read as each of these.
@c(LLVMFuzzerTestOneInput)
public func fuzzImports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Input(start, count: count)
  let book = emptyBook()
  if begins.contains(where: { input.rest.starts(with: $0) }) {
    readForeign(Array(input.rest), into: book)
  } else if input.rest.first == UInt8(ascii: "{") {
    guard importLines(Array(input.rest), into: book) else { return 0 }
  } else {
    guard importHabits(input, into: book) else { return 0 }
  }
  let digest = book.read { $0.digest }
  let replayed = succeed("a book is replayed") { try book.reader.state() }
  hold(replayed.digest == digest, "what is imported is in the journal")
  checkExported(book, digest)
  return 0
}

/// The first bytes of other programs' files.
private let begins: [[UInt8]] = [
  [0x50, 0x4B], [0x1F, 0x8B], Array("[".utf8), Array("TYPE".utf8), Array("HabitName".utf8),
  Array("Date,".utf8),
]

/// Reads a file as a file of each program; importing it a second time changes nothing.
private func readForeign(_ bytes: [UInt8], into book: Book) {
  let storage = MemoryStorage()
  succeed("a file is written") { try storage.open("file", .create).write(bytes, at: 0) }
  let ada = succeed("an account is made") {
    try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
  }
  func twice(_ what: String, _ take: () throws -> Void) {
    do {
      try take()
      let digest = book.read { $0.digest }
      try take()
      hold(book.read { $0.digest } == digest, "\(what) imported again change nothing")
    } catch let error where error is Rejection || error is ExchangeError {
      // Refused.
    } catch {
      hold(false, "\(what) are refused as such: \(error)")
    }
  }
  for program in HabitExport.Program.allCases {
    twice("habits") {
      let export = try HabitExport(at: "file", from: program, storage: storage)
      try book.importHabits(export, for: .existing(ada), recorded: .now)
    }
  }
  for program in TaskExport.Program.allCases {
    twice("tasks") {
      let export = try TaskExport(at: "file", from: program, storage: storage)
      try book.importTasks(export, for: ada)
    }
  }
  let home = succeed("a household is made") {
    try book.record(CreateHousehold(name: "Home"), by: ada)
  }
  twice("recipes") {
    let found = try RecipeFiles.found(at: "file", storage: storage)
    try book.importRecipes(found, into: home, for: ada)
  }
}

private func emptyBook() -> Book {
  let now = Instant(clamping: 1_800_000_000_000)
  let key = Key(high: 0x4000, low: 1 << 63)
  let clock = BookClock(now: { now }, freshKey: { key })
  return succeed("a book is made") { try Book(at: "book", storage: MemoryStorage(), clock: clock) }
}

/// Whether the lines were accepted; if not, nothing changed.
private func importLines(_ bytes: [UInt8], into book: Book) -> Bool {
  var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
  do {
    _ = try book.importExport(file: "lines") { lines.popFirst().map { Array($0) } }
    return true
  } catch is ExchangeError {
    hold(book.read { $0.position } == 0, "what is refused changes nothing")
  } catch {
    hold(false, "lines are refused as such: \(error)")
  }
  return false
}

private func importHabits(_ input: Input, into book: Book) -> Bool {
  var input = input
  let storage = MemoryStorage()
  succeed("files are written") {
    for path in ["Habits.csv", "Checkmarks.csv", "001 A/Checkmarks.csv", "002 B/Checkmarks.csv"] {
      guard let bytes = input.take(upTo: 0), !bytes.isEmpty else { continue }
      let parts = path.split(separator: "/").dropLast()
      try storage.createDirectory((["loop"] + parts).joined(separator: "/"))
      try storage.open("loop/\(path)", .create).write(bytes, at: 0)
    }
  }
  do {
    let export = try HabitExport(at: "loop", storage: storage)
    let account = CreateAccount(name: "Ada", timeZone: "Europe/London")
    let first = try book.importHabits(export, for: .new(account), recorded: .asLived)
    let digest = book.read { $0.digest }
    let again = succeed("an export is imported again") {
      try book.importHabits(export, for: .existing(first.account), recorded: .now)
    }
    hold(again.entriesRecorded == 0 && again.habitsMade == 0, "nothing is imported twice")
    hold(book.read { $0.digest } == digest, "importing again changes nothing")
    return true
  } catch let error where error is Rejection || error is ExchangeError {
    hold(book.read { $0.position } == 0, "what is refused changes nothing")
  } catch {
    hold(false, "files are refused as such: \(error)")
  }
  return false
}

/// A book's export makes the same book.
private func checkExported(_ book: Book, _ digest: String) {
  var lines: [UInt8] = []
  succeed("a book is exported") {
    _ = try book.reader.export(as: .jsonl) { lines += Array($0.utf8) }
    _ = try book.reader.export(as: .csv) { _ in }
  }
  let copy = emptyBook()
  hold(importLines(lines, into: copy), "what was exported is imported")
  hold(copy.read { $0.digest } == digest, "an export has all that the book says")
}
