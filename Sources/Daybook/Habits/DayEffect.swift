package import Calendar
package import Streaks

/// The effect of an event on the days of habits: marks, streaks, awards and audits depend on nothing else.
///
/// Each event states it in its record (``EventRecord/dayEffect``), unless it affects no day.
package enum DayEffect {
  /// A habit is created.
  case creation
  /// A day of a habit has a new record; nothing when it was cleared.
  case day(Habit.ID, Day, HabitHistory.DayRecord?)
  /// The rule of a habit changes from a day on.
  case rule(from: Day)
  /// Days are paused.
  case pause(Pause, DaySpan)
  /// The pauses that include a day end on that day.
  case end(Pause, on: Day)
  /// The account's pauses are replaced by these.
  case pauses([DaySpan])
  /// The day clock changes, so that instants fall on other days.
  case clock
  /// The event affects no day of a habit.
  case nothing

  /// The cause of a pause: the account paused, or the habit is archived.
  package enum Pause: Sendable {
    case account, archiving
  }
}

extension EventRecord {
  /// Most events affect no day of a habit. A hive has days of its own.
  var dayEffect: DayEffect { .nothing }
}

extension Event {
  /// The effect of the event on the days of habits.
  package var dayEffect: DayEffect {
    // Logs come by the million, and `content` costs an allocation.
    if case .habitLogged(let event) = self { return event.dayEffect }
    return content.record.dayEffect
  }

  /// The habit and the day whose record the event changes, if it does.
  package var habitDay: (habit: Habit.ID, day: Day)? {
    guard case .day(let habit, let day, _) = dayEffect else { return nil }
    return (habit, day)
  }
}
