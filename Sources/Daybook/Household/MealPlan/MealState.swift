/// A meal that a household planned (MC-6). Its recipe, if it has one, exists: meals of a deleted recipe have its title
/// instead.
public typealias Meal = HouseholdItem<MealContent>

extension MealContent: HouseholdItemContent {
  /// "meal-number".
  public static var entityName: StaticString { "meal-number" }
  /// "Meal".
  public static var itemRecordName: String { "Meal" }
  /// Its name, if there is no recipe.
  public var displayName: String { title ?? mealType ?? "" }
}

extension MealContent: StoredContent {
  static var kind: EntityKind { .meal }
  static var table: WritableKeyPath<BookState, Table<Meal>> { \.meals }
  static var column: StaticString { "meal" }
  static var countField: StaticString { "meals" }
  static var plural: String { "planned meals" }
  static var notFound: Rejection { .mealNotFound }
  static var commands: [any ColumnCommand.Type] {
    [PlanMeal.self, UpdateMeal.self, RemoveMeal.self]
  }
  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable(
        "meal_plan", MealRow.self,
        state.shown(state.meals).map { MealRow(members: $0.members(in: state)) })
    ]
  }
  var mealKeys: MealKeys? { MealKeys(date: date, recipe: recipe) }

  static func creation(of lost: LostEntity) -> Event {
    .mealPlanned(
      MealPlanned(of: lost) { meal in
        (meal.household, meal.content.title) = (lost.household, lost.name)
        meal.content.date = Day(utc: lost.at)
      })
  }
}

extension MealPlanned: ItemCreationEvent {}

extension MealChanged: ItemContentEvent {
  static var number: Number { \.meal }
  var changed: Meal.ID { meal }
}

extension MealRemoved: DeletionEvent {
  static var number: Number { \.meal }
  var changed: Meal.ID { meal }
}

extension MealRestored: RestorationEvent {
  static var number: Number { \.meal }
  var changed: Meal.ID { meal }
}
