import ArgumentParser
import Daybook
import DaybookStore

/// Parses a bucket: `weekend`, `next-week`, `THIS_WEEK`.
enum BucketArgument {
  static let help = "this-week, weekend, next-week, next-month or routines"

  static func bucket(_ text: String?) throws -> TaskBucket? {
    guard let text else { return nil }
    guard let bucket = TaskBucket(loosely: text) else {
      throw ValidationError("\"\(text)\" is not a bucket; give \(help)")
    }
    return bucket
  }
}

/// Parses a due time.
enum DueArgument {
  static let help =
    "\(MomentWords.help); a day means its end; or none"

  /// The due time for an account. `none` differs from no text at all.
  static func due(
    _ text: String?, for account: Account, _ query: Query
  ) throws -> FieldEdit<Instant?> {
    guard let text else { return .keep }
    if text.lowercased() == "none" { return .set(nil) }
    let local: LocalDateTime
    switch try MomentArgument.moment(text, "--due", for: account, query) {
    case .instant(let instant): return .set(instant)
    case .local(let time): local = time
    case .day(let day):
      guard let end = LocalTime(minutes: 1439) else { return .keep }
      local = LocalDateTime(day: day, time: end)
    }
    let wall = WallClock(timeZone: account.dayClock.timeZone, zones: query.zones)
    guard let instant = wall.instant(of: local) else {
      throw Rejection.unknownTimeZone(account.dayClock.timeZone)
    }
    return .set(instant)
  }
}

/// Parses a moment in the future.
enum MomentArgument {
  static func moment(
    _ text: String, _ option: String, for account: Account, _ query: Query
  ) throws -> MomentWords.Moment {
    let words = MomentWords(
      days: DayWords(today: try query.today(of: account), direction: .coming), now: query.asOf,
      wall: WallClock(timeZone: account.dayClock.timeZone, zones: query.zones))
    guard let moment = words.moment(text) else {
      throw ValidationError(
        "\(option): \"\(text)\" is not a time or a day: give \(MomentWords.help)")
    }
    return moment
  }
}

/// Parses a recurrence.
enum RepeatArgument {
  static let help =
    "daily, weekdays, weekly, monthly, yearly, an RFC 5545 rule (FREQ=WEEKLY;BYDAY=MO), or none"

  /// The recurrence rule for something that begins on a day.
  static func rule(_ text: String?, from day: Day?) -> FieldEdit<String?> {
    guard let text else { return .keep }
    switch text.lowercased() {
    case "none": return .set(nil)
    case "daily": return .set("FREQ=DAILY")
    case "weekdays": return .set("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    case "weekly": return .set("FREQ=WEEKLY")
    case "monthly": return .set(RecurrenceRule.reachingLastDays("FREQ=MONTHLY", from: day))
    case "yearly": return .set(RecurrenceRule.reachingLastDays("FREQ=YEARLY", from: day))
    default: return .set(text)
    }
  }
}

extension Account {
  /// The date of an instant in the account's time zone.
  func date(of instant: Instant, _ query: Query) -> Day? {
    DayClock(timeZone: dayClock.timeZone, dayStartHour: 0).day(of: instant, in: query.zones)
  }
}

/// An argument's effect on an existing value.
enum FieldEdit<Value> {
  /// The value stays as it is.
  case keep
  /// The value becomes this.
  case set(Value)

  /// The new value, or `other` when the value is kept.
  func value(orElse other: Value) -> Value {
    guard case .set(let value) = self else { return other }
    return value
  }
}

/// Finds the task or the label that a text denotes.
enum TaskChoice {
  /// Finds a task by its key or a prefix of its title; open tasks come before completed ones, or the other
  /// way round when a completed one is wanted.
  static func task(
    _ text: String, in state: BookState, for account: Account.ID, done: Bool = false
  ) throws -> TaskItem.ID {
    let found = try EntityFinder(
      noun: "task", whenEmpty: "There is no task yet; `daybook task add TITLE` adds one."
    ).find(text, in: state.tasks, among: state.tasks(of: account).map(\.task)) { $0.isDone == done }
    guard state.tasks[found]?.owner == account else { throw Rejection.notOwner }
    return found
  }

  /// Finds a label by its key or a prefix of its name.
  static func label(
    _ text: String, in state: BookState, for account: Account.ID
  ) throws -> TaskLabel.ID {
    try EntityFinder(
      noun: "label", whenEmpty: "There is no label yet; `daybook labels add NAME` makes one."
    ).find(text, in: state.labels, among: state.labels(of: account).map(\.label))
  }
}
