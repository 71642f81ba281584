import ArgumentParser
import Daybook
import DaybookStore

struct ShowInsights: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "How it goes over all: completion, weekdays, months, streaks, and what is at risk.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  mutating func run() throws {
    let context = try QueryContext(options, actor, time)
    let report = try context.ask(InsightsQuestion(), by: actor)
    if options.json { return Output.answer(report) }
    let (insights, message) = (report.insights, report.message)
    guard insights.completion.due > 0 else {
      return Output.line("Nothing has been due yet. \(message)")
    }
    Output.line(
      Style.bold(message) + "  completion \(insights.completion.share?.percent ?? "–")"
        + " (\(insights.completion.full)/\(insights.completion.due))")
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    for (name, completion) in zip(names, insights.weekdays) {
      Self.bar(name + "    ", completion)
    }
    for month in insights.months.suffix(12) {
      Self.bar(String(month.start.description.prefix(7)), month.completion)
    }
    if let best = insights.best {
      Output.line("Best streak: \(best.habit.description.name), \(best.length.counted("day")).")
    }
    Self.list("Streaks", insights.current)
    Self.list("At risk today", insights.habitsAtRisk)
    for card in insights.hivesAtRisk {
      Output.line(
        "At risk today: the hive \(card.hive.title), \(card.ring), streak \(card.streak).")
    }
  }

  private static func bar(_ label: String, _ completion: Completion) {
    guard let share = completion.share else { return }
    let width = Int((share * 30).rounded())
    Output.line(
      "  \(label)  " + Style.color(RGB(0x44A340))(String(repeating: "█", count: width))
        + String(repeating: " ", count: 30 - width) + "  \(completion.full)/\(completion.due)")
  }

  private static func list(_ title: String, _ streaks: [Insights.HabitStreak]) {
    guard !streaks.isEmpty else { return }
    let items = streaks.prefix(8).map { "\($0.habit.description.name) \($0.length)" }
    Output.line("\(title): \(items.joined(separator: ", ")).")
  }
}
