package import Calendar

extension StreakRule {
  /// A history as the rule sees it when it is asked about a day, and the last of its days that is told.
  ///
  /// Most rules judge the whole history, of which the days through the asked one are told. Loop Habit Tracker
  /// knows no such view: it shows what it would have shown on that day, and so does its rule. Windows that reach
  /// past the day count then, as they do today.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - day: The day that is asked about; none is left out without one.
  /// - Returns: The history, and the last day of it that is told.
  package func seen(
    _ history: HabitHistory, on day: Day?
  ) -> (history: HabitHistory, last: Day) {
    guard let day else { return (history, .last) }
    guard marksAsLoop else { return (history, day) }
    var history = history
    history.records.removeAll { $0.day > day }
    let known = history.versions.prefix { $0.since <= day }
    history.versions = Array(known.isEmpty ? history.versions.prefix(1) : known)
    if day < history.today { (history.today, history.openFrom) = (day, day) }
    return (history, .last)
  }

  /// What the rule says of a history when it is asked about a day; of all days without one.
  package func judgement(of history: HabitHistory, on day: Day?) -> Judgement {
    let (seen, last) = seen(history, on: day)
    let judgement = judgement(of: seen)
    return last == .last ? judgement : judgement.upTo(last)
  }
}
