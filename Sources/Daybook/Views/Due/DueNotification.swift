public import Calendar
public import Avro

/// A notification that a person is to receive at a moment (HH-25).
public struct DueNotification: Hashable, Sendable {
  /// The subject of the notification.
  public enum Content: Hashable, Sendable {
    /// A habit is due.
    case reminder(Habit.ID)
    /// Habits are due, at a time that the person chose (DG-8), with their number.
    case daily(Int)
    /// A habit's streak reached a milestone.
    case milestone(Habit.ID, streak: Int)
    /// Some members are done, the person is not, and the day is nearly over.
    case hiveAtRisk(Hive.ID)
    /// A hive's day advanced, with the length of the shared streak.
    case hiveAdvanced(Hive.ID, streak: Int)
  }

  /// A stable id: whoever sends each id only once never sends a notification twice, whatever is queried later.
  public var id: String
  /// The moment at which it is due.
  public var at: Instant
  /// The account to notify.
  public var account: Account.ID
  /// The person's day that it is about.
  public var day: Day
  /// The subject of the notification.
  public var content: Content
  /// The name of the habit or hive when the notification fell due: a person who has left the hive since does not see
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

/// The streak lengths that are celebrated (HH-24): 3, 7, 14, 30, 60, 100, 180, 365, and every further 365.
package enum Milestone {
  /// The milestones of the first year.
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
