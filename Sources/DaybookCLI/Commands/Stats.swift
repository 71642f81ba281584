import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Completion, streaks, and bars by day, week, month or year.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(help: "The habit: a prefix of its name, or its key (default: all).")
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
    let sight = try Sight(options, actor, time)
    let habits = try habit.map { [try sight.habit($0).1] } ?? sight.state.habits(of: sight.account)
    var reports: [StatisticsReport] = []
    for habit in habits {
      reports.append(
        StatisticsReport(try sight.state.view(of: habit, sight.query), by: period, count: last))
    }
    if options.json { return Output.line(JSON.array(reports.map(\.json)).encoded) }
    guard !reports.isEmpty else {
      return Output.line("No habits yet. Make one: `daybook habits add Read`.")
    }
    for report in reports { Self.write(report) }
  }

  private static func write(_ report: StatisticsReport) {
    let judgement = report.view.judgement
    Output.line(
      Style.bold(report.view.habit.description.name)
        + "  completion \(judgement.completion?.percent ?? "–"), strength"
        + " \(report.view.strength.percent), current \(judgement.current?.length ?? 0), longest"
        + " \(judgement.longest?.length ?? 0)")
    for bucket in report.totals {
      let share = bucket.completion.share ?? 0
      let width = Int((share * 30).rounded())
      let bar = String(repeating: "█", count: width)
      let sum = Amount(thousandths: bucket.sumThousandths)?.description ?? ""
      let unit = report.view.habit.description.unit
      Output.line(
        "  \(bucket.start)  " + Style.color(RGB(0x44A340))(bar)
          + String(repeating: " ", count: 30 - width)
          + "  \(bucket.completion.full)/\(bucket.completion.due)"
          + (report.view.habit.type == .counter ? "  \(sum) \(unit)" : ""))
    }
  }
}
