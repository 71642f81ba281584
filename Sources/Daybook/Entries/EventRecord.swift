public import Values
package import Avro

/// What is kept of one type of event: a fact about one thing (design, "One action").
package protocol EventRecord: AvroRecord, Hashable {
  /// The one thing that it changes or creates.
  var subject: Subject { get }
  /// The household in which it creates something, if it does.
  var home: Household.ID? { get }
}

/// The one thing that an event is about.
public enum Subject: Hashable, Sendable {
  /// It changes what is there.
  case aggregate(Aggregate)
  /// It creates the next one of its kind, under a key, for its owner (an account has none).
  case new(EntityKind, key: Key, owner: Account.ID?)

  /// It changes an account.
  public static func account(_ id: Account.ID) -> Subject { .aggregate(.account(id)) }
  /// It changes a habit.
  public static func habit(_ id: Habit.ID) -> Subject { .aggregate(.habit(id)) }
  /// It changes a goal.
  package static func goal(_ id: Goal.ID) -> Subject { .aggregate(.goal(id)) }
  /// It changes a hive.
  public static func hive(_ id: Hive.ID) -> Subject { .aggregate(.hive(id)) }
  /// It changes a household.
  public static func household(_ id: Household.ID) -> Subject { .aggregate(.household(id)) }
  /// It changes a household's task.
  package static func householdTask(_ id: HouseholdTask.ID) -> Subject {
    .aggregate(.householdTask(id))
  }
  /// It changes a recipe.
  public static func recipe(_ id: Recipe.ID) -> Subject { .aggregate(.recipe(id)) }
  /// It changes a planned meal.
  package static func meal(_ id: Meal.ID) -> Subject { .aggregate(.meal(id)) }
  /// It changes a task.
  public static func task(_ id: TaskItem.ID) -> Subject { .aggregate(.task(id)) }
  /// It changes a label of tasks.
  package static func label(_ id: TaskLabel.ID) -> Subject { .aggregate(.label(id)) }
  /// It changes a grocery list.
  public static func list(_ id: GroceryList.ID) -> Subject { .aggregate(.list(id)) }
  /// It changes what a household keeps at home.
  package static func pantryStaple(_ id: PantryStaple.ID) -> Subject {
    .aggregate(.pantryStaple(id))
  }

  /// The kind of what is changed or created.
  package var kind: EntityKind {
    switch self {
    case .aggregate(let aggregate): aggregate.kind
    case .new(let kind, _, _): kind
    }
  }

  /// The aggregate that is changed; nothing when one is created.
  public var aggregate: Aggregate? {
    guard case .aggregate(let aggregate) = self else { return nil }
    return aggregate
  }
}

extension Event {
  /// The one thing that the event changes or creates.
  package var subject: Subject { content.record.subject }
}
