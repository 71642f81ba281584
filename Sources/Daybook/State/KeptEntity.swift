import Avro

/// An entity that a state keeps in a table: what replay, snapshots and undo ask of every kind alike.
protocol KeptEntity: Entity, AvroRecord {
  /// Where a state keeps the kind.
  static var table: WritableKeyPath<State, Table<Self>> { get }
  /// Whether it holds what every one of its kind has from its creation on, and what is asked for without a look.
  var isWhole: Bool { get }

  /// Notes what it holds in the state's indexes, and that it is there.
  func note(_ number: EntityNumber<Self>, in state: inout State)
  /// Takes out of the indexes what it holds beyond what it held before; nothing before it was there.
  func takeBack(_ number: EntityNumber<Self>, to before: Self?, in state: inout State)
}

extension KeptEntity {
  var isWhole: Bool { true }
  /// Most entities are looked up by number and key alone.
  func note(_ number: EntityNumber<Self>, in state: inout State) {}
  /// Most entities are looked up by number and key alone.
  func takeBack(_ number: EntityNumber<Self>, to before: Self?, in state: inout State) {}
}

/// What belongs to a household, and is found there by its kind.
protocol HouseholdBelonging: KeptEntity {
  static var kind: EntityKind { get }
}

extension HouseholdBelonging {
  func note(_ number: EntityNumber<Self>, in state: inout State) {
    state.householdIndex.note(number, Self.kind, of: home)
  }

  func takeBack(_ number: EntityNumber<Self>, to before: Self?, in state: inout State) {
    if before == nil { state.householdIndex.takeBack(Self.kind, of: home) }
  }
}

extension State {
  /// Keeps what came to be: it gets the next number of its kind.
  mutating func create<Kept: KeptEntity>(_ entity: Kept) {
    entity.note(self[keyPath: Kept.table].nextNumber, in: &self)
    self[keyPath: Kept.table].append(entity, key: entity.key)
  }
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

  func note(_ number: ID, in state: inout State) { state.accountIndex.note(self, number) }

  func takeBack(_ number: ID, to before: Account?, in state: inout State) {
    state.accountIndex.forget(self, number)
    if let before { state.accountIndex.note(before, number) }
  }
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

  func note(_ number: ID, in state: inout State) { state.hiveIndex.note(self, number) }

  func takeBack(_ number: ID, to before: Hive?, in state: inout State) {
    state.hiveIndex.takeBack(self, to: before, number)
  }
}

extension Household: KeptEntity {
  static var table: WritableKeyPath<State, Table<Household>> { \.households }

  func note(_ number: ID, in state: inout State) { state.householdIndex.note(self, number) }

  func takeBack(_ number: ID, to before: Household?, in state: inout State) {
    state.householdIndex.takeBack(self, to: before, number)
  }
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
}

extension RecipeContent: KeptContent {
  static var table: WritableKeyPath<State, Table<Recipe>> { \.recipes }
  static var kind: EntityKind { .recipe }
}

extension MealContent: KeptContent {
  static var table: WritableKeyPath<State, Table<Meal>> { \.meals }
  static var kind: EntityKind { .meal }
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

  func note(_ number: ID, in state: inout State) { state.taskIndex.note(number, of: owner) }

  func takeBack(_ number: ID, to before: TaskItem?, in state: inout State) {
    if before == nil { state.taskIndex.takeBackTask(of: owner) }
  }
}

extension TaskLabel: KeptEntity {
  static var table: WritableKeyPath<State, Table<TaskLabel>> { \.labels }

  func note(_ number: ID, in state: inout State) { state.taskIndex.note(number, of: owner) }

  func takeBack(_ number: ID, to before: TaskLabel?, in state: inout State) {
    if before == nil { state.taskIndex.takeBackLabel(of: owner) }
  }
}
