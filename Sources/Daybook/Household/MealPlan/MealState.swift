/// A meal that a household planned (MC-6).
public struct Meal: Entity, Hashable {
  /// The number of a planned meal in its book.
  public typealias ID = EntityNumber<Meal>
  /// "meal-number".
  @inlinable
  public static var entityName: StaticString { "meal-number" }

  /// The client's name for the meal.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who planned it.
  public internal(set) var creator: Account.ID
  /// What is planned. Its recipe, if it has one, is there: meals of a deleted recipe have its title instead.
  public internal(set) var content: MealContent
  /// When it was planned.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was taken off the plan.
  public internal(set) var isDeleted = false

  /// What people call it, when no recipe says it.
  public var calledName: String { content.title ?? content.mealType ?? "" }
  /// Who planned it; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension State {
  mutating func apply(_ event: MealPlanned, at instant: Instant) {
    householdIndex.note(meals.nextNumber, .meal, of: event.household)
    meals.append(
      Meal(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        created: instant, updated: instant),
      key: event.key)
  }

  mutating func apply(_ event: MealChanged, at instant: Instant) {
    meals.update(event.meal) { meal in
      meal.content = event.content
      meal.updated = instant
    }
  }

  mutating func apply(_ event: MealRemoved, at instant: Instant) {
    meals.update(event.meal) { meal in
      meal.isDeleted = true
      meal.updated = instant
    }
  }
}
