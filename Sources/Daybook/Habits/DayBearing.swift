package import Calendar
package import Streaks

/// The effect of an event on the days of habits: marks, streaks, awards and audits depend on nothing else.
///
/// It is defined once for every event, so that a new event cannot be missed where days are judged.
package enum DayBearing {
  /// A habit is created.
  case creation
  /// A day of a habit has a new record; nothing when it was cleared.
  case day(Habit.ID, Day, HabitHistory.DayRecord?)
  /// The rule of a habit changes from a day on.
  case rule(from: Day)
  /// Days are paused.
  case pause(Pause, DaySpan)
  /// The pauses that include a day end on that day.
  case end(Pause, on: Day)
  /// The account's pauses are replaced by these.
  case pauses([DaySpan])
  /// The day clock changes, so that instants fall on other days.
  case clock
  /// The event affects no day of a habit.
  case nothing

  /// The cause of a pause: the account paused, or the habit is archived.
  package enum Pause: Sendable {
    case account, archiving
  }
}

extension Event {
  /// The effect of the event on the days of habits.
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
  /// The habit and the day whose record the event changes, if it does.
  package var habitDay: (habit: Habit.ID, day: Day)? {
    guard case .day(let habit, let day, _) = dayBearing else { return nil }
    return (habit, day)
  }
}
