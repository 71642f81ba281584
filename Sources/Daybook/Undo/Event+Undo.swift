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
    case .accountCreated: "an account can only be erased: `daybook erase-account`"
    case .accountErased: "an erasure is final"
    case .accountOnboarded: "that tour can be taken only once"
    case .identityLinked, .identityVerified, .identityUnlinked:
      "identities are verified elsewhere; link or unlink the identity again instead"
    case .deviceRegistered, .deviceUnregistered: "a device registers itself"
    case .contactsUploaded, .contactsRemoved:
      "only hashes of contacts are kept; upload the contacts again"
    case .contactNamed:
      "the name that was saved last counts; save another name, or remove the contact"
    case .activityPosted: "others may have seen the activity"
    case .upgradeRequested: "the request stays on record and has no other effect"
    case .hiveHandedOver: "another member leads the hive now; ask them to hand it back"
    case .hiveJoined: "the members were notified; leave the hive instead"
    case .hiveLeft: "the members were notified; join the hive again"
    case .hiveInviteRevoked: "a revoked code stays revoked; create another invite"
    case .hiveAdvanced, .hiveBroken: "all members were notified of the hive's day"
    case .householdJoined:
      "the members were notified; leave the household, or remove the new member"
    case .householdLeft: "the members were notified; ask them to add you again"
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
