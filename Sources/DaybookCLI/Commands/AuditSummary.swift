import Daybook
import DaybookStore

/// The summary above the days of an audit: the streak, what began it, what would break it, and what last
/// broke one.
struct AuditSummary {
  /// How many days ahead to look for a day that would break the streak.
  private static let horizonDayCount = 60

  /// The number of days shown when there is no streak.
  private static let recentDayCount = 14

  private let audit: Audit
  private let context: QueryContext
  private var judgement: Judgement { audit.view.judgement }

  init(_ audit: Audit, _ context: QueryContext) {
    self.audit = audit
    self.context = context
  }

  /// The first day to show by default: the break before the current streak, or the streak's beginning if
  /// there was none. Without a streak, the last days, but not before the last break.
  static func firstDay(of audit: Audit) -> Day? {
    let judgement = audit.view.judgement
    guard let start = judgement.current?.start else {
      let recent = judgement.days.last?.day.advanced(by: 1 - recentDayCount)
      return [recent, judgement.breaks.last?.day].compactMap { $0 }.max()
    }
    return judgement.breaks.last { $0.day < start }?.day ?? start
  }

  /// The lines of the summary.
  ///
  /// - Parameter because: Explains the mark of a day.
  /// - Returns: The state of the streak; then its beginning, its possible end, and the last break, as far as
  ///   they exist.
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

  /// The threat to the streak: the first day that would break it if nothing more were done.
  private var threat: String? {
    get throws {
      // For a past day, the days after it are already known.
      guard context.query.on == nil, let today = judgement.days.last?.day else { return nil }
      var later = context.query
      later.asOf = later.asOf.advanced(byMilliseconds: Int64(Self.horizonDayCount) * 86_400_000)
      let judged = try context.state.view(of: audit.view.habit, later).judgement
      guard let broken = judged.breaks.first(where: { $0.day >= today }) else {
        return "Nothing that could break it is due in the next \(Self.horizonDayCount) days."
      }
      let ahead = today.distance(to: broken.day)
      let when =
        ahead == 0 ? "today" : ahead == 1 ? "tomorrow, \(broken.day)," : "\(broken.day)"
      return "It ends if \(when) goes by and nothing is logged, skipped or paused."
    }
  }

  /// A break, the remedies that would have saved the streak, and the streak's length in the rule's unit.
  static func words(_ broken: Audit.AuditedBreak, _ unit: String) -> String {
    let ways = broken.savedBy.map(\.words).joined(separator: ", or ")
    return "\(Sign.missed.styled) \(broken.ended.day) ended a streak of"
      + " \(broken.ended.lost.counted(unit))."
      + (ways.isEmpty ? "" : " It would have been saved by \(ways).")
  }
}
