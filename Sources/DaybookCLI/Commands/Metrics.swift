import ArgumentParser
import Daybook
import DaybookStore

struct ShowMetrics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "How the whole book is used: activation, retention, hives, invites, reminders.")

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @Option(name: .long, help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  func run() throws {
    let metrics = try QueryContext(options, asOf: asOf).ask(MetricsQuestion())
    if options.json { return Output.answer(metrics) }
    var table = TextTable([.text("metric", 9), .number("value", 9)])
    for figure in metrics.figures { table.add([figure.name, figure.value.description]) }
    table.print()
  }
}
