import ArgumentParser
import Daybook
import DaybookStore

struct Streaks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streaks",
    abstract: "Current and longest streak of every habit.",
    discussion: """
      With --against, shows which streaks differ under another rule, since which day and why, \
      and the overall result; with --days also every day on which the two disagree.
      """)

  @OptionGroup var read: ReadOptions

  @Option(help: "Another rule: show which streaks differ under it.")
  var against: String?

  @Flag(help: "With --against: every day on which the two rules disagree.")
  var days = false

  func run() throws {
    let context = try read.context()
    if let against {
      let other = try read.time.chosenRule(against)
      return try days ? writeDays(context, other) : compare(context, other)
    }
    guard !days else { throw ValidationError("--days needs --against RULE") }
    let list = try context.ask(StreaksQuestion())
    if read.json { return Output.answer(list) }
    let reports = list.reports
    guard !reports.isEmpty else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    let whose = OwnerColumn(reports.map(\.habit.owner), context)
    var table = TextTable(
      whose.columns + [
        .text("habit", 9), .number("current", 9), .number("longest", 8), .whole("", 2),
        .number("full days", 3), .number("completion", 5), .number("strength", 4),
      ])
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
    table.print()
  }

  private func compare(_ context: QueryContext, _ other: StreakRule) throws {
    let found = try context.ask(ComparisonQuestion(against: other))
    if read.json { return Output.answer(found) }
    if !found.rows.isEmpty {
      let whose = OwnerColumn(found.rows.map(\.habit.owner), context)
      var table = TextTable(
        whose.columns + [
          .text("habit", 9), .whole("current", 8), .whole("longest", 7),
          .text("first day that differs", 6),
        ])
      for row in found.rows {
        table.add(
          whose.cells(row.habit.owner) + [
            row.habit.description.name, Self.change(row.current), Self.change(row.longest),
            Style.faint(row.why),
          ])
      }
      table.print()
    }
    for (name, sums) in [("current", found.current), ("longest", found.longest)] {
      Output.line(
        "\(name) by \(found.other.id) against \(found.rule.id): \(sums.longer) longer,"
          + " \(sums.shorter) shorter, \(sums.equal) equal; median change \(sums.medianChange)")
    }
  }

  private static func change(_ lengths: (Int, Int)) -> String {
    lengths.0 == lengths.1 ? "\(lengths.0)" : "\(lengths.0) → \(lengths.1)"
  }

  private func writeDays(_ context: QueryContext, _ other: StreakRule) throws {
    let list = try context.ask(DisagreementsQuestion(against: other))
    if read.json { return Output.answer(list) }
    var isAgreed = true
    list.forEach { disagreement in
      isAgreed = false
      Output.line(Style.bold(disagreement.habit.description.name))
      var table = TextTable([.whole("day", 9), .text(list.rule.id, 8), .text(list.other.id, 8)])
      for day in disagreement.days {
        table.add([day.day.description, Self.words(day.first), Self.words(day.second)])
      }
      table.print()
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
