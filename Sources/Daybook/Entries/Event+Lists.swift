// Made by Tests/Generated/generate_event_lists.py from the cases of `Event`. Change those and run it; change nothing here.

public import Avro

extension Event {
  /// The types of the cases, in their order.
  static let types: [any EventRecord.Type] = [
    AccountCreated.self,
    ProfileChanged.self,
    DayClockChanged.self,
    AccountPaused.self,
    AccountResumed.self,
    HabitCreated.self,
    HabitDescribed.self,
    HabitScheduleChanged.self,
    HabitTargetChanged.self,
    HabitRemindersChanged.self,
    HabitArchived.self,
    HabitRestored.self,
    HabitDeleted.self,
    HabitLogged.self,
    HabitLogCleared.self,
    HabitDaySkipped.self,
    FocusChosen.self,
    GoalCreated.self,
    GoalDescribed.self,
    GoalDeleted.self,
    HabitAttached.self,
    HabitDetached.self,
    AccountErased.self,
    HiveCreated.self,
    HiveDescribed.self,
    HiveHandedOver.self,
    HiveDeleted.self,
    HiveJoined.self,
    HiveLeft.self,
    HiveHabitLinked.self,
    HiveInviteCreated.self,
    HiveInviteRevoked.self,
    HiveDayLogged.self,
    HiveDayCleared.self,
    HiveAdvanced.self,
    HiveBroken.self,
    IdentityLinked.self,
    IdentityVerified.self,
    IdentityUnlinked.self,
    DeviceRegistered.self,
    DeviceUnregistered.self,
    ContactsUploaded.self,
    ContactsRemoved.self,
    BirthdayChanged.self,
    NotificationsChanged.self,
    AccountOnboarded.self,
    HouseholdCreated.self,
    HouseholdRenamed.self,
    HouseholdJoined.self,
    HouseholdLeft.self,
    HouseholdDeleted.self,
    HouseholdTaskCreated.self,
    HouseholdTaskDescribed.self,
    HouseholdTaskAssigned.self,
    HouseholdTaskCompleted.self,
    HouseholdTaskReopened.self,
    HouseholdTaskDeleted.self,
    RecipeCreated.self,
    RecipeDescribed.self,
    RecipeDeleted.self,
    MealPlanned.self,
    MealChanged.self,
    MealRemoved.self,
    TaskCreated.self,
    TaskDescribed.self,
    TaskScheduled.self,
    TaskMoved.self,
    TaskDeleted.self,
    TaskRestored.self,
    TaskLabelsChanged.self,
    TaskCompleted.self,
    TaskReopened.self,
    TaskOccurrenceCompleted.self,
    TaskOccurrenceReopened.self,
    LabelCreated.self,
    LabelDescribed.self,
    LabelDeleted.self,
    LabelRestored.self,
    GroceryListCreated.self,
    GroceryListGenerated.self,
    GroceryItemAdded.self,
    GroceryItemDescribed.self,
    GroceryItemMarked.self,
    PantryStapleAdded.self,
    PantryStapleDescribed.self,
    PantryStapleRemoved.self,
    CalendarEventCreated.self,
    CalendarEventChanged.self,
    CalendarEventDeleted.self,
    HabitUndeleted.self,
    HabitVersionsReverted.self,
    PausesReverted.self,
    HabitsOrdered.self,
    CommandUndone.self,
    GoalRestored.self,
    HiveRestored.self,
    HouseholdRestored.self,
    HouseholdCodeChanged.self,
    HouseholdTaskRestored.self,
    RecipeRestored.self,
    MealRestored.self,
    PantryStapleRestored.self,
    CalendarEventRestored.self,
    ContactNamed.self,
    ActivityPosted.self,
    UpgradeRequested.self,
    GroceryListDeleted.self,
    GroceryListRestored.self,
    RowNamed.self,
    GroceryListSetAside.self,
    HabitDayReverted.self,
  ]

