import ArgumentParser
import Daybook
import DaybookStore

struct AuditStreak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Why a streak is what it is: each day, with the entries that made it so.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var time: TimeOptions

  @Argument(help: "The habit, or a hive of yours: a prefix of its name, or its key.")
  var name: String

  @Option(help: "The first day to show.")
  var from: String?

  @Option(help: "The last day to show.")
  var to: String?

  mutating func run() throws {
    let context = try QueryContext(options, actor, time)
    let answer = try context.ask(question(context))
    if options.json { return Output.answer(answer) }
    Self.write(answer)
  }

  private func question(_ context: QueryContext) throws -> AuditQuestion {
    switch try AuditChoice.find(name, in: context.state, for: context.account) {
    case .habit(let number, let habit):
      let (from, to) = try days(context, of: habit.owner)
      return AuditQuestion(of: number, from: from, to: to)
    case .hive(let number):
      let (from, to) = try days(context, of: actor.viewer(context))
      return AuditQuestion(of: number, from: from, to: to)
    }
  }

  private func days(
    _ context: QueryContext, of account: Account.ID
  ) throws -> (from: Day?, to: Day?) {
    let account = context.state.accounts[account]
    let first = try from.map { try DayArgument.day($0, for: account, context.query) }
    let last = try to.map { try DayArgument.day($0, for: account, context.query) }
    if let first, let last, first > last {
      throw ValidationError("--from (\(first)) is after --to (\(last))")
    }
    return (first, last)
  }

  /// Writes an audit for people.
  static func write(_ answer: AuditAnswer) {
    switch answer {
    case .habit(let audit, let state): write(audit, in: state)
    case .hive(let audit, let state): write(audit, in: state)
    }
  }

  private static func write(_ audit: Audit, in state: BookState) {
    let judgement = audit.view.judgement
    let name = audit.view.habit.description.name
    Output.line(
      Style.bold(
        "\(name): current \((judgement.current?.length ?? 0).counted("day")), longest"
          + " \((judgement.longest?.length ?? 0).counted("day")) (rule \(audit.view.rule.id)"
          + " \(audit.view.rule.version))"))
    var table = Table(
      header: ["day", "", "mark", "done", "streak", "because"], rightAligned: [3, 4])
    for day in audit.days {
      let judged = day.judged
      table.add([
        judged.day.description, judged.mark.symbol, judged.mark.rawValue,
        judged.value.map { "\($0)/\(judged.target.amount)" } ?? "", String(judged.streak),
        Style.faint(because(day, in: state)),
      ])
    }
    table.write()
    for broken in audit.breaks {
      let ways = broken.savedBy.map(\.words).joined(separator: ", or ")
      Output.line(
        "\(Style.color(RGB(0xFF6B6B))("✕")) \(broken.ended.day) ended a streak of"
          + " \(broken.ended.lost.counted("day"))."
          + (ways.isEmpty ? "" : " It would have been saved by \(ways)."))
    }
  }

  private static func because(_ day: Audit.AuditedDay, in state: BookState) -> String {
    guard !day.evidence.isEmpty else {
      switch day.judged.mark {
      case .off:
        return day.judged.covered
          ? "the quota is met (schedule since \(day.judged.scheduleSince))"
          : "not due (schedule since \(day.judged.scheduleSince))"
      case .missed: return "due, and nothing was logged"
      case .pending: return "still open"
      default: return ""
      }
    }
    return day.evidence.map { item in
      let source = item.event.source.map { " from \($0.rawValue)" } ?? ""
      let actor = item.actor.flatMap { state.accounts[$0]?.displayName }.map { " by \($0)" } ?? ""
      return "#\(item.position) \(item.event.name) at \(item.at)\(actor)\(source)"
    }.joined(separator: "; ")
  }
}

extension Remedy {
  /// The remedy as a person says it.
  var words: String {
    switch self {
    case .log(let value): "logging \(value)"
    case .skip: "skipping the day"
    case .pause: "a pause"
    }
  }
}
