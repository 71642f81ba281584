import Calendar

/// Finds households and the things that belong to them by values other than numbers. It is made from them, and updated
/// with them.
struct HouseholdIndex: Equatable, Sendable {
  fileprivate var memberships = Relation<Account, Household>()
  /// For each kind, pairs: the household's number in the upper half of a word, the entity's in the lower.
  private var householdEntities = ContiguousArray(
    repeating: SortedSet<UInt64>(), count: EntityKind.allCases.count)
  fileprivate var openHouseholdTasks = SortedSet<AssignedHouseholdTask>()
  fileprivate var mealDays = SortedSet<MealDay>()
  fileprivate var mealsOfRecipes = Relation<Recipe, Meal>()
  fileprivate var calendarUIDs = SortedSet<CalendarUID>()
  fileprivate var codes = SortedSet<HashedCode>()
  /// The grocery lists and their lines.
  var groceries = GroceryIndex()

  /// The households that an account is or was a member of, ascending.
  func households(of account: Account.ID) -> [Household.ID] { memberships[account] }

  /// Visits the households that an account is or was a member of, ascending, until `look` returns false.
  func visitHouseholds(of account: Account.ID, _ look: (Household.ID) -> Bool) {
    memberships.visit(account, look)
  }

  /// The numbers of a household's entities of a kind, deleted ones too, ascending.
  func householdEntities(_ kind: EntityKind, of household: Household.ID) -> [Int32] {
    var numbers: [Int32] = []
    householdEntities[kind.index].visit(from: Self.keyPrefix(household)) { pair in
      guard pair &>> 32 == Self.keyPrefix(household) &>> 32 else { return false }
      numbers.append(Int32(truncatingIfNeeded: pair))
      return true
    }
    return numbers
  }

  private static func keyPrefix(_ household: Household.ID) -> UInt64 {
    UInt64(UInt32(bitPattern: household.number)) &<< 32
  }

  /// Moves an entity into a household, or out of one.
  mutating func move<Thing: HouseholdEntity>(
    _ number: EntityNumber<Thing>, from former: Household.ID?, to household: Household.ID?
  ) {
    guard former != household else { return }
    let low = UInt64(UInt32(bitPattern: number.number))
    if let former { householdEntities[Thing.kind.index].remove(Self.keyPrefix(former) | low) }
    if let household { householdEntities[Thing.kind.index].insert(Self.keyPrefix(household) | low) }
  }

  /// The open tasks of a household that are assigned to an account, in the order of their creation.
  func openHouseholdTasks(of household: Household.ID, assignedTo account: Account.ID)
    -> [HouseholdTask.ID]
  {
    var found: [HouseholdTask.ID] = []
    let first = AssignedHouseholdTask(assignee: account, household: household, householdTask: 0)
    openHouseholdTasks.visit(from: first) { entry in
      guard entry.assignee == account, entry.household == household else { return false }
      found.append(HouseholdTask.ID(unchecked: entry.householdTask))
      return true
    }
    return found
  }

  /// The meals that a household has planned on some days, by day, then in the order of their creation.
  func meals(of household: Household.ID, from first: Day, to last: Day) -> [Meal.ID] {
    var found: [Meal.ID] = []
    mealDays.visit(from: MealDay(household: household, date: first, meal: 0)) { entry in
      guard entry.household == household, entry.date <= last else { return false }
      found.append(Meal.ID(unchecked: entry.meal))
      return true
    }
    return found
  }

  /// The meals that are planned with a recipe, in the order of their creation.
  func meals(of recipe: Recipe.ID) -> [Meal.ID] { mealsOfRecipes[recipe] }

  /// The household with a code, expired or not.
  func household(ofCode code: String) -> Household.ID? {
    var found: Household.ID?
    codes.visit(from: HashedCode(code, .first)) { entry in
      if entry.text == code { found = Household.ID(unchecked: entry.household) }
      return false
    }
    return found
  }

  /// The events of a household's calendar with a UID, deleted ones too, in the order of creation.
  func calendarEvents(of uid: String, in household: Household.ID) -> [CalendarEvent.ID] {
    var found: [CalendarEvent.ID] = []
    calendarUIDs.visit(from: CalendarUID(household: household, uid: uid, event: 0)) { entry in
      guard entry.household == household, entry.uid == uid else { return false }
      found.append(CalendarEvent.ID(unchecked: entry.event))
      return true
    }
    return found
  }
}

/// An open task of a household, with its assignee.
private struct AssignedHouseholdTask: Comparable, Sendable {
  var assignee: Account.ID
  var household: Household.ID
  var householdTask: Int32