  /// The case's number, and what it holds.
  var content: (branch: Int, record: any EventRecord) {
    switch self {
    case .accountCreated(let event): (0, event)
    case .profileChanged(let event): (1, event)
    case .dayClockChanged(let event): (2, event)
    case .accountPaused(let event): (3, event)
    case .accountResumed(let event): (4, event)
    case .habitCreated(let event): (5, event)
    case .habitDescribed(let event): (6, event)
    case .habitScheduleChanged(let event): (7, event)
    case .habitTargetChanged(let event): (8, event)
    case .habitRemindersChanged(let event): (9, event)
    case .habitArchived(let event): (10, event)
    case .habitRestored(let event): (11, event)
    case .habitDeleted(let event): (12, event)
    case .habitLogged(let event): (13, event)
    case .habitLogCleared(let event): (14, event)
    case .habitDaySkipped(let event): (15, event)
    case .focusChosen(let event): (16, event)
    case .goalCreated(let event): (17, event)
    case .goalDescribed(let event): (18, event)
    case .goalDeleted(let event): (19, event)
    case .habitAttached(let event): (20, event)
    case .habitDetached(let event): (21, event)
    case .accountErased(let event): (22, event)
    case .hiveCreated(let event): (23, event)
    case .hiveDescribed(let event): (24, event)
    case .hiveHandedOver(let event): (25, event)
    case .hiveDeleted(let event): (26, event)
    case .hiveJoined(let event): (27, event)
    case .hiveLeft(let event): (28, event)
    case .hiveHabitLinked(let event): (29, event)
    case .hiveInviteCreated(let event): (30, event)
    case .hiveInviteRevoked(let event): (31, event)
    case .hiveDayLogged(let event): (32, event)
    case .hiveDayCleared(let event): (33, event)
    case .hiveAdvanced(let event): (34, event)
    case .hiveBroken(let event): (35, event)
    case .identityLinked(let event): (36, event)
    case .identityVerified(let event): (37, event)
    case .identityUnlinked(let event): (38, event)
    case .deviceRegistered(let event): (39, event)
    case .deviceUnregistered(let event): (40, event)
    case .contactsUploaded(let event): (41, event)
    case .contactsRemoved(let event): (42, event)
    case .birthdayChanged(let event): (43, event)
    case .notificationsChanged(let event): (44, event)
    case .accountOnboarded(let event): (45, event)
    case .householdCreated(let event): (46, event)
    case .householdRenamed(let event): (47, event)
    case .householdJoined(let event): (48, event)
    case .householdLeft(let event): (49, event)
    case .householdDeleted(let event): (50, event)
    case .householdTaskCreated(let event): (51, event)
    case .householdTaskDescribed(let event): (52, event)
    case .householdTaskAssigned(let event): (53, event)
    case .householdTaskCompleted(let event): (54, event)
    case .householdTaskReopened(let event): (55, event)
    case .householdTaskDeleted(let event): (56, event)
    case .recipeCreated(let event): (57, event)
    case .recipeDescribed(let event): (58, event)
    case .recipeDeleted(let event): (59, event)
    case .mealPlanned(let event): (60, event)
    case .mealChanged(let event): (61, event)
    case .mealRemoved(let event): (62, event)
    case .taskCreated(let event): (63, event)
    case .taskDescribed(let event): (64, event)
    case .taskScheduled(let event): (65, event)
    case .taskMoved(let event): (66, event)
    case .taskDeleted(let event): (67, event)
    case .taskRestored(let event): (68, event)
    case .taskLabelsChanged(let event): (69, event)
    case .taskCompleted(let event): (70, event)
    case .taskReopened(let event): (71, event)
    case .taskOccurrenceCompleted(let event): (72, event)
    case .taskOccurrenceReopened(let event): (73, event)
    case .labelCreated(let event): (74, event)
    case .labelDescribed(let event): (75, event)
    case .labelDeleted(let event): (76, event)
    case .labelRestored(let event): (77, event)
    case .groceryListCreated(let event): (78, event)
    case .groceryListGenerated(let event): (79, event)
    case .groceryItemAdded(let event): (80, event)
    case .groceryItemDescribed(let event): (81, event)
    case .groceryItemMarked(let event): (82, event)
    case .pantryStapleAdded(let event): (83, event)
    case .pantryStapleDescribed(let event): (84, event)
    case .pantryStapleRemoved(let event): (85, event)
    case .calendarEventCreated(let event): (86, event)
    case .calendarEventChanged(let event): (87, event)
    case .calendarEventDeleted(let event): (88, event)
    case .habitUndeleted(let event): (89, event)
    case .habitVersionsReverted(let event): (90, event)
    case .pausesReverted(let event): (91, event)
    case .habitsOrdered(let event): (92, event)
    case .commandUndone(let event): (93, event)
    case .goalRestored(let event): (94, event)
    case .hiveRestored(let event): (95, event)
    case .householdRestored(let event): (96, event)
    case .householdCodeChanged(let event): (97, event)
    case .householdTaskRestored(let event): (98, event)
    case .recipeRestored(let event): (99, event)
    case .mealRestored(let event): (100, event)
    case .pantryStapleRestored(let event): (101, event)
    case .calendarEventRestored(let event): (102, event)
    case .contactNamed(let event): (103, event)
    case .activityPosted(let event): (104, event)
    case .upgradeRequested(let event): (105, event)
    case .groceryListDeleted(let event): (106, event)
    case .groceryListRestored(let event): (107, event)
    case .rowNamed(let event): (108, event)
    case .groceryListSetAside(let event): (109, event)
    case .habitDayReverted(let event): (110, event)
    }
  }

