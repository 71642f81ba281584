public import Calendar
public import Avro

/// An award; each cause earns it once (DG-6).
public struct Award: Hashable, Sendable {
  /// The reason for the award.
  public enum Cause: Hashable, Sendable {
    /// The account's first log.
    case firstLog
    /// A number of logged days, over all habits.
    case logs(Int)
    /// A habit's streak of a number of days.
    case streak(Habit.ID, Int)
    /// A week, from Monday to Sunday, on whose due days a habit was always done.
    case perfectWeek(Habit.ID, monday: Day)
    /// A month on whose due days a habit was always done.
    case perfectMonth(Habit.ID, first: Day)
    /// A day on which a habit was done after seven or more missed days in a row.
    case comeback(Habit.ID, Day)
    /// A hive's shared streak of a number of days, while the account was a member.
    case hiveStreak(Hive.ID, Int)
  }

  /// The reason for the award.
  public var cause: Cause
  /// The day on which it was earned; for a week or a month, its last day.
  public var day: Day
  /// The entry with which it was earned.
  public var position: Int64
  /// When that entry was recorded.
  public var at: Instant
  /// The entries that earned it, oldest first.
  public var evidence: [Int64]
  /// Whether it no longer holds, because entries were undone since. It remains an award.
  public var isUndone: Bool

  /// The lengths of streaks that earn an award.
  public static let streaks = [3, 7, 14, 30, 60, 100, 365]
  /// The numbers of logged days that earn an award.
  package static let logCounts = [10, 100, 1000]
  /// The number of missed days in a row before a comeback.
  package static let comebackDays = 7
}

extension Award.Cause {
  /// A stable name, such as `perfect_week`.
  public var code: String {
    switch self {
    case .firstLog: "first_log"
    case .logs: "logs"
    case .streak: "streak"
    case .perfectWeek: "perfect_week"
    case .perfectMonth: "perfect_month"
    case .comeback: "comeback"
    case .hiveStreak: "hive_streak"
    }
  }

  /// The number that was reached, if there is one.
  public var count: Int? {
    switch self {
    case .logs(let count), .streak(_, let count), .hiveStreak(_, let count): count
    case .firstLog, .perfectWeek, .perfectMonth, .comeback: nil
    }
  }

  /// The habit that it is about, if it is about one.
  public var habit: Habit.ID? {
    switch self {
    case .streak(let habit, _), .perfectWeek(let habit, _), .perfectMonth(let habit, _),
      .comeback(let habit, _):
      habit
    case .firstLog, .logs, .hiveStreak: nil
    }
  }

  /// The hive that it is about, if it is about one.
  public var hive: Hive.ID? {
    guard case .hiveStreak(let hive, _) = self else { return nil }
    return hive
  }

  /// The first day of the award's period, for a week or a month.
  public var firstDay: Day? {
    switch self {
    case .perfectWeek(_, let day), .perfectMonth(_, let day): day
    case .firstLog, .logs, .streak, .comeback, .hiveStreak: nil
    }
  }
}

extension Award {
  /// Orders awards by the entry that earned them; awards of one entry have a fixed order.
  static func isBefore(_ left: Award, _ right: Award) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }

  private var order: [Int64] {
    [
      position, cause.rank, Int64(day.number), Int64(cause.count ?? 0),
      Int64(cause.habit?.number ?? cause.hive?.number ?? 0),
    ]
  }

  /// The award as JSON. The name of a hive that the account has left is omitted.
  ///
  /// - Parameters:
  ///   - account: The account that earned it.
  ///   - state: The state in which names are looked up.
  /// - Returns: The row.
  public func json(of account: Account.ID, in state: BookState) -> JSON {
    let habit = cause.habit.flatMap { state.habits[$0] }
    let hive = cause.hive.flatMap { try? state.hive($0, seenBy: account) }
    return [
      "award": .string(cause.code), "count": cause.count.map { .number($0) } ?? .null,
      "habit": .key(habit?.key), "habit_name": .text(habit?.description.name),
      "hive": .key(hive?.key), "hive_name": .text(hive?.description.name),
      "from": .day(cause.firstDay), "day": .day(day), "position": .number(position),
      "at": .instant(at), "undone": .bool(isUndone),
      "evidence": .array(evidence.map { .number($0) }),
    ]
  }
}

extension Award.Cause {
  fileprivate var rank: Int64 {
    switch self {
    case .firstLog: 0
    case .logs: 1
    case .streak: 2
    case .comeback: 3
    case .perfectWeek: 4
    case .perfectMonth: 5
    case .hiveStreak: 6
    }
  }
}
