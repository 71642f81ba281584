public import Calendar
public import Avro

/// What a snapshot says of a state besides its entities: as of which entry it is, and how many there are.
public struct StateHead: AvroRecord, Hashable {
  /// The position of the last entry applied.
  public var position: Int64 = 0
  /// When it was recorded.
  public var at: Instant = .placeholder
  /// How many accounts there are.
  public var accounts: Int32 = 0
  /// How many habits there are, deleted ones too.
  public var habits: Int32 = 0
  /// How many goals there are, deleted ones too.
  public var goals: Int32 = 0
  /// How many hives there are, deleted ones too.
  public var hives: Int32 = 0
  /// How many households there are, deleted ones too.
  package var households: Int32 = 0
  /// How many household tasks there are, deleted ones too.
  package var householdTasks: Int32 = 0
  /// How many recipes there are, deleted ones too.
  package var recipes: Int32 = 0
  /// How many planned meals there are, those taken off the plan too.
  package var meals: Int32 = 0
  /// How many tasks there are, deleted ones too.
  public var tasks: Int32 = 0
  /// How many labels of tasks there are, deleted ones too.
  public var labels: Int32 = 0
  /// How many grocery lists there are.
  public var lists: Int32 = 0
  /// How many pantry staples there are, those kept no more too.
  package var pantryStaples: Int32 = 0
  /// How many calendar events there are, deleted ones too.
  package var calendarEvents: Int32 = 0
  /// How many posted activities there are, hidden ones too.
  package var activities: Int32 = 0

  public static var recordName: String { "State" }
  public static var placeholder: StateHead { StateHead() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("position", &position, [.doc("the last entry that it takes into account")])
    try visitor.visit("at", &at, [.doc("when that was recorded")])
    try visitor.visit("accounts", &accounts, [.doc("how many accounts follow, by number")])
    try visitor.visit("habits", &habits, [.doc("how many habits follow, by number")])
    try visitor.visit("goals", &goals, [.doc("how many goals follow, by number")])
    try visitor.visit("hives", &hives, [.doc("how many hives follow, by number")])
    try visitor.visit(
      "households", &households, [.doc("how many households follow, by number")])
    try visitor.visit(
      "chores", &householdTasks, [.doc("how many household tasks follow, by number")])
    try visitor.visit("recipes", &recipes, [.doc("how many recipes follow, by number")])
    try visitor.visit("meals", &meals, [.doc("how many planned meals follow, by number")])
    try visitor.visit("tasks", &tasks, [.doc("how many tasks follow, by number")])
    try visitor.visit("labels", &labels, [.doc("how many labels follow, by number")])
    try visitor.visit("lists", &lists, [.doc("how many grocery lists follow, by number")])
    try visitor.visit("staples", &pantryStaples, [.doc("how many staples follow, by number")])
    try visitor.visit(
      "calendar_events", &calendarEvents, [.doc("how many calendar events follow, by number")])
    try visitor.visit(
      "activities", &activities, [.doc("how many posted activities follow, by number")])
  }
}

extension BookState {
  /// What a snapshot says of the state besides its entities.
  public var head: StateHead {
    StateHead(
      position: position, at: at, accounts: Int32(clamping: accounts.elements.count),
      habits: Int32(clamping: habits.elements.count), goals: Int32(clamping: goals.elements.count),
      hives: Int32(clamping: hives.elements.count),
      households: Int32(clamping: households.elements.count),
      householdTasks: Int32(clamping: householdTasks.elements.count),
      recipes: Int32(clamping: recipes.elements.count),
      meals: Int32(clamping: meals.elements.count),
      tasks: Int32(clamping: tasks.elements.count), labels: Int32(clamping: labels.elements.count),
      lists: Int32(clamping: lists.elements.count),
      pantryStaples: Int32(clamping: pantryStaples.elements.count),
      calendarEvents: Int32(clamping: calendarEvents.elements.count),
      activities: Int32(clamping: activities.elements.count))
  }

  /// Raised when ``apply(_:)`` comes to mean something else, or days are packed otherwise: snapshots of the
  /// old meaning are then passed over and made anew. `StateVersionTests` fails when it was forgotten.
  public static let version: Int32 = 8
}
