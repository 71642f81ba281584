import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct WhatIf: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whatif",
    abstract: "What would change if you did something: streaks, hives, awards, reminders.",
    discussion: """
      daybook whatif "skip today" "log Read 2026-03-04" "pause 2026-04-01..2026-04-10"
      daybook whatif "zone Asia/Tokyo" "day-start 3" "schedule Read mon,wed,fri" "target Read 20"
      daybook whatif --file commands.jsonl

      Nothing is recorded. Each command is tried on the result of the ones before it: \
      \(SupposedWords.help). A file holds commands as `apply` takes \
      them, one JSON object a line; a future time (`at`) asks about that time.
      """)

  @OptionGroup var read: ReadOptions

  @Argument(help: "What you suppose, each in quotes: \"skip today\".")
  var suppositions: [String] = []

  @Option(
    help: "A file of commands as JSON Lines, or - for standard input; they come first.",
    completion: .file(extensions: ["jsonl"]))
  var file: String?

  @Option(help: "For how many days ahead reminders are compared.")
  var days: Int = 7

  func run() throws {
    guard !suppositions.isEmpty || file != nil else {
      throw ValidationError("say what you suppose: \(SupposedWords.help)")
    }
    let context = try read.context()
    let account = try read.actor.viewer(context)
    let question = WhatIfQuestion(try commands(context, account), days: days)
    let found = try context.ask(question, by: account)
    if read.json { return Output.answer(found) }
    try ConsequenceText(found, context).print()
  }

  /// The commands in the file, then those on the command line, each parsed in the state that the previous
  /// ones leave.
  private func commands(
    _ context: QueryContext, _ account: Account.ID
  ) throws -> [SupposedCommand] {
    var commands = try fromFile()
    let view = context.view
    _ = try view.supposing { batch in
      for command in commands { try command.record(into: &batch, by: account, knowing: view) }
      for text in suppositions {
        var query = view.query
        query.asOf = max(query.asOf, batch.state.at)
        let words = SupposedWords(account: account, query: query, state: batch.state)
        for body in try words.commands(text) {
          let command = SupposedCommand(body, in: batch.state)
          try command.record(into: &batch, by: account, knowing: view)
          commands.append(command)
        }
      }
    }
    return commands
  }

  private func fromFile() throws -> [SupposedCommand] {
    guard let file else { return [] }
    let lines = try LineReader(path: file)
    var commands: [SupposedCommand] = []
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      commands.append(SupposedCommand(try Request.object(in: line)))
      guard commands.count <= WhatIfQuestion.greatestCommandCount else {
        throw CommandFailure(
          "too_many_commands",
          "\(file) holds more than \(WhatIfQuestion.greatestCommandCount) commands; suppose fewer.")
      }
    }
    return commands
  }
}

/// Formats the consequences of supposed commands for people.
private struct ConsequenceText {
  let found: Consequences
  let context: QueryContext

  init(_ found: Consequences, _ context: QueryContext) {
    self.found = found
    self.context = context
  }

  func print() throws {
    writeHabits()
    for change in found.hives { print(change) }
    writeAwards()
    writeReminders()
    let isSame =
      found.habits.isEmpty && found.hives.isEmpty && found.awards.isEmpty
      && found.reminders.isEmpty
    Output.line(
      (isSame ? "Streaks, hives, awards and reminders would stay as they are. " : "")
        + "Nothing was recorded.")
  }

  private func writeHabits() {
    guard !found.habits.isEmpty else { return }
    var table = TextTable([
      .text("habit", 9), .whole("current", 8), .whole("longest", 7), .whole("ends unless done", 6),
    ])
    for change in found.habits {
      table.add([
        change.habit.description.name, words(change) { "\($0.current)" },
        words(change) { "\($0.longest)" }, words(change) { $0.endsOn?.description ?? "–" },
      ])
    }
    table.print()
  }

  private func words(
    _ change: Consequences.HabitChange, _ words: (Consequences.HabitStanding) -> String
  ) -> String {
    Self.arrow(change.before.map(words), change.after.map(words))
  }

  /// The present value and the supposed one.
  private static func arrow(_ before: String?, _ after: String?) -> String {
    let (before, after) = (before ?? "not there", after ?? "not there")
    return before == after ? before : "\(before) → \(after)"
  }

  private func print(_ change: Consequences.HiveChange) {
    Output.line(
      "\(change.hive.title): "
        + Self.arrow(change.before.map { "\($0)" }, change.after.map { "\($0)" }) + " together")
    guard !change.days.isEmpty else { return }
    var table = TextTable([.whole("day", 9), .whole("verdict", 7), .whole("done", 6)])
    for (before, after) in change.days {
      table.add([
        after.day.description, Self.arrow(before.verdict.rawValue, after.verdict.rawValue),
        Self.arrow(
          "\(before.completeCount)/\(before.neededCount)",
          "\(after.completeCount)/\(after.neededCount)"),
      ])
    }
    table.print()
  }

  private func writeAwards() {
    for change in found.awards {
      let words = change.award.words(of: found.account, in: found.state)
      switch change.kind {
      case .earned: Output.line("You would earn: \(words) (\(change.award.day)).")
      case .undone: Output.line("No longer earned: \(words) (\(change.award.day)).")
      case .restored: Output.line("Earned again: \(words) (\(change.award.day)).")
      }
    }
  }

  private func writeReminders() {
    guard !found.reminders.isEmpty else { return }
    let times = LocalTimes(of: found.state.accounts[found.account], context.query.zones)
    Output.line("Reminders up to \(times(found.remindersThrough)):")
    var table = TextTable([.whole("", 9), .whole("at", 8), .text("what", 7)])
    for change in found.reminders {
      table.add([
        change.comes ? "+" : "-", times(change.notification.at), change.notification.words,
      ])
    }
    table.print(withHeader: false)
  }
}
