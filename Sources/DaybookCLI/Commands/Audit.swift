import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Journal

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
    switch try AuditChoice.find(name, in: context.state, for: context.account) {
    case .habit(let number, let habit):
      let audit = try Self.audit(
        number, habit, context, days: try span(context, of: habit.owner))
      if options.json { return Self.writeJSON(audit, in: context.state) }
      Self.write(audit, in: context.state)
    case .hive(let number):
      let viewer = try actor.account(in: context.state)
      let audit = try context.view.audit(number, for: viewer, days: try span(context, of: viewer))
      if options.json { return Output.line(audit.json(in: context.state).encoded) }
      Self.write(audit, in: context.state)
    }
  }

  private func span(_ context: QueryContext, of account: Account.ID) throws -> ClosedRange<Day>? {
    let account = context.state.accounts[account]
    let first = try from.map { try DayArgument.day($0, for: account, context.query) } ?? .first
    let last = try to.map { try DayArgument.day($0, for: account, context.query) } ?? .last
    guard first <= last else {
      throw ValidationError("--from (\(first)) is after --to (\(last))")
    }
    return from == nil && to == nil ? nil : first...last
  }

  static func audit(
    _ number: Habit.ID, _ habit: Habit, _ context: QueryContext, days: ClosedRange<Day>? = nil
  ) throws -> Audit {
    let view = try context.state.view(of: habit, context.query)
    let trail = try context.reader.auditTrail(of: number, until: context.query.asOf)
    return Audit(view, trail, days: days)
  }

  /// One object, its days made and written a page at a time.
  private static func writeJSON(_ audit: Audit, in state: State) {
    let before = JSON.object(audit.membersBeforeDays).encoded.dropLast()
    Output.text(before + ",\"days\":")
    audit.dayList(in: state).writeArray { Output.bytes($0) }
    Output.line("," + JSON.object(audit.membersAfterDays).encoded.dropFirst())
  }

  static func write(_ audit: Audit, in state: State) {
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

  private static func because(_ day: Audit.AuditedDay, in state: State) -> String {
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
