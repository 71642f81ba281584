import ArgumentParser
import Daybook
import DaybookStore

struct AuditStreak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Why a streak is what it is: each day, with the entries that made it so.",
    discussion: """
      With --then-and-now: what each closed day counted as when it closed, what is known now, \
      and how late each log came. With --late: only days for which something was recorded after \
      they were over.
      """)

  @OptionGroup var read: ReadOptions

  @Argument(
    help: "The habit, or a hive of yours: a prefix of its name, or its key.",
    completion: Completions.habits)
  var name: String

  @Option(help: "The first day to show.")
  var from: String?

  @Option(help: "The last day to show.")
  var to: String?

  @Flag(help: "All days, not only those of the current streak and the break before it.")
  var all = false

  @Flag(
    help:
      "What each day counted as at its close, what is known now, and what was recorded in between.")
  var thenAndNow = false

  @Flag(help: "Only days for which something was recorded after they were over, and how late.")
  var late = false

  func run() throws {
    let context = try read.context(ofHabit: name, orHive: true)
    if thenAndNow || late {
      let found = try context.ask(ThenAndNowQuestion(question(context), isLate: late))
      if read.json { return Output.answer(found) }
      return Self.print(found, context, isWhole: all || late || from != nil || to != nil)
    }
    let answer = try context.ask(question(context))
    if read.json { return Output.answer(answer) }
    try Self.print(answer, context, isWhole: all || from != nil || to != nil)
  }

  private func question(_ context: QueryContext) throws -> AuditQuestion {
    switch try AuditChoice.find(name, in: context.state, for: context.account) {
    case .habit(let number, let habit):
      let (from, to) = try days(context, of: habit.owner)
      return AuditQuestion(of: number, from: from, to: to)
    case .hive(let number):
      let (from, to) = try days(context, of: read.actor.viewer(context))
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

  /// Prints an audit: the answer first, then the days that support it.
  ///
  /// - Parameters:
  ///   - answer: The audit.
  ///   - context: The query context.
  ///   - isWhole: Whether to show all days; otherwise those of the current streak, and the break before it.
  /// - Throws: ``Rejection``.
  static func print(
    _ answer: AuditAnswer, _ context: QueryContext, isWhole: Bool = true
  ) throws {
    switch answer {
    case .habit(let audit, _): try print(audit, context, isWhole)
    case .hive(let audit, _): try print(audit, context, isWhole)
    }
  }

  private static func print(_ audit: Audit, _ context: QueryContext, _ isWhole: Bool) throws {
    let times = context.times(of: audit.view.habit.owner)
    for line in try AuditSummary(audit, context).lines(because: {
      because($0, context.state, times)
    }) {
      Output.line(line)
    }
    let first = isWhole ? nil : AuditSummary.firstDay(of: audit)
    let days = audit.days.drop { day in first.map { day.judged.day < $0 } ?? false }
    var table = TextTable([
      .whole("day", 9), .whole("", 9), .whole("mark", 3), .number("done", 4), .number("streak", 7),
      .text("because", 6),
    ])
    for day in days {
      let judged = day.judged
      table.add([
        judged.day.description, judged.mark.symbol, judged.mark.rawValue,
        (day.entered ?? judged.value).map { "\($0)/\(judged.target.amount)" } ?? "",
        String(judged.streak),
        Style.faint(because(day, context.state, times)),
      ])
    }
    table.print()
    let earlier = audit.days.count - days.count
    if earlier > 0 {
      Output.line(Style.faint("\(earlier.counted("earlier day")): `--all` shows them."))
    }
    guard isWhole else { return }
    // The last break is already shown above.
    for broken in audit.breaks.dropLast() {
      Output.line(AuditSummary.words(broken, audit.view.rule.unit))
    }
  }

  private static func because(
    _ day: Audit.AuditedDay, _ state: BookState, _ times: LocalTimes
  ) -> String {
    let reasons = day.reasons.map { "\($0.clause): \($0.words)" }
    return ([evidence(day, state, times)] + reasons).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private static func evidence(
    _ day: Audit.AuditedDay, _ state: BookState, _ times: LocalTimes
  ) -> String {
    guard !day.evidence.isEmpty else {
      switch day.judged.mark {
      case .off:
        return day.judged.covered
          ? "the quota is met (schedule since \(day.judged.scheduleSince))"
          : "not due (schedule since \(day.judged.scheduleSince))"
      case .missed: return "due, and nothing was logged"
      case .pending: return "still open"
      case .leftOut: return "it did not exist: the time zone left it out of the calendar"
      default: return ""
      }
    }
    return day.evidence.map { item in
      let source = item.event.source.map { " from \($0.rawValue)" } ?? ""
      let actor = item.actor.flatMap { state.accounts[$0]?.displayName }.map { " by \($0)" } ?? ""
      return "#\(item.position) \(item.event.name) at \(times(item.at))\(actor)\(source)"
    }.joined(separator: "; ")
  }
}

extension Remedy {
  /// The remedy, for people.
  var words: String {
    switch self {
    case .log(let value): "logging \(value)"
    case .skip: "skipping the day"
    case .pause: "a pause"
    }
  }
}
