/// Finds the boundaries between commands, entry by entry.
///
/// An entry says which step of its command it is (``EntryHead/step``), but older entries do not. Those have
/// only a time and an actor; entries of tasks and undos also say whether they continue the command of the
/// entry before. The rest is guessed from the events that commands are known to record, such as deleting a
/// goal, editing a habit, or logging a habit that is linked to a hive. So even if a script recorded many
/// commands at one instant, most of them are told apart.
package struct CommandBounds: Sendable {
  private let state: BookState
  private var first: Entry?
  private var last: Entry?
  /// The number of entries that still belong to the current undo.
  private var leftOfUndo: Int32 = 0

  /// The first entry to be read must begin a command. The state supplies the relations between entities, so
  /// it must include every entity that the entries create.
  package init(_ state: BookState) { self.state = state }

  /// Reads the next entry.
  ///
  /// - Returns: Whether a command begins with it.
  package mutating func begins(_ entry: Entry) -> Bool {
    let isFirst = !isContinued(by: entry)
    if isFirst {
      first = entry
      leftOfUndo = 0
      if case .commandUndone(let event) = entry.event { leftOfUndo = event.count }
    } else if leftOfUndo > 0 {
      leftOfUndo -= 1
    }
    last = entry
    return isFirst
  }

  /// Whether an entry may belong to the same command as the one before. Entries with steps answer this
  /// exactly. Without steps, the two must have the same instant and actor. Either all entries of a command
  /// have steps, or none has.
  package static func mayBeTogether(_ last: Entry, _ entry: Entry) -> Bool {
    let start = entry.head.commandStart
    guard start == last.head.commandStart else { return false }
    if start != nil { return true }
    return last.head.at == entry.head.at && last.head.actor == entry.head.actor
      && entry.head.key == nil
  }

  private func isContinued(by entry: Entry) -> Bool {
    guard let first, let last, Self.mayBeTogether(last, entry) else { return false }
    if entry.head.commandStart != nil || leftOfUndo > 0 { return true }
    if let continues = entry.event.continuesCommand { return continues }
    return entry.event.continues(last.event, of: first.event, in: state)
  }
}

extension Event {
  /// Whether an event may belong to a command that began with `first` and whose latest event is `last`.
  fileprivate func continues(_ last: Event, of first: Event, in state: BookState) -> Bool {
    switch byContext {
    // An app names a row in a command of its own, right after the command that makes the row. Here the two
    // count as one.
    case .accounts(.rowNamed): return true
    case .accounts: return continuesProfile(last) && subject == last.subject
    case .habits(.focusChosen(let event)): return event.habit == nil && last.endsFocus
    case .habits(.habitDeleted(let event)):
      guard case .habitDeleted(let other) = last else { return false }
      return state.sharesGoal(event.habit, other.habit)
    case .habits: return continuesEdit(last) && subject == last.subject
    case .goals(.goalDeleted(let event)):
      guard case .habitDeleted(let other) = last else { return false }
      return state.habits[other.habit]?.goal == event.goal
    case .hives: return continuesHive(last, of: first, in: state)
    case .householdTasks(.householdTaskAssigned(let event)):
      guard case .householdTaskDescribed(let other) = last else { return false }
      return event.householdTask == other.householdTask
    case .householdTasks(.householdTaskReopened(let event)):
      guard case .householdTaskAssigned(let other) = last else { return false }
      return event.householdTask == other.householdTask
    case .recipes(.recipeDeleted(let event)):
      guard case .mealChanged(let other) = last else { return false }
      return other.content.recipe == nil
        && other.content.title == state.recipes[event.recipe]?.content.title
    case .mealPlan(.mealChanged(let event)):
      guard case .mealChanged(let other) = last else { return false }
      return event.content.recipe == nil && other.content.recipe == nil
        && event.content.title == other.content.title && event.meal != other.meal
    // These are commands of their own.
    case .groceries(.groceryListDeleted), .groceries(.groceryListRestored): return false
    case .groceries(.groceryListSetAside(let event)):
      return event.continuesChoice(last, in: state)
    case .groceries:
      guard case .groceryListCreated = last else { return false }
      return state.aggregate(of: last) == state.aggregate(of: self)
    case .calendar: return isOfCalendarImport && last.isOfCalendarImport
    case .goals, .household, .householdTasks, .recipes, .mealPlan, .tasks, .activities, .others:
      return false
    }
  }

