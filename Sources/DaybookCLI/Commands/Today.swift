import ArgumentParser
import Daybook
import DaybookStore
import Journal

struct Today: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today",
    abstract: "What is due today, what is done, and how the streaks stand.")

  @OptionGroup var read: ReadOptions

  func run() throws {
    let context = try read.context()
    let list = try context.ask(TodayQuestion())
    if read.json { return Output.answer(list) }
    Self.print(list.cards, context)
  }

  /// Whether there is no book.
  var isWithoutBook: Bool {
    get throws { try !read.json && !read.options.reader.journal.exists() }
  }

  static func print(_ cards: [TodayCard], _ context: QueryContext) {
    guard !context.state.habits(of: context.account).isEmpty else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    guard !cards.isEmpty else { return Output.line("Nothing is due.") }
    let days = Set(cards.map(\.day)).sorted().map(\.description)
    Output.line(Style.bold(days.joined(separator: " / ")))
    let whose = OwnerColumn(cards.map(\.habit.owner), context)
    var table = TextTable(
      [.whole("", 9)] + whose.columns + [
        .text("habit", 9), .number("done", 8), .number("streak", 7), .whole("last 14 days", 4),
      ])
    for card in cards {
      let habit = card.habit.description
      let value = card.entered ?? card.judged?.value ?? .zero
      table.add(
        [card.judged?.mark.symbol ?? " "] + whose.cells(card.habit.owner) + [
          [habit.emoji, habit.name].filter { !$0.isEmpty }.joined(separator: " ")
            + (card.hasFocus ? " ★" : ""),
          "\(value)/\(card.target.words(habit.unit))",
          String(card.streak),
          card.recent.map { $0?.symbol ?? " " }.joined(),
        ])
    }
    table.print()
    let done = cards.filter { $0.judged?.mark == .full || $0.judged?.mark == .bonus }.count
    Output.line(Style.faint("\(done) of \(cards.count) done"))
  }
}
