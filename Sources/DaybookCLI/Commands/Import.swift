import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation
import Journal

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Bring in what another program or book has: histories, calendars, recipes.",
    subcommands: [
      Loop.self, Lines.self, TableFile.self, CalendarFile.self, RecipeFile.self,
    ])

  /// Runs an import; when it fails, the empty book that was made for it goes again.
  static func undoing<Result>(_ path: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      if let path { remove(path) }
      throw error
    }
  }

  /// Removes a book that was made for nothing: its own files, and the directory when nothing else is there.
  static func remove(_ path: String) {
    for name in ["/journal", "/LOCK"] { try? FileManager.default.removeItem(atPath: path + name) }
    rmdir(path)
  }

  struct Loop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "loop",
      abstract: "Import a CSV export of Loop Habit Tracker.",
      discussion: """
        Habits come with their frequency, colour, unit, target and archive state, days with what you \
        entered: yes, no, skip, values, notes. What Loop computed is left out. A second import records \
        only what is new. A malformed line is reported, and then nothing is imported.

        Into an empty book, entries are recorded as of the days they belong to, so that --as-of answers \
        for the years before Daybook; into any other book, as of now. --recorded chooses.
        """)

    enum Recording: String, CaseIterable, ExpressibleByArgument {
      case asLived = "as-lived"
      case now
    }

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions

    @Argument(help: "The directory of the export, unpacked.", completion: .directory)
    var directory: String

    @Option(help: "Record entries as of the days they belong to (as-lived), or now.")
    var recorded: Recording?

    @Option(help: "Your name, for the account that a book without one gets.")
    var name: String = "New Bee"

    @Option(help: "Your IANA time zone, for the same (default: this machine's).")
    var timezone: String?

    mutating func run() throws {
      // Read before anything is made, so that a malformed export leaves no empty book behind.
      let export = try LoopExport(at: directory)
      let exists = try options.reader.journal.exists()
      let book = exists ? try options.open() : try Book(at: options.path)
      let (account, isEmpty) = try book.read { state -> (LoopImport.Account, Bool) in
        guard state.accounts.elements.isEmpty else {
          return (.existing(try actor.account(in: state)), state.position == 0)
        }
        let command = CreateAccount(
          name: name, timeZone: timezone ?? SystemTimeZones.current)
        return (.new(command), state.position == 0)
      }
      let recording = recorded ?? (isEmpty ? .asLived : .now)
      let summary = try Import.undoing(exists ? nil : options.path) {
        try book.importLoop(
          export, for: account, recorded: recording == .asLived ? .asLived : .now)
      }
      if !exists { Output.note("Made a new book at \(options.path).") }
      write(summary, recording)
    }

    private func write(_ summary: LoopImport.Summary, _ recording: Recording) {
      if options.json {
        let answer: JSON = [
          "habits_made": .number(summary.habitsMade), "habits_found": .number(summary.habitsFound),
          "entries_recorded": .number(summary.entriesRecorded),
          "entries_found": .number(summary.entriesFound),
          "computed_left_out": .number(summary.computedLeftOut),
          "habits_deleted": .number(summary.habitsDeleted),
          "notes_not_kept": .number(summary.notesNotKept), "recorded": .string(recording.rawValue),
        ]
        return Output.line(answer.encoded)
      }
      Output.line(
        "Imported \(summary.habitsMade.counted("habit")) and"
          + " \(summary.entriesRecorded.counted("day")), recorded"
          + (recording == .now ? " as of now." : " as of the days they belong to."))
      if summary.habitsFound > 0 || summary.entriesFound > 0 {
        Output.line(
          "\(summary.habitsFound.counted("habit")) and \(summary.entriesFound.counted("day")) were"
            + " here already.")
      }
      if summary.habitsDeleted > 0 {
        Output.line("\(summary.habitsDeleted.counted("habit")) deleted here since, left alone.")
      }
      if summary.computedLeftOut > 0 {
        Output.line(
          "\(summary.computedLeftOut.counted("day")) that Loop had computed were left out.")
      }
      if summary.notesNotKept > 0 {
        Output.line(
          "\(summary.notesNotKept.counted("note")) on days without an entry could not be kept.")
      }
    }
  }

  struct Lines: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "jsonl",
      abstract: "Import what `daybook export --format jsonl` wrote, into an empty book.")
    @OptionGroup var source: ExportFile
    mutating func run() throws { try source.take(as: .jsonl) }
  }

  struct TableFile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "csv",
      abstract: "Import what `daybook export --format csv` wrote, into an empty book.")
    @OptionGroup var source: ExportFile
    mutating func run() throws { try source.take(as: .csv) }
  }

  /// An export that an empty book is made of.
  struct ExportFile: ParsableArguments {
    @OptionGroup var options: BookOptions

    @Argument(help: "The file of the export.", completion: .file())
    var file: String

    func take(as format: ExportFormat) throws {
      let exists = try options.reader.journal.exists()
      _ = try FileStorage(followingLinks: true).open(file, .read)
      let book = exists ? try options.open() : try Book(at: options.path)
      let count = try Import.undoing(exists ? nil : options.path) {
        try book.importExport(at: file, as: format)
      }
      let digest = book.read { $0.digest }
      if options.json {
        let answer: JSON = ["entries": .number(count), "digest": .string(digest)]
        return Output.line(answer.encoded)
      }
      Output.line("Imported \(count) entries. Digest \(digest).")
    }
  }
}
