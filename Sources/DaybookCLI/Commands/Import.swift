import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import from another program or book: habits, tasks, recipes, calendars.",
    discussion: """
      Anything imported before is recognised, and left alone. With --dry-run nothing is \
      recorded; it shows what would be imported, and what would be left out. Docs/Imports.md \
      describes each format.
      """,
    subcommands: [
      Loop.self, HabitBull.self, Tickmate.self, Todoist.self, Taskwarrior.self, RecipeFile.self,
      CalendarFile.self, Lines.self, TableFile.self,
    ])

  /// Runs an import; if it fails, removes the empty book created for it.
  static func undoing<Result>(_ path: String?, _ body: () throws -> Result) throws -> Result {
    do { return try Interruption.undoing(removing(path), body) } catch {
      if let path { remove(path) }
      throw error
    }
  }

  /// Removes a book that was created in vain, if there is one, as long as nothing is recorded in it.
  static func removing(_ path: String?) -> @Sendable (Position?) -> Void {
    return { head in
      if let path, head == .start { remove(path) }
    }
  }

  /// Removes a book that was created in vain: its own files, and the directory if it is then empty.
  static func remove(_ path: String) {
    for name in ["/journal", "/LOCK"] { try? FileManager.default.removeItem(atPath: path + name) }
    rmdir(path)
  }

  struct Lines: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "jsonl",
      abstract: "Import what `daybook export --format jsonl` wrote, into an empty book.")
    @OptionGroup var source: ExportFile
    func run() throws { try source.importFile(as: .jsonl) }
  }

  struct TableFile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "csv",
      abstract: "Import what `daybook export --format csv` wrote, into an empty book.")
    @OptionGroup var source: ExportFile
    @Flag(help: "It was written with --raw: an apostrophe before a formula is part of the text.")
    var raw = false
    func run() throws { try source.importFile(as: raw ? .rawCSV : .csv) }
  }

  /// The options for an export that fills an empty book.
  struct ExportFile: ParsableArguments {
    @OptionGroup var options: BookOptions

    @Argument(help: "The file of the export.", completion: .file())
    var file: String

    @OptionGroup var trial: TrialOptions

    func importFile(as format: ExportFormat) throws {
      let exists = try options.reader.journal.exists()
      _ = try FileStorage(followingLinks: true).open(file, .read)
      let isMade = !exists && !trial.dryRun
      let book =
        trial.dryRun ? try emptyBook(exists) : exists ? try options.open() : try options.make()
      let count = try Import.undoing(isMade ? options.path : nil) {
        try book.importExport(at: file, as: format)
      }
      let digest = book.read { $0.digest }
      if options.json {
        let answer: JSON = [
          "entries": .number(count), "digest": .string(digest), "dry_run": .bool(trial.dryRun),
        ]
        return Output.line(answer.encoded)
      }
      Output.line(
        "\(trial.verb("Imported", "Would import")) \(count.counted("entry", "entries")). Digest \(digest)."
      )
    }

    /// A book in memory that stands in for the existing or new one, which must also be empty.
    private func emptyBook(_ exists: Bool) throws -> Book {
      let position = exists ? try options.open().read { $0.position } : 0
      guard position == 0 else { throw ExchangeError.bookNotEmpty(entryCount: position) }
      return Book.inMemory()
    }
  }
}
