import Daybook
import DaybookStore

/// What an audit comes to, before its days: how the streak stands, what began it, what would break it, and what lately
/// broke one.
struct AuditSummary {
  /// How far ahead it is looked for a day that would break the streak.
  private static let horizonDayCount = 60

  /// How many days are shown where there is no streak.
  private static let recentDayCount = 14

  private let audit: Audit
  private let context: QueryContext
  private var judgement: Judgement { audit.view.judgement }

  init(_ audit: Audit, _ context: QueryContext) {
    self.audit = audit
    self.context = context
  }

  /// The first day of what a person looks at first: the break before the current streak, or its beginning where none
  /// was before; without a streak, the last days, back to the last break at most.
  static func firstDay(of audit: Audit) -> Day? {
    let judgement = audit.view.judgement
    guard let start = judgement.current?.start else {
      let recent = judgement.days.last?.day.advanced(by: 1 - recentDayCount)
      return [recent, judgement.breaks.last?.day].compactMap { $0 }.max()
    }
    return judgement.breaks.last { $0.day < start }?.day ?? start
  }

  /// The answer in lines.
  ///
  /// - Parameter because: Says what made a day what it is.
  /// - Returns: How the streak stands; then what began it, what would end it, and what ended one last, as far as there
  ///   is any of it.
  /// - Throws: ``Rejection``.
  func lines(because: (Audit.AuditedDay) -> String) throws -> [String] {
    let longest = judgement.longest?.length ?? 0
    let unit = audit.view.rule.unit
    let rule = "rule \(audit.view.rule.id) \(audit.view.rule.version)"
    let current = judgement.current?.length ?? 0
    var lines = [
      Style.bold(
        "\(audit.view.habit.description.name): current \(current.counted(unit)), longest"
          + " \(longest.counted(unit)) (\(rule))")
    ]
    if let streak = judgement.current {
      let day = audit.days.first { $0.judged.day == streak.start }
      let cause = day.map(because) ?? ""
      lines.append("It began on \(streak.start)" + (cause.isEmpty ? "." : ": \(cause)."))
      lines += try [threat].compactMap { $0 }
    }
    if let last = audit.breaks.last { lines.append(Self.words(last, unit)) }
    return lines
  }

  /// What would break the streak: the first day that would, were nothing done from now on.
  private var threat: String? {
    get throws {
      // About another day than today, what comes after it is known.
      guard context.query.on == nil, let today = judgement.days.last?.day else { return nil }
      var later = context.query
      later.asOf = later.asOf.advanced(byMilliseconds: Int64(Self.horizonDayCount) * 86_400_000)
      let judged = try context.state.view(of: audit.view.habit, later).judgement
      guard let broken = judged.breaks.first(where: { $0.day >= today }) else {
        return "Nothing is asked for in the next \(Self.horizonDayCount) days that would break it."
      }
      let ahead = today.distance(to: broken.day)
      let when =
        ahead == 0 ? "today" : ahead == 1 ? "tomorrow, \(broken.day)," : "\(broken.day)"
      return "It ends if \(when) goes by and nothing is logged, skipped or paused."
    }
  }

  /// A break, what would have saved the streak, and in what the rule counts it.
  static func words(_ broken: Audit.AuditedBreak, _ unit: String) -> String {
    let ways = broken.savedBy.map(\.words).joined(separator: ", or ")
    return "\(Sign.missed.styled) \(broken.ended.day) ended a streak of"
      + " \(broken.ended.lost.counted(unit))."
      + (ways.isEmpty ? "" : " It would have been saved by \(ways).")
  }
}
