package import Calendar

extension StreakRule {
  /// The history a rule sees when it is asked about a past day, and the last day it reports.
  ///
  /// Most rules judge the whole history and report the days through the given one. Loop Habit Tracker has no
  /// such view: its rule reports what Loop would have shown on that day. Windows that reach past the day then
  /// count, as they do today.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - day: The day in question; without one, every day is reported.
  /// - Returns: The history, and the last day of it to report.
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

  /// The judgement of a history as of a day; of all days without one.
  package func judgement(of history: HabitHistory, on day: Day?) -> Judgement {
    let (seen, last) = seen(history, on: day)
    let judgement = judgement(of: seen)
    return last == .last ? judgement : judgement.upTo(last)
  }
}
