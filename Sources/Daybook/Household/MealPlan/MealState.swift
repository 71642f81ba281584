/// A meal that a household planned (MC-6). Its recipe, if it has one, is there: meals of a deleted recipe have its
/// title instead.
public typealias Meal = Belonging<MealContent>

extension MealContent: BelongingContent {
  /// "meal-number".
  public static var entityName: StaticString { "meal-number" }
  /// "Meal".
  public static var belongingName: String { "Meal" }
  /// What people call it, when no recipe says it.
  public var calledName: String { title ?? mealType ?? "" }
}

extension State {
  mutating func apply(_ event: MealPlanned, _ head: EntryHead) {
    create(
      Meal(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        at: head.at))
  }

  mutating func apply(_ event: MealChanged, _ head: EntryHead) {
    update(event.meal) { $0.say(event.content, at: head.at) }
  }

  mutating func apply(_ event: MealRemoved, _ head: EntryHead) {
    update(event.meal) { $0.delete(at: head.at) }
  }
}
