import ArgumentParser
import Daybook
import DaybookStore

struct Due: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due",
    abstract: "What to notify people about: reminders, hives at risk, hives that advanced.",
    discussion: """
      For a program that sends notifications: it asks for one span of time after another. Each \
      notification has an id that never changes, so that nothing is sent twice.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup var actor: ActorOptions
  @Option(help: "After this time: a day, from its start, or \(TimeArgument.help).")
  var from: String
  @Option(help: "Up to this time, included; a day up to its end (default: now).")
  var to: String?

  func run() throws {
    let context = try QueryContext(options, actor)
    let clock =
      context.account.flatMap { context.state.viewer($0)?.dayClock }
      ?? DayClock(timeZone: "UTC", dayStartHour: 0)
    guard let start = try TimeArgument.spoken(from, "--from", .start, by: { clock }) else { return }
    let end = try TimeArgument.spoken(to, "--to", .end, by: { clock }) ?? BookClock.system.now()
    guard start <= end else { throw ValidationError("--to is before --from") }
    // Without a name, the answer covers everybody, even if there is only one account.
    let asker = actor.isChosen ? context.account : nil
    let list = try DueQuestion(after: start, through: end).answer(from: context.view, for: asker)
    if options.json { return Output.answer(list) }
    guard !list.notifications.isEmpty else { return Output.line("Nothing is due.") }
    let times = context.times(of: asker)
    var table = TextTable([.whole("at", 8), .text("who", 5), .text("what", 9)])
    for notification in list.notifications {
      table.add([
        times(notification.at), list.name(of: notification), notification.words,
      ])
    }
    table.print()
  }
}

extension DueNotification {
  var words: String {
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
