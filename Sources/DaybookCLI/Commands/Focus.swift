import ArgumentParser
import Daybook
import DaybookStore

struct Focus: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [ChooseFocus.self]
  static let configuration = CommandConfiguration(
    commandName: "focus",
    abstract: "The one habit to attend to now; choose another, or give it up.")

  @OptionGroup var read: ReadOptions
  @Argument(
    help: "The habit to choose: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String?
  @Flag(help: "Give the focus up.")
  var none = false
  @OptionGroup var clock: ClockOptions

  func run() throws {
    guard habit == nil || !none else { throw ValidationError("give a habit, or --none") }
    guard habit != nil || none else { return try show() }
    try CommandAnswer(read.options, read.actor, clock).run({ state, account in
      ChooseFocus(try habit.map { try HabitChoice.find($0, in: state, for: account).0 })
    }) { account, state in
      guard let chosen = state.accounts[account]?.focusHabit.flatMap({ state.habits[$0] }) else {
        return "There is no focus any more."
      }
      return "The focus is on \(chosen.description.name)."
    }
  }

  private func show() throws {
    let context = try read.context()
    let focus = try context.ask(FocusQuestion(), by: read.actor)
    if read.json { return Output.answer(focus) }
    guard let current = focus.current else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    Output.line(
      Style.bold(current.description.name)
        + (focus.isChosen ? "" : "  (the newest; none is chosen)"))
    guard !focus.spans.isEmpty else { return }
    let times = try context.times(of: read.actor.viewer(context))
    var table = TextTable([.whole("since", 6), .whole("until", 4), .text("habit", 9)])
    for span in focus.spans {
      table.add([
        times(span.since), span.until.map { times($0) } ?? "", focus.name(of: span),
      ])
    }
    table.print()
  }
}
