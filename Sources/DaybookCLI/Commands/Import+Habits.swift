import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

extension Import {
  struct Loop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "loop",
      abstract: "Import a CSV export of Loop Habit Tracker.",
      discussion: """
        Habits come with their frequency, colour, unit, target and archive state, days with what you \
        entered: yes, no, skip, values, notes. What Loop computed is left out. A second import records \
        only what is new. A malformed line is reported, and then nothing is imported. In Loop it is Settings, \
        "Export as CSV"; the archive that it makes is read as it is.
        """)

    @OptionGroup var source: HabitFile
    func run() throws { try source.importFile(from: .loop) }
  }

  struct HabitBull: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "habitbull",
      abstract: "Import the CSV export of HabitBull.",
      discussion: """
        Habits come with their description, days with values and comments; a habit that has other values than 0 and 1 is \
        counted. Categories, and comments on days without an entry, are left out, and counted. A second import records \
        only what is new.
        """)

    @OptionGroup var source: HabitFile
    func run() throws { try source.importFile(from: .habitBull) }
  }

  struct Tickmate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tickmate",
      abstract: "Import the CSV export of Tickmate for iOS.",
      discussion: """
        Each track is a habit; one that was ticked more than once on a day is counted. A second import records only what \
        is new. A backup of Tickmate for Android is a database: import it into Loop Habit Tracker, and its CSV here.
        """)

    @OptionGroup var source: HabitFile
    func run() throws { try source.importFile(from: .tickmate) }
  }

  /// The times at which imported activity is recorded.
  enum Recording: String, CaseIterable, ExpressibleByArgument {
    case asLived = "as-lived"
    case now
  }

  /// The options for an export of another habit tracker.
  struct HabitFile: ParsableArguments {
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions

    @Argument(
      help: "The export: its file, or the directory into which it was unpacked.",
      completion: .file())
    var path: String

    @Option(
      help: """
        Record entries as of the days they belong to (as-lived: the default in an empty book, so \
        that --as-of works for past years), or now.
        """)
    var recorded: Recording?

    @Option(help: "Your name, for the account that is made in a book without one.")
    var name: String = "New Bee"

    @Option(help: "The IANA time zone of that account (default: this machine's).")
    var timezone: String?

    @OptionGroup var trial: TrialOptions

    func importFile(from program: HabitExport.Program) throws {
      // Read before anything is created, so that a malformed export leaves no empty book behind.
      let export = try HabitExport(at: path, from: program)
      try trial.withBook(options) { book in
        let (account, isEmpty) = try book.read { state -> (HabitImport.Account, Bool) in
          guard state.accounts.elements.isEmpty else {
            return (.existing(try actor.account(in: state)), state.position == 0)
          }
          let command = CreateAccount(name: name, timeZone: timezone ?? SystemTimeZones.current)
          return (.new(command), state.position == 0)
        }
        let recording = recorded ?? (isEmpty ? .asLived : .now)
        let summary = try book.importHabits(
          export, for: account, recorded: recording == .asLived ? .asLived : .now,
          trying: trial.dryRun)
        print(summary, recording)
      }
    }

    private func print(_ summary: HabitImport.Summary, _ recording: Recording) {
      if options.json {
        return Output.line(summary.json(recorded: recording.rawValue, trying: trial.dryRun).encoded)
      }
      Output.line(
        trial.verb("Imported", "Would import")
          + " \(summary.habitsMade.counted("habit")) and"
          + " \(summary.entriesRecorded.counted("day")), recorded"
          + (recording == .now ? " as of now." : " as of the days they belong to."))
      for sentence in summary.sentences { Output.line(sentence) }
    }
  }

  /// The option for a trial import.
  struct TrialOptions: ParsableArguments {
    @Flag(help: "Record nothing; show what would be imported, and what would be left out.")
    var dryRun = false

    /// Chooses between the wording for an import and for a trial.
    func verb(_ done: String, _ tried: String) -> String { dryRun ? tried : done }

    /// Opens or creates the book; for a trial without a book, creates one in memory.
    func withBook(_ options: BookOptions, _ body: (Book) throws -> Void) throws {
      guard try !options.reader.journal.exists() else { return try body(try options.open()) }
      if dryRun { return try body(Book.inMemory()) }
      let book = try options.make()
      try Import.undoing(options.path) { try body(book) }
      Output.note("Made a new book at \(options.path).")
    }
  }
}

extension HabitImport.Summary {
  /// Further remarks on an import, as sentences.
  fileprivate var sentences: [String] {
    var sentences: [String] = []
    if habitsFound > 0 || entriesFound > 0 {
      sentences.append(
        "\(habitsFound.counted("habit")) and \(entriesFound.counted("day")) were here already.")
    }
    if habitsDeleted > 0 {
      sentences.append("\(habitsDeleted.counted("habit")) deleted here since, left alone.")
    }
    if computedLeftOut > 0 {
      sentences.append(
        "\(computedLeftOut.counted("day was", "days were")) left out, which Loop had computed.")
    }
    if notesNotKept > 0 {
      sentences.append(
        "\(notesNotKept.counted("note")) on days without an entry could not be kept.")
    }
    return sentences + leftOut.map { "Left out: \($0.what) (\($0.count))." }
  }
}
