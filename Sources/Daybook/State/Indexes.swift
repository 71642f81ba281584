/// What leads to things of a state from what they say: it is found again from the tables, and stored nowhere.
package struct Indexes: Equatable, Sendable {
  /// Whose which identity and which device is.
  package internal(set) var accounts = AccountIndex()
  /// Whose habits and goals are.
  var habits = HabitIndex()
  /// Who is in which hive, and which code leads where.
  var hives = HiveIndex()
  /// Who is in which household, and what belongs to which.
  var households = HouseholdIndex()
  /// Whose tasks and labels are.
  package internal(set) var tasks = TaskIndex()
  /// Who posted which activities.
  var activities = ActivityIndex()

  /// How much of them lies in what others do not share.
  func unsharedCount(with other: Indexes) -> Int {
    accounts.unsharedCount(with: other.accounts) + habits.unsharedCount(with: other.habits)
      + hives.unsharedCount(with: other.hives) + households.unsharedCount(with: other.households)
      + tasks.unsharedCount(with: other.tasks) + activities.unsharedCount(with: other.activities)
  }
}
