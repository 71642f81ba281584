// Made by Tests/Generated/generate_event_lists.py from the cases of `Event`. Change those and run it; change nothing here.

extension Event {
  /// The event among those of its context, so that a switch names each of them.
  package enum ByContext: Sendable {
    case accounts(Accounts)
    case activities(Activities)
    case calendar(Calendar)
    case goals(Goals)
    case groceries(Groceries)
    case habits(Habits)
    case hives(Hives)
    case household(Household)
    case householdTasks(HouseholdTasks)
    case mealPlan(MealPlan)
    case recipes(Recipes)
    case tasks(Tasks)
    /// An event of another context.
    case others
  }

  /// What can happen in the context `Accounts`.
  package enum Accounts: Sendable {
    case accountCreated(AccountCreated)
    case profileChanged(ProfileChanged)
    case dayClockChanged(DayClockChanged)
    case accountPaused(AccountPaused)
    case accountResumed(AccountResumed)
    case accountErased(AccountErased)
    case identityLinked(IdentityLinked)
    case identityVerified(IdentityVerified)
    case identityUnlinked(IdentityUnlinked)
    case deviceRegistered(DeviceRegistered)
    case deviceUnregistered(DeviceUnregistered)
    case contactsUploaded(ContactsUploaded)
    case contactsRemoved(ContactsRemoved)
    case birthdayChanged(BirthdayChanged)
    case notificationsChanged(NotificationsChanged)
    case accountOnboarded(AccountOnboarded)
    case pausesReverted(PausesReverted)
    case habitsOrdered(HabitsOrdered)
    case commandUndone(CommandUndone)
    case contactNamed(ContactNamed)
    case upgradeRequested(UpgradeRequested)
    case rowNamed(RowNamed)
  }

  /// What can happen in the context `Activities`.
  package enum Activities: Sendable {
    case activityPosted(ActivityPosted)
  }

  /// What can happen in the context `Calendar`.
  package enum Calendar: Sendable {
    case calendarEventCreated(CalendarEventCreated)
    case calendarEventChanged(CalendarEventChanged)
    case calendarEventDeleted(CalendarEventDeleted)
    case calendarEventRestored(CalendarEventRestored)
  }

  /// What can happen in the context `Goals`.
  package enum Goals: Sendable {
    case goalCreated(GoalCreated)
    case goalDescribed(GoalDescribed)
    case goalDeleted(GoalDeleted)
    case habitAttached(HabitAttached)
    case habitDetached(HabitDetached)
    case goalRestored(GoalRestored)
  }

  /// What can happen in the context `Groceries`.
  package enum Groceries: Sendable {
    case groceryListCreated(GroceryListCreated)
    case groceryListGenerated(GroceryListGenerated)
    indirect case groceryItemAdded(GroceryItemAdded)
    indirect case groceryItemDescribed(GroceryItemDescribed)
    case groceryItemMarked(GroceryItemMarked)
    case groceryListDeleted(GroceryListDeleted)
    case groceryListRestored(GroceryListRestored)
    case groceryListSetAside(GroceryListSetAside)
  }

  /// What can happen in the context `Habits`.
  package enum Habits: Sendable {
    case habitCreated(HabitCreated)
    case habitDescribed(HabitDescribed)
    case habitScheduleChanged(HabitScheduleChanged)
    case habitTargetChanged(HabitTargetChanged)
    case habitRemindersChanged(HabitRemindersChanged)
    case habitArchived(HabitArchived)
    case habitRestored(HabitRestored)
    case habitDeleted(HabitDeleted)
    case habitLogged(HabitLogged)
    case habitLogCleared(HabitLogCleared)
    case habitDaySkipped(HabitDaySkipped)
    case focusChosen(FocusChosen)
    case habitUndeleted(HabitUndeleted)
    case habitVersionsReverted(HabitVersionsReverted)
    indirect case habitDayReverted(HabitDayReverted)
  }

  /// What can happen in the context `Hives`.
  package enum Hives: Sendable {
    case hiveCreated(HiveCreated)
    case hiveDescribed(HiveDescribed)
    case hiveHandedOver(HiveHandedOver)
    case hiveDeleted(HiveDeleted)
    case hiveJoined(HiveJoined)
    case hiveLeft(HiveLeft)
    case hiveHabitLinked(HiveHabitLinked)
    case hiveInviteCreated(HiveInviteCreated)
    case hiveInviteRevoked(HiveInviteRevoked)
    case hiveDayLogged(HiveDayLogged)
    case hiveDayCleared(HiveDayCleared)
    case hiveAdvanced(HiveAdvanced)
    case hiveBroken(HiveBroken)
    case hiveRestored(HiveRestored)
  }

  /// What can happen in the context `Household`.
  package enum Household: Sendable {
    case householdCreated(HouseholdCreated)
    case householdRenamed(HouseholdRenamed)
    case householdJoined(HouseholdJoined)
    case householdLeft(HouseholdLeft)
    case householdDeleted(HouseholdDeleted)
    case householdRestored(HouseholdRestored)
    case householdCodeChanged(HouseholdCodeChanged)
  }

