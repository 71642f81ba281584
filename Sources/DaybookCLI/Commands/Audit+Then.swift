import Daybook
import DaybookStore

extension AuditStreak {
  /// Prints the answer given in the past next to the present one.
  ///
  /// - Parameters:
  ///   - answer: Both answers.
  ///   - context: The query context.
  ///   - isWhole: Whether to show all days; otherwise those from the break before the current streak.
  static func print(_ answer: ThenAndNowAnswer, _ context: QueryContext, isWhole: Bool) {
    switch answer {
    case .habit(let found, let isLate, _): print(found, context, isLate, isWhole)
    case .hive(let found, let isLate, _): print(found, context, isLate, isWhole)
    }
  }

  private static func print(
    _ found: ThenAndNow, _ context: QueryContext, _ isLate: Bool, _ isWhole: Bool
  ) {
    let unit = found.view.rule.unit
    let current = found.view.judgement.current?.length ?? 0
    var line = "\(found.view.habit.description.name): current \(current.counted(unit))"
    if found.leanedOnCount > 0 {
      line += ", on \(found.leanedOnCount.counted("day")) that did not count when they closed"
    }
    Output.line(Style.bold("\(line) (rule \(found.view.rule.id) \(found.view.rule.version))"))
    let first = isWhole ? nil : Self.firstDay(of: found)
    let days = found.days.filter { day in
      (!isLate || day.isLate) && first.map { day.day >= $0 } ?? true
    }
    let times = context.times(of: found.view.habit.owner)
    var table = TextTable(columns)
    for day in days {
      table.add([
        day.day.description, words(day.then), words(day.now), sign(day.isChanged),
        Style.faint(
          day.changes.map { words($0, context.state, times) }.joined(separator: "; ")),
      ])
    }
    end(table, shown: days.count, of: found.days.count, isLate)
    guard !isLate else { return }
    let changed = found.days.count(where: \.isChanged)
    let late = found.days.count(where: \.isLate)
    Output.line(
      "\(changed.counted("day")) changed after the close, \(late.counted("day")) recorded late.")
  }

  /// The break before the current streak; without a streak, the beginning of the last days.
  private static func firstDay(of found: ThenAndNow) -> Day? {
    let judgement = found.view.judgement
    guard let start = judgement.current?.start else {
      return judgement.days.last?.day.advanced(by: -13)
    }
    return judgement.breaks.last { $0.day < start }?.day ?? start
  }

  private static func print(
    _ found: HiveThenAndNow, _ context: QueryContext, _ isLate: Bool, _ isWhole: Bool
  ) {
    let name = found.audit.hive.description.name
    Output.line(Style.bold("\(name): \(found.audit.current.counted("day")) together"))
    let days = found.days.filter { !isLate || $0.isLate }.suffix(isWhole ? .max : 14)
    var table = TextTable(columns)
    for day in days {
      let logs = day.logs.filter { $0.entry.isLate || $0.entry.item.at > day.closed }
      table.add([
        day.day.description, words(day.then, day.streakThen), words(day.now, day.streakNow),
        sign(day.isChanged),
        Style.faint(
          logs.map { words($0.entry, context.state, context.times) }.joined(separator: "; ")),
      ])
    }
    end(table, shown: days.count, of: found.days.count, isLate)
  }

  private static let columns: [TextTable.Column] = [
    .whole("day", 9), .whole("then", 8), .whole("now", 8), .whole("", 7),
    .text("recorded after it was over", 6),
  ]

  private static func end(
    _ table: TextTable, shown: Int, of count: Int, _ isLate: Bool
  ) {
    guard shown > 0 else {
      return Output.line(
        isLate ? "Everything was recorded on its day." : "No day is closed yet.")
    }
    table.print()
    guard !isLate, shown < count else { return }
    Output.line(
      Style.faint("\((count - shown).counted("earlier closed day")): `--all` shows them."))
  }

  private static func sign(_ isChanged: Bool) -> String { isChanged ? "changed" : "" }

  private static func words(_ judged: JudgedDay?) -> String {
    judged.map { "\($0.mark.rawValue), \($0.streak)" } ?? "not there"
  }

  private static func words(_ day: HiveDay, _ streak: Int) -> String {
    "\(day.verdict.rawValue) \(day.completeCount)/\(day.neededCount), \(streak)"
  }

  private static func words(
    _ entry: DatedEntry, _ state: BookState, _ times: LocalTimes
  ) -> String {
    let item = entry.item
    let source = item.event.source.map { " from \($0.rawValue)" } ?? ""
    let actor = item.actor.flatMap { state.accounts[$0]?.displayName }.map { " by \($0)" } ?? ""
    return "#\(item.position) \(item.event.name) at \(times(item.at))\(actor)\(source),"
      + " \(entry.lateWords) late"
  }
}

extension DatedEntry {
  /// How late the record was, rounded up to minutes or hours: "40 min", "14 h", "3 days".
  var lateWords: String {
    let minutes = begun(60_000)
    if minutes < 60 { return "\(minutes) min" }
    let hours = begun(3_600_000)
    return hours < 48 ? "\(hours) h" : Int(hours / 24).counted("day")
  }
}