  static func < (left: Self, right: Self) -> Bool {
    (left.assignee, left.household, left.householdTask) < (
      right.assignee, right.household, right.householdTask
    )
  }
}

/// A planned meal, with its day.
private struct MealDay: Comparable, Sendable {
  var household: Household.ID
  var date: Day
  var meal: Int32

  static func < (left: Self, right: Self) -> Bool {
    (left.household, left.date, left.meal) < (right.household, right.date, right.meal)
  }
}

/// A calendar event, with its UID.
private struct CalendarUID: Comparable, Sendable {
  var household: Household.ID
  var uid: String
  var event: Int32

  static func < (left: Self, right: Self) -> Bool {
    (left.household, left.uid, left.event) < (right.household, right.uid, right.event)
  }
}

/// The household with a code. The hash is compared first, so that the time of a lookup does not reveal how close a
/// guess came.
private struct HashedCode: Comparable, Sendable {
  let hash: Int
  let text: String
  let household: Int32

  init(_ text: String, _ household: Household.ID) {
    (hash, self.text, self.household) = (text.hashValue, text, household.number)
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.hash != right.hash { return left.hash < right.hash }
    return (left.text, left.household) < (right.text, right.household)
  }
}

// MARK: The kinds

extension Household {
  /// The present and former members, and the code.
  struct IndexKeys: Equatable {
    var members: [Account.ID]
    var code: String?
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(members: members.map(\.account), code: code?.text)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    for account in former?.members ?? [] {
      state.indexes.households.memberships.remove(number, of: account)
    }
    for account in keys?.members ?? [] {
      state.indexes.households.memberships.insert(number, of: account)
    }
    if let code = former?.code { state.indexes.households.codes.remove(HashedCode(code, number)) }
    if let code = keys?.code { state.indexes.households.codes.insert(HashedCode(code, number)) }
  }
}

extension HouseholdTask {
  /// The household of a task, and the assignee while it is open.
  struct IndexKeys: Equatable {
    var household: Household.ID
    var assignee: Account.ID?
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(household: household, assignee: isDeleted || isComplete ? nil : assignee)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.households.move(number, from: former?.household, to: keys?.household)
    if let entry = former?.assigned(number) {
      state.indexes.households.openHouseholdTasks.remove(entry)
    }
    if let entry = keys?.assigned(number) {
      state.indexes.households.openHouseholdTasks.insert(entry)
    }
  }
}

extension HouseholdTask.IndexKeys {
  fileprivate func assigned(_ number: HouseholdTask.ID) -> AssignedHouseholdTask? {
    assignee.map {
      AssignedHouseholdTask(assignee: $0, household: household, householdTask: number.number)
    }
  }
}

/// The day and the recipe of a meal.
struct MealKeys: Equatable {
  var date: Day
  var recipe: Recipe.ID?
}

/// The household of an item; and for a meal, its day and recipe while it is planned.
struct HouseholdItemKeys: Equatable {
  var household: Household.ID
  var meal: MealKeys?

  fileprivate func day(_ number: Int32) -> MealDay? {
    meal.map { MealDay(household: household, date: $0.date, meal: number) }
  }
}

extension HouseholdItem where Content: StoredContent {
  func indexKeys(_ number: ID) -> HouseholdItemKeys {
    HouseholdItemKeys(household: household, meal: isDeleted ? nil : content.mealKeys)
  }

  static func reindex(
    _ number: ID, from former: HouseholdItemKeys?, to keys: HouseholdItemKeys?,
    in state: inout BookState
  ) {
    state.indexes.households.move(number, from: former?.household, to: keys?.household)
    guard former?.meal != keys?.meal else { return }
    let meal = Meal.ID(unchecked: number.number)
    if let entry = former?.day(number.number) { state.indexes.households.mealDays.remove(entry) }
    if let entry = keys?.day(number.number) { state.indexes.households.mealDays.insert(entry) }
    state.indexes.households.mealsOfRecipes.move(
      meal, from: former?.meal?.recipe, to: keys?.meal?.recipe)
  }
}

extension CalendarEvent {
  /// The household of a calendar event, and its UID.
  struct IndexKeys: Equatable {
    var household: Household.ID
    var uid: String

    fileprivate func entry(_ number: ID) -> CalendarUID {
      CalendarUID(household: household, uid: uid, event: number.number)
    }
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(household: household, uid: content.main?.uid ?? "")
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.households.move(number, from: former?.household, to: keys?.household)
    if let entry = former?.entry(number) { state.indexes.households.calendarUIDs.remove(entry) }
    if let entry = keys?.entry(number) { state.indexes.households.calendarUIDs.insert(entry) }
  }
}
