import Daybook

/// One step of a random history: some time passes, then an account sends a command.
///
/// Everything is named by small numbers that are looked up in the present state, so that a step still has a meaning
/// when earlier steps are removed.
struct Step: Sendable {
  /// The minutes that pass before.
  var wait: Int
  /// The account, if the action does not determine it by its habit or goal.
  var actor: Int
  /// Whether an account acts that may not.
  var isStrange = false
  /// How the time is given.
  var timing = Timing.clock
  /// The idempotency key, if there is one.
  var id: Int?
  /// The action.
  var action: Action

  enum Timing: Sendable {
    /// The book's clock.
    case clock
    /// Given with the command.
    case given
    /// Given, and before the last entry: to be refused.
    case backwards
    /// The book's clock, which the machine has set back.
    case setBack
  }
}

/// An action.
enum Action: Sendable {
  case createAccount(key: Int?, zone: Int, start: Int)
  case updateProfile(name: Int?, zone: Int?, start: Int?, theme: Int?)
  case pause(from: Int, days: Int?)
  case resume
  case userLocalDate
  case createHabit(key: Int?, goal: Int?, Plan)
  case updateHabit(Int, PlanEdit)
  case archive(Int)
  case restore(Int)
  case delete(Int)
  case log(Int, When, value: Int, source: LogSource, note: Int?)
  /// Logs for several days in one commit.
  case logRun(Int, ago: Int, days: Int, value: Int)
  case clear(Int, When)
  case skip(Int, When, note: Int?)
  case focus(Int?)
  case createGoal(key: Int?, title: Int)
  case updateGoal(Int, title: Int?)
  case deleteGoal(Int)
  case attach(Int, goal: Int)
  case detach(Int)
  case person(PersonalAction)
  case hive(HiveAction)
  case household(HouseholdAction)
  case task(TaskAction)
}

/// The day, relative to the actor's today.
enum When: Sendable {
  case today
  case ago(Int)
  case instant(minutesAgo: Int)
}

/// The schedule and target of a habit.
struct Plan: Sendable {
  var name = 1
  var type = HabitType.checkbox
  var amount = 0
  var bound = Target.Bound.atLeast
  var schedule = 0
  var reminders = 0
}

/// The change of a habit.
struct PlanEdit: Sendable {
  var name: Int?
  var type: HabitType?
  var amount: Int?
  var bound: Target.Bound?
  var schedule: Int?
  var reminders: Int?
}

/// The meaning of the small numbers.
enum Menu {
  static let zones = [
    "Europe/London", "Pacific/Kiritimati", "Pacific/Honolulu", "Australia/Lord_Howe",
    "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia", "America/New_York",
  ]
  static let starts = [0, 4, 23, 2, 12]
  static let texts = ["", "Read", "  Swim ", "Läufe 🏃", " \n"]
  static let amounts = [1000, 2000, 500, 2500, 3000, 0].compactMap { Amount(thousandths: $0) }
  static let values = [1000, 2000, 3000, 500, 2500, 0, 9000, 250].compactMap {
    Amount(thousandths: $0)
  }
  static let reminders = [[], [450], [1200, 450]].map { $0.compactMap { LocalTime(minutes: $0) } }
  static let schedules: [Schedule] =
    [
      .daily, .quota(1, in: 7), .quota(3, in: 7), .quota(1, in: 3), .quota(2, in: 4),
      .quota(2, in: 30), .quota(1, in: 31), .quota(9, in: 10),
    ].compactMap(\.self)
    + [31, 21, 96, 64, 1, 63].compactMap { WeekdayMask(bits: $0).map(Schedule.weekdays) }
  /// Moments near clock changes, short months, or a missing day (Apia, 2011-12-30).
  static let beginnings = ["2026-02-20", "2026-03-27", "2026-09-28", "2011-12-26", "2024-02-25"]
    .compactMap { Instant($0 + "T06:10:00Z") }

  static func pick<T>(_ list: [T], _ number: Int) -> T { list[number % list.count] }

  /// A UUID: the kind first, the number last.
  static func key(_ kind: UInt64, _ number: Int) -> Key {
    Key(high: kind << 56 | 0x4000, low: 1 << 63 | UInt64(truncatingIfNeeded: number))
  }
}
