import ArgumentParser
import Daybook
import DaybookStore

struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Every entry of a habit, newest first: when, by whom, from where.")

  @OptionGroup var read: ReadOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "At most this many entries.")
  var limit: Int?

  func run() throws {
    if let limit, limit < 1 { throw ValidationError("--limit: \(limit) is less than 1") }
    let context = try read.context(ofHabit: habit)
    let (number, found) = try context.habit(habit)
    let list = try context.ask(HistoryQuestion(number, limit: limit))
    if read.json { return Output.answer(list) }
    let times = context.times(of: found.owner)
    var table = TextTable([
      .number("#", 2), .whole("at", 6), .whole("event", 7), .whole("day", 9), .number("value", 9),
      .text("by", 4), .text("from", 1), .text("note", 8),
    ])
    for item in list.items {
      table.add([
        String(item.position), times(item.at), item.event.name,
        item.event.day?.description ?? "",
        (item.event.entered ?? item.event.value)?.description ?? "",
        item.actor.flatMap { context.state.accounts[$0]?.displayName } ?? "",
        item.event.source?.rawValue ?? "",
        item.event.note?.onOneLine ?? "",
      ])
    }
    table.print()
  }
}
