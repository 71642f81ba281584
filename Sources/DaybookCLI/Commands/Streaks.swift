import ArgumentParser
import Daybook
import DaybookStore

struct Streaks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streaks",
    abstract: "Current and longest streak of every habit.",
    discussion: "With --against, lists every day on which two rules disagree.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Option(help: "Another rule: list the habits and days on which the two differ.")
  var against: String?

  mutating func run() throws {
    let context = try QueryContext(options, actor, time)
    if let against { return try compare(context, time.chosenRule(against)) }
    let list = try context.ask(StreaksQuestion())
    if options.json { return Output.answer(list) }
    let reports = list.reports
    guard !reports.isEmpty else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    let whose = Whose(reports.map(\.habit.owner), context)
    var table = Table(
      header: whose.header + [
        "habit", "current", "longest", "", "full days", "completion", "strength",
      ],
      rightAligned: Set([1, 2, 4, 5, 6].map { $0 + whose.header.count }))
    for report in reports {
      let longest = report.summary.longest
      table.add(
        whose.cells(report.habit.owner) + [
          report.habit.description.name + (report.habit.isArchived ? " (archived)" : ""),
          String(report.summary.current?.length ?? 0), String(longest?.length ?? 0),
          Style.faint(longest.map { "\($0.start) – \($0.end)" } ?? ""),
          String(report.summary.completion.full),
          report.summary.completion.share.map { $0.percent } ?? "–", report.strength.percent,
        ])
    }
    table.write()
  }

  private func compare(_ context: QueryContext, _ other: StreakRule) throws {
    let list = try context.ask(DisagreementsQuestion(against: other))
    if options.json { return Output.answer(list) }
    var isAgreed = true
    list.forEach { disagreement in
      isAgreed = false
      Output.line(Style.bold(disagreement.habit.description.name))
      var table = Table(header: ["day", list.rule.id, list.other.id])
      for day in disagreement.days {
        table.add([day.day.description, Self.words(day.first), Self.words(day.second)])
      }
      table.write()
    }
    if isAgreed { Output.line("The rules agree on every habit and day.") }
  }

  private static func words(_ day: JudgedDay?) -> String {
    day.map { "\($0.mark.rawValue), streak \($0.streak)" } ?? "–"
  }
}

extension Double {
  /// A share from 0 to 1 as a percentage.
  var percent: String { isFinite ? "\(Int((self * 100).rounded()))%" : "–" }
}
