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

extension MealPlanned: CreationEvent {
  func created(_ head: EntryHead) -> Meal {
    Meal(
      key: key, household: household, creator: owner, content: content,
      at: head.at)
  }
}

extension MealChanged: ChangeEvent {
  var changed: Meal.ID { meal }
  func change(_ meal: inout Meal, _ head: EntryHead) {
    meal.setContent(content, at: head.at)
  }
}

extension MealRemoved: ChangeEvent {
  var changed: Meal.ID { meal }
  func change(_ meal: inout Meal, _ head: EntryHead) {
    meal.delete(at: head.at)
  }
}

extension MealRestored: ChangeEvent {
  var changed: Meal.ID { meal }
  func change(_ meal: inout Meal, _ head: EntryHead) {
    meal.restore(at: head.at)
  }
}
