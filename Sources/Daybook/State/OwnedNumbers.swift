// What an account owns and where it is a member, found through the indexes: for the tables that its client requests.
extension BookState {
  /// The habits of an account, deleted ones too, in the order of their creation.
  package func allHabits(of account: Account.ID) -> [Habit.ID] {
    indexes.owned[Habit.self][account]
  }

  /// The goals of an account, deleted ones too, in the order of their creation.
  package func allGoals(of account: Account.ID) -> [Goal.ID] { indexes.owned[Goal.self][account] }

  /// The tasks of an account, deleted ones too, in the order of their creation.
  package func allTasks(of account: Account.ID) -> [TaskItem.ID] {
    indexes.owned[TaskItem.self][account]
  }

  /// The labels of an account, deleted ones too, in the order of their creation.
  package func allLabels(of account: Account.ID) -> [TaskLabel.ID] {
    indexes.owned[TaskLabel.self][account]
  }

  /// The hives that an account leads, deleted ones too, ascending.
  package func allHives(ledBy account: Account.ID) -> [Hive.ID] {
    indexes.hives.hives(ledBy: account)
  }

  /// The households that an account is or was a member of, deleted ones too, ascending.
  package func allHouseholds(of account: Account.ID) -> [Household.ID] {
    indexes.households.households(of: account)
  }

  /// The numbers of a household's entities of a kind, deleted ones too, ascending.
  package func allEntities(_ kind: EntityKind, of household: Household.ID) -> [Int32] {
    indexes.households.householdEntities(kind, of: household)
  }
}
