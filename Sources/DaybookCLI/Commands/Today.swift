import ArgumentParser
import Daybook
import DaybookStore

struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today",
    abstract: "What is due today, what is done, and how the streaks stand.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  mutating func run() throws {
    let context = try QueryContext(options, actor, time)
    let list = try context.ask(TodayQuestion())
    if options.json { return Output.answer(list) }
    Self.write(list.cards, context)
  }

  static func write(_ cards: [TodayCard], _ context: QueryContext) {
    guard !context.state.habits(of: context.account).isEmpty else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    guard !cards.isEmpty else { return Output.line("Nothing is due.") }
    let days = Set(cards.map(\.day)).sorted().map(\.description)
    Output.line(Style.bold(days.joined(separator: " / ")))
    var table = Table(
      header: ["", "habit", "done", "streak", "last 14 days"], rightAligned: [2, 3])
    for card in cards {
      let habit = card.habit.description
      let value = card.judged?.value ?? .zero
      table.add([
        card.judged?.mark.symbol ?? " ",
        [habit.emoji, habit.name].filter { !$0.isEmpty }.joined(separator: " ")
          + (card.hasFocus ? " ★" : ""),
        "\(value)/\(card.target.words(habit.unit))",
        String(card.streak),
        card.recent.map { $0?.symbol ?? " " }.joined(),
      ])
    }
    table.write()
    let done = cards.filter { $0.judged?.mark == .full || $0.judged?.mark == .bonus }.count
    Output.line(Style.faint("\(done) of \(cards.count) done"))
  }
}
