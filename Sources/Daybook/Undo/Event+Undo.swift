extension Event {
  /// The reason why an event cannot be undone in a command that begins with `first`, as a sentence without its
  /// beginning; nothing when it can.
  func reasonNotToUndo(after first: Event) -> String? {
    if case .hiveJoined = self, case .hiveCreated = first { return nil }
    return reasonNotToUndo
  }

  /// Whether an event can be undone in a command that begins with `first`, unless something else changed in between.
  package func isUndoable(after first: Event) -> Bool { reasonNotToUndo(after: first) == nil }

  /// Whether it accompanies a command and is not undone with it: it announces an undo, or names a row, which is
  /// restored under that name.
  package var isBesideCommand: Bool {
    if case .commandUndone = self { return true }
    if case .rowNamed = self { return true }
    return false
  }

  private var reasonNotToUndo: String? {
    switch self {
    case .accountCreated: "an account is taken back by erasing it: `daybook erase-account`"
    case .accountErased: "what was erased is gone"
    case .accountOnboarded: "one is shown round once"
    case .identityLinked, .identityVerified, .identityUnlinked:
      "by what one is known was shown to be true; link or unlink it anew"
    case .deviceRegistered, .deviceUnregistered: "a device registers itself"
    case .contactsUploaded, .contactsRemoved: "of contacts only hashes are kept; upload them anew"
    case .contactNamed: "a contact is called what was saved last; save it anew, or remove it"
    case .activityPosted: "what was posted was told"
    case .upgradeRequested: "that somebody asked stays known; nothing hangs on it"
    case .hiveHandedOver: "others lead the hive by it; they can hand it back"
    case .hiveJoined: "the members were told; leave the hive instead"
    case .hiveLeft: "the members were told; join the hive again"
    case .hiveInviteRevoked: "a code that was taken back stays so; make another invite"
    case .hiveAdvanced, .hiveBroken: "all members were told of the hive's day"
    case .householdJoined: "the members were told; leave the household, or remove who came"
    case .householdLeft: "the members were told; they can let you in again"
    case .profileChanged, .dayClockChanged, .accountPaused, .accountResumed, .birthdayChanged,
      .notificationsChanged, .pausesReverted, .habitsOrdered, .commandUndone, .rowNamed:
      nil
    case .habitCreated, .habitDescribed, .habitScheduleChanged, .habitTargetChanged,
      .habitRemindersChanged, .habitArchived, .habitRestored, .habitDeleted, .habitUndeleted,
      .habitVersionsReverted, .habitLogged, .habitLogCleared, .habitDaySkipped, .habitDayReverted,
      .focusChosen,
      .habitAttached, .habitDetached, .goalCreated, .goalDescribed, .goalDeleted, .goalRestored:
      nil
    case .hiveCreated, .hiveDescribed, .hiveDeleted, .hiveRestored, .hiveHabitLinked,
      .hiveInviteCreated, .hiveDayLogged, .hiveDayCleared:
      nil
    case .householdCreated, .householdRenamed, .householdDeleted, .householdRestored,
      .householdCodeChanged, .householdTaskCreated, .householdTaskDescribed,
      .householdTaskAssigned, .householdTaskCompleted, .householdTaskReopened,
      .householdTaskDeleted, .householdTaskRestored:
      nil
    case .recipeCreated, .recipeDescribed, .recipeDeleted, .recipeRestored, .mealPlanned,
      .mealChanged, .mealRemoved, .mealRestored, .groceryListCreated, .groceryListGenerated,
      .groceryListDeleted, .groceryListRestored, .groceryListSetAside, .groceryItemAdded,
      .groceryItemDescribed,
      .groceryItemMarked, .pantryStapleAdded,
      .pantryStapleDescribed, .pantryStapleRemoved, .pantryStapleRestored, .calendarEventCreated,
      .calendarEventChanged, .calendarEventDeleted, .calendarEventRestored:
      nil
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .taskCompleted, .taskReopened, .taskOccurrenceCompleted,
      .taskOccurrenceReopened, .labelCreated, .labelDescribed, .labelDeleted, .labelRestored:
      nil
    }
  }
}
