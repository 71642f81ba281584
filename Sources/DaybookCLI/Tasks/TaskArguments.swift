import ArgumentParser
import Daybook

/// A bucket as a person writes it: `weekend`, `next-week`, `THIS_WEEK`.
enum BucketArgument {
  static let help = "this-week, weekend, next-week, next-month or routines"

  static func bucket(_ text: String?) throws -> TaskBucket? {
    guard let text else { return nil }
    guard let bucket = TaskBucket(loosely: text) else {
      throw ValidationError("\"\(text)\" is no bucket; give \(help)")
    }
    return bucket
  }
}

/// When something is due, as a person writes it.
enum DueArgument {
  static let help =
    "a time (2026-03-01T18:00, or with Z or an offset), a day (2026-03-01, today, tomorrow, friday: to its end at 23:59), or none"

  /// What a text means for an account; `none` and nothing are different things.
  static func due(
    _ text: String?, for account: Account, _ query: Query
  ) throws -> Edit<Instant?> {
    guard let text else { return .keep }
    if text.lowercased() == "none" { return .set(nil) }
    if let instant = Instant(text) { return .set(instant) }
    let local: LocalDateTime
    if let day = try day(text, for: account, query) {
      guard let end = LocalTime(minutes: 1439) else { return .keep }
      local = LocalDateTime(day: day, time: end)
    } else if text.count > 10, let time = LocalDateTime(text) {
      local = time
    } else {
      throw ValidationError("--due: \"\(text)\" is not \(help)")
    }
    let wall = WallClock(timeZone: account.dayClock.timeZone, zones: query.zones)
    guard let instant = wall.instant(of: local) else {
      throw Rejection.unknownTimeZone(account.dayClock.timeZone)
    }
    return .set(instant)
  }

  private static func day(_ text: String, for account: Account, _ query: Query) throws -> Day? {
    if let day = Day(text) { return day }
    let today = try query.today(of: account)
    let word = text.lowercased()
    switch word {
    case "today": return today
    case "tomorrow": return today.advanced(by: 1)
    default: break
    }
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    guard word.count >= 3, let weekday = names.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    // The next one of that name, today included.
    return today.advanced(by: (weekday - today.weekday + 7) % 7)
  }
}

/// How something repeats, as a person writes it.
enum RepeatArgument {
  static let help =
    "daily, weekdays, weekly, monthly, yearly, an RFC 5545 rule (FREQ=WEEKLY;BYDAY=MO), or none"

  static func rule(_ text: String?) -> Edit<String?> {
    guard let text else { return .keep }
    switch text.lowercased() {
    case "none": return .set(nil)
    case "daily": return .set("FREQ=DAILY")
    case "weekdays": return .set("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    case "weekly": return .set("FREQ=WEEKLY")
    case "monthly": return .set("FREQ=MONTHLY")
    case "yearly": return .set("FREQ=YEARLY")
    default: return .set(text)
    }
  }
}

/// What an argument says of a value that is there already.
enum Edit<Value> {
  /// Nothing: it is left as it is.
  case keep
  /// What it is to be.
  case set(Value)

  /// What is set; something else when it is kept.
  func value(orElse other: Value) -> Value {
    guard case .set(let value) = self else { return other }
    return value
  }
}

/// Finds the task or the label that a person means.
enum TaskChoice {
  /// A task by its key or a prefix of its title: one that is open, or else one that is done; the other way
  /// round for who wants a done one.
  static func task(
    _ text: String, in state: BookState, for account: Account.ID, done: Bool = false
  ) throws -> TaskItem.ID {
    let found = try Choice(
      noun: "task", whenEmpty: "There is no task yet; `daybook task add TITLE` notes one."
    ).find(text, in: state.tasks, among: state.tasks(of: account).map(\.task)) { $0.isDone == done }
    guard state.tasks[found]?.owner == account else { throw Rejection.notOwner }
    return found
  }

  /// A label by its key or a prefix of its name.
  static func label(
    _ text: String, in state: BookState, for account: Account.ID
  ) throws -> TaskLabel.ID {
    try Choice(
      noun: "label", whenEmpty: "There is no label yet; `daybook labels add NAME` makes one."
    ).find(text, in: state.labels, among: state.labels(of: account).map(\.label))
  }
}
