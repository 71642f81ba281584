import Values
import Calendar
import Streaks

/// Where a habit and its owner stand in their tables.
struct HabitPlace {
  var habit: Int
  var account: Int
}

extension BookState {
  /// Where a habit stands that is there and the actor's own, and where the actor does.
  func placeOfOwnHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> HabitPlace {
    let account = try placeOfActor(context)
    guard let habit = habits.place(of: number) else { throw .habitNotFound }
    try habits.elements[habit].logTerms.checkOwn(context)
    return HabitPlace(habit: habit, account: account)
  }

  /// The day from which a change of the actor's acts.
  func firstOpenDay(_ context: Context) throws(Rejection) -> Day {
    try actor(context).1.firstOpenDay(context)
  }

  /// The event by which an account's focus ends when it is on one of the habits.
  func endOfFocus(on habits: [Habit.ID], of account: Account.ID) -> [Event] {
    guard let focus = accounts[account]?.focusHabit, habits.contains(focus) else { return [] }
    return [.focusChosen(FocusChosen(account: account, habit: nil))]
  }
}

extension Habit: PersonalThing {
  static var column: StaticString { "habit" }
}

/// What a log asks of its habit, taken off it at once: the way to a habit is long for a log, and the habit dear to copy, and
/// logs come by the million.
struct LogTerms {
  let owner: Account.ID
  let isDeleted: Bool
  let isArchived: Bool
  /// From which day on the target is what a done day needs.
  let since: Day
  let target: Target

  /// Holds that the habit is there, and the actor's own.
  @inline(__always)
  func checkOwn(_ context: Context) throws(Rejection) {
    guard !isDeleted else { throw .habitNotFound }
    guard owner == context.actor else { throw .notOwner(of: .habit) }
  }
}

extension Habit {
  /// What a log asks of the habit.
  @inline(__always)
  var logTerms: LogTerms {
    LogTerms(
      owner: owner, isDeleted: isDeleted, isArchived: isArchived, since: version.since,
      target: version.target)
  }
}

extension Account {
  /// The day from which a change acts: today, or later after a journey west, for a day once closed stays as
  /// it was judged (law 5).
  func firstOpenDay(_ context: Context) throws(Rejection) -> Day {
    max(try today(context), closedBefore)
  }
}

extension Target {
  /// An at-least target of zero would make every logged day done; an at-most target of zero is abstinence.
  func check() throws(Rejection) {
    guard bound == .atMost || amount > .zero else { throw .invalidTarget }
  }
}

extension Schedule {
  /// The cases are public, so a quota may not have come through ``quota(_:in:)``.
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
