import ArgumentParser
import Avro
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
    let viewer = try actor.viewer(context)
    let insights = try context.state.insights(of: viewer, context.query)
    let message = try context.state.message(for: viewer, context.query)
    if options.json {
      return Output.line(
        JSON.object((insights.json.members ?? []) + [.init("message", .string(message))]).encoded)
    }
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

struct ShowMetrics: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "How the whole book is used: activation, retention, hives, invites, reminders.")

  @OptionGroup var options: BookOptions
  @Option(name: .long, help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  mutating func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    let reader = options.reader
    let state = try reader.state(asOf: instant ?? .last)
    let query = Query(asOf: instant ?? max(BookClock.system.now(), state.at), zones: reader.zones)
    let json = state.metrics(query).json
    if options.json { return Output.line(json.encoded) }
    var table = Table(header: ["metric", "value"], rightAligned: [1])
    for member in json.members ?? [] {
      table.add([member.name, member.value == .null ? "–" : member.value.encoded])
    }
    table.write()
  }
}

struct Due: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What people are to be told: reminders, hives at risk, hives that advanced.",
    discussion: """
      For a program that sends notifications: it asks for one span of time after another. Each has an id that \
      never changes, so that nothing is sent twice.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @Option(help: "After this time: 2026-03-01T12:00:00Z.")
  var from: String
  @Option(help: "Up to this time, included (default: now).")
  var to: String?

  mutating func run() throws {
    guard let start = try TimeArgument.instant(from, "--from") else { return }
    let end = try TimeArgument.instant(to, "--to") ?? BookClock.system.now()
    guard start <= end else { throw ValidationError("--to is before --from") }
    let (all, state) = try options.reader.due(after: start, through: end)
    let account = try actor.chosen(in: state)
    let due = all.filter { account == nil || $0.account == account }
    if options.json {
      for notification in due { Output.line(notification.json(in: state).encoded) }
      return
    }
    guard !due.isEmpty else { return Output.line("Nothing is due.") }
    var table = Table(header: ["at", "who", "what"])
    for notification in due {
      table.add([
        notification.at.description,
        state.accounts[notification.account]?.displayName ?? "", notification.words,
      ])
    }
    table.write()
  }
}

extension DueNotification {
  fileprivate var words: String {
    let hive = [emoji, name].filter { !$0.isEmpty }.joined(separator: " ")
    return switch content {
    case .daily(let count): "\(count.counted("habit")) to do (\(day))"
    case .reminder: "\(name) is due (\(day))"
    case .milestone(_, let streak): "\(name): \(streak.counted("day")) in a row (\(day))"
    case .hiveAtRisk: "the hive \(hive) waits for you (\(day))"
    case .hiveAdvanced(_, let streak): "the hive \(hive) advanced to \(streak) (\(day))"
    }
  }
}
