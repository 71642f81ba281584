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

  /// The place among the kinds, from 0.
  public var index: Int {
    switch self {
    case .account: 0
    case .habit: 1
    case .goal: 2
    case .hive: 3
    case .household: 4
    case .householdTask: 5
    case .recipe: 6
    case .meal: 7
    case .task: 8
    case .label: 9
    case .list: 10
    case .pantryStaple: 11
    case .calendarEvent: 12
    case .activity: 13
    }
  }

  /// Whether several people share an entity of the kind: members see it and act on it. Other kinds have one owner.
  public var isShared: Bool {
    switch self {
    case .account, .habit, .goal, .task, .label, .activity: false
    case .hive, .household, .householdTask, .recipe, .meal, .list, .pantryStaple, .calendarEvent:
      true
    }
  }

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