  /// Reads the record of a case.
  ///
  /// - Throws: ``AvroError/unknownBranch(_:)`` when there is no such case, or what its record throws.
  @usableFromInline
  @_lifetime(reader: copy reader)
  init(branch: Int32, from reader: inout BinaryReader) throws(AvroError) {
    switch branch {
    case 0: self = .accountCreated(try AccountCreated(from: &reader))
    case 1: self = .profileChanged(try ProfileChanged(from: &reader))
    case 2: self = .dayClockChanged(try DayClockChanged(from: &reader))
    case 3: self = .accountPaused(try AccountPaused(from: &reader))
    case 4: self = .accountResumed(try AccountResumed(from: &reader))
    case 5: self = .habitCreated(try HabitCreated(from: &reader))
    case 6: self = .habitDescribed(try HabitDescribed(from: &reader))
    case 7: self = .habitScheduleChanged(try HabitScheduleChanged(from: &reader))
    case 8: self = .habitTargetChanged(try HabitTargetChanged(from: &reader))
    case 9: self = .habitRemindersChanged(try HabitRemindersChanged(from: &reader))
    case 10: self = .habitArchived(try HabitArchived(from: &reader))
    case 11: self = .habitRestored(try HabitRestored(from: &reader))
    case 12: self = .habitDeleted(try HabitDeleted(from: &reader))
    case 13: self = .habitLogged(try HabitLogged(from: &reader))
    case 14: self = .habitLogCleared(try HabitLogCleared(from: &reader))
    case 15: self = .habitDaySkipped(try HabitDaySkipped(from: &reader))
    case 16: self = .focusChosen(try FocusChosen(from: &reader))
    case 17: self = .goalCreated(try GoalCreated(from: &reader))
    case 18: self = .goalDescribed(try GoalDescribed(from: &reader))
    case 19: self = .goalDeleted(try GoalDeleted(from: &reader))
    case 20: self = .habitAttached(try HabitAttached(from: &reader))
    case 21: self = .habitDetached(try HabitDetached(from: &reader))
    case 22: self = .accountErased(try AccountErased(from: &reader))
    case 23: self = .hiveCreated(try HiveCreated(from: &reader))
    case 24: self = .hiveDescribed(try HiveDescribed(from: &reader))
    case 25: self = .hiveHandedOver(try HiveHandedOver(from: &reader))
    case 26: self = .hiveDeleted(try HiveDeleted(from: &reader))
    case 27: self = .hiveJoined(try HiveJoined(from: &reader))
    case 28: self = .hiveLeft(try HiveLeft(from: &reader))
    case 29: self = .hiveHabitLinked(try HiveHabitLinked(from: &reader))
    case 30: self = .hiveInviteCreated(try HiveInviteCreated(from: &reader))
    case 31: self = .hiveInviteRevoked(try HiveInviteRevoked(from: &reader))
    case 32: self = .hiveDayLogged(try HiveDayLogged(from: &reader))
    case 33: self = .hiveDayCleared(try HiveDayCleared(from: &reader))
    case 34: self = .hiveAdvanced(try HiveAdvanced(from: &reader))
    case 35: self = .hiveBroken(try HiveBroken(from: &reader))
    case 36: self = .identityLinked(try IdentityLinked(from: &reader))
    case 37: self = .identityVerified(try IdentityVerified(from: &reader))
    case 38: self = .identityUnlinked(try IdentityUnlinked(from: &reader))
    case 39: self = .deviceRegistered(try DeviceRegistered(from: &reader))
    case 40: self = .deviceUnregistered(try DeviceUnregistered(from: &reader))
    case 41: self = .contactsUploaded(try ContactsUploaded(from: &reader))
    case 42: self = .contactsRemoved(try ContactsRemoved(from: &reader))
    case 43: self = .birthdayChanged(try BirthdayChanged(from: &reader))
    case 44: self = .notificationsChanged(try NotificationsChanged(from: &reader))
    case 45: self = .accountOnboarded(try AccountOnboarded(from: &reader))
    case 46: self = .householdCreated(try HouseholdCreated(from: &reader))
    case 47: self = .householdRenamed(try HouseholdRenamed(from: &reader))
    case 48: self = .householdJoined(try HouseholdJoined(from: &reader))
    case 49: self = .householdLeft(try HouseholdLeft(from: &reader))
    case 50: self = .householdDeleted(try HouseholdDeleted(from: &reader))
    case 51: self = .householdTaskCreated(try HouseholdTaskCreated(from: &reader))
    case 52: self = .householdTaskDescribed(try HouseholdTaskDescribed(from: &reader))
    case 53: self = .householdTaskAssigned(try HouseholdTaskAssigned(from: &reader))
    case 54: self = .householdTaskCompleted(try HouseholdTaskCompleted(from: &reader))
    case 55: self = .householdTaskReopened(try HouseholdTaskReopened(from: &reader))
    case 56: self = .householdTaskDeleted(try HouseholdTaskDeleted(from: &reader))
    case 57: self = .recipeCreated(try RecipeCreated(from: &reader))
    case 58: self = .recipeDescribed(try RecipeDescribed(from: &reader))
    case 59: self = .recipeDeleted(try RecipeDeleted(from: &reader))
    case 60: self = .mealPlanned(try MealPlanned(from: &reader))
    case 61: self = .mealChanged(try MealChanged(from: &reader))
    case 62: self = .mealRemoved(try MealRemoved(from: &reader))
    case 63: self = .taskCreated(try TaskCreated(from: &reader))
    case 64: self = .taskDescribed(try TaskDescribed(from: &reader))
    case 65: self = .taskScheduled(try TaskScheduled(from: &reader))
    case 66: self = .taskMoved(try TaskMoved(from: &reader))
    case 67: self = .taskDeleted(try TaskDeleted(from: &reader))
    case 68: self = .taskRestored(try TaskRestored(from: &reader))
    case 69: self = .taskLabelsChanged(try TaskLabelsChanged(from: &reader))
    case 70: self = .taskCompleted(try TaskCompleted(from: &reader))
    case 71: self = .taskReopened(try TaskReopened(from: &reader))
    case 72: self = .taskOccurrenceCompleted(try TaskOccurrenceCompleted(from: &reader))
    case 73: self = .taskOccurrenceReopened(try TaskOccurrenceReopened(from: &reader))
    case 74: self = .labelCreated(try LabelCreated(from: &reader))
    case 75: self = .labelDescribed(try LabelDescribed(from: &reader))
    case 76: self = .labelDeleted(try LabelDeleted(from: &reader))
    case 77: self = .labelRestored(try LabelRestored(from: &reader))
    case 78: self = .groceryListCreated(try GroceryListCreated(from: &reader))
    case 79: self = .groceryListGenerated(try GroceryListGenerated(from: &reader))
    case 80: self = .groceryItemAdded(try GroceryItemAdded(from: &reader))
    case 81: self = .groceryItemDescribed(try GroceryItemDescribed(from: &reader))
    case 82: self = .groceryItemMarked(try GroceryItemMarked(from: &reader))
    case 83: self = .pantryStapleAdded(try PantryStapleAdded(from: &reader))
    case 84: self = .pantryStapleDescribed(try PantryStapleDescribed(from: &reader))
    case 85: self = .pantryStapleRemoved(try PantryStapleRemoved(from: &reader))
    case 86: self = .calendarEventCreated(try CalendarEventCreated(from: &reader))
    case 87: self = .calendarEventChanged(try CalendarEventChanged(from: &reader))
    case 88: self = .calendarEventDeleted(try CalendarEventDeleted(from: &reader))
    case 89: self = .habitUndeleted(try HabitUndeleted(from: &reader))
    case 90: self = .habitVersionsReverted(try HabitVersionsReverted(from: &reader))
    case 91: self = .pausesReverted(try PausesReverted(from: &reader))
    case 92: self = .habitsOrdered(try HabitsOrdered(from: &reader))
    case 93: self = .commandUndone(try CommandUndone(from: &reader))
    case 94: self = .goalRestored(try GoalRestored(from: &reader))
    case 95: self = .hiveRestored(try HiveRestored(from: &reader))
    case 96: self = .householdRestored(try HouseholdRestored(from: &reader))
    case 97: self = .householdCodeChanged(try HouseholdCodeChanged(from: &reader))
    case 98: self = .householdTaskRestored(try HouseholdTaskRestored(from: &reader))
    case 99: self = .recipeRestored(try RecipeRestored(from: &reader))
    case 100: self = .mealRestored(try MealRestored(from: &reader))
    case 101: self = .pantryStapleRestored(try PantryStapleRestored(from: &reader))
    case 102: self = .calendarEventRestored(try CalendarEventRestored(from: &reader))
    case 103: self = .contactNamed(try ContactNamed(from: &reader))
    case 104: self = .activityPosted(try ActivityPosted(from: &reader))
    case 105: self = .upgradeRequested(try UpgradeRequested(from: &reader))
    case 106: self = .groceryListDeleted(try GroceryListDeleted(from: &reader))
    case 107: self = .groceryListRestored(try GroceryListRestored(from: &reader))
    case 108: self = .rowNamed(try RowNamed(from: &reader))
    case 109: self = .groceryListSetAside(try GroceryListSetAside(from: &reader))
    case 110: self = .habitDayReverted(try HabitDayReverted(from: &reader))
    default: throw .unknownBranch(Int(branch))
    }
  }
}

