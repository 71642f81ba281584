import Values
import Calendar
import Streaks

/// The indices of a habit and its owner in their tables.
struct HabitPlace {
  var habit: Int
  var account: Int
}

extension BookState {
  /// The indices of an existing habit that belongs to the actor, and of the actor.
  func placeOfOwnHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> HabitPlace {
    let account = try placeOfActor(context)
    guard let habit = habits.place(of: number) else { throw .habitNotFound }
    try habits.elements[habit].logTerms.checkOwn(context)
    return HabitPlace(habit: habit, account: account)
  }

  /// The first day that a change by the actor affects.
  func firstOpenDay(_ context: Context) throws(Rejection) -> Day {
    try actor(context).1.firstOpenDay(context)
  }

  /// The event that ends an account's focus when it is on one of these habits.
  func endOfFocus(on habits: [Habit.ID], of account: Account.ID) -> [Event] {
    guard let focus = accounts[account]?.focusHabit, habits.contains(focus) else { return [] }
    return [.focusChosen(FocusChosen(account: account, habit: nil))]
  }
}

/// The fields of a habit that a log needs, read in one access: reaching a habit takes long for a log, a habit is
/// expensive to copy, and logs come by the million.
struct LogTerms {
  let owner: Account.ID
  let isDeleted: Bool
  let isArchived: Bool
  /// The day from which the current target is required.
  let since: Day
  let target: Target

  /// Checks that the habit exists and belongs to the actor.
  @inline(__always)
  func checkOwn(_ context: Context) throws(Rejection) {
    guard !isDeleted else { throw .habitNotFound }
    guard owner == context.actor else { throw .notOwner(of: .habit) }
  }
}

extension Habit {
  /// The fields of the habit that a log needs.
  @inline(__always)
  var logTerms: LogTerms {
    LogTerms(
      owner: owner, isDeleted: isDeleted, isArchived: isArchived, since: version.since,
      target: version.target)
  }
}

extension Account {
  /// The first day that a change affects: today, or later after a journey west, because a closed day stays as it was
  /// judged (law 5).
  func firstOpenDay(_ context: Context) throws(Rejection) -> Day {
    max(try today(context), closedBefore)
  }
}

extension Target {
  /// Refuses invalid targets: at least zero would make every logged day done; at most zero is allowed, and means
  /// abstinence.
  func check() throws(Rejection) {
    guard bound == .atMost || amount > .zero else { throw .invalidTarget }
  }
}

extension Schedule {
  /// Refuses invalid quotas: the cases are public, so a quota may not have been made by ``quota(_:in:)``.
  func check() throws(Rejection) {
    guard case .quota(let times, let days) = self else { return }
    guard Schedule.quota(times, in: days) == self else { throw .invalidSchedule }
  }
}

extension HabitDescription {
  func checked() throws(Rejection) -> HabitDescription {
    var description = self
    description.name = name.asOneLine
    guard !description.name.isEmpty else { throw .emptyHabitName }
    try Limit.name.check(description.name, "name")
    try Limit.name.check(emoji, "emoji")
    try Limit.name.check(unit, "unit")
    try Limit.text.check(question, "question")
    guard !(description.name + emoji + unit).hasControls else { throw .invalidHabitName }
    try ColorText.check(color, "color_hex")
    return description
  }
}
