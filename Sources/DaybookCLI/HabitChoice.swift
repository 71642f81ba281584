import Daybook

/// Finds the habit that a person means: by its key, its whole name, or a prefix that only one name has.
enum HabitChoice {
  private static let choice = Choice(
    noun: "habit", whenEmpty: "There is no habit yet; `daybook habits add NAME` makes one.")

  static func find(
    _ text: String, in state: BookState, for account: Account.ID?
  ) throws -> (Habit.ID, Habit) {
    let number = try choice.find(text, in: state.habits, among: state.habits(of: account))
    guard let habit = state.habits[number] else { throw Rejection.habitNotFound }
    if let account, habit.owner != account { throw Rejection.notOwner(of: .habit) }
    return (number, habit)
  }
}