extension BookState {
  /// Hands an event to the `apply` that is written for it.
  mutating func apply(_ event: Event, _ head: EntryHead) {
    switch event {
    case .accountCreated(let event): apply(event, head)
    case .profileChanged(let event): apply(event, head)
    case .dayClockChanged(let event): apply(event, head)
    case .accountPaused(let event): apply(event, head)
    case .accountResumed(let event): apply(event, head)
    case .habitCreated(let event): apply(event, head)
    case .habitDescribed(let event): apply(event, head)
    case .habitScheduleChanged(let event): apply(event, head)
    case .habitTargetChanged(let event): apply(event, head)
    case .habitRemindersChanged(let event): apply(event, head)
    case .habitArchived(let event): apply(event, head)
    case .habitRestored(let event): apply(event, head)
    case .habitDeleted(let event): apply(event, head)
    case .habitLogged(let event): apply(event, head)
    case .habitLogCleared(let event): apply(event, head)
    case .habitDaySkipped(let event): apply(event, head)
    case .focusChosen(let event): apply(event, head)
    case .goalCreated(let event): apply(event, head)
    case .goalDescribed(let event): apply(event, head)
    case .goalDeleted(let event): apply(event, head)
    case .habitAttached(let event): apply(event, head)
    case .habitDetached(let event): apply(event, head)
    case .accountErased(let event): apply(event, head)
    case .hiveCreated(let event): apply(event, head)
    case .hiveDescribed(let event): apply(event, head)
    case .hiveHandedOver(let event): apply(event, head)
    case .hiveDeleted(let event): apply(event, head)
    case .hiveJoined(let event): apply(event, head)
    case .hiveLeft(let event): apply(event, head)
    case .hiveHabitLinked(let event): apply(event, head)
    case .hiveInviteCreated(let event): apply(event, head)
    case .hiveInviteRevoked(let event): apply(event, head)
    case .hiveDayLogged(let event): apply(event, head)
    case .hiveDayCleared(let event): apply(event, head)
    case .hiveAdvanced(let event): apply(event, head)
    case .hiveBroken(let event): apply(event, head)
    case .identityLinked(let event): apply(event, head)
    case .identityVerified(let event): apply(event, head)
    case .identityUnlinked(let event): apply(event, head)
    case .deviceRegistered(let event): apply(event, head)
    case .deviceUnregistered(let event): apply(event, head)
    case .contactsUploaded(let event): apply(event, head)
    case .contactsRemoved(let event): apply(event, head)
    case .birthdayChanged(let event): apply(event, head)
    case .notificationsChanged(let event): apply(event, head)
    case .accountOnboarded(let event): apply(event, head)
    case .householdCreated(let event): apply(event, head)
    case .householdRenamed(let event): apply(event, head)
    case .householdJoined(let event): apply(event, head)
    case .householdLeft(let event): apply(event, head)
    case .householdDeleted(let event): apply(event, head)
    case .householdTaskCreated(let event): apply(event, head)
    case .householdTaskDescribed(let event): apply(event, head)
    case .householdTaskAssigned(let event): apply(event, head)
    case .householdTaskCompleted(let event): apply(event, head)
    case .householdTaskReopened(let event): apply(event, head)
    case .householdTaskDeleted(let event): apply(event, head)
    case .recipeCreated(let event): apply(event, head)
    case .recipeDescribed(let event): apply(event, head)
    case .recipeDeleted(let event): apply(event, head)
    case .mealPlanned(let event): apply(event, head)
    case .mealChanged(let event): apply(event, head)
    case .mealRemoved(let event): apply(event, head)
    case .taskCreated(let event): apply(event, head)
    case .taskDescribed(let event): apply(event, head)
    case .taskScheduled(let event): apply(event, head)
    case .taskMoved(let event): apply(event, head)
    case .taskDeleted(let event): apply(event, head)
    case .taskRestored(let event): apply(event, head)
    case .taskLabelsChanged(let event): apply(event, head)
    case .taskCompleted(let event): apply(event, head)
    case .taskReopened(let event): apply(event, head)
    case .taskOccurrenceCompleted(let event): apply(event, head)
    case .taskOccurrenceReopened(let event): apply(event, head)
    case .labelCreated(let event): apply(event, head)
    case .labelDescribed(let event): apply(event, head)
    case .labelDeleted(let event): apply(event, head)
    case .labelRestored(let event): apply(event, head)
    case .groceryListCreated(let event): apply(event, head)
    case .groceryListGenerated(let event): apply(event, head)
    case .groceryItemAdded(let event): apply(event, head)
    case .groceryItemDescribed(let event): apply(event, head)
    case .groceryItemMarked(let event): apply(event, head)
    case .pantryStapleAdded(let event): apply(event, head)
    case .pantryStapleDescribed(let event): apply(event, head)
    case .pantryStapleRemoved(let event): apply(event, head)
    case .calendarEventCreated(let event): apply(event, head)
    case .calendarEventChanged(let event): apply(event, head)
    case .calendarEventDeleted(let event): apply(event, head)
    case .habitUndeleted(let event): apply(event, head)
    case .habitVersionsReverted(let event): apply(event, head)
    case .pausesReverted(let event): apply(event, head)
    case .habitsOrdered(let event): apply(event, head)
    case .commandUndone(let event): apply(event, head)
    case .goalRestored(let event): apply(event, head)
    case .hiveRestored(let event): apply(event, head)
    case .householdRestored(let event): apply(event, head)
    case .householdCodeChanged(let event): apply(event, head)
    case .householdTaskRestored(let event): apply(event, head)
    case .recipeRestored(let event): apply(event, head)
    case .mealRestored(let event): apply(event, head)
    case .pantryStapleRestored(let event): apply(event, head)
    case .calendarEventRestored(let event): apply(event, head)
    case .contactNamed(let event): apply(event, head)
    case .activityPosted(let event): apply(event, head)
    case .upgradeRequested(let event): apply(event, head)
    case .groceryListDeleted(let event): apply(event, head)
    case .groceryListRestored(let event): apply(event, head)
    case .rowNamed(let event): apply(event, head)
    case .groceryListSetAside(let event): apply(event, head)
    case .habitDayReverted(let event): apply(event, head)
    }
  }
}
