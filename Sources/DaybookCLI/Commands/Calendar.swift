import ArgumentParser
import Daybook
import DaybookStore

struct HouseholdCalendar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar",
    abstract: "What takes place in your household, day by day; add, edit or delete something.",
    discussion: """
      Days run from midnight to midnight in your time zone. `daybook import ics FILE` imports a \
      calendar, `daybook export --format ics` exports it.
      """,
    subcommands: [ShowCalendar.self, Add.self, Edit.self, Delete.self],
    defaultSubcommand: ShowCalendar.self)
}

struct ShowCalendar: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "What takes place, day by day (the default).")

  @OptionGroup var read: ReadOptions
  @OptionGroup var home: HouseholdOptions

  @Option(help: "The first day: \(ComingDay.help) (default: today, or --on).")
  var from: String?

  @Option(help: "The last day; at most 3700 days in all (default: seven days in all).")
  var to: String?

  func run() throws {
    let context = try read.context(byMembers: true)
    let viewer = try read.actor.viewer(context)
    let household = try home.find(in: context.state, for: viewer)
    let account = context.state.viewer(viewer)
    let first =
      try from.map { try ComingDay.day($0, for: account, context.query) }
      ?? DayArgument.day(read.time.on ?? "today", for: account, context.query)
    let last = try to.map { try ComingDay.day($0, for: account, context.query, from: first) }
    if let last, last < first { throw ValidationError("--to: \(last) is before \(first)") }
    let answer = try context.ask(
      CalendarQuestion(of: household, from: first, to: last), by: viewer)
    if read.json { return Output.answer(answer) }
    print(answer, account, context.query)
    noteCutOff(answer.cutOffTitles)
  }

  private func noteCutOff(_ titles: [String]) {
    guard !titles.isEmpty else { return }
    let named = titles.prefix(5).map { quoted($0) }.joined(separator: ", ")
    let others = titles.count > 5 ? " and \((titles.count - 5).counted("more event"))" : ""
    Output.note(
      "Shown only in part, because it would take too long: \(named)\(others). Ask for fewer days.")
  }

  private func print(
    _ answer: CalendarQuestion.Answer, _ account: Account?, _ query: Query
  ) {
    let zone = account?.dayClock.timeZone ?? "UTC"
    var table = TextTable([
      .whole("day", 9), .whole("time", 8), .text("what", 9), .text("where", 4),
    ])
    var days: [Day: [CalendarOccurrence]] = [:]
    for one in answer.listing.occurrences {
      let first = max(answer.days.lowerBound, one.days.lowerBound)
      let last = min(answer.days.upperBound, one.days.upperBound)
      for ahead in 0..<max(0, first.distance(to: last) + 1) {
        days[first.advanced(by: ahead), default: []].append(one)
      }
    }
    guard !days.isEmpty else {
      return Output.line(
        "Nothing from \(answer.days.lowerBound) to \(answer.days.upperBound). "
          + "Add something: `daybook calendar add Dentist \"fri 15:00\"`; or "
          + "`daybook import ics FILE` imports a calendar.")
    }
    for (day, found) in days.sorted(by: { $0.key < $1.key }) {
      for one in found {
        table.add([
          "\(day.weekdayName) \(day)", one.hours(on: day, in: zone, query.zones),
          one.occurrence.event.summary?.onOneLine ?? "(no title)",
          one.occurrence.event.location?.onOneLine ?? "",
        ])
      }
    }
    table.print()
  }
}

extension CalendarOccurrence {
  /// The hours of the event on a day, on the viewer's clock.
  fileprivate func hours(on day: Day, in zone: String, _ zones: any TimeZones) -> String {
    guard !occurrence.start.isDate else { return "all day" }
    let clock = WallClock(timeZone: zone, zones: zones)
    let minutes = { (instant: Instant) -> String in
      guard let local = clock.local(of: instant) else { return instant.description }
      return LocalTime(minutes: Int(local.second) / 60)?.description ?? ""
    }
    let begins = day == days.lowerBound ? minutes(start) : "…"
    if start == end { return begins }
    return begins + "–" + (day == days.upperBound ? minutes(end) : "…")
  }
}

extension Import {
  struct CalendarFile: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ImportCalendar.self]
    static let configuration = CommandConfiguration(
      commandName: "ics",
      abstract: "Import an .ics file into your household's calendar, as often as you like.",
      discussion: """
        Events are recognised by their UID: a second import changes only what changed in the \
        file, and cancelled events disappear. Meals and tasks that an export of this book \
        contains are left out. Parts of the file that were not understood are listed with their \
        lines: the first twenty, and every event that is left out; with --json all of them.
        """)

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var home: HouseholdOptions

    @Argument(help: "The file.", completion: .file(extensions: ["ics"]))
    var file: String

    @Flag(help: "Delete events of earlier imports that are not in this file.")
    var deleteMissing = false

    @OptionGroup var clock: ClockOptions
    @OptionGroup var trial: TrialOptions

    func run() throws {
      let bytes = try FileBytes.read(file)
      let (deletes, home, trial) = (deleteMissing, home, trial)
      let command = { (state: BookState, account: Account.ID) in
        ImportCalendar(
          bytes, into: try home.find(in: state, for: account), deletingMissing: deletes)
      }
      let (change, notes) = (try CommandAnswer(options, actor, clock), !options.json)
      let words = { (answer: CalendarImport, _: BookState) in
        if notes { Self.note(answer) }
        return answer.sentence(trial)
      }
      let answer =
        trial.dryRun
        ? try change.attempt(command, words: words) : try change.record(command, words: words)
      if answer.tookNothing { throw ExitCode(1) }
    }

    /// Prints the parts of the file that were left out or not understood.
    private static func note(_ answer: CalendarImport) {
      for event in answer.keptDeleted {
        Output.note(
          "\(quoted(event.title ?? event.uid)) was deleted here before, and stays deleted.")
      }
      // Every event that was left out is listed. Other problems are listed only among the first
      // twenty, because nobody reads a thousand.
      let told = answer.problems.enumerated()
        .filter { $0.offset < 20 || $0.element.outcome == .eventLeftOut }.map(\.element)
      for problem in told { Output.note("\(problem)".onOneLine) }
      let more = answer.problems.count - told.count
      if more > 0 { Output.note("… and \(more) more") }
    }
  }
}

extension CalendarImport {
  /// The result of the import, or of the dry run, in words.
  fileprivate func sentence(_ trial: Import.TrialOptions) -> String {
    var parts = ["\(created.count) new", "\(changed.count) changed", "\(unchangedCount) as before"]
    if !deleted.isEmpty { parts.append("\(deleted.count) deleted") }
    var sentence =
      tookNothing
      ? trial.verb("Nothing was imported.", "Nothing would be imported.")
      : "\(trial.verb("Imported", "Would import")) the calendar: \(parts.joined(separator: ", "))."
    if !keptDeleted.isEmpty {
      sentence += " \(keptDeleted.count) deleted here before, and still deleted."
    }
    if ownCount > 0 { sentence += " \(ownCount) of this book's own left out." }
    if !notImported.isEmpty {
      let kinds = notImported.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      sentence += " Not imported: \(kinds.joined(separator: ", "))."
    }
    if !problems.isEmpty {
      sentence += " \(problems.count.counted("problem")) with the file, listed above."
    }
    return sentence
  }
}
