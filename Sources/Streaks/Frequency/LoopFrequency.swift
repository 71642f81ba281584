import Calendar

/// A schedule as Loop Habit Tracker expresses it: `times` in `days` days.
struct LoopFrequency: Hashable {
  /// At least 1.
  let times: Int
  /// `times`…1000; 1 when daily.
  let days: Int

  /// A weekday mask becomes that many days in 7; every day becomes 1 in 1. A quota out of bounds is clamped.
  init(_ schedule: Schedule) {
    switch schedule {
    case .weekdays(.everyDay):
      (times, days) = (1, 1)
    case .weekdays(let mask):
      (times, days) = (max(mask.count, 1), 7)
    case .quota(let asked, let window):
      let bounded = min(max(window, 1), 1000)
      (times, days) = asked >= bounded ? (1, 1) : (max(asked, 1), bounded)
    }
  }

  /// Done days per day, 0…1.
  var perDay: Double { Double(times) / Double(days) }
}
