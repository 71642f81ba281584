import Values
import Calendar
import Streaks

/// Where a habit and its owner stand in their tables.
struct HabitPlace {
  var habit: Int
  var account: Int
}

extension BookState {
  /// A habit that is there and the actor's own.
  func ownHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> (Habit, Account) {
    let place = try placeOfOwnHabit(number, context)
    return (habits.elements[place.habit], accounts.elements[place.account])
  }

  /// Where a habit stands that is there and the actor's own, and where the actor does.
  func placeOfOwnHabit(
    _ number: Habit.ID, _ context: Context
  ) throws(Rejection) -> HabitPlace {
    let account = try placeOfActor(context)
    guard let habit = habits.place(of: number) else { throw .habitNotFound }
    try habits.elements[habit].logTerms.checkOwn(context)
    return HabitPlace(habit: habit, account: account)
  }

  func ownGoal(
    _ key: Key, of account: Account.ID
  ) throws(Rejection) -> Goal.ID {
    guard let number = goals.number(of: key), let goal = goals[number], !goal.isDeleted else {
      throw .goalNotFound
    }
    guard goal.owner == account else { throw .notOwner(of: .goal) }
    return number
  }
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

  /// The event by which the focus ends when it is on one of the habits.
  func endOfFocus(on habits: [Habit.ID], _ number: Account.ID) -> [Event] {
    guard let focusHabit, habits.contains(focusHabit) else { return [] }
    return [.focusChosen(FocusChosen(account: number, habit: nil))]
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
    description.name = name.trimmingSpace
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
