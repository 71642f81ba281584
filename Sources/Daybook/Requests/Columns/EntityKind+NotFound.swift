extension EntityKind {
  /// The kind of a type of entities.
  init?<Thing: Entity>(of type: Thing.Type) { self.init(rawValue: type.entityName.description) }

  /// The rejection of a key that names no entity of this kind.
  var notFound: Rejection {
    switch self {
    case .account: Rejection.accountNotFound
    case .habit: Rejection.habitNotFound
    case .goal: Rejection.goalNotFound
    case .task: Rejection.taskNotFound
    case .label: Rejection.labelNotFound
    case .hive: Rejection.hiveNotFound
    case .household: Rejection.householdNotFound
    case .householdTask: Rejection.householdTaskNotFound
    case .recipe: Rejection.recipeNotFound
    case .meal: Rejection.mealNotFound
    case .list: Rejection.groceryListNotFound
    case .pantryStaple: Rejection.pantryStapleNotFound
    case .calendarEvent: Rejection.calendarEventNotFound
    case .activity: Rejection.activityNotFound
    }
  }
}
