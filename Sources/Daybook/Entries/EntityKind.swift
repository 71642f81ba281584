public import Values
import Avro

/// The kinds of things that a book numbers, by their names in the schema. Their order is that of an index:
/// new ones go to the end.
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

  /// Whether several people share one: members see it and act on it. Others have one owner.
  public var isShared: Bool {
    switch self {
    case .account, .habit, .goal, .task, .label, .activity: false
    case .hive, .household, .householdTask, .recipe, .meal, .list, .pantryStaple, .calendarEvent:
      true
    }
  }

  /// What each type of event creates, if it creates something, in the order of their numbers.
  package static let createdByTypes: [EntityKind?] = Event.types.map { type in
    guard case .new(let kind, _, _) = type.placeholder.subject else { return nil }
    return kind
  }

  /// What an event creates.
  public static func created(by event: Event) -> (kind: EntityKind, key: Key)? {
    guard case .new(let kind, let key, _) = event.subject else { return nil }
    return (kind, key)
  }
}
