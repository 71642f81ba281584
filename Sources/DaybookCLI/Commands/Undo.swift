import ArgumentParser
import Daybook
import DaybookStore

struct UndoCommand: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [UndoTask.self, Undo.self]
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo your last command, or an earlier one.",
    discussion: """
      An undo records the opposite: history stays, and an undo can be undone. It is refused if \
      the same thing was changed since, or if others were affected: when members joined or left, \
      or were notified in a hive. `daybook undo --list` and `daybook task history TASK` show \
      positions.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions
  @Argument(help: "The position of an entry of the command (default: your last command).")
  var position: Int64?
  @Flag(help: "Put back what that entry is about, as it was before, whoever changed it since.")
  var since = false
  @Flag(help: "List your last commands, and which of them can be undone.")
  var list = false
  @Option(help: "How many to list.")
  var limit: Int = 10
  @OptionGroup var clock: ClockOptions

  mutating func validate() throws {
    guard !list || position == nil else { throw ValidationError("give a position, or --list") }
    guard !since || position != nil else { throw ValidationError("--since needs a position") }
  }

  func run() throws {
    let context = try QueryContext(options, actor, asOf: nil)
    guard !list else { return try showRecent(context) }
    let account = try actor.account(in: context.state)
    if let position { return try undo(position, by: account) }
    try undoLast(context, by: account)
  }

  /// The largest number of commands without effect to skip.
  private static let mostPassedOver = 20

  /// Undoes the last command that had an effect; logging the same value again, for example, has none.
  private func undoLast(_ context: QueryContext, by account: Account.ID) throws {
    let recent = try context.ask(RecentQuestion(limit: Self.mostPassedOver), by: account)
    var refusal: (any Error)?
    for entry in recent.entries {
      guard recent.isUndoable(entry) else {
        throw CommandFailure(
          "not_undoable",
          "Your last command (entry \(entry.head.position), \(recent.words(of: entry))) cannot "
            + "be undone; `daybook undo --list` shows the ones before."
        )
      }
      do { return try undo(entry.head.position, by: account) } catch let rejection as Rejection
        where rejection.reason == .nothingToUndo
      {
        refusal = refusal ?? rejection
      }
    }
    throw refusal
      ?? CommandFailure("nothing_to_undo", "You have done nothing yet that could be undone.")
  }

  private func undo(_ position: Int64, by account: Account.ID) throws {
    let answer = try CommandAnswer(options, actor, clock)
    let reader = options.reader
    try answer.run({ state, _ in
      var undo = Undo(position, try reader.commandHistory(at: position, knowing: state))
      undo.isSince = since
      return undo
    }) { did, state in
      let query = answer.query(state)
      let words = did.events.map { state.summary(of: $0, for: account, query) }
      guard words.count == 1, let event = did.events.first, let habit = event.habitDay?.habit else {
        return (["Undone: entry \(did.position)."] + words.map { "  " + $0 })
          .joined(separator: "\n")
      }
      let view = try state.view(of: try state.found(habit), query)
      let streak = view.judgement.current?.length ?? 0
      return "Undone: entry \(did.position). \(words[0]). Streak: \(streak.counted("day"))."
    }
  }

  private func showRecent(_ context: QueryContext) throws {
    let viewer = try actor.viewer(context)
    let recent = try context.ask(RecentQuestion(limit: limit), by: viewer)
    if options.json { return Output.answer(recent) }
    guard !recent.entries.isEmpty else { return Output.line("You have done nothing yet.") }
    let times = context.times(of: viewer)
    var table = TextTable([
      .number("position", 9), .whole("at", 4), .whole("undo", 7), .text("what", 8),
    ])
    for entry in recent.entries {
      table.add([
        String(entry.head.position), times(entry.head.at), recent.isUndoable(entry) ? "yes" : "",
        recent.words(of: entry).onOneLine,
      ])
    }
    table.print()
  }
}
