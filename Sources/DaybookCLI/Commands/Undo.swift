import ArgumentParser
import Daybook
import DaybookStore

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo your last command, or an earlier one.",
    discussion: """
      What was done to tasks, labels and the days of habits is taken back: it does the opposite, so history stays, and \
      an undo can be undone. It is refused when what it would restore was changed since. `daybook undo --list` and \
      `daybook task history TASK` tell positions. What else was done has words that do the opposite: edit, restore, resume.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @Argument(help: "The position of an entry of the command (default: your last command).")
  var position: Int64?
  @Flag(help: "List your last commands, and which of them can be undone.")
  var list = false
  @Option(help: "How many to list.")
  var limit: Int = 10
  @OptionGroup var clock: ClockOptions

  mutating func validate() throws {
    guard !list || position == nil else { throw ValidationError("give a position, or --list") }
  }

  mutating func run() throws {
    let context = try QueryContext(options, actor, asOf: nil)
    guard !list else { return try showRecent(context) }
    let account = try actor.account(in: context.state)
    let position = try position ?? last(context, account)
    // What kind of command it is does not change, and is looked at before the book is held.
    switch try context.reader.dayUndo(at: position, for: account, knowing: context.state) {
    case .log(let command)?: try undoDay(position, of: command.habit, by: command)
    case .skip(let command)?: try undoDay(position, of: command.habit, by: command)
    case .clear(let command)?: try undoDay(position, of: command.habit, by: command)
    case nil: try undoTask(position)
    }
  }

  /// The position of the last command.
  private func last(_ context: QueryContext, _ account: Account.ID) throws -> Int64 {
    let recent = try context.ask(RecentQuestion(limit: 1), by: account)
    guard let entry = recent.entries.first else {
      throw Failure("nothing_to_undo", "You did nothing yet that could be undone.")
    }
    guard recent.isUndoable(entry) else {
      throw Failure(
        "not_undoable",
        "Your last command (entry \(entry.head.position), \(recent.words(of: entry))) is not about a task, a label or "
          + "a day of a habit; `daybook undo --list` shows the ones before.")
    }
    return entry.head.position
  }

  private func undoTask(_ position: Int64) throws {
    let answer = try CommandAnswer(options, actor, clock)
    let reader = options.reader
    try answer.write({ state, _ in
      UndoTask(position, try reader.taskPast(at: position, knowing: state))
    }) { did, state in
      let query = answer.query(state)
      let owner = did.events.first.flatMap { state.owner(of: $0.subject) }
      let account = owner.flatMap { state.accounts[$0] }
      return
        (["Undone: entry \(did.position)."]
        + did.events.map { "  " + state.words(of: $0, for: account, query) })
        .joined(separator: "\n")
    }
  }

  private func undoDay<C: RequestBody>(
    _ position: Int64, of habit: Habit.ID, by command: C
  ) throws where C.Answer == Day {
    let answer = try CommandAnswer(options, actor, clock)
    let reader = options.reader
    try answer.write({ state, account in
      // Before the book was held, somebody may have recorded something else of the day.
      _ = try reader.dayUndo(at: position, for: account, knowing: state)
      return command
    }) { day, state in
      let view = try state.view(of: try state.found(habit), answer.query(state))
      let words =
        view.habit.days[day].map { $0.isSkipped ? "skipped" : "\($0.value)" } ?? "cleared"
      let streak = view.judgement.current?.length ?? 0
      return "Undone: entry \(position). \(view.habit.displayName), \(day): \(words)."
        + " Streak: \(streak.counted("day"))."
    }
  }

  private func showRecent(_ context: QueryContext) throws {
    let viewer = try actor.viewer(context)
    let recent = try context.ask(RecentQuestion(limit: limit), by: viewer)
    if options.json { return Output.answer(recent) }
    guard !recent.entries.isEmpty else { return Output.line("You did nothing yet.") }
    let times = context.times(of: viewer)
    var table = Table(header: ["position", "at", "undo", "what"], rightAligned: [0])
    for entry in recent.entries {
      table.add([
        String(entry.head.position), times(entry.head.at), recent.isUndoable(entry) ? "yes" : "",
        recent.words(of: entry).onOneLine,
      ])
    }
    table.write()
  }
}
