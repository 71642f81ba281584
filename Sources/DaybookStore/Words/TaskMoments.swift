import Calendar
import Daybook

/// What days and repetitions mean for a task: when it is due, and its bucket.
struct TaskMoments {
  /// The day of whoever has the task.
  let today: Day
  /// Their wall clock.
  let wall: WallClock

  /// A day stands for its end, as everywhere in Daybook.
  func end(of day: Day) -> Instant? { instant(on: day, at: nil) }

  /// The instant of a time on a day; without a time, the end of the day.
  func instant(on day: Day, at time: LocalTime?) -> Instant? {
    LocalDateTime(day: day, second: second(of: time)).flatMap { wall.instant(of: $0) }
  }

  /// The first occurrence of a rule from today on, and after an instant if one is given.
  func first(of rule: String, at time: LocalTime?, after instant: Instant? = nil) -> Instant? {
    let second = second(of: time)
    guard let rule = try? RecurrenceRule(parsing: rule),
      let yesterday = LocalDateTime(day: today.advanced(by: -1), second: second),
      let start = LocalDateTime(day: today, second: second)
    else { return nil }
    let past = instant.flatMap { wall.local(of: $0) } ?? yesterday
    return Recurrence(start: start, rules: [rule]).first(after: max(yesterday, past))
      .flatMap { wall.instant(of: $0) }
  }

  /// The bucket of a task: that of its due time, and the routines if it repeats.
  func bucket(repeats: Bool, _ due: Instant?) -> TaskBucket {
    if repeats { return .routines }
    guard let day = due.flatMap({ wall.local(of: $0)?.day }) else { return .thisWeek }
    let nextMonday = today.advanced(by: 7 - today.weekday)
    if day < nextMonday { return .thisWeek }
    return day < nextMonday.advanced(by: 7) ? .nextWeek : .nextMonth
  }

  private func second(of time: LocalTime?) -> Int { Int(time?.minutes ?? 1439) * 60 }
}
