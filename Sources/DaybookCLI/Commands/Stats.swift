import ArgumentParser
import Daybook
import DaybookStore

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Completion, streaks, and bars by day, week, month or year.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(
    help: "The habit: a prefix of its name, or its key (default: all).",
    completion: Completions.habits)
  var habit: String?

  @Option(help: "Count by day, week (Monday first), month or year.")
  var by: String = "month"

  @Option(help: "How many periods, up to now (default: 12).")
  var last: Int = 12

  mutating func run() throws {
    guard let period = Period(rawValue: by) else {
      throw ValidationError("--by: \"\(by)\" is not day, week, month or year")
    }
    guard last >= 1 else { throw ValidationError("--last: \(last) is less than 1") }
    let context = try QueryContext(options, actor, time)
    let number = try habit.map { try context.habit($0).0 }
    let reports = try context.ask(StatsQuestion(number, by: period, last: last))
    if options.json { return Output.answer(reports) }
    guard reports.stepCount > 0 else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    reports.forEach { Self.write($0) }
  }

  private static func write(_ report: StatisticsReport) {
    let summary = report.summary
    Output.line(
      Style.bold(report.habit.description.name)
        + "  completion \(summary.completion.share?.percent ?? "–"), strength"
        + " \(report.strength.percent), current \(summary.current?.length ?? 0), longest"
        + " \(summary.longest?.length ?? 0)")
    for bucket in report.totals {
      let share = bucket.completion.share ?? 0
      let width = Int((share * 30).rounded())
      let bar = String(repeating: "█", count: width)
      let sum = Amount(thousandths: bucket.sumThousandths)?.description ?? ""
      let unit = report.habit.description.unit
      Output.line(
        "  \(bucket.start)  " + Style.color(RGB(0x44A340))(bar)
          + String(repeating: " ", count: 30 - width)
          + "  \(bucket.completion.full)/\(bucket.completion.due)"
          + (report.habit.type == .counter ? "  \(sum) \(unit)" : ""))
    }
  }
}
