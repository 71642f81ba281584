extension EntityKind {
  /// The kind that a type of entities is of.
  init?<Thing: Entity>(of type: Thing.Type) { self.init(rawValue: type.entityName.description) }

  /// The refusal of a key that names nothing of this kind.
  var notFound: any Rejection {
    switch self {
    case .account: AccountRejection.accountNotFound
    case .habit: HabitRejection.habitNotFound
    case .goal: GoalRejection.goalNotFound
    case .task: TaskRejection.taskNotFound
    case .label: TaskRejection.labelNotFound
    case .hive: HiveRejection.hiveNotFound
    case .household: HouseholdRejection.householdNotFound
    case .chore: HouseholdRejection.choreNotFound
    case .recipe: HouseholdRejection.recipeNotFound
    case .meal: HouseholdRejection.mealNotFound
    case .list: HouseholdRejection.groceryItemNotFound
    case .staple: HouseholdRejection.stapleNotFound
    case .calendarEvent: HouseholdRejection.calendarEventNotFound
    }
  }
}
