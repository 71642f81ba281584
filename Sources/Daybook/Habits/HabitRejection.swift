import Values
package import Calendar

// Rejections of commands about a habit or its days.
extension Rejection {
  /// There is no such habit, or it was deleted.
  package static let habitNotFound = Rejection(.habitNotFound, "There is no such habit.")

  /// The habit is archived; it can be logged again once it is restored.
  package static func habitArchived(_ name: String) -> Rejection {
    Rejection(.habitArchived, "\"\(name)\" is archived; restore it first.")
  }

  /// The habit's name is empty.
  package static let emptyHabitName = Rejection(.emptyName, "name: a habit needs a name.")

  /// The name holds control characters.
  package static let invalidHabitName = Rejection(
    .invalidName, "name: the name, emoji or unit holds control characters; leave them out.")

  /// A quota must satisfy 1 ≤ times < days ≤ 1000.
  package static let invalidSchedule = Rejection(
    .invalidSchedule,
    "schedule_quota: a quota needs at least 1 time, more days than times, and at most 1000 days.")

  /// An at-least target must be above zero.
  package static let invalidTarget = Rejection(
    .invalidTarget, "target_per_day: the target must be greater than 0.")

  /// The day is before the first one that can be logged.
  package static func dayTooEarly(_ day: Day) -> Rejection {
    Rejection(
      .dayTooEarly,
      "\(day) is too long ago; the first day that can be logged is \(Limit.firstLogDay).")
  }
}
