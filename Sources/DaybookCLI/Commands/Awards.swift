import ArgumentParser
import Daybook
import DaybookStore

struct ListAwards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "awards",
    abstract: "What was earned: streaks, logs, perfect weeks and months, comebacks.",
    discussion: "An award is never taken away; it is marked if it would no longer be earned.")

  @OptionGroup var read: ReadOptions

  func run() throws {
    let context = try read.context()
    let list = try context.ask(AwardsQuestion(), by: read.actor)
    if read.json { return Output.answer(list) }
    guard !list.awards.isEmpty else {
      return Output.line("No awards yet. The first log earns one: `daybook log NAME`.")
    }
    var table = TextTable([.whole("day", 8), .number("by", 2), .text("award", 9)])
    for award in list.awards {
      table.add([
        award.day.description, "#\(award.position)",
        award.words(of: list.account, in: context.state)
          + (award.isUndone ? Style.faint(" (no longer earned)") : ""),
      ])
    }
    table.print()
  }
}

extension Award {
  /// The award, for people.
  func words(of account: Account.ID, in state: BookState) -> String {
    let habit = cause.habit.flatMap { state.habits[$0]?.description.name } ?? ""
    switch cause {
    case .firstLog: return "the first log"
    case .logs(let count): return "\(count) logs"
    case .streak(_, let count): return "\(count) days of \(habit)"
    case .perfectWeek: return "a perfect week of \(habit)"
    case .perfectMonth: return "a perfect month of \(habit)"
    case .comeback: return "a comeback with \(habit)"
    case .hiveStreak(let hive, let count):
      let name = (try? state.hive(hive, seenBy: account))?.description.name
      return "\(count) days together" + (name.map { " in \($0)" } ?? "")
    }
  }
}
