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
    let sight = try Sight(options, actor, time)
    switch try AuditChoice.find(name, in: sight.state, for: sight.account) {
    case .habit(let number, let habit):
      let audit = try Self.audit(
        number, habit, sight, days: try span(sight, of: habit.owner))
      if options.json { return Self.writeJSON(audit, in: sight.state) }
      Self.write(audit, in: sight.state)
    case .hive(let number):
      let viewer = try actor.account(in: sight.state)
      let audit = try sight.view.audit(number, for: viewer, days: try span(sight, of: viewer))
      if options.json { return Output.line(audit.json(in: sight.state).encoded) }
      Self.write(audit, in: sight.state)
    }
  }

  private func span(_ sight: Sight, of account: Account.ID) throws -> ClosedRange<Day>? {
    let account = sight.state.accounts[account]
    let first = try from.map { try DayArgument.day($0, for: account, sight.query) } ?? .first
    let last = try to.map { try DayArgument.day($0, for: account, sight.query) } ?? .last
    guard first <= last else {
      throw ValidationError("--from (\(first)) is after --to (\(last))")
    }
    return from == nil && to == nil ? nil : first...last
  }

  static func audit(
    _ number: Habit.ID, _ habit: Habit, _ sight: Sight, days: ClosedRange<Day>? = nil
  ) throws -> Audit {
    let view = try sight.state.view(of: habit, sight.query)
    let trail = try sight.reader.trail(of: number, until: sight.query.asOf)
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
