public import Calendar
public import Avro

/// The part of a snapshot that is not an entity: the position of the state, and the numbers of entities.
public struct StateHead: AvroRecord, Hashable {
  /// The position of the last entry applied.
  public var position: Int64 = 0
  /// When it was recorded.
  public var at: Instant = .placeholder
  /// The number of accounts.
  public var accounts: Int32 = 0
  /// The number of habits, deleted ones too.
  public var habits: Int32 = 0
  /// The number of goals, deleted ones too.
  public var goals: Int32 = 0
  /// The number of hives, deleted ones too.
  public var hives: Int32 = 0
  /// The number of households, deleted ones too.
  package var households: Int32 = 0
  /// The number of household tasks, deleted ones too.
  package var householdTasks: Int32 = 0
  /// The number of recipes, deleted ones too.
  package var recipes: Int32 = 0
  /// The number of planned meals, removed ones too.
  package var meals: Int32 = 0
  /// The number of tasks, deleted ones too.
  public var tasks: Int32 = 0
  /// The number of labels of tasks, deleted ones too.
  public var labels: Int32 = 0
  /// The number of grocery lists.
  public var lists: Int32 = 0
  /// The number of pantry staples, removed ones too.
  package var pantryStaples: Int32 = 0
  /// The number of calendar events, deleted ones too.
  package var calendarEvents: Int32 = 0
  /// The number of posted activities, hidden ones too.
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
  /// The head of the state's snapshot.
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

  /// The version of the state's meaning. It is raised when the effect of ``apply(_:)`` changes, or when days are packed
  /// in another way: older snapshots are then ignored and made anew. `StateVersionTests` fails when that was forgotten.
  public static let version: Int32 = 8
}
