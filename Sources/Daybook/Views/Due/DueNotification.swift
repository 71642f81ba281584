public import Calendar
public import Avro

/// Something that a person is to be told at a moment (HH-25).
public struct DueNotification: Hashable, Sendable {
  /// What it is about.
  public enum Content: Hashable, Sendable {
    /// A habit is to be done.
    case reminder(Habit.ID)
    /// Habits are to be done, at a time that the person chose (DG-8); how many.
    case daily(Int)
    /// A habit's streak reached a milestone.
    case milestone(Habit.ID, streak: Int)
    /// Some members are done, the person is not, and the day is nearly over.
    case hiveAtRisk(Hive.ID)
    /// A hive's day advanced; how long the shared streak is.
    case hiveAdvanced(Hive.ID, streak: Int)
  }

  /// Stable: whoever has sent it once never sends it again, whatever is asked later.
  public var id: String
  /// When it is due.
  public var at: Instant
  /// Whom to tell.
  public var account: Account.ID
  /// The person's day that it is about.
  public var day: Day
  /// What it is about.
  public var content: Content
  /// What the habit or hive was called when it fell due, and the hive's picture: whoever left since is not told of
  /// later names.
  public var name = ""
  /// The picture of the hive that it is about.
  public var emoji = ""

  /// The notification as JSON.
  public func json(in state: BookState) -> JSON {
    var members: [JSON.Member] = [
      .init("id", .string(id)), .init("at", .instant(at)),
      .init("account", .key(state.accounts[account]?.key)), .init("day", .day(day)),
    ]
    switch content {
    case .daily(let count): members += [.init("type", "daily"), .init("open", .number(count))]
    case .reminder(let habit):
      members += [
        .init("type", "reminder"), .init("habit_id", .key(state.habits[habit]?.key)),
        .init("name", .string(name)),
      ]
    case .milestone(let habit, let streak):
      members += [
        .init("type", "streak_milestone"), .init("habit_id", .key(state.habits[habit]?.key)),
        .init("name", .string(name)),
        .init("streak", .number(streak)),
      ]
    case .hiveAtRisk(let hive):
      members += [
        .init("type", "hive_at_risk"), .init("hive_id", .key(state.hives[hive]?.key)),
        .init("name", .string(name)),
      ]
    case .hiveAdvanced(let hive, let streak):
      members += [
        .init("type", Milestone.isReached(by: streak) ? "streak_milestone" : "hive_advanced"),
        .init("hive_id", .key(state.hives[hive]?.key)),
        .init("name", .string(name)),
        .init("streak", .number(streak)),
      ]
    }
    return .object(members)
  }
}

/// The lengths of a streak that are celebrated (HH-24): 3, 7, 14, 30, 60, 100, 180, 365, and every further 365.
package enum Milestone {
  /// Up to the first year.
  static let first = [3, 7, 14, 30, 60, 100, 180, 365]

  /// Whether a streak of this length has just reached a milestone.
  package static func isReached(by length: Int) -> Bool {
    first.contains(length) || (length > 365 && length % 365 == 0)
  }

  /// The milestones above one length and up to another, ascending.
  package static func reached(after length: Int, through other: Int) -> [Int] {
    guard length < other else { return [] }
    let years = stride(from: max(730, (length / 365 + 1) * 365), through: other, by: 365)
    return first.filter { $0 > length && $0 <= other } + Array(years)
  }
}
