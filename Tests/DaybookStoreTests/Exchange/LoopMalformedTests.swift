import Daybook
import DaybookStore
import Journal
import Testing

/// A malformed line is reported with file and line, and nothing of the import is kept.
@Suite(.tags(.damage)) struct LoopMalformedTests {
  struct Edit: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var file: String
    var line: Int
    var text: String
    var replacement: String

    init(_ name: String, _ file: String, _ line: Int, _ text: String, _ replacement: String) {
      testDescription = name
      self.file = file
      self.line = line
      self.text = text
      self.replacement = replacement
    }
  }

  static let habits = "loop/Habits.csv"
  static let run = "loop/001 Run/Checkmarks.csv"
  static let drink = "loop/002 Drink/Checkmarks.csv"

  static let edits = [
    Edit("no column Name", habits, 1, "Name", "Title"),
    Edit("a cell too few", habits, 3, ",glasses", ""),
    Edit("a position that is none", habits, 2, "001", "one"),
    Edit("a position twice", habits, 3, "002", "1"),
    Edit("an empty name", habits, 2, "Run", " "),
    Edit("an unknown type", habits, 2, "YES_NO", "MAYBE"),
    Edit("more times than days", habits, 2, ",1,1,", ",8,7,"),
    Edit("zero times", habits, 2, ",1,1,", ",0,7,"),
    Edit("a frequency that is none", habits, 2, ",1,1,", ",x,7,"),
    Edit("a colour that is none", habits, 2, "#1976D2", "blue"),
    Edit("a colour beyond the palette", habits, 2, "#1976D2", "20"),
    Edit("an unknown bound", habits, 3, "AT_LEAST", "ABOUT"),
    Edit("a target of zero", habits, 3, "2.5", "0.0"),
    Edit("a target of four decimals", habits, 3, "2.5", "2.0005"),
    Edit("no target", habits, 3, "2.5", ""),
    Edit("an archive state that is none", habits, 2, "false", "perhaps"),
    Edit("a quotation mark that is never closed", habits, 2, "Run", "\"Run"),
    Edit("no column Value", run, 1, "Value", "Mark"),
    Edit("a day that is none", run, 4, "2026-07-03", "2026-06-31"),
    Edit("a day twice", run, 5, "2026-07-02", "2026-07-03"),
    Edit("a cell too many", run, 3, "YES_AUTO,", "YES_AUTO,,"),
    Edit("an unknown word", run, 5, "YES_MANUAL", "YES"),
    Edit("a number beyond the marks", run, 5, "YES_MANUAL", "4"),
    Edit("an empty value", run, 5, "YES_MANUAL", ""),
    Edit("a negative amount", drink, 2, "1250", "-2"),
    Edit("an amount with a point", drink, 2, "1250", "1.250"),
    Edit("an amount too large", drink, 2, "1250", "1000000000001"),
    Edit("a number too large", drink, 2, "1250", "99999999999999999999"),
  ]

  /// A book with every event: no case changes it, so one book serves all.
  private static let world = Result {
    let book = try EveryEvent.book()
    return (book: book, digest: book.read { $0.digest }, export: try ExchangeWorld.export(book))
  }

  @Test(arguments: edits) func `a malformed line is reported`(edit: Edit) throws {
    var files = LoopImportTests.files()
    let text = try #require(files[edit.file])
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let line = lines[edit.line - 1]
    let edited = line.replacing(edit.text, with: edit.replacement, maxReplacements: 1)
    #expect(edited != line)
    lines[edit.line - 1] = edited
    files[edit.file] = lines.joined(separator: "\n")

    let storage = try ExchangeWorld.disk(files)
    let (book, digest, export) = try Self.world.get()
    let account = try #require(book.read { $0.accounts.number(of: ExchangeWorld.ada) })
    let error = #expect(throws: ExchangeError.self) {
      let malformed = try HabitExport(at: "loop", storage: storage)
      try book.importHabits(malformed, for: .existing(account), recorded: .now)
    }
    #expect(
      error?.description.hasPrefix("\(edit.file), line \(edit.line): ") == true,
      "\(String(describing: error))")
    #expect(book.read { $0.digest } == digest)
    #expect(try ExchangeWorld.export(book) == export)
  }

  @Test func `two folders at one position are reported with the habit's line`() throws {
    let files = LoopImportTests.files(["loop/001 Ran/Checkmarks.csv": "Date,Value,Notes\n"])
    let error = #expect(throws: ExchangeError.self) { try LoopImportTests.export(files) }
    #expect(error?.description.hasPrefix("loop/Habits.csv, line 2: several folders") == true)
  }

  @Test func `the common table must have a cell for each habit`() throws {
    var files = LoopImportTests.files(["loop/Checkmarks.csv": "Date,Run,\n2026-07-01,NO,\n"])
    files["loop/002 Drink/Checkmarks.csv"] = nil
    let error = #expect(throws: ExchangeError.self) { try LoopImportTests.export(files) }
    #expect(error?.description.hasPrefix("loop/Checkmarks.csv, line 2: ") == true)
  }
}
