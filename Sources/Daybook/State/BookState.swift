public import Calendar

/// The state of a book after a prefix of its entries: everything that is shown is computed from it.
public struct BookState: Sendable {
  /// The position of the last entry applied; 0 before the first.
  public internal(set) var position: Int64 = 0
  /// When the last entry was recorded.
  public internal(set) var at: Instant = .first
  /// The people.
  public internal(set) var accounts = Table<Account>()
  /// The habits, deleted ones too.
  public internal(set) var habits = Table<Habit>()
  /// The goals, deleted ones too.
  public internal(set) var goals = Table<Goal>()
  /// The hives, deleted ones too.
  public internal(set) var hives = Table<Hive>()
  /// The households, deleted ones too.
  public internal(set) var households = Table<Household>()
  /// The households' tasks, deleted ones too.
  public internal(set) var householdTasks = Table<HouseholdTask>()
  /// The households' recipes, deleted ones too.
  public internal(set) var recipes = Table<Recipe>()
  /// The meals that households planned, removed ones too.
  public internal(set) var meals = Table<Meal>()
  /// The tasks, deleted ones too.
  public internal(set) var tasks = Table<TaskItem>()
  /// The labels of tasks, deleted ones too.
  public internal(set) var labels = Table<TaskLabel>()
  /// The households' grocery lists.
  public internal(set) var lists = Table<GroceryList>()
  /// The households' pantry staples, removed ones too.
  public internal(set) var pantryStaples = Table<PantryStaple>()
  /// The events in the households' calendars, deleted ones too.
  public internal(set) var calendarEvents = Table<CalendarEvent>()
  /// The activities that clients posted, hidden ones too.
  public internal(set) var activities = Table<PostedActivity>()
  /// The indexes, derived from all of these.
  package internal(set) var indexes: Indexes {
    _read { yield sharedIndexes.value }
    _modify { yield &sharedIndexes.value }
  }
  private var sharedIndexes = CopyOnWrite(Indexes())
  /// The book as it is now, when this is a past state that is queried.
  var present: PresentState?

  /// The state before the first entry.
  public init() {}

  /// A partial state: one habit and its owner, from the entries that touch them, oldest first. Queries about the habit
  /// give the same answers as in the whole state.
  public init(of habit: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry]) {
    accounts = Table(leavingOut: owner.index)
    habits = Table(leavingOut: habit.index)
    for entry in entries { apply(entry) }
  }

  /// A partial state before the first entry: it will hold only some entities, once the entries that touch them are
  /// applied in order. Queries about those give the same answers as in the whole state, as long as they look at nothing
  /// else.
  package init(only aggregates: some Sequence<Aggregate>) {
    var numbers: [EntityKind: [Int32]] = [:]
    for aggregate in Set(aggregates).sorted() {
      numbers[aggregate.kind, default: []].append(aggregate.number)
    }
    for kind in EntityKind.allCases { kind.type.keep(only: numbers[kind] ?? [], in: &self) }
  }
}

extension StoredEntity {
  fileprivate static func keep(only numbers: [Int32], in state: inout BookState) {
    state[keyPath: table] = Table(only: numbers)
  }
}

extension BookState: Projection {
  /// Applies an entry. It is total and pure, whatever the entry holds.
  public mutating func apply(_ entry: Entry) {
    let head = entry.head
    position = head.position
    at = head.at
    apply(entry.event, head)
  }
}
