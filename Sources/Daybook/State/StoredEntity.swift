public import Kitchen
import Avro

/// An entity that a state keeps in a table: the requirements that replay, snapshots and rollback have for every kind.
protocol StoredEntity: Entity, AvroRecord {
  /// The keys by which the state's indexes find it.
  associatedtype IndexKeys: Equatable

  static var kind: EntityKind { get }
  /// The state's table of the kind.
  static var table: WritableKeyPath<BookState, Table<Self>> { get }
  /// Whether it has everything that its kind has from creation on, and that is read without a check.
  var isWhole: Bool { get }

  /// The keys by which the indexes find it in its present state. The indexes depend on nothing else, so that replay, a
  /// snapshot and a rollback give the same indexes.
  func indexKeys(_ number: EntityNumber<Self>) -> IndexKeys
  /// Replaces the entity's former index keys by new ones; there are none before it exists, and after it was rolled
  /// back.
  static func reindex(
    _ number: EntityNumber<Self>, from former: IndexKeys?, to keys: IndexKeys?,
    in state: inout BookState)
}

extension StoredEntity {
  var isWhole: Bool { true }
}

extension BookState {
  /// Adds the entity that an event creates.
  mutating func apply<Record: CreationEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Created: StoredEntity {
    create(event.created(head))
  }

  /// Applies an event to the entity that it changes, and to nothing else.
  mutating func apply<Record: ChangeEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Changed: StoredEntity {
    if Record.mayMoveInIndexes {
      update(event.changed) { event.change(&$0, head) }
    } else {
      self[keyPath: Record.Changed.table].update(event.changed) { event.change(&$0, head) }
    }
  }

  /// Adds a new entity: it gets the next number of its kind.
  ///
  /// Specialised for the most frequent kinds: a snapshot adds them one by one.
  @specialized(where Stored == Account)
  @specialized(where Stored == Habit)
  @specialized(where Stored == TaskItem)
  mutating func create<Stored: StoredEntity>(_ entity: Stored) {
    let number = self[keyPath: Stored.table].nextNumber
    Stored.reindex(number, from: nil, to: entity.indexKeys(number), in: &self)
    self[keyPath: Stored.table].append(entity)
  }

  /// Changes an entity in place, and updates the indexes; an unknown number changes nothing.
  mutating func update<Stored: StoredEntity>(
    _ number: EntityNumber<Stored>, _ change: (inout Stored) -> Void
  ) {
    guard let place = self[keyPath: Stored.table].place(of: number) else { return }
    let former = self[keyPath: Stored.table].elements[place].indexKeys(number)
    change(&self[keyPath: Stored.table].elements[place])
    let keys = self[keyPath: Stored.table].elements[place].indexKeys(number)
    if former != keys { Stored.reindex(number, from: former, to: keys, in: &self) }
  }
}

/// An entity that belongs to a household, where it is found by its kind.
protocol HouseholdEntity: ChangeableThing {}

extension EntityKind {
  /// The type that a state stores for the kind.
  var type: any StoredEntity.Type {
    switch self {
    case .account: Account.self
    case .habit: Habit.self
    case .goal: Goal.self
    case .hive: Hive.self
    case .household: Household.self
    case .householdTask: HouseholdTask.self
    case .recipe: Recipe.self
    case .meal: Meal.self
    case .task: TaskItem.self
    case .label: TaskLabel.self
    case .list: GroceryList.self
    case .pantryStaple: PantryStaple.self
    case .calendarEvent: CalendarEvent.self
    case .activity: PostedActivity.self
    }
  }
}

// MARK: The kinds

extension Account: StoredEntity {
  static var kind: EntityKind { .account }
  static var table: WritableKeyPath<BookState, Table<Account>> { \.accounts }
}

extension Habit: StoredEntity {
  static var kind: EntityKind { .habit }
  static var table: WritableKeyPath<BookState, Table<Habit>> { \.habits }
  var isWhole: Bool { !versions.isEmpty }
}

extension Goal: StoredEntity {
  static var kind: EntityKind { .goal }
  static var table: WritableKeyPath<BookState, Table<Goal>> { \.goals }
}

extension Hive: StoredEntity {
  static var kind: EntityKind { .hive }
  static var table: WritableKeyPath<BookState, Table<Hive>> { \.hives }
}

extension Household: StoredEntity {
  static var kind: EntityKind { .household }
  static var table: WritableKeyPath<BookState, Table<Household>> { \.households }
}

extension HouseholdTask: HouseholdEntity {
  static var table: WritableKeyPath<BookState, Table<HouseholdTask>> { \.householdTasks }
  static var kind: EntityKind { .householdTask }
  static var column: StaticString { "task" }
}

extension HouseholdItem: StoredEntity, ChangeableThing, HouseholdEntity
where Content: StoredContent {
  static var table: WritableKeyPath<BookState, Table<HouseholdItem>> { Content.table }
  static var kind: EntityKind { Content.kind }
  static var column: StaticString { Content.column }
}

/// The content of a household's item, with the state's table of the kind.
protocol StoredContent: HouseholdItemContent {
  static var table: WritableKeyPath<BookState, Table<HouseholdItem<Self>>> { get }
  static var kind: EntityKind { get }
  /// The column by which commands name an item.
  static var column: StaticString { get }
  /// The day and the recipe of a meal.
  var mealKeys: MealKeys? { get }
}

extension StoredContent {
  /// Most items are not meals.
  var mealKeys: MealKeys? { nil }
}

extension RecipeContent: StoredContent {
  static var table: WritableKeyPath<BookState, Table<Recipe>> { \.recipes }
  static var kind: EntityKind { .recipe }
  static var column: StaticString { "recipe" }
}

extension MealContent: StoredContent {
  static var table: WritableKeyPath<BookState, Table<Meal>> { \.meals }
  static var kind: EntityKind { .meal }
  static var column: StaticString { "meal" }
  var mealKeys: MealKeys? { MealKeys(date: date, recipe: recipe) }
}

extension PantryStapleContent: StoredContent {
  static var table: WritableKeyPath<BookState, Table<PantryStaple>> { \.pantryStaples }
  static var kind: EntityKind { .pantryStaple }
  static var column: StaticString { "staple" }
}

extension GroceryList: HouseholdEntity {
  static var table: WritableKeyPath<BookState, Table<GroceryList>> { \.lists }
  static var kind: EntityKind { .list }
  static var column: StaticString { "list" }
}

extension CalendarEvent: HouseholdEntity {
  static var table: WritableKeyPath<BookState, Table<CalendarEvent>> { \.calendarEvents }
  static var kind: EntityKind { .calendarEvent }
  static var column: StaticString { "event" }
}

extension TaskItem: StoredEntity {
  static var kind: EntityKind { .task }
  static var table: WritableKeyPath<BookState, Table<TaskItem>> { \.tasks }
}

extension TaskLabel: StoredEntity {
  static var kind: EntityKind { .label }
  static var table: WritableKeyPath<BookState, Table<TaskLabel>> { \.labels }
}

extension PostedActivity: StoredEntity {
  static var kind: EntityKind { .activity }
  static var table: WritableKeyPath<BookState, Table<PostedActivity>> { \.activities }
}
