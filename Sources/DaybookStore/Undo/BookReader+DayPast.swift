package import Daybook

/// The command that brings back what was known of a habit's day before an entry.
package enum DayUndo: Sendable {
  /// Logs what was logged before.
  case log(LogHabit)
  /// Skips the day, as before.
  case skip(SkipDay)
  /// Clears the day, of which nothing was known.
  case clear(ClearLog)
}

extension Event {
  /// The habit and the day of which it says what is known, if it does.
  var habitDay: (habit: Habit.ID, day: Day)? {
    guard case .day(let habit, let day, _) = dayBearing else { return nil }
    return (habit, day)
  }
}

extension BookReader {
  /// What takes back an entry about a day of a habit.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - account: Who takes it back: the owner of the habit.
  ///   - state: The book as it is: later entries are not looked at.
  /// - Returns: The command that does the opposite; nothing for an entry about something else.
  /// - Throws: ``Rejection/entryNotFound(_:)``, ``Rejection/changedSince(_:)`` when a later entry is about the same
  ///   day, or ``JournalError``.
  package func dayUndo(
    at position: Int64, for account: Account.ID, knowing state: BookState
  ) throws -> DayUndo? {
    guard let entry = try entries(from: position, through: position).first,
      position <= state.position
    else { throw Rejection.entryNotFound(position) }
    guard let (habit, day) = entry.event.habitDay else { return nil }
    guard state.habits[habit]?.owner == account else { throw Rejection.entryNotFound(position) }
    let items = try auditTrail(of: habit).items.filter { item in
      guard let (_, other) = item.event.habitDay else { return false }
      return other == day && item.position <= state.position
    }
    if let later = items.last(where: { $0.position > position }) {
      throw Rejection.changedSince(later.position)
    }
    let before = items.last { $0.position < position }?.event
    if case .habitLogged(let event)? = before {
      return .log(
        LogHabit(
          habit, value: event.value, day: .day(day), source: event.source, note: event.note))
    }
    if case .habitDaySkipped(let event)? = before {
      return .skip(SkipDay(habit, day: .day(day), source: event.source, note: event.note))
    }
    return .clear(ClearLog(habit, day: .day(day)))
  }

  /// The entries from one position to another.
  ///
  /// - Throws: ``JournalError``.
  func entries(from first: Int64, through last: Int64) throws -> [Entry] {
    guard first >= 1, first <= last else { return [] }
    var window = Window(first: first, last: last)
    try replay(into: &window, from: first, through: last)
    return window.entries
  }
}
