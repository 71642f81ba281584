import Avro

/// An entity that a state keeps in a table: what replay, snapshots and undo ask of every kind alike.
protocol KeptEntity: Entity, AvroRecord {
  /// By what the state's indexes find it.
  associatedtype IndexKeys: Equatable

  /// Where a state keeps the kind.
  static var table: WritableKeyPath<State, Table<Self>> { get }
  /// Whether it holds what every one of its kind has from its creation on, and what is asked for without a look.
  var isWhole: Bool { get }

  /// By what the indexes find it, as it is now. They hold nothing else of it, so that a book's past, a snapshot and an
  /// undo come to the same indexes.
  func indexKeys(_ number: EntityNumber<Self>) -> IndexKeys
  /// Takes what it was found by out of the indexes, and puts in what it is found by; nothing before it was there, and
  /// after it was taken back.
  static func reindex(
    _ number: EntityNumber<Self>, from former: IndexKeys?, to keys: IndexKeys?,
    in state: inout State)
}

extension KeptEntity {
  var isWhole: Bool { true }
}

extension State {
  /// Keeps what came to be: it gets the next number of its kind.
  ///
  /// Specialised for the kinds of which a book has most: a snapshot makes them one by one.
  @specialized(where Kept == Account)
  @specialized(where Kept == Habit)
  @specialized(where Kept == TaskItem)
  mutating func create<Kept: KeptEntity>(_ entity: Kept) {
    let number = self[keyPath: Kept.table].nextNumber
    Kept.reindex(number, from: nil, to: entity.indexKeys(number), in: &self)
    self[keyPath: Kept.table].append(entity)
  }

  /// Changes an entity in its place, and the indexes with it; a number that names none changes nothing.
  mutating func update<Kept: KeptEntity>(
    _ number: EntityNumber<Kept>, _ change: (inout Kept) -> Void
  ) {
    guard let place = self[keyPath: Kept.table].place(of: number) else { return }
    let former = self[keyPath: Kept.table].elements[place].indexKeys(number)
    change(&self[keyPath: Kept.table].elements[place])
    let keys = self[keyPath: Kept.table].elements[place].indexKeys(number)
    if former != keys { Kept.reindex(number, from: former, to: keys, in: &self) }
  }
}

/// What belongs to a household, and is found there by its kind.
protocol HouseholdBelonging: KeptEntity {
  static var kind: EntityKind { get }
}

extension EntityKind {
  /// What a state keeps of the kind.
  var type: any KeptEntity.Type {
    switch self {
    case .account: Account.self
    case .habit: Habit.self
    case .goal: Goal.self
    case .hive: Hive.self
    case .household: Household.self
    case .chore: Chore.self
    case .recipe: Recipe.self
    case .meal: Meal.self
    case .task: TaskItem.self
    case .label: TaskLabel.self
    case .list: GroceryList.self
    case .staple: Staple.self
    case .calendarEvent: CalendarEvent.self
    }
  }
}

// MARK: The kinds

extension Account: KeptEntity {
  static var table: WritableKeyPath<State, Table<Account>> { \.accounts }
}

extension Habit: KeptEntity {
  static var table: WritableKeyPath<State, Table<Habit>> { \.habits }
  var isWhole: Bool { !versions.isEmpty }
}

extension Goal: KeptEntity {
  static var table: WritableKeyPath<State, Table<Goal>> { \.goals }
}

extension Hive: KeptEntity {
  static var table: WritableKeyPath<State, Table<Hive>> { \.hives }
}

extension Household: KeptEntity {
  static var table: WritableKeyPath<State, Table<Household>> { \.households }
}

extension Chore: HouseholdBelonging {
  static var table: WritableKeyPath<State, Table<Chore>> { \.chores }
  static var kind: EntityKind { .chore }
}

extension Belonging: KeptEntity, HouseholdBelonging where Content: KeptContent {
  static var table: WritableKeyPath<State, Table<Belonging>> { Content.table }
  static var kind: EntityKind { Content.kind }
}

/// What something says that a household keeps, and where a state keeps the kind.
protocol KeptContent: BelongingContent {
  static var table: WritableKeyPath<State, Table<Belonging<Self>>> { get }
  static var kind: EntityKind { get }
  /// On which day it is and which recipe it takes, when it is a meal.
  var mealKeys: MealKeys? { get }
}

extension KeptContent {
  /// Most things are no meal.
  var mealKeys: MealKeys? { nil }
}

extension RecipeContent: KeptContent {
  static var table: WritableKeyPath<State, Table<Recipe>> { \.recipes }
  static var kind: EntityKind { .recipe }
}

extension MealContent: KeptContent {
  static var table: WritableKeyPath<State, Table<Meal>> { \.meals }
  static var kind: EntityKind { .meal }
  var mealKeys: MealKeys? { MealKeys(date: date, recipe: recipe) }
}

extension StapleContent: KeptContent {
  static var table: WritableKeyPath<State, Table<Staple>> { \.staples }
  static var kind: EntityKind { .staple }
}

extension GroceryList: HouseholdBelonging {
  static var table: WritableKeyPath<State, Table<GroceryList>> { \.lists }
  static var kind: EntityKind { .list }
}

extension CalendarEvent: HouseholdBelonging {
  static var table: WritableKeyPath<State, Table<CalendarEvent>> { \.calendarEvents }
  static var kind: EntityKind { .calendarEvent }
}

extension TaskItem: KeptEntity {
  static var table: WritableKeyPath<State, Table<TaskItem>> { \.tasks }
}

extension TaskLabel: KeptEntity {
  static var table: WritableKeyPath<State, Table<TaskLabel>> { \.labels }
}
