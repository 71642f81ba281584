import ArgumentParser
import Daybook
import DaybookSQL
import DaybookStore
import Journal

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export every event, or all of one account, with keys instead of numbers.",
    discussion: """
      Both formats are complete: `daybook import` makes the same book from either. CSV is for \
      spreadsheets, too: a text that they would run as a formula begins with an apostrophe, \
      which `daybook import csv` removes again.

      With --as it holds everything of one account: its own things, and what it shares with \
      others as a member; of the others only their names and time zones.

      With --format ics it is a calendar for other programs: your household's events, planned meals and \
      open tasks with a due time; with --tasks your own open tasks with a due time, too, and with --habits \
      your own habits on the days on which they are due.

      With --format sql it is the statements that make a database of every table, with every habit's \
      days and streaks and everybody's awards: daybook export --format sql | sqlite3 book.sqlite
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions

  @OptionGroup var home: HouseholdOptions

  @Option(help: "jsonl or csv; ics for a calendar; sql for a database.")
  var format: String = ExportFormat.jsonl.rawValue

  @Flag(
    help:
      "With --format ics: your own open tasks with a due time, too; nobody else can see these here."
  )
  var tasks = false

  @Flag(help: "With --format ics: your own habits, too, as events that repeat.")
  var habits = false

  @Flag(
    help:
      "With --format csv: leave texts as they are, even if a spreadsheet would run them as formulas."
  )
  var raw = false

  @Option(help: "Only what was recorded until this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  @Option(help: "Write to this file (default: standard output).", completion: .file())
  var output: String?

  func run() throws {
    let last = try TimeArgument.instant(asOf, "--as-of") ?? .last
    if format == "ics" { return try writeCalendar(until: last) }
    guard format == "sql" || (ExportFormat(rawValue: format) ?? .rawCSV) != .rawCSV else {
      throw ValidationError("--format: \"\(format)\" is none of jsonl, csv, ics and sql")
    }
    guard !raw || format == "csv" else { throw ValidationError("--raw: only with --format csv") }
    guard home.household == nil else {
      throw ValidationError("--household: only with --format ics")
    }
    guard !tasks else { throw ValidationError("--tasks: only with --format ics") }
    guard !habits else { throw ValidationError("--habits: only with --format ics") }
    guard format != "sql" || !actor.isChosen else {
      throw ValidationError("--as: --format sql exports everything of everybody")
    }
    guard let output else {
      _ = try lines(until: last) { Output.text($0) }
      return
    }
    // Read before anything is created, so that an unreadable book leaves no file behind.
    _ = try options.reader.journal.segments()
    let count = try FileBytes.replace(output) { try write(until: last, $0) }
    let words = format == "sql" ? count.counted("row") : count.counted("entry", "entries")
    Output.line("Wrote \(words) to \(output).")
  }

  /// Writes a household's calendar, or the caller's own tasks as one.
  private func writeCalendar(until last: Instant) throws {
    let reader = options.reader
    let now = try reader.state()
    let viewer = try actor.account(in: now)
    let state = asOf == nil ? now : try reader.state(asOf: last).seen(from: now)
    let isAlone = home.household == nil && state.households(of: viewer).isEmpty
    if isAlone, !tasks, !habits {
      throw CommandFailure(
        "household_not_found",
        "You are in no household; --tasks exports your own tasks, and --habits your habits.")
    }
    let household = isAlone ? nil : try home.find(in: state, for: viewer)
    let calendar = state.iCalendar(
      of: household, for: viewer, withTasks: tasks, withHabits: habits)
    let zone = state.accounts[viewer]?.dayClock.timeZone ?? "UTC"
    let text = calendar.write(stamp: state.at, seenFrom: zone, zones: reader.zones)
    guard let output else { return Output.text(text) }
    try FileBytes.replace(output, with: Array(text.utf8))
    Output.line("Wrote \(calendar.series.count.counted("event")) to \(output).")
  }

  private func write(until last: Instant, _ file: any StorageFile) throws -> Int {
    var offset = 0
    var buffer: [UInt8] = []
    let count = try lines(until: last) { line in
      buffer.append(contentsOf: line.utf8)
      guard buffer.count > 1 << 20 else { return }
      try file.write(buffer, at: offset)
      offset += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    try file.write(buffer, at: offset)
    return count
  }

  /// Writes lines in the chosen format; returns how many entries or rows they hold.
  private func lines(until last: Instant, _ emit: (String) throws -> Void) throws -> Int {
    let reader = options.reader
    guard let named = ExportFormat(rawValue: format) else {
      return try reader.exportSQL(asOf: asOf == nil ? nil : last, emit)
    }
    let format = raw ? ExportFormat.rawCSV : named
    let account = try actor.isChosen ? actor.chosen(in: try reader.state()) : nil
    guard let account else { return try reader.export(as: format, until: last, emit) }
    return try reader.export(of: account, as: format, until: last, emit)
  }
}
