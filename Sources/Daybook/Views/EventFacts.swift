public import Calendar

/// The fields of an event that a history and the evidence of an audit show besides its name.
///
/// They are defined once for every event, so that no new event can omit them.
private struct EventFacts {
  var day: Day?
  var source: Source?
  var value: Amount?
  var note: String?
  var entered: Amount?
}

extension Event {
  /// The day that the event is about, if it is about one.
  public var day: Day? { facts.day }
  /// The source of the event, if it has one.
  public var source: Source? { facts.source }
  /// The logged value that counts, if there is one.
  public var value: Amount? { facts.value }
  /// The value that the person entered, when another value counts.
  package var entered: Amount? { facts.entered }
  /// The note that the person wrote, if any.
  public var note: String? { facts.note }

  private var facts: EventFacts {
    switch self {
    case .habitLogged(let event):
      EventFacts(
        day: event.day, source: event.source, value: event.value, note: event.note,
        entered: event.entered)
    case .habitLogCleared(let event): EventFacts(day: event.day, source: event.source)
    case .habitDaySkipped(let event):
      EventFacts(day: event.day, source: event.source, note: event.note)
    case .habitDayReverted(let event):
      EventFacts(
        day: event.day, source: event.source, value: event.value, note: event.note,
        entered: event.entered)
    case .habitCreated(let event): EventFacts(day: event.day)
    case .habitScheduleChanged(let event): EventFacts(day: event.day)
    case .habitTargetChanged(let event): EventFacts(day: event.day)
    case .habitArchived(let event): EventFacts(day: event.day)
    case .habitRestored(let event): EventFacts(day: event.day)
    case .accountPaused(let event): EventFacts(day: event.first)
    case .accountResumed(let event): EventFacts(day: event.day)
    case .habitVersionsReverted(let event): EventFacts(day: event.day)
    case .hiveCreated(let event): EventFacts(day: event.day)
    case .hiveJoined(let event): EventFacts(day: event.day)
    case .hiveDayLogged(let event):
      EventFacts(
        day: event.day, source: event.source, value: event.value, entered: event.entered)
    case .hiveDayCleared(let event): EventFacts(day: event.day, source: event.source)
    case .hiveAdvanced(let event): EventFacts(day: event.day)
    case .hiveBroken(let event): EventFacts(day: event.day)
    case .accountCreated, .profileChanged, .dayClockChanged, .accountErased, .identityLinked,
      .identityVerified, .identityUnlinked, .deviceRegistered, .deviceUnregistered,
      .contactsUploaded, .contactsRemoved, .birthdayChanged, .notificationsChanged,
      .accountOnboarded, .pausesReverted, .habitsOrdered, .commandUndone, .contactNamed,
      .activityPosted, .upgradeRequested, .rowNamed:
      EventFacts()
    case .habitDescribed, .habitRemindersChanged, .habitDeleted, .habitUndeleted, .habitAttached,
      .habitDetached, .focusChosen, .goalCreated, .goalDescribed, .goalDeleted, .goalRestored:
      EventFacts()
    case .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveLeft, .hiveHabitLinked,
      .hiveInviteCreated, .hiveInviteRevoked, .hiveRestored:
      EventFacts()
    // The history of a household or a task describes its entries in other words.
    case .householdCreated, .householdRenamed, .householdJoined, .householdLeft,
      .householdDeleted, .householdTaskCreated, .householdTaskDescribed, .householdTaskAssigned,
      .householdTaskCompleted,
      .householdTaskReopened, .householdTaskDeleted, .recipeCreated, .recipeDescribed,
      .recipeDeleted,
      .mealPlanned, .mealChanged, .mealRemoved, .groceryListCreated, .groceryListGenerated,
      .groceryItemAdded, .groceryItemDescribed, .groceryItemMarked, .pantryStapleAdded,
      .pantryStapleDescribed, .pantryStapleRemoved, .calendarEventCreated, .calendarEventChanged,
      .calendarEventDeleted, .householdRestored, .householdCodeChanged, .householdTaskRestored,
      .recipeRestored, .mealRestored, .pantryStapleRestored, .calendarEventRestored,
      .groceryListDeleted, .groceryListRestored, .groceryListSetAside:
      EventFacts()
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .taskCompleted, .taskReopened, .taskOccurrenceCompleted,
      .taskOccurrenceReopened, .labelCreated, .labelDescribed, .labelDeleted, .labelRestored:
      EventFacts()
    }
  }
}
