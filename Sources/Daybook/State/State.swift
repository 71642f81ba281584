/// What holds in a book after some prefix of its entries: everything that is shown is computed from it.
public struct State: Sendable {
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
  /// Whose which identity and which device is.
  public internal(set) var accountIndex = AccountIndex()
  /// Whose habits and goals are.
  var habitIndex = HabitIndex()

  /// The hives, deleted ones too.
  public internal(set) var hives = Table<Hive>()
  /// Who is in which hive, and which code leads where.
  var hiveIndex = HiveIndex()

  /// The households, deleted ones too.
  public internal(set) var households = Table<Household>()
  /// The households' tasks, deleted ones too.
  public internal(set) var chores = Table<Chore>()
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
  public internal(set) var staples = Table<Staple>()
  /// What is in the households' calendars, deleted events too.
  public internal(set) var calendarEvents = Table<CalendarEvent>()
  /// Who is in which household, and what belongs to which.
  var householdIndex = HouseholdIndex()
  /// Whose tasks and labels are.
  var taskIndex = TaskIndex()
  /// The book as it is now, when this is a past of it that members look at.
  var present: Present?

  /// Before the first entry.
  public init() {}

  /// A part of a state: one habit and its owner, from the entries that touch them, oldest first. What is asked
  /// of the habit is answered as in the whole state.
  public init(of habit: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry]) {
    accounts = Table(leavingOut: owner.index)
    habits = Table(leavingOut: habit.index)
    for entry in entries { apply(entry) }
  }
}

extension State: Projection {
  /// Applies an entry: total and pure, whatever the entry says.
  public mutating func apply(_ entry: Entry) {
    let head = entry.head
    position = head.position
    at = head.at
    switch entry.event {
    case .accountCreated(let event): apply(event, at: head.at)
    case .profileChanged(let event): apply(event, at: head.at)
    case .dayClockChanged(let event): apply(event, at: head.at)
    case .accountPaused(let event): apply(event, at: head.at)
    case .accountResumed(let event): apply(event)
    case .habitCreated(let event): apply(event, at: head.at)
    case .habitDescribed(let event): apply(event, at: head.at)
    case .habitScheduleChanged(let event): apply(event, at: head.at)
    case .habitTargetChanged(let event): apply(event, at: head.at)
    case .habitRemindersChanged(let event): apply(event, at: head.at)
    case .habitArchived(let event): apply(event, at: head.at)
    case .habitRestored(let event): apply(event, at: head.at)
    case .habitDeleted(let event): apply(event, at: head.at)
    case .habitLogged(let event): apply(event, head)
    case .habitLogCleared(let event): apply(event)
    case .habitDaySkipped(let event): apply(event, at: head.at)
    case .focusChosen(let event): apply(event, at: head.at)
    case .goalCreated(let event): apply(event, at: head.at)
    case .goalDescribed(let event): apply(event, at: head.at)
    case .goalDeleted(let event): apply(event, at: head.at)
    case .habitAttached(let event): apply(event, at: head.at)
    case .habitDetached(let event): apply(event, at: head.at)
    case .accountErased(let event): apply(event, at: head.at)
    case .hiveCreated(let event): apply(event, at: head.at)
    case .hiveDescribed(let event): apply(event, at: head.at)
    case .hiveHandedOver(let event): apply(event, at: head.at)
    case .hiveDeleted(let event): apply(event, at: head.at)
    case .hiveJoined(let event): apply(event, at: head.at)
    case .hiveLeft(let event): apply(event, at: head.at)
    case .hiveHabitLinked(let event): apply(event)
    case .hiveInviteCreated(let event): apply(event, head)
    case .hiveInviteRevoked(let event): apply(event, at: head.at)
    case .hiveDayLogged(let event): apply(event, at: head.at)
    case .hiveDayCleared(let event): apply(event)
    case .hiveAdvanced(let event): apply(event)
    case .hiveBroken(let event): apply(event)
    case .identityLinked(let event): apply(event, at: head.at)
    case .identityVerified(let event): apply(event, at: head.at)
    case .identityUnlinked(let event): apply(event)
    case .deviceRegistered(let event): apply(event, at: head.at)
    case .deviceUnregistered(let event): apply(event)
    case .contactsUploaded(let event): apply(event, at: head.at)
    case .contactsRemoved(let event): apply(event)
    case .birthdayChanged(let event): apply(event, at: head.at)
    case .notificationsChanged(let event): apply(event, at: head.at)
    case .accountOnboarded(let event): apply(event, at: head.at)
    case .householdCreated(let event): apply(event, at: head.at)
    case .householdRenamed(let event): apply(event, at: head.at)
    case .householdJoined(let event): apply(event, at: head.at)
    case .householdLeft(let event): apply(event, at: head.at)
    case .householdDeleted(let event): apply(event, at: head.at)
    case .choreCreated(let event): apply(event, at: head.at)
    case .choreDescribed(let event): apply(event, at: head.at)
    case .choreAssigned(let event): apply(event, at: head.at)
    case .choreCompleted(let event): apply(event, head)
    case .choreReopened(let event): apply(event, at: head.at)
    case .choreDeleted(let event): apply(event, at: head.at)
    case .recipeCreated(let event): apply(event, at: head.at)
    case .recipeDescribed(let event): apply(event, at: head.at)
    case .recipeDeleted(let event): apply(event, at: head.at)
    case .mealPlanned(let event): apply(event, at: head.at)
    case .mealChanged(let event): apply(event, at: head.at)
    case .mealRemoved(let event): apply(event, at: head.at)
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .taskCompleted, .taskReopened, .taskOccurrenceCompleted,
      .taskOccurrenceReopened, .labelCreated, .labelDescribed, .labelDeleted, .labelRestored:
      apply(task: entry.event, head)
    case .groceryListCreated(let event): apply(event, at: head.at)
    case .groceryListGenerated(let event): apply(event, at: head.at)
    case .groceryItemAdded(let event): apply(event, at: head.at)
    case .groceryItemDescribed(let event): apply(event, at: head.at)
    case .groceryItemMarked(let event): apply(event, at: head.at)
    case .stapleAdded(let event): apply(event, at: head.at)
    case .stapleDescribed(let event): apply(event, at: head.at)
    case .stapleRemoved(let event): apply(event, at: head.at)
    case .calendarEventCreated(let event): apply(event, at: head.at)
    case .calendarEventChanged(let event): apply(event, at: head.at)
    case .calendarEventDeleted(let event): apply(event, at: head.at)
    }
  }
}
