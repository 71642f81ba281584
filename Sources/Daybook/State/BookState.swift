public import Calendar

/// What holds in a book after some prefix of its entries: everything that is shown is computed from it.
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
  /// The meals that households planned, those taken off the plan too.
  public internal(set) var meals = Table<Meal>()
  /// The tasks, deleted ones too.
  public internal(set) var tasks = Table<TaskItem>()
  /// The labels of tasks, deleted ones too.
  public internal(set) var labels = Table<TaskLabel>()
  /// The households' grocery lists.
  public internal(set) var lists = Table<GroceryList>()
  /// What the households keep at home, and what they keep no more.
  public internal(set) var pantryStaples = Table<PantryStaple>()
  /// What is in the households' calendars, deleted events too.
  public internal(set) var calendarEvents = Table<CalendarEvent>()
  /// The activities that clients posted, hidden ones too.
  public internal(set) var activities = Table<PostedActivity>()
  /// What is found again from all of these.
  package internal(set) var indexes: Indexes {
    _read { yield sharedIndexes.value }
    _modify { yield &sharedIndexes.value }
  }
  private var sharedIndexes = Shared(Indexes())
  /// The book as it is now, when this is a past of it that members look at.
  var present: PresentState?

  /// Before the first entry.
  public init() {}

  /// A part of a state: one habit and its owner, from the entries that touch them, oldest first. What is asked
  /// of the habit is answered as in the whole state.
  public init(of habit: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry]) {
    accounts = Table(leavingOut: owner.index)
    habits = Table(leavingOut: habit.index)
    for entry in entries { apply(entry) }
  }

  /// A part of a state, before the first entry: some things and nothing else, once the entries that touch them are applied
  /// in their order. What is asked of them is answered as in the whole state, as far as nothing else is looked at.
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
  /// Applies an entry: total and pure, whatever the entry says.
  public mutating func apply(_ entry: Entry) {
    let head = entry.head
    position = head.position
    at = head.at
    apply(entry.event, head)
  }
}
