/// What entries changed in a state, so that they can be taken back, the newest first.
///
/// A book decides a command on its state in place, and its entries hold only once they are on disk: until
/// then, or when the disk refuses, they are taken back. A log costs a few words; any other entry keeps what
/// it changed whole.
package struct Undo: Sendable {
  private var steps: ContiguousArray<Step> = []

  /// Begins with nothing to take back.
  package init() {}

  /// How many entries can be taken back.
  package var count: Int { steps.count }

  fileprivate struct Step: Sendable {
    var position: Int64
    var at: Instant
    var change: Change
  }

  /// What was before.
  fileprivate enum Change: Sendable {
    /// The entry names nothing, and changes nothing.
    case none
    /// The day is after the habit's last one, as nearly every day is.
    case day(Habit.ID, Day, PackedDays.End)
    indirect case account(Account.ID, Account)
    indirect case habit(Habit.ID, Habit)
    indirect case goal(Goal.ID, Goal)
    indirect case hive(Hive.ID, Hive)
    indirect case household(Household.ID, Household)
    indirect case chore(Chore.ID, Chore)
    indirect case recipe(Recipe.ID, Recipe)
    indirect case meal(Meal.ID, Meal)
    indirect case task(TaskItem.ID, TaskItem)
    indirect case label(TaskLabel.ID, TaskLabel)
    indirect case list(GroceryList.ID, GroceryList)
    indirect case staple(Staple.ID, Staple)
    indirect case calendarEvent(CalendarEvent.ID, CalendarEvent)
    case newAccount(Key, Account.ID?)
    case newHabit(Key, Habit.ID?)
    case newGoal(Key, Goal.ID?)
    case newHive(Key, Hive.ID?)
    case newHousehold(Key, Household.ID?)
    case newChore(Key, Chore.ID?)
    case newRecipe(Key, Recipe.ID?)
    case newMeal(Key, Meal.ID?)
    case newTask(Key, TaskItem.ID?, Account.ID)
    case newLabel(Key, TaskLabel.ID?, Account.ID)
    case newList(Key, GroceryList.ID?)
    case newStaple(Key, Staple.ID?)
    case newCalendarEvent(Key, CalendarEvent.ID?)
    /// An erasure changes much, and is rare; so does what takes something from another account.
    indirect case all(State)
  }

  fileprivate mutating func note(_ step: Step) { steps.append(step) }
  fileprivate mutating func pop() -> Step { steps.removeLast() }
}

extension State {
  /// Applies an entry and notes what it changes.
  package mutating func apply(_ entry: Entry, noting undo: inout Undo) {
    undo.note(.init(position: position, at: at, change: before(entry.event)))
    apply(entry)
  }

  /// Takes back the newest of the entries that were noted, until `count` of them are left.
  ///
  /// - Precondition: nothing else was applied since.
  package mutating func takeBack(_ undo: inout Undo, leaving count: Int = 0) {
    while undo.count > count {
      let step = undo.pop()
      restore(step.change)
      (position, at) = (step.position, step.at)
    }
  }

  private mutating func restore(_ change: Undo.Change) {
    switch change {
    case .none: break
    case .day(let habit, let day, let end):
      habits.update(habit) { $0.days.takeBack(day, to: end) }
    case .account(let number, let account): updateIndexed(number) { $0 = account }
    case .habit(let number, let habit): habits.update(number) { $0 = habit }
    case .goal(let number, let goal): goals.update(number) { $0 = goal }
    case .hive(let number, let hive):
      if let after = hives[number] { hiveIndex.takeBack(after, to: hive, number) }
      hives.update(number) { $0 = hive }
    case .household(let number, let household):
      if let after = households[number] { householdIndex.takeBack(after, to: household, number) }
      households.update(number) { $0 = household }
    case .chore(let number, let chore): chores.update(number) { $0 = chore }
    case .recipe(let number, let recipe): recipes.update(number) { $0 = recipe }
    case .meal(let number, let meal): meals.update(number) { $0 = meal }
    case .list(let number, let list): lists.update(number) { $0 = list }
    case .staple(let number, let staple): staples.update(number) { $0 = staple }
    case .calendarEvent(let number, let event): calendarEvents.update(number) { $0 = event }
    case .newAccount(let key, let former): accounts.removeLast(key: key, former: former)
    case .newHabit(let key, let former): habits.removeLast(key: key, former: former)
    case .newGoal(let key, let former): goals.removeLast(key: key, former: former)
    case .newHive(let key, let former): hives.removeLast(key: key, former: former)
    case .newHousehold(let key, let former):
      if let last = households.elements.last {
        let number = Household.ID(index: households.elements.count - 1)
        householdIndex.takeBack(last, to: nil, number)
      }
      households.removeLast(key: key, former: former)
    case .newChore(let key, let former):
      householdIndex.takeBack(.chore, of: chores.elements.last?.home)
      chores.removeLast(key: key, former: former)
    case .newRecipe(let key, let former):
      householdIndex.takeBack(.recipe, of: recipes.elements.last?.home)
      recipes.removeLast(key: key, former: former)
    case .newMeal(let key, let former):
      householdIndex.takeBack(.meal, of: meals.elements.last?.home)
      meals.removeLast(key: key, former: former)
    case .task(let number, let task): tasks.update(number) { $0 = task }
    case .label(let number, let label): labels.update(number) { $0 = label }
    case .newTask(let key, let former, let owner):
      tasks.removeLast(key: key, former: former)
      taskIndex.takeBackTask(of: owner)
    case .newLabel(let key, let former, let owner):
      labels.removeLast(key: key, former: former)
      taskIndex.takeBackLabel(of: owner)
    case .newList(let key, let former):
      householdIndex.takeBack(.list, of: lists.elements.last?.home)
      lists.removeLast(key: key, former: former)
    case .newStaple(let key, let former):
      householdIndex.takeBack(.staple, of: staples.elements.last?.home)
      staples.removeLast(key: key, former: former)
    case .newCalendarEvent(let key, let former):
      householdIndex.takeBack(.calendarEvent, of: calendarEvents.elements.last?.home)
      calendarEvents.removeLast(key: key, former: former)
    case .all(let state): self = state
    }
  }

