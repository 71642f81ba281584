public import Avro

/// Puts a state together again from its records (``StateRecords``).
///
/// Records that nobody wrote so end in an error or in no state, never in a trap.
public struct StateBuilder: Sendable {
  private var head: StateHead?
  private var state = State()

  /// Waits for the head.
  public init() {}

  /// Takes a record whose branch was read already; says whether it was a state's.
  ///
  /// - Throws: ``AvroError`` when the bytes are not such a record, or another was due.
  @_lifetime(reader: copy reader)
  public mutating func take(
    _ branch: Int64, from reader: inout BinaryReader
  ) throws(AvroError) -> Bool {
    switch StateRecords.Branch(rawValue: branch) {
    case .head: try begin(try StateHead(from: &reader))
    case .account:
      let account = try Account(from: &reader)
      state.accountIndex.note(account, state.accounts.nextNumber)
      state.accounts.append(account, key: account.key)
    case .habit:
      let habit = try Habit(from: &reader)
      // What every habit has from its creation on, and asks for without a look.
      guard !habit.versions.isEmpty else { throw .invalidLength }
      state.habits.append(habit, key: habit.key)
    case .goal:
      let goal = try Goal(from: &reader)
      state.goals.append(goal, key: goal.key)
    case .hive:
      let hive = try Hive(from: &reader)
      state.hiveIndex.note(hive, state.hives.nextNumber)
      state.hives.append(hive, key: hive.key)
    case .household:
      let household = try Household(from: &reader)
      state.householdIndex.note(household, state.households.nextNumber)
      state.households.append(household, key: household.key)
    case .chore:
      let chore = try Chore(from: &reader)
      state.householdIndex.note(state.chores.nextNumber, .chore, of: chore.home)
      state.chores.append(chore, key: chore.key)
    case .recipe:
      let recipe = try Recipe(from: &reader)
      state.householdIndex.note(state.recipes.nextNumber, .recipe, of: recipe.home)
      state.recipes.append(recipe, key: recipe.key)
    case .meal:
      let meal = try Meal(from: &reader)
      state.householdIndex.note(state.meals.nextNumber, .meal, of: meal.home)
      state.meals.append(meal, key: meal.key)
    case .task:
      let task = try TaskItem(from: &reader)
      state.taskIndex.note(state.tasks.nextNumber, of: task.owner)
      state.tasks.append(task, key: task.key)
    case .label:
      let label = try TaskLabel(from: &reader)
      state.taskIndex.note(state.labels.nextNumber, of: label.owner)
      state.labels.append(label, key: label.key)
    case .list:
      let list = try GroceryList(from: &reader)
      state.householdIndex.note(state.lists.nextNumber, .list, of: list.home)
      state.lists.append(list, key: list.key)
    case .staple:
      let staple = try Staple(from: &reader)
      state.householdIndex.note(state.staples.nextNumber, .staple, of: staple.home)
      state.staples.append(staple, key: staple.key)
    case .calendarEvent:
      let event = try CalendarEvent(from: &reader)
      state.householdIndex.note(state.calendarEvents.nextNumber, .calendarEvent, of: event.home)
      state.calendarEvents.append(event, key: event.key)
    case nil: return false
    }
    return true
  }

  private mutating func begin(_ head: StateHead) throws(AvroError) {
    guard self.head == nil else { throw .invalidLength }
    self.head = head
    state.position = head.position
    state.at = head.at
    // No more than many a book has: a head may announce what does not come.
    state.accounts.reserve(min(Int(head.accounts), 1 << 18))
    state.habits.reserve(min(Int(head.habits), 1 << 18))
    state.goals.reserve(min(Int(head.goals), 1 << 18))
    state.hives.reserve(min(Int(head.hives), 1 << 18))
    state.households.reserve(min(Int(head.households), 1 << 18))
    state.chores.reserve(min(Int(head.chores), 1 << 18))
    state.recipes.reserve(min(Int(head.recipes), 1 << 18))
    state.meals.reserve(min(Int(head.meals), 1 << 18))
    state.tasks.reserve(min(Int(head.tasks), 1 << 18))
    state.labels.reserve(min(Int(head.labels), 1 << 18))
    state.lists.reserve(min(Int(head.lists), 1 << 18))
    state.staples.reserve(min(Int(head.staples), 1 << 18))
    state.calendarEvents.reserve(min(Int(head.calendarEvents), 1 << 18))
  }

  /// The state; nothing when other entities came than its head announced.
  public consuming func finish() -> State? { head == state.head ? state : nil }
}
