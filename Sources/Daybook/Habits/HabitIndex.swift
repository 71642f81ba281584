/// The habits of each goal: made from them, and updated with them.
struct HabitIndex: Equatable, Sendable {
  /// The habits of each goal, without deleted ones.
  fileprivate var serving = Relation<Goal, Habit>()

  /// The habits that serve a goal, without deleted ones, in the order of their creation.
  func habits(serving goal: Goal.ID) -> [Habit.ID] { serving[goal] }
}

extension Habit {
  /// The owner of a habit, and the goal that it serves while it exists.
  struct IndexKeys: Equatable {
    var owner: Account.ID
    var goal: Goal.ID?
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(owner: owner, goal: isDeleted ? nil : goal)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.owned.move(number, from: former?.owner, to: keys?.owner)
    state.indexes.habits.serving.move(number, from: former?.goal, to: keys?.goal)
  }
}
