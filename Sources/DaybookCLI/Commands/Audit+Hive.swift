import Daybook
import DaybookStore

extension AuditStreak {
  /// Writes a hive's audit for people.
  static func print(_ audit: HiveAudit, _ context: QueryContext, _ isWhole: Bool) throws {
    let (state, times) = (context.state, context.times)
    Output.line(
      Style.bold(
        "\(audit.hive.description.name): \(audit.current.counted("day")) together, longest"
          + " \(audit.longest.counted("day")) (\(audit.hive.ruleWords))"))
    var table = TextTable([
      .whole("day", 9), .whole("", 9), .whole("verdict", 3), .number("done", 4),
      .number("streak", 7), .text("because", 6),
    ])
    if let open = audit.days.last, open.judged.verdict == .open, open.neededMore > 0 {
      let missing = open.members.filter(\.isMissing).map { name($0.account, in: state) }
      Output.line("\(open.judged.day) waits for \(missing.joined(separator: ", ")).")
    }
    let days = isWhole ? audit.days[...] : audit.currentDays
    for day in days {
      let judged = day.judged
      table.add([
        judged.day.description, judged.verdict.symbol, judged.verdict.rawValue,
        judged.requiredCount > 0 ? "\(judged.completeCount)/\(judged.neededCount)" : "",
        String(day.streak), Style.faint(because(day, in: state, times)),
      ])
    }
    table.print()
    if days.count < audit.days.count {
      let earlier = (audit.days.count - days.count).counted("earlier day")
      Output.line(Style.faint("\(earlier): `--all` shows them."))
    }
    for day in days {
      guard let lost = day.broken?.lost else { continue }
      let missing = day.members.filter(\.isMissing).map { name($0.account, in: state) }
      let ways =
        day.neededMore == missing.count
        ? "\(missing.joined(separator: " and ")) had been done"
        : "\(day.neededMore) of \(missing.joined(separator: ", ")) had been done"
      Output.line(
        "\(Sign.missed.styled) \(day.judged.day) ended a streak of"
          + " \(lost.counted("day")). It would have been saved if \(ways).")
    }
  }

  private static func because(
    _ day: HiveAudit.AuditedDay, in state: BookState, _ times: LocalTimes
  ) -> String {
    var parts: [String] = []
    for member in day.members {
      let name = name(member.account, in: state)
      let aside =
        member.isRequired
        ? "" : member.isLeftOut ? ", for whom the day never was" : ", not required"
      if let done = member.done {
        parts.append("\(name) done (#\(done.position) at \(times(done.at)))\(aside)")
      } else if let value = member.entered ?? member.value {
        parts.append("\(name) at \(value)\(aside)")
      } else if member.isRequired {
        parts.append(day.judged.verdict == .open ? "\(name) not yet" : "\(name) missing")
      } else if member.isLeftOut {
        parts.append("\(name)\(aside)")
      }
      if let late = member.late {
        parts.append("\(name) late (#\(late.reference.position) at \(times(late.reference.at)))")
      }
    }
    if let advance = day.advance { parts.append("advanced by #\(advance.reference.position)") }
    return parts.joined(separator: "; ")
  }

  private static func name(_ account: Account.ID, in state: BookState) -> String {
    let name = state.accounts[account]?.displayName ?? ""
    return name.isEmpty ? "somebody" : name
  }
}

extension HiveAudit {
  /// The days of the current streak with the break before it; without a streak, the days since the last
  /// break.
  fileprivate var currentDays: ArraySlice<AuditedDay> {
    guard let last = days.lastIndex(where: { ($0.broken?.lost ?? 0) > 0 }) else { return days[...] }
    return days[last...]
  }
}

extension Hive {
  fileprivate var ruleWords: String {
    rule == .threshold ? "\(threshold) must be done" : "all must be done"
  }
}
