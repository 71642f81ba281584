public import Avro

/// Every type of event, one case each: the single table of events.
///
/// A case's place here is its number in the file: new cases are added at the end, and none ever moves. All lists of
/// events are generated from these lines by `Tests/Generated/generate_event_lists.py`.
public enum Event: Hashable, Sendable {
  case accountCreated(AccountCreated)
  case profileChanged(ProfileChanged)
  case dayClockChanged(DayClockChanged)
  case accountPaused(AccountPaused)
  case accountResumed(AccountResumed)
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
  case goalCreated(GoalCreated)
  case goalDescribed(GoalDescribed)
  case goalDeleted(GoalDeleted)
  case habitAttached(HabitAttached)
  case habitDetached(HabitDetached)
  case accountErased(AccountErased)
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
  case householdCreated(HouseholdCreated)
  case householdRenamed(HouseholdRenamed)
  case householdJoined(HouseholdJoined)
  case householdLeft(HouseholdLeft)
  case householdDeleted(HouseholdDeleted)
  case householdTaskCreated(HouseholdTaskCreated)
  case householdTaskDescribed(HouseholdTaskDescribed)
  case householdTaskAssigned(HouseholdTaskAssigned)
  case householdTaskCompleted(HouseholdTaskCompleted)
  case householdTaskReopened(HouseholdTaskReopened)
  case householdTaskDeleted(HouseholdTaskDeleted)
  indirect case recipeCreated(RecipeCreated)
  indirect case recipeDescribed(RecipeDescribed)
  case recipeDeleted(RecipeDeleted)
  case mealPlanned(MealPlanned)
  case mealChanged(MealChanged)
  case mealRemoved(MealRemoved)
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
  case groceryListCreated(GroceryListCreated)
  case groceryListGenerated(GroceryListGenerated)
  indirect case groceryItemAdded(GroceryItemAdded)
  indirect case groceryItemDescribed(GroceryItemDescribed)
  case groceryItemMarked(GroceryItemMarked)
  indirect case pantryStapleAdded(PantryStapleAdded)
  indirect case pantryStapleDescribed(PantryStapleDescribed)
  case pantryStapleRemoved(PantryStapleRemoved)
  case calendarEventCreated(CalendarEventCreated)
  case calendarEventChanged(CalendarEventChanged)
  case calendarEventDeleted(CalendarEventDeleted)
  case habitUndeleted(HabitUndeleted)
  case habitVersionsReverted(HabitVersionsReverted)
  case pausesReverted(PausesReverted)
  case habitsOrdered(HabitsOrdered)
  case commandUndone(CommandUndone)
  case goalRestored(GoalRestored)
  case hiveRestored(HiveRestored)
  case householdRestored(HouseholdRestored)
  case householdCodeChanged(HouseholdCodeChanged)
  case householdTaskRestored(HouseholdTaskRestored)
  case recipeRestored(RecipeRestored)
  case mealRestored(MealRestored)
  case pantryStapleRestored(PantryStapleRestored)
  case calendarEventRestored(CalendarEventRestored)
  case contactNamed(ContactNamed)
  case activityPosted(ActivityPosted)
  case upgradeRequested(UpgradeRequested)
  case groceryListDeleted(GroceryListDeleted)
  case groceryListRestored(GroceryListRestored)
  case rowNamed(RowNamed)
  case groceryListSetAside(GroceryListSetAside)
  indirect case habitDayReverted(HabitDayReverted)
}

extension Event {
  /// The event's name in the schema, such as `HabitLogged`.
  public var name: String { type(of: content.record).recordName }
}

extension HabitLogged {
  /// The number of ``Event/habitLogged(_:)``.
  @inlinable
  static var branch: Int32 { 13 }
}

extension Event: AvroValue {
  /// The union of all event records. A record that creates an entity names its kind, so that the schema alone tells
  /// what an entry is about (Docs/Format.md, "What an entry is about").
  public static var schema: Schema {
    .union(
      zip(types, EntityKind.createdByTypes).map { type, kind in
        guard let kind, case .record(var record) = type.schema else { return type.schema }
        record.attributes.append(.init("creates", .string(kind.rawValue)))
        return .record(record)
      })
  }

  /// Reads the case's number, then its record.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    try self.init(branch: try reader.takeInt(), from: &reader)
  }

  /// Appends the case's number, then its record.
  public func write(to writer: inout BinaryWriter) {
    let (branch, record) = content
    writer.put(Int64(branch))
    record.write(to: &writer)
  }
}
