public import Kitchen
import Avro

/// An entity that a state keeps in a table: what replay, snapshots and rollback ask of every kind alike.
protocol StoredEntity: Entity, AvroRecord {
  /// By what the state's indexes find it.
  associatedtype IndexKeys: Equatable

  static var kind: EntityKind { get }
  /// Where a state keeps the kind.
  static var table: WritableKeyPath<BookState, Table<Self>> { get }
  /// Whether it holds what every one of its kind has from its creation on, and what is asked for without a look.
  var isWhole: Bool { get }

  /// By what the indexes find it, as it is now. They hold nothing else of it, so that a book's past, a snapshot and
  /// a rollback come to the same indexes.
  func indexKeys(_ number: EntityNumber<Self>) -> IndexKeys
  /// Takes what it was found by out of the indexes, and puts in what it is found by; nothing before it was there, and
  /// after it was rolled back.
  static func reindex(
    _ number: EntityNumber<Self>, from former: IndexKeys?, to keys: IndexKeys?,
    in state: inout BookState)
}

extension StoredEntity {
  var isWhole: Bool { true }
}

extension BookState {
  /// Keeps what an event creates.
  mutating func apply<Record: CreationEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Created: StoredEntity {
    create(event.created(head))
  }

  /// Has an event change what it is about, and nothing else.
  mutating func apply<Record: ChangeEvent>(
    _ event: Record, _ head: EntryHead
  ) where Record.Changed: StoredEntity {
    if Record.mayMoveInIndexes {
      update(event.changed) { event.change(&$0, head) }
    } else {
      self[keyPath: Record.Changed.table].update(event.changed) { event.change(&$0, head) }
    }
  }

  /// Keeps what came to be: it gets the next number of its kind.
  ///
  /// Specialised for the kinds of which a book has most: a snapshot makes them one by one.
  @specialized(where Stored == Account)
  @specialized(where Stored == Habit)
  @specialized(where Stored == TaskItem)
  mutating func create<Stored: StoredEntity>(_ entity: Stored) {
    let number = self[keyPath: Stored.table].nextNumber
    Stored.reindex(number, from: nil, to: entity.indexKeys(number), in: &self)
    self[keyPath: Stored.table].append(entity)
  }

  /// Changes an entity in its place, and the indexes with it; a number that names none changes nothing.
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

/// What belongs to a household, and is found there by its kind.
protocol HouseholdEntity: ChangeableThing {}

extension EntityKind {
  /// What a state keeps of the kind.
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

/// The content of a household's item, and where a state keeps the kind.
protocol StoredContent: HouseholdItemContent {
  static var table: WritableKeyPath<BookState, Table<HouseholdItem<Self>>> { get }
  static var kind: EntityKind { get }
  /// The column by which commands name an item.
  static var column: StaticString { get }
  /// On which day it is and which recipe it takes, when it is a meal.
  var mealKeys: MealKeys? { get }
}

extension StoredContent {
  /// Most things are no meal.
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
