package import Calendar
package import Streaks

/// What an event says of the days of habits: all that marks, streaks, awards and audits depend on.
///
/// Said once for every event, so that a new one cannot be passed over where days are judged.
package enum DayBearing {
  /// A habit begins.
  case creation
  /// What is known of one day of a habit from now on; nothing when it was cleared.
  case day(Habit.ID, Day, HabitHistory.DayRecord?)
  /// From a day on a habit's days are judged otherwise.
  case rule(from: Day)
  /// Days are paused.
  case pause(Pause, DaySpan)
  /// Those of a pause that holds a day are paused no more, from that day on.
  case end(Pause, on: Day)
  /// The account's pauses are these, and no others.
  case pauses([DaySpan])
  /// Instants fall on other days.
  case clock
  /// It is about no day of a habit.
  case nothing

  /// What pauses days: the account, or that the habit is archived.
  package enum Pause: Sendable {
    case account, archiving
  }
}

extension Event {
  /// What the event says of the days of habits.
  package var dayBearing: DayBearing {
    switch self {
    case .habitCreated: .creation
    case .habitLogged(let event):
      .day(event.habit, event.day, .init(day: event.day, value: event.value))
    case .habitDaySkipped(let event):
      .day(event.habit, event.day, .init(day: event.day, value: nil))
    case .habitLogCleared(let event): .day(event.habit, event.day, nil)
    case .habitDayReverted(let event):
      .day(event.habit, event.day, .init(day: event.day, value: event.value))
    case .habitScheduleChanged(let event): .rule(from: event.day)
    case .habitTargetChanged(let event): .rule(from: event.day)
    case .accountPaused(let event):
      .pause(.account, DaySpan(first: event.first, last: event.last))
    case .accountResumed(let event): .end(.account, on: event.day)
    case .habitArchived(let event): .pause(.archiving, DaySpan(first: event.day, last: nil))
    case .habitRestored(let event): .end(.archiving, on: event.day)
    case .pausesReverted(let event): .pauses(event.pauses.map(\.days))
    case .habitVersionsReverted(let event): .rule(from: event.day)
    case .dayClockChanged: .clock
    case .accountCreated, .profileChanged, .accountErased, .identityLinked, .identityVerified,
      .identityUnlinked, .deviceRegistered, .deviceUnregistered, .contactsUploaded,
      .contactsRemoved, .birthdayChanged, .notificationsChanged, .accountOnboarded, .habitsOrdered,
      .commandUndone, .contactNamed, .activityPosted, .upgradeRequested, .rowNamed:
      .nothing
    case .habitDescribed, .habitRemindersChanged, .habitDeleted, .habitUndeleted, .habitAttached,
      .habitDetached, .focusChosen, .goalCreated, .goalDescribed, .goalDeleted, .goalRestored:
      .nothing
    // A hive has days of its own.
    case .hiveCreated, .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveJoined, .hiveLeft,
      .hiveHabitLinked, .hiveInviteCreated, .hiveInviteRevoked, .hiveDayLogged, .hiveDayCleared,
      .hiveAdvanced, .hiveBroken, .hiveRestored:
      .nothing
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
      .nothing
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .taskCompleted, .taskReopened, .taskOccurrenceCompleted,
      .taskOccurrenceReopened, .labelCreated, .labelDescribed, .labelDeleted, .labelRestored:
      .nothing
    }
  }
}

extension Event {
  /// The habit and the day of which it says what is known, if it does.
  package var habitDay: (habit: Habit.ID, day: Day)? {
    guard case .day(let habit, let day, _) = dayBearing else { return nil }
    return (habit, day)
  }
}