  /// What can happen in the context `HouseholdTasks`.
  package enum HouseholdTasks: Sendable {
    case householdTaskCreated(HouseholdTaskCreated)
    case householdTaskDescribed(HouseholdTaskDescribed)
    case householdTaskAssigned(HouseholdTaskAssigned)
    case householdTaskCompleted(HouseholdTaskCompleted)
    case householdTaskReopened(HouseholdTaskReopened)
    case householdTaskDeleted(HouseholdTaskDeleted)
    case householdTaskRestored(HouseholdTaskRestored)
  }

  /// What can happen in the context `MealPlan`.
  package enum MealPlan: Sendable {
    case mealPlanned(MealPlanned)
    case mealChanged(MealChanged)
    case mealRemoved(MealRemoved)
    case mealRestored(MealRestored)
  }

  /// What can happen in the context `Recipes`.
  package enum Recipes: Sendable {
    indirect case recipeCreated(RecipeCreated)
    indirect case recipeDescribed(RecipeDescribed)
    case recipeDeleted(RecipeDeleted)
    case recipeRestored(RecipeRestored)
  }

  /// What can happen in the context `Tasks`.
  package enum Tasks: Sendable {
    indirect case taskCreated(TaskCreated)
    case taskDescribed(TaskDescribed)
    case taskScheduled(TaskScheduled)
    case taskMoved(TaskMoved)
    case taskDeleted(TaskDeleted)
    case taskRestored(TaskRestored)
    case taskLabelsChanged(TaskLabelsChanged)
    case taskCompleted(TaskCompleted)
    case taskReopened(TaskReopened)
    indirect case taskOccurrenceCompleted(TaskOccurrenceCompleted)
    case taskOccurrenceReopened(TaskOccurrenceReopened)
    case labelCreated(LabelCreated)
    case labelDescribed(LabelDescribed)
    case labelDeleted(LabelDeleted)
    case labelRestored(LabelRestored)
  }

