import ArgumentParser
import Daybook
import DaybookStore

struct ReadFeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "What happened, newest first: your days and milestones, and your hives'.")

  @OptionGroup var read: ReadOptions

  @Option(help: "Only what this hive sees: a prefix of its name, or its key.")
  var hive: String?

  @Option(help: "At most this many lines, up to 1000.")
  var limit: Int = 20

  @Option(
    help:
      "Only what happened before this entry; the end of each page shows the number for the next.")
  var before: Int64?

  func run() throws {
    if limit < 1 { throw ValidationError("--limit: \(limit) is less than 1") }
    if let before, before < 1 { throw ValidationError("--before: \(before) is less than 1") }
    let context = try read.context()
    let viewer = try read.actor.viewer(context)
    let number = try hive.map { try HiveChoice.find($0, in: context.state, for: viewer) }
    let page = try context.ask(
      FeedQuestion(in: number, limit: limit, before: before), by: read.actor)
    if read.json { return Output.answer(page) }
    guard !page.lines.isEmpty else {
      return Output.line("Nothing has happened yet. Log something: `daybook log NAME`.")
    }
    let times = context.times(of: viewer)
    var table = TextTable([.number("#", 1), .whole("at", 4), .whole("day", 6), .text("what", 9)])
    for line in page.lines {
      table.add([
        String(line.activity.position), times(line.activity.at),
        line.activity.day.description, line.sentence,
      ])
    }
    table.print()
    if let next = page.next {
      Output.line(Style.faint("More: `daybook feed --before \(next)`."))
    }
  }
}

extension Feed.Line {
  /// The line of the feed as a sentence.
  var sentence: String {
    let hive = hiveName ?? ""
    let days = (activity.streak ?? 0).counted("day")
    switch activity.kind {
    case .habitCompleted: return "\(subject) completed \(habitName ?? hive)"
    case .streakMilestone:
      return habitName.map { "\(subject) kept up \($0) for \(days)" }
        ?? "\(hive) kept together for \(days)"
    case .hiveJoined: return "\(subject) joined \(hive)"
    case .hiveAdvanced:
      return "\(hive) advanced: \(days) together" + (activity.actor == nil ? "" : ", by \(object)")
    case .hiveBroken: return "\(hive) ended a streak of \(days)"
    }
  }

  private var subject: String { isOwn ? "You" : name }
  private var object: String { isOwn ? "you" : name }
  private var name: String { actorName.flatMap { $0.isEmpty ? nil : $0 } ?? "Somebody" }
}
