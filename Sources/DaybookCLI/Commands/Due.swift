import ArgumentParser
import Daybook
import DaybookStore

struct Due: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due",
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
    let context = try QueryContext(options, actor)
    // Without a name it is about everybody, also where there is only one account.
    let asker = actor.isChosen ? context.account : nil
    let list = try DueQuestion(after: start, through: end).answer(from: context.view, for: asker)
    if options.json { return Output.answer(list) }
    guard !list.notifications.isEmpty else { return Output.line("Nothing is due.") }
    let times = context.times(of: asker)
    var table = Table(header: ["at", "who", "what"])
    for notification in list.notifications {
      table.add([
        times(notification.at), list.name(of: notification), notification.words,
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
