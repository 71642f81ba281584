/// A meal that a household planned (MC-6). Its recipe, if it has one, is there: meals of a deleted recipe have its
/// title instead.
public typealias Meal = HouseholdItem<MealContent>

extension MealContent: HouseholdItemContent {
  /// "meal-number".
  public static var entityName: StaticString { "meal-number" }
  /// "Meal".
  public static var itemRecordName: String { "Meal" }
  /// What people call it, when no recipe says it.
  public var displayName: String { title ?? mealType ?? "" }
}

extension BookState {
  mutating func apply(_ event: MealPlanned, _ head: EntryHead) {
    create(
      Meal(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        at: head.at))
  }

  mutating func apply(_ event: MealChanged, _ head: EntryHead) {
    update(event.meal) { $0.setContent(event.content, at: head.at) }
  }

  mutating func apply(_ event: MealRemoved, _ head: EntryHead) {
    update(event.meal) { $0.delete(at: head.at) }
  }

  mutating func apply(_ event: MealRestored, _ head: EntryHead) {
    update(event.meal) { $0.restore(at: head.at) }
  }
}
