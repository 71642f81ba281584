import ArgumentParser
import Daybook
import DaybookSamples
import DaybookStore
import Foundation
import Journal
import Pictures

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "A tour: two years of lifelike history, and what Daybook makes of it.")

  @Option(help: "Make the book here (default: a fresh temporary directory).")
  var dir: String?

  @Option(help: "Another seed makes another history.")
  var seed: UInt64 = 12

  func run() throws {
    let path =
      dir ?? FileManager.default.temporaryDirectory.path + "/daybook-demo-\(getpid()).daybook"
    try Book.create(at: path)
    let now = BookClock.system.now()
    do {
      let book = try Book(opening: BookReader(at: path))
      try DemoBook.fill(book, until: now, seed: seed)
    }
    var options = BookOptions()
    options.book = path
    let ada = try ActorOptions.parse(["--as", "Ada"])
    try show(path, options, ada, now)
  }

  private func show(_ path: String, _ options: BookOptions, _ ada: ActorOptions, _ now: Instant)
    throws
  {
    let context = try QueryContext(options, ada, TimeOptions.parse([]))
    let (number, habit) = try context.habit("Meditate")
    let state = context.state
    heading(
      "A book of \(state.position) entries: \(state.accounts.elements.count) people,"
        + " \(state.habits.elements.count) habits, two years", command(path, "habits"))
    heading("Ada's day", command(path, "today --as Ada"))
    Today.print(try context.ask(TodayQuestion()).cards, context)
    heading("Her year", command(path, "heatmap --as Ada Meditate"))
    let year = try context.ask(HeatmapQuestion(number))
    YearComb(heatmap: year, palette: .honey).print()
    let view = try state.view(of: habit, context.query)
    if let broken = view.judgement.breaks.last {
      let span = broken.day.advanced(by: -4)...broken.day.advanced(by: 3)
      heading(
        "Why is her streak \(view.judgement.current?.length ?? 0)?",
        command(path, "audit --as Ada Meditate --from \(span.lowerBound) --to \(span.upperBound)"))
      try AuditStreak.print(
        context.ask(AuditQuestion(of: number, from: span.lowerBound, to: span.upperBound)), context)
    }
    let monthEarlier = now.advanced(byMilliseconds: -30 * 86_400_000)
    let past = try QueryContext(
      options, ada, TimeOptions.parse(["--as-of", monthEarlier.description]))
    let then = try past.state.view(of: past.habit("Meditate").1, past.query).judgement
    heading(
      "What the book said a month ago",
      command(path, "streaks --as Ada --as-of \(monthEarlier.description)"))
    Output.line(
      "Meditate: current \((then.current?.length ?? 0).counted("day")), longest"
        + " \((then.longest?.length ?? 0).counted("day")); today it is"
        + " \((view.judgement.current?.length ?? 0).counted("day")), longest"
        + " \((view.judgement.longest?.length ?? 0).counted("day")).")
    heading("What she has to do", command(path, "tasks --as Ada"))
    try run(ListTasks.self, "--as Ada", path)
    heading("What her household buys", command(path, "groceries --as Ada"))
    try run(Groceries.List.self, "--as Ada", path)
    Output.line()
    Output.line("The book is at \(path); look around with `daybook --help`.")
  }

  private func command(_ path: String, _ words: String) -> String {
    "daybook \(words) --book \(path)"
  }

  private func run<Other: ParsableCommand>(
    _ type: Other.Type, _ words: String, _ path: String
  ) throws {
    var other = try type.parse(words.split(separator: " ").map(String.init) + ["--book", path])
    try other.run()
  }

  private func heading(_ text: String, _ command: String) {
    Output.line()
    Output.line(Style.bold(text))
    Output.line(Style.faint("$ \(command)"))
  }
}
