import ArgumentParser
import Daybook

/// The argument that selects a habit.
struct HabitArgument: ParsableArguments {
  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  /// The number of the habit.
  func find(in state: BookState, for account: Account.ID) throws -> Habit.ID {
    try HabitChoice.find(habit, in: state, for: account).0
  }
}

/// Finds a habit by key, whole name, or unambiguous prefix.
enum HabitChoice {
  private static let choice = EntityFinder(
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
