import Avro
import Daybook

/// Makes placeholders for entities whose creation is lost, so that the remaining entries about them
/// have a subject.
enum Placeholders {
  /// The event that creates a placeholder.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - book: The damaged book's id: the same entity gets the same key in every salvage.
  ///   - owner: The entity's owner; accounts have none.
  ///   - household: The household that the entity belongs to, if there is one.
  ///   - at: When the entity is first referred to.
  /// - Returns: The event, the entity's key and its name; nil when an owner is needed and none is
  ///   known.
  static func creation(
    of reference: EntityReference, in book: String, owner: Account.ID?,
    household: Household.ID? = nil, at: Instant
  ) -> (event: Event, key: Key, name: String)? {
    let key = Key(
      derivedFrom: ["salvage", book, reference.kind.rawValue, String(reference.number)])
    let name = "Lost \(reference.kind.word) \(reference.number)"
    switch reference.kind {
    case .account:
      // The zone is unknown. No recorded day depends on it, and it can be changed.
      var account = AccountCreated.placeholder
      (account.key, account.displayName) = (key, name)
      (account.timeZone, account.dayStartHour) = ("UTC", 4)
      return (.accountCreated(account), key, name)
    case .habit:
      guard let owner else { return nil }
      var habit = HabitCreated.placeholder
      (habit.key, habit.owner, habit.target) = (key, owner, Target(.one))
      (habit.description.name, habit.description.color) = (name, HabitDescription.usualColor)
      habit.day = Day(utc: at)
      return (.habitCreated(habit), key, name)
    case .goal:
      guard let owner else { return nil }
      var goal = GoalCreated.placeholder
      (goal.key, goal.owner, goal.title) = (key, owner, name)
      return (.goalCreated(goal), key, name)
    case .hive:
      guard let owner else { return nil }
      var hive = HiveCreated.placeholder
      (hive.key, hive.owner) = (key, owner)
      (hive.description.name, hive.description.color) = (name, HabitDescription.usualColor)
      hive.day = Day(utc: at)
      return (.hiveCreated(hive), key, name)
    case .household:
      guard let owner else { return nil }
      var created = HouseholdCreated.placeholder
      (created.key, created.owner, created.name) = (key, owner, name)
      return (.householdCreated(created), key, name)
    case .householdTask:
      guard let owner, let household else { return nil }
      var householdTask = HouseholdTaskCreated.placeholder
      (householdTask.key, householdTask.household, householdTask.owner) = (key, household, owner)
      householdTask.content.title = name
      return (.householdTaskCreated(householdTask), key, name)
    case .recipe:
      guard let owner, let household else { return nil }
      var recipe = RecipeCreated.placeholder
      (recipe.key, recipe.household, recipe.owner) = (key, household, owner)
      recipe.content.title = name
      return (.recipeCreated(recipe), key, name)
    case .meal:
      guard let owner, let household else { return nil }
      var meal = MealPlanned.placeholder
      (meal.key, meal.household, meal.owner) = (key, household, owner)
      meal.content.title = name
      meal.content.date = Day(utc: at)
      return (.mealPlanned(meal), key, name)
    case .task:
      guard let owner else { return nil }
      var task = TaskCreated.placeholder
      (task.key, task.owner, task.title) = (key, owner, name)
      return (.taskCreated(task), key, name)
    case .label:
      guard let owner else { return nil }
      var label = LabelCreated.placeholder
      (label.key, label.owner, label.name) = (key, owner, name)
      label.color = CreateLabel.usualColor
      return (.labelCreated(label), key, name)
    case .list:
      guard let owner, let household else { return nil }
      var list = GroceryListCreated.placeholder
      (list.key, list.household, list.owner) = (key, household, owner)
      list.weekStart = MealWeek.monday(
        of: Day(utc: at))
      return (.groceryListCreated(list), key, name)
    case .pantryStaple:
      guard let owner, let household else { return nil }
      var pantryStaple = PantryStapleAdded.placeholder
      (pantryStaple.key, pantryStaple.household, pantryStaple.owner) = (key, household, owner)
      pantryStaple.content.name = name
      return (.pantryStapleAdded(pantryStaple), key, name)
    case .calendarEvent:
      guard let owner, let household else { return nil }
      var event = CalendarEventCreated.placeholder
      (event.key, event.household, event.owner) = (key, household, owner)
      event.content = .placeholder(uid: "\(key)@daybook", title: name, at: at)
      return (.calendarEventCreated(event), key, name)
    case .activity:
      guard let owner else { return nil }
      var activity = ActivityPosted.placeholder
      (activity.key, activity.account, activity.data) = (key, owner, "{}")
      return (.activityPosted(activity), key, name)
    }
  }
}

extension Event {
  /// The name of the entity that the event creates.
  var createdName: String? {
    switch self {
    case .accountCreated(let event): event.displayName
    case .habitCreated(let event): event.description.name
    case .goalCreated(let event): event.title
    case .hiveCreated(let event): event.description.name
    case .householdCreated(let event): event.name
    case .householdTaskCreated(let event): event.content.title
    case .calendarEventCreated(let event): event.content.main?.summary
    case .recipeCreated(let event): event.content.title
    case .mealPlanned(let event): event.content.title
    case .taskCreated(let event): event.title
    case .labelCreated(let event): event.name
    case .pantryStapleAdded(let event): event.content.name
    // Nothing else creates an entity with a name; `EntityListTests` checks every kind's creation.
    default: nil
    }
  }
}
