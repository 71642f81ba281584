public import Avro

/// The streaks of one habit in short: what `daybook streaks` shows.
public struct StreakReport: Sendable {
  /// The habit.
  public let habit: Habit
  /// Current and longest streak, and how many days were done.
  public let summary: StreakSummary
  /// How firmly the habit stands, 0…1.
  public let strength: Double

  /// The report as JSON, as the shape of `daybook streaks --json` has it.
  public var json: JSON {
    [
      "habit": .key(habit.key), "name": .string(habit.description.name),
      "current": .number(summary.current?.length ?? 0),
      "longest": .number(summary.longest?.length ?? 0),
      "current_start": .day(summary.current?.start), "longest_start": .day(summary.longest?.start),
      "longest_end": .day(summary.longest?.end), "full_days": .number(summary.completion.full),
      "completion": .share(summary.completion.share), "strength": .share(strength),
      "archived": .bool(habit.isArchived),
    ]
  }
}

extension State {
  /// The streaks of an account's habits, or of all.
  ///
  /// - Throws: ``QueryRejection``.
  public func streaks(
    of account: Account.ID? = nil, _ query: Query
  ) throws(QueryRejection) -> [StreakReport] {
    var reports: [StreakReport] = []
    for habit in habits(of: account) {
      let view = try view(of: habit, query)
      let judgement = view.judgement
      var completion = Completion()
      for day in judgement.days { completion.take(day.mark) }
      reports.append(
        StreakReport(
          habit: habit,
          summary: StreakSummary(
            current: judgement.current, longest: judgement.longest, completion: completion,
            dayCount: judgement.days.count),
          strength: view.strength))
    }
    return reports
  }
}

extension JSON {
  /// A share from 0 to 1 with six digits, or null.
  static func share(_ share: Double?) -> JSON {
    guard let share, share.isFinite else { return .null }
    let millionths = Int((min(max(share, 0), 1) * 1_000_000).rounded())
    let digits = String(millionths % 1_000_000)
    var fraction = String(repeating: "0", count: 6 - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return .number(
      fraction.isEmpty ? "\(millionths / 1_000_000)" : "\(millionths / 1_000_000).\(fraction)")
  }
}
