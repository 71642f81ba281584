/// The habits and goals of each account, and the habits of each goal: made from them, and updated with them.
struct HabitIndex: Equatable, Sendable {
  fileprivate var habits = Relation<Account, Habit>()
  fileprivate var goals = Relation<Account, Goal>()
  /// The habits of each goal, without deleted ones.
  fileprivate var serving = Relation<Goal, Habit>()

  /// The habits of an account, deleted ones too, in the order of their creation.
  func habits(of account: Account.ID) -> [Habit.ID] { habits[account] }

  /// Visits the habits of an account, deleted ones too, the newest first, until `look` returns false.
  func visitNewest(of account: Account.ID, _ look: (Habit.ID) -> Bool) {
    habits.visitBackwards(account, look)
  }

  /// The goals of an account, deleted ones too, in the order of their creation.
  func goals(of account: Account.ID) -> [Goal.ID] { goals[account] }

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
    state.indexes.habits.habits.move(number, from: former?.owner, to: keys?.owner)
    state.indexes.habits.serving.move(number, from: former?.goal, to: keys?.goal)
  }
}

extension Goal {
  func indexKeys(_ number: ID) -> Account.ID { owner }

  static func reindex(
    _ number: ID, from former: Account.ID?, to keys: Account.ID?, in state: inout BookState
  ) {
    state.indexes.habits.goals.move(number, from: former, to: keys)
  }
}