  /// What an event is about to change.
  private func before(_ event: Event) -> Undo.Change {
    switch event {
    case .habitLogged(let event): before(event.habit, event.day)
    case .habitLogCleared(let event): before(event.habit, event.day)
    case .habitDaySkipped(let event): before(event.habit, event.day)
    case .accountErased: .all(self)
    case .identityLinked where takesFromOther(event): .all(self)
    case .deviceRegistered where takesFromOther(event): .all(self)
    default: before(event.subject)
    }
  }

  private func before(_ subject: Subject) -> Undo.Change {
    switch subject {
    case .new(.account, let key, _): .newAccount(key, accounts.number(of: key))
    case .new(.habit, let key, _): .newHabit(key, habits.number(of: key))
    case .new(.goal, let key, _): .newGoal(key, goals.number(of: key))
    case .new(.hive, let key, _): .newHive(key, hives.number(of: key))
    case .new(.household, let key, _): .newHousehold(key, households.number(of: key))
    case .new(.chore, let key, _): .newChore(key, chores.number(of: key))
    case .new(.recipe, let key, _): .newRecipe(key, recipes.number(of: key))
    case .new(.meal, let key, _): .newMeal(key, meals.number(of: key))
    case .new(.task, let key, let owner):
      .newTask(key, tasks.number(of: key), owner ?? .blank)
    case .new(.label, let key, let owner):
      .newLabel(key, labels.number(of: key), owner ?? .blank)
    case .new(.list, let key, _): .newList(key, lists.number(of: key))
    case .new(.staple, let key, _): .newStaple(key, staples.number(of: key))
    case .new(.calendarEvent, let key, _):
      .newCalendarEvent(key, calendarEvents.number(of: key))
    case .aggregate(let aggregate):
      switch aggregate.kind {
      case .account: before(Account.ID(unchecked: aggregate.number))
      case .habit: before(Habit.ID(unchecked: aggregate.number))
      case .goal: before(Goal.ID(unchecked: aggregate.number))
      case .hive: before(Hive.ID(unchecked: aggregate.number))
      case .household: before(Household.ID(unchecked: aggregate.number))
      case .chore: before(Chore.ID(unchecked: aggregate.number))
      case .recipe: before(Recipe.ID(unchecked: aggregate.number))
      case .meal: before(Meal.ID(unchecked: aggregate.number))
      case .task: before(TaskItem.ID(unchecked: aggregate.number))
      case .label: before(TaskLabel.ID(unchecked: aggregate.number))
      case .list: before(GroceryList.ID(unchecked: aggregate.number))
      case .staple: before(Staple.ID(unchecked: aggregate.number))
      case .calendarEvent: before(CalendarEvent.ID(unchecked: aggregate.number))
      }
    }
  }

  private func before(_ number: Habit.ID, _ day: Day) -> Undo.Change {
    guard let place = habits.place(of: number) else { return .none }
    guard day.number > habits.elements[place].days.last.day else { return before(number) }
    return .day(number, day, habits.elements[place].days.days.end)
  }

  private func before(_ number: Account.ID) -> Undo.Change {
    accounts[number].map { .account(number, $0) } ?? .none
  }

  private func before(_ number: Habit.ID) -> Undo.Change {
    habits[number].map { .habit(number, $0) } ?? .none
  }

  private func before(_ number: Hive.ID) -> Undo.Change {
    hives[number].map { .hive(number, $0) } ?? .none
  }

  private func before(_ number: Household.ID) -> Undo.Change {
    households[number].map { .household(number, $0) } ?? .none
  }

  private func before(_ number: Chore.ID) -> Undo.Change {
    chores[number].map { .chore(number, $0) } ?? .none
  }

  private func before(_ number: Recipe.ID) -> Undo.Change {
    recipes[number].map { .recipe(number, $0) } ?? .none
  }

  private func before(_ number: GroceryList.ID) -> Undo.Change {
    lists[number].map { .list(number, $0) } ?? .none
  }

  private func before(_ number: Staple.ID) -> Undo.Change {
    staples[number].map { .staple(number, $0) } ?? .none
  }

  private func before(_ number: Meal.ID) -> Undo.Change {
    meals[number].map { .meal(number, $0) } ?? .none
  }

  private func before(_ number: TaskItem.ID) -> Undo.Change {
    tasks[number].map { .task(number, $0) } ?? .none
  }

  private func before(_ number: TaskLabel.ID) -> Undo.Change {
    labels[number].map { .label(number, $0) } ?? .none
  }

  private func before(_ number: CalendarEvent.ID) -> Undo.Change {
    calendarEvents[number].map { .calendarEvent(number, $0) } ?? .none
  }

  private func before(_ number: Goal.ID) -> Undo.Change {
    goals[number].map { .goal(number, $0) } ?? .none
  }
}
