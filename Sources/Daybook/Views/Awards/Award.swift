public import Calendar
public import Avro

/// Something earned, once for its cause (DG-6).
public struct Award: Hashable, Sendable {
  /// What for.
  public enum Cause: Hashable, Sendable {
    /// The account's first log.
    case firstLog
    /// So many days logged, over all habits.
    case logs(Int)
    /// A habit's streak of so many days.
    case streak(Habit.ID, Int)
    /// A week, from Monday to Sunday, on which all that a habit asked was done.
    case perfectWeek(Habit.ID, monday: Day)
    /// A month on which all that a habit asked was done.
    case perfectMonth(Habit.ID, first: Day)
    /// A habit's day that was done after seven or more missed in a row.
    case comeback(Habit.ID, Day)
    /// A hive's shared streak of so many days, while the account was in it.
    case hiveStreak(Hive.ID, Int)
  }

  /// What for.
  public var cause: Cause
  /// The day on which it was earned: of a week or a month its last one.
  public var day: Day
  /// The entry with which it was earned.
  public var position: Int64
  /// When that was recorded.
  public var at: Instant
  /// The entries that earned it, oldest first.
  public var evidence: [Int64]
  /// Whether it does not hold any more, because entries were taken back since. It stays an award.
  public var isUndone: Bool

  /// The lengths of streaks that earn an award.
  public static let streaks = [3, 7, 14, 30, 60, 100, 365]
  /// The numbers of logged days that earn one.
  package static let logCounts = [10, 100, 1000]
  /// How many days must be missed in a row before a comeback.
  package static let comebackDays = 7
}

extension Award.Cause {
  /// A name that stays, such as `perfect_week`.
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

  /// The number that was reached, if it is about one.
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

  /// The first day that it is about, when it is about several that are known beforehand.
  public var firstDay: Day? {
    switch self {
    case .perfectWeek(_, let day), .perfectMonth(_, let day): day
    case .firstLog, .logs, .streak, .comeback, .hiveStreak: nil
    }
  }
}

extension Award {
  /// By the entry that earned it; of one entry's awards in a fixed order.
  static func isBefore(_ left: Award, _ right: Award) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }

  private var order: [Int64] {
    [
      position, cause.rank, Int64(day.number), Int64(cause.count ?? 0),
      Int64(cause.habit?.number ?? cause.hive?.number ?? 0),
    ]
  }

  /// The award as JSON. Of a hive that the account has left it says no name.
  ///
  /// - Parameters:
  ///   - account: Whose it is.
  ///   - state: Where names are looked up.
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