  /// The event among those of its context.
  package var byContext: ByContext {
    switch self {
    case .accountCreated(let event): .accounts(.accountCreated(event))
    case .profileChanged(let event): .accounts(.profileChanged(event))
    case .dayClockChanged(let event): .accounts(.dayClockChanged(event))
    case .accountPaused(let event): .accounts(.accountPaused(event))
    case .accountResumed(let event): .accounts(.accountResumed(event))
    case .habitCreated(let event): .habits(.habitCreated(event))
    case .habitDescribed(let event): .habits(.habitDescribed(event))
    case .habitScheduleChanged(let event): .habits(.habitScheduleChanged(event))
    case .habitTargetChanged(let event): .habits(.habitTargetChanged(event))
    case .habitRemindersChanged(let event): .habits(.habitRemindersChanged(event))
    case .habitArchived(let event): .habits(.habitArchived(event))
    case .habitRestored(let event): .habits(.habitRestored(event))
    case .habitDeleted(let event): .habits(.habitDeleted(event))
    case .habitLogged(let event): .habits(.habitLogged(event))
    case .habitLogCleared(let event): .habits(.habitLogCleared(event))
    case .habitDaySkipped(let event): .habits(.habitDaySkipped(event))
    case .focusChosen(let event): .habits(.focusChosen(event))
    case .goalCreated(let event): .goals(.goalCreated(event))
    case .goalDescribed(let event): .goals(.goalDescribed(event))
    case .goalDeleted(let event): .goals(.goalDeleted(event))
    case .habitAttached(let event): .goals(.habitAttached(event))
    case .habitDetached(let event): .goals(.habitDetached(event))
    case .accountErased(let event): .accounts(.accountErased(event))
    case .hiveCreated(let event): .hives(.hiveCreated(event))
    case .hiveDescribed(let event): .hives(.hiveDescribed(event))
    case .hiveHandedOver(let event): .hives(.hiveHandedOver(event))
    case .hiveDeleted(let event): .hives(.hiveDeleted(event))
    case .hiveJoined(let event): .hives(.hiveJoined(event))
    case .hiveLeft(let event): .hives(.hiveLeft(event))
    case .hiveHabitLinked(let event): .hives(.hiveHabitLinked(event))
    case .hiveInviteCreated(let event): .hives(.hiveInviteCreated(event))
    case .hiveInviteRevoked(let event): .hives(.hiveInviteRevoked(event))
    case .hiveDayLogged(let event): .hives(.hiveDayLogged(event))
    case .hiveDayCleared(let event): .hives(.hiveDayCleared(event))
    case .hiveAdvanced(let event): .hives(.hiveAdvanced(event))
    case .hiveBroken(let event): .hives(.hiveBroken(event))
    case .identityLinked(let event): .accounts(.identityLinked(event))
    case .identityVerified(let event): .accounts(.identityVerified(event))
    case .identityUnlinked(let event): .accounts(.identityUnlinked(event))
    case .deviceRegistered(let event): .accounts(.deviceRegistered(event))
    case .deviceUnregistered(let event): .accounts(.deviceUnregistered(event))
    case .contactsUploaded(let event): .accounts(.contactsUploaded(event))
    case .contactsRemoved(let event): .accounts(.contactsRemoved(event))
    case .birthdayChanged(let event): .accounts(.birthdayChanged(event))
    case .notificationsChanged(let event): .accounts(.notificationsChanged(event))
    case .accountOnboarded(let event): .accounts(.accountOnboarded(event))
    case .householdCreated(let event): .household(.householdCreated(event))
    case .householdRenamed(let event): .household(.householdRenamed(event))
    case .householdJoined(let event): .household(.householdJoined(event))
    case .householdLeft(let event): .household(.householdLeft(event))
    case .householdDeleted(let event): .household(.householdDeleted(event))
    case .householdTaskCreated(let event): .householdTasks(.householdTaskCreated(event))
    case .householdTaskDescribed(let event): .householdTasks(.householdTaskDescribed(event))
    case .householdTaskAssigned(let event): .householdTasks(.householdTaskAssigned(event))
    case .householdTaskCompleted(let event): .householdTasks(.householdTaskCompleted(event))
    case .householdTaskReopened(let event): .householdTasks(.householdTaskReopened(event))
    case .householdTaskDeleted(let event): .householdTasks(.householdTaskDeleted(event))
    case .recipeCreated(let event): .recipes(.recipeCreated(event))
    case .recipeDescribed(let event): .recipes(.recipeDescribed(event))
    case .recipeDeleted(let event): .recipes(.recipeDeleted(event))
    case .mealPlanned(let event): .mealPlan(.mealPlanned(event))
    case .mealChanged(let event): .mealPlan(.mealChanged(event))
    case .mealRemoved(let event): .mealPlan(.mealRemoved(event))
    case .taskCreated(let event): .tasks(.taskCreated(event))
    case .taskDescribed(let event): .tasks(.taskDescribed(event))
    case .taskScheduled(let event): .tasks(.taskScheduled(event))
    case .taskMoved(let event): .tasks(.taskMoved(event))
    case .taskDeleted(let event): .tasks(.taskDeleted(event))
    case .taskRestored(let event): .tasks(.taskRestored(event))
    case .taskLabelsChanged(let event): .tasks(.taskLabelsChanged(event))
    case .taskCompleted(let event): .tasks(.taskCompleted(event))
    case .taskReopened(let event): .tasks(.taskReopened(event))
    case .taskOccurrenceCompleted(let event): .tasks(.taskOccurrenceCompleted(event))
    case .taskOccurrenceReopened(let event): .tasks(.taskOccurrenceReopened(event))
    case .labelCreated(let event): .tasks(.labelCreated(event))
    case .labelDescribed(let event): .tasks(.labelDescribed(event))
    case .labelDeleted(let event): .tasks(.labelDeleted(event))
    case .labelRestored(let event): .tasks(.labelRestored(event))
    case .groceryListCreated(let event): .groceries(.groceryListCreated(event))
    case .groceryListGenerated(let event): .groceries(.groceryListGenerated(event))
    case .groceryItemAdded(let event): .groceries(.groceryItemAdded(event))
    case .groceryItemDescribed(let event): .groceries(.groceryItemDescribed(event))
    case .groceryItemMarked(let event): .groceries(.groceryItemMarked(event))
    case .calendarEventCreated(let event): .calendar(.calendarEventCreated(event))
    case .calendarEventChanged(let event): .calendar(.calendarEventChanged(event))
    case .calendarEventDeleted(let event): .calendar(.calendarEventDeleted(event))
    case .habitUndeleted(let event): .habits(.habitUndeleted(event))
    case .habitVersionsReverted(let event): .habits(.habitVersionsReverted(event))
    case .pausesReverted(let event): .accounts(.pausesReverted(event))
    case .habitsOrdered(let event): .accounts(.habitsOrdered(event))
    case .commandUndone(let event): .accounts(.commandUndone(event))
    case .goalRestored(let event): .goals(.goalRestored(event))
    case .hiveRestored(let event): .hives(.hiveRestored(event))
    case .householdRestored(let event): .household(.householdRestored(event))
    case .householdCodeChanged(let event): .household(.householdCodeChanged(event))
    case .householdTaskRestored(let event): .householdTasks(.householdTaskRestored(event))
    case .recipeRestored(let event): .recipes(.recipeRestored(event))
    case .mealRestored(let event): .mealPlan(.mealRestored(event))
    case .calendarEventRestored(let event): .calendar(.calendarEventRestored(event))
    case .contactNamed(let event): .accounts(.contactNamed(event))
    case .activityPosted(let event): .activities(.activityPosted(event))
    case .upgradeRequested(let event): .accounts(.upgradeRequested(event))
    case .groceryListDeleted(let event): .groceries(.groceryListDeleted(event))
    case .groceryListRestored(let event): .groceries(.groceryListRestored(event))
    case .rowNamed(let event): .accounts(.rowNamed(event))
    case .groceryListSetAside(let event): .groceries(.groceryListSetAside(event))
    case .habitDayReverted(let event): .habits(.habitDayReverted(event))
    default: .others
    }
  }
}