  /// Whether the event continues an edit of a profile. Such an edit records its events in a fixed order.
  private func continuesProfile(_ last: Event) -> Bool {
    guard let place = profilePlace, let before = last.profilePlace else { return false }
    return before < place
  }

  private var profilePlace: Int? {
    if case .profileChanged = self { return 0 }
    if case .dayClockChanged = self { return 1 }
    if case .birthdayChanged = self { return 2 }
    if case .notificationsChanged = self { return 3 }
    return nil
  }

  /// Whether the event continues an edit of a habit. Such an edit records its events in a fixed order.
  private func continuesEdit(_ last: Event) -> Bool {
    guard let place = editPlace, let before = last.editPlace else { return false }
    return before < place
  }

  private var editPlace: Int? {
    if case .habitDescribed = self { return 0 }
    if case .habitScheduleChanged = self { return 1 }
    if case .habitTargetChanged = self { return 2 }
    if case .habitRemindersChanged = self { return 3 }
    return nil
  }

  /// Whether the same command may also end a focus.
  private var endsFocus: Bool {
    if case .habitDeleted = self { return true }
    if case .habitArchived = self { return true }
    if case .goalDeleted = self { return true }
    return false
  }

  private var isOfCalendarImport: Bool {
    guard case .calendar(let event) = byContext else { return false }
    return switch event {
    case .calendarEventCreated(let event): event.source == .import
    case .calendarEventChanged(let event): event.source == .import
    case .calendarEventDeleted(let event): event.source == .import
    case .calendarEventRestored: false
    }
  }

  /// Whether the event continues a command that creates a hive, or that logs a day in one or more hives.
  private func continuesHive(_ last: Event, of first: Event, in state: BookState) -> Bool {
    guard case .hives(let event) = byContext else { return false }
    switch event {
    case .hiveJoined(let event):
      guard case .hiveCreated(let created) = first, case .hiveCreated = last else { return false }
      return state.hives.number(of: created.key) == event.hive
    case .hiveDayLogged(let event):
      if case .hiveCreated(let created) = first {
        return created.source != nil && state.hives.number(of: created.key) == event.hive
          && event.day <= created.day
      }
      if case .habitLogged(let logged) = first {
        return logged.day == event.day
          && state.links(logged.habit, to: event.hive, of: event.member)
      }
      return false
    case .hiveDayCleared(let event):
      if case .habitLogCleared(let cleared) = first {
        return cleared.day == event.day
          && state.links(cleared.habit, to: event.hive, of: event.member)
      }
      return false
    case .hiveAdvanced:
      return last.advancesHives && last.subject == subject
    // These are commands of their own.
    case .hiveCreated, .hiveDescribed, .hiveHandedOver, .hiveDeleted, .hiveRestored, .hiveLeft,
      .hiveHabitLinked, .hiveInviteCreated, .hiveInviteRevoked, .hiveBroken:
      return false
    }
  }

  /// Whether the same command may also advance a hive.
  private var advancesHives: Bool {
    if case .hiveDayLogged = self { return true }
    if case .hiveJoined = self { return true }
    if case .hiveLeft = self { return true }
    if case .hiveAdvanced = self { return true }
    return false
  }
}

extension BookState {
  /// Whether a member's habit is linked to a hive, so that its logs count there, too.
  fileprivate func links(_ habit: Habit.ID, to hive: Hive.ID, of member: Account.ID) -> Bool {
    hives[hive]?.member(member)?.habit == habit
  }

  /// Whether two habits serve the same goal, or did when they were deleted.
  fileprivate func sharesGoal(_ one: Habit.ID, _ other: Habit.ID) -> Bool {
    guard let goal = habits[one]?.goal else { return false }
    return goal == habits[other]?.goal
  }
}

extension GroceryListSetAside {
  /// Whether the event continues a command that chooses a list. Choosing a list sets all later lists aside,
  /// the earliest first. Adding a line to a list that was set aside chooses that list again.
  fileprivate func continuesChoice(_ last: Event, in state: BookState) -> Bool {
    guard case .groceries(let last) = last.byContext else { return false }
    switch last {
    case .groceryItemAdded(let added): return !isSetAside && added.list == list
    case .groceryListSetAside(let other):
      guard isSetAside, let own = state.lists[list], let former = state.lists[other.list],
        own.household == former.household
      else { return false }
      return (former.made, other.list) < (own.made, list)
    case .groceryListCreated, .groceryListGenerated, .groceryListDeleted, .groceryListRestored,
      .groceryItemDescribed, .groceryItemMarked:
      return false
    }
  }
}
