import DaybookStore
import Testing

/// `daybook export --format sql`. `query_exports.py` lets SQLite read what it writes.
@Suite(.tags(.unit)) struct DatabaseExportTests {
  @Test func `the statements are printed, or written to a file`() throws {
    let book = try AdasBook()
    let printed = try book.daybook("export", "--format", "sql")
    #expect(printed.status == 0)
    #expect(printed.output.hasPrefix("PRAGMA foreign_keys = OFF;\nBEGIN;\n"))
    #expect(printed.output.hasSuffix("COMMIT;\n"))
    let file = book.daybook.directory + "/book.sql"
    let written = try book.daybook("export", "--format", "sql", "--output", file)
    #expect(written.output.wholeMatch(of: /Wrote \d+ rows to .*\.\n/) != nil)
  }

  @Test(arguments: [["--as", "Ada"], ["--raw"], ["--tasks"], ["--household", "Home"]])
  func `what belongs to other formats is wrong use`(options: [String]) throws {
    let book = try AdasBook()
    let run = try book.daybook.run(["export", "--format", "sql"] + options)
    #expect(run.status == 2 && run.output.isEmpty, "\(run.error)")
  }
}
