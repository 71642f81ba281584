public import Values
import Avro

/// The kinds of entities that a book numbers, by their names in the schema. An index stores their order: new ones are
/// added at the end.
public enum EntityKind: String, CaseIterable, Sendable {
  case account = "account-number"
  case habit = "habit-number"
  case goal = "goal-number"
  case hive = "hive-number"
  case household = "household-number"
  case householdTask = "chore-number"
  case recipe = "recipe-number"
  case meal = "meal-number"
  case task = "task-number"
  case label = "label-number"
  case list = "list-number"
  case pantryStaple = "staple-number"
  case calendarEvent = "calendar-event-number"
  case activity = "activity-number"

  /// "account", "habit", "goal" and so on.
  public var word: String {
    String(rawValue.dropLast("-number".count)).replacing("-", with: " ")
  }

  /// The type that a state stores for the kind. It says all else that depends on the kind (``StoredEntity``).
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

  /// The name of the table whose rows are the entities of the kind: it is the first of the kind's tables.
  package var tableName: String? { type.tables(of: BookState()).first?.name }

  /// The place among the kinds, from 0: Swift represents an enum without values by the place of its case.
  public var index: Int { withUnsafeBytes(of: self) { Int($0[0]) } }

  /// Whether several people share an entity of the kind: members see it and act on it. Other kinds have one owner.
  public var isShared: Bool { type.isShared }

  /// The rejection of a key that names no entity of this kind.
  var notFound: Rejection { type.notFound }

  /// The kind of a type of entities.
  init?<Thing: Entity>(of type: Thing.Type) { self.init(rawValue: type.entityName.description) }

  /// The kind that each type of event creates, if it creates one, in the order of the types' numbers.
  package static let createdByTypes: [EntityKind?] = Event.types.map { type in
    guard case .new(let kind, _, _) = type.placeholder.subject else { return nil }
    return kind
  }

  /// The kind and key of what an event creates.
  public static func created(by event: Event) -> (kind: EntityKind, key: Key)? {
    guard case .new(let kind, let key, _) = event.subject else { return nil }
    return (kind, key)
  }
}
