/// Why a command about a habit or its days is refused.
public enum HabitRejection: Rejection, Hashable {
  /// The one who asks is not known.
  case account(AccountRejection)
  /// The goal is not known or not the actor's.
  case goal(GoalRejection)
  /// There is no such habit, or it was deleted.
  case habitNotFound
  /// The habit is another's.
  case notOwner
  /// The habit is archived; it is logged again once it is restored.
  case habitArchived(String)
  /// The key names something already.
  case keyTaken(Key)
  /// The name is empty.
  case emptyName
  /// It holds control characters.
  case invalidName
  /// The colour is not `#RRGGBB`.
  case invalidColor(String)
  /// A quota is 1 ≤ times < days ≤ 1000.
  case invalidSchedule
  /// An at-least target must be above zero.
  case invalidTarget
  /// The day has not come yet.
  case futureDay(day: Day, today: Day)
  /// The client's instant is after the book's clock.
  case futureInstant(Instant)
  /// The day is before those that are logged.
  case dayTooEarly(Day)
  /// More was given than is taken.
  case beyond(LimitRejection)

  /// The stable code.
  public var code: String {
    switch self {
    case .account(let rejection): rejection.code
    case .goal(let rejection): rejection.code
    case .habitNotFound: "habit_not_found"
    case .notOwner: "not_owner"
    case .habitArchived: "habit_archived"
    case .keyTaken: "key_taken"
    case .emptyName: "empty_name"
    case .invalidName: "invalid_name"
    case .invalidColor: "invalid_color"
    case .invalidSchedule: "invalid_schedule"
    case .invalidTarget: "invalid_target"
    case .futureDay: "future_day"
    case .futureInstant: "future_instant"
    case .dayTooEarly: "day_too_early"
    case .beyond(let rejection): rejection.code
    }
  }

  /// The field that it is about.
  public var field: String? {
    switch self {
    case .account(let rejection): rejection.field
    case .goal(let rejection): rejection.field
    case .habitNotFound, .notOwner, .habitArchived: "habit"
    case .keyTaken: "key"
    case .emptyName, .invalidName: "name"
    case .invalidColor: "color_hex"
    case .invalidSchedule: "schedule_quota"
    case .invalidTarget: "target_per_day"
    case .futureDay, .dayTooEarly: "day"
    case .futureInstant: "p_at"
    case .beyond(let rejection): rejection.field
    }
  }

  /// One sentence for the person.
  public var description: String {
    switch self {
    case .account(let rejection): rejection.description
    case .goal(let rejection): rejection.description
    case .habitNotFound: "There is no such habit."
    case .notOwner: "Only its owner may do that to a habit."
    case .habitArchived(let name): "\"\(name)\" is archived; restore it before you log it."
    case .keyTaken(let key): "The key \(key) already names something else."
    case .emptyName: "name: a habit needs a name."
    case .invalidName: "name: the name, emoji or unit holds control characters; leave them out."
    case .invalidColor(let color): "color_hex: \"\(color)\" is not a colour such as #FF9F1C."
    case .invalidSchedule:
      "schedule_quota: a quota is fewer times than days, from 1 time, in at most 1000 days."
    case .invalidTarget: "target_per_day: the target must be above 0."
    case .futureDay(let day, let today):
      "\(day) has not come yet (today is \(today)); log it on the day."
    case .futureInstant(let instant): "p_at: \(instant) is after the book's clock."
    case .dayTooEarly(let day):
      "\(day) is too long ago; days are logged from \(Limit.firstLogDay) on."
    case .beyond(let rejection): rejection.description
    }
  }
}

extension Limit {
  /// Refuses a text that is longer.
  func checkHabit(_ text: String?, _ field: String) throws(HabitRejection) {
    do { try check(text, field) } catch { throw .beyond(error) }
  }

  /// Refuses more things.
  func checkHabit(_ count: Int, _ field: String) throws(HabitRejection) {
    do { try check(count, field) } catch { throw .beyond(error) }
  }
}
