import ArgumentParser
import Daybook
import DaybookStore

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Completion, streaks, and bars by day, week, month or year.")

  @OptionGroup var read: ReadOptions

  @Argument(
    help: "The habit: a prefix of its name, or its key (default: all).",
    completion: Completions.habits)
  var habit: String?

  @OptionGroup var drawn: PictureOptions

  @Option(help: "Count by day, week (Monday first), month or year.")
  var by: String = "month"

  @Option(help: "How many periods, up to now, 3700 at most (default: 12).")
  var last: Int = 12

  func run() throws {
    guard let period = Period(rawValue: by) else {
      throw ValidationError("--by: \"\(by)\" is not day, week, month or year")
    }
    guard last >= 1 else { throw ValidationError("--last: \(last) is less than 1") }
    let context = try read.context()
    let number = try habit.map { try context.habit($0).0 }
    let reports = try context.ask(StatsQuestion(number, by: period, last: last))
    guard try !drawn.write({ Self.picture(reports, by: period, drawn.theme) }) else { return }
    if read.json { return Output.answer(reports) }
    guard reports.stepCount > 0 else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    let whose = OwnerColumn(reports.owners, context)
    reports.forEach { Self.print($0, whose) }
  }

  private static func print(_ report: StatisticsReport, _ whose: OwnerColumn) {
    let head = [Style.bold(report.habit.description.name)] + whose.cells(report.habit.owner)
    Output.line((head + [summary(of: report)]).joined(separator: "  "))
    var chart = BarChart()
    for bar in bars(of: report) { chart.add(bar.label, bar.share, bar.figures) }
    chart.print()
  }

  private static func picture(
    _ reports: StatisticsList, by period: Period, _ theme: Picture.ColorTheme
  ) -> Picture {
    var parts: [BarPicture.BarGroup] = []
    reports.forEach { report in
      parts.append(
        BarPicture.BarGroup(
          head: "\(report.habit.description.name): \(summary(of: report))",
          bars: bars(of: report)))
    }
    return BarPicture(
      title: "Days done by \(period.rawValue)", parts: parts, theme: theme
    ).picture
  }

  private static func summary(of report: StatisticsReport) -> String {
    let summary = report.summary
    return "completion \(summary.completion.share?.percent ?? "–"), strength"
      + " \(report.strength.percent), current \(summary.current?.length ?? 0), longest"
      + " \(summary.longest?.length ?? 0)"
  }

  private static func bars(
    of report: StatisticsReport
  ) -> [(label: String, share: Double, figures: String)] {
    report.totals.map { bucket in
      let sum = Amount(thousandths: bucket.sumThousandths)?.description ?? ""
      let unit = report.habit.description.unit
      return (
        bucket.start.description, bucket.completion.share ?? 0,
        bucket.completion.figures + (report.habit.type == .counter ? "  \(sum) \(unit)" : "")
      )
    }
  }
}
