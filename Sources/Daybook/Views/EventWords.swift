import Calendar
import Values

extension BookState {
  /// A description of an event, as a sentence without its full stop: the entity, by its current name, and what happened
  /// to it.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - account: The reader, in whose time zone times are shown.
  ///   - query: The query that provides the time zones.
  /// - Returns: The sentence; details that only members of a household or a hive may see are shown to them alone.
  package func summary(of event: Event, for account: Account.ID, _ query: Query) -> String {
    if event.isOfTasks { return words(of: event, for: accounts[account], query) }
    let subject = subject(of: event).flatMap { isKnown($0, to: account) ? $0 : nil }
    let day = event.day.map { ", \($0)" } ?? ""
    let verb = verb(of: event)
    if case .day = event.dayEffect {
      return "\(subject?.displayName ?? "a habit")\(day): \(verb)"
    }
    // An entity that was shared may not be visible to the reader any more; then no details are shown.
    guard let subject else { return event.name + day }
    if subject is Account { return verb + day }
    return "\(shownName(of: subject)): \(verb)\(day)"
  }

  /// Whether an account may see an entity now, whatever the instant of the view.
  private func isKnown(_ subject: any Entity, to account: Account.ID) -> Bool {
    if let home = subject.home { return isMember(account, of: home) }
    if subject is Household {
      return households.number(of: subject.key).map { isMember(account, of: $0) } ?? false
    }
    if subject is Hive {
      let number = hives.number(of: subject.key)
      return number.flatMap { people.hives[$0]?.member(account) } != nil
    }
    if subject is Account { return accounts.number(of: subject.key) == account }
    return subject.ownedBy == account
  }

  /// The name by which an entity is shown: a meal by its recipe, a grocery list by its week.
  func shownName(of subject: any Entity) -> String {
    switch subject {
    case let meal as Meal: title(of: meal)
    case let list as GroceryList: "Groceries of \(list.weekStart)"
    default: subject.displayName
    }
  }

  /// The effect of an event, in a few words.
  private func verb(of event: Event) -> String {
    switch event.byContext {
    case .accounts(let event): Self.verb(of: event)
    case .habits(let event): Self.verb(of: event)
    case .goals(let event): Self.verb(of: event)
    case .hives(let event): Self.verb(of: event)
    case .household(let event): Self.verb(of: event)
    case .householdTasks(let event): Self.verb(of: event)
    case .recipes(let event): Self.verb(of: event)
    case .mealPlan(let event): Self.verb(of: event)
    case .groceries(let event): verb(of: event)
    case .pantry(let event): Self.verb(of: event)
    case .calendar(let event): Self.verb(of: event)
    case .activities(.activityPosted): "posted"
    // These have words of their own.
    case .tasks: event.name
    }
  }

  private static func verb(of event: Event.Accounts) -> String {
    switch event {
    case .accountCreated: "created the account"
    case .profileChanged: "changed the profile"
    case .dayClockChanged: "changed the time zone or the day start"
    case .accountPaused: "paused"
    case .accountResumed: "resumed"
    case .accountErased: "erased the account"
    case .identityLinked: "linked an identity"
    case .identityVerified: "verified an identity"
    case .identityUnlinked: "unlinked an identity"
    case .deviceRegistered: "registered a device"
    case .deviceUnregistered: "unregistered a device"
    case .contactsUploaded: "uploaded contacts"
    case .contactsRemoved: "removed contacts"
    case .contactNamed: "named a contact"
    case .upgradeRequested: "asked for the paid version"
    case .rowNamed: "named a row"
    case .birthdayChanged: "changed the birthday"
    case .notificationsChanged: "changed notifications"
    case .accountOnboarded: "completed the onboarding"
    case .pausesReverted: "restored the pauses"
    case .habitsOrdered: "reordered the habits"
    case .commandUndone(let event): "undid entry \(event.position)"
    }
  }

  private static func verb(of event: Event.Habits) -> String {
    switch event {
    case .habitCreated: "created"
    case .habitDescribed: "edited"
    case .habitScheduleChanged(let event): "new schedule from \(event.day)"
    case .habitTargetChanged: "new target"
    case .habitRemindersChanged(let event):
      event.reminders.isEmpty
        ? "reminders off"
        : "reminders at " + event.reminders.map(\.description).joined(separator: " and ")
    case .habitArchived: "archived"
    case .habitRestored: "restored from the archive"
    case .habitDeleted: "deleted"
    case .habitUndeleted: "restored"
    case .habitVersionsReverted: "schedule and target restored"
    case .habitLogged(let event): "\(event.entered ?? event.value)"
    case .habitLogCleared: "cleared"
    case .habitDaySkipped: "skipped"
    case .habitDayReverted(let event):
      (event.entered ?? event.value).map { "\($0) again" } ?? "skipped again"
    case .focusChosen(let event): event.habit == nil ? "removed the focus" : "chose a focus"
    }
  }

  private static func verb(of event: Event.Goals) -> String {
    switch event {
    case .goalCreated: "created"
    case .goalDescribed: "edited"
    case .goalDeleted: "deleted"
    case .goalRestored: "restored"
    case .habitAttached: "attached to a goal"
    case .habitDetached: "detached from its goal"
    }
  }

  private static func verb(of event: Event.Hives) -> String {
    switch event {
    case .hiveCreated: "created"
    case .hiveDescribed: "edited"
    case .hiveHandedOver: "handed over"
    case .hiveDeleted: "deleted"
    case .hiveRestored: "restored"
    case .hiveJoined: "joined"
    case .hiveLeft: "left"
    case .hiveHabitLinked(let event):
      event.habit == nil ? "unlinked from its habit" : "linked to a habit"
    case .hiveInviteCreated: "invite created"
    case .hiveInviteRevoked: "invite revoked"
    case .hiveDayLogged(let event): "\(event.entered ?? event.value)"
    case .hiveDayCleared: "cleared"
    case .hiveAdvanced: "advanced"
    case .hiveBroken: "broke"
    }
  }

  private static func verb(of event: Event.Household) -> String {
    switch event {
    case .householdCreated: "created"
    case .householdRenamed: "renamed"
    case .householdJoined: "a member joined"
    case .householdLeft: "a member left"
    case .householdDeleted: "deleted"
    case .householdRestored: "restored"
    case .householdCodeChanged(let event): event.code == nil ? "code revoked" : "code created"
    }
  }

  private static func verb(of event: Event.HouseholdTasks) -> String {
    switch event {
    case .householdTaskCreated: "created"
    case .householdTaskDescribed: "edited"
    case .householdTaskAssigned(let event):
      event.assignee == nil ? "assigned to nobody" : "assigned"
    case .householdTaskCompleted: "done"
    case .householdTaskReopened: "open again"
    case .householdTaskDeleted: "deleted"
    case .householdTaskRestored: "restored"
    }
  }

  private static func verb(of event: Event.Recipes) -> String {
    switch event {
    case .recipeCreated: "added"
    case .recipeDescribed: "edited"
    case .recipeDeleted: "deleted"
    case .recipeRestored: "restored"
    }
  }

  private static func verb(of event: Event.MealPlan) -> String {
    switch event {
    case .mealPlanned(let event): "planned for \(event.content.date)"
    case .mealChanged(let event): "planned for \(event.content.date)"
    case .mealRemoved: "removed from the plan"
    case .mealRestored: "restored to the plan"
    }
  }

  private func verb(of event: Event.Groceries) -> String {
    func line(_ list: GroceryList.ID, _ key: Values.Key) -> String {
      lists[list]?.items.first { $0.key == key }?.content.name ?? "a line"
    }
    return switch event {
    case .groceryListCreated: "created"
    case .groceryListGenerated: "made from the meal plan"
    case .groceryListSetAside(let event):
      event.isSetAside ? "set aside" : "chosen again"
    case .groceryListDeleted: "deleted"
    case .groceryListRestored: "restored"
    case .groceryItemAdded(let event): "\(event.content.name) added"
    case .groceryItemDescribed(let event): "\(event.content.name) edited"
    case .groceryItemMarked(let event):
      "\(line(event.list, event.item)) "
        + (event.status == .open ? "to buy" : event.status == .checked ? "checked" : "removed")
    }
  }

  private static func verb(of event: Event.Pantry) -> String {
    switch event {
    case .pantryStapleAdded: "kept at home"
    case .pantryStapleDescribed: "edited"
    case .pantryStapleRemoved: "no longer kept"
    case .pantryStapleRestored: "kept again"
    }
  }

  private static func verb(of event: Event.Calendar) -> String {
    switch event {
    case .calendarEventCreated: "in the calendar"
    case .calendarEventChanged: "changed"
    case .calendarEventDeleted: "removed from the calendar"
    case .calendarEventRestored: "in the calendar again"
    }
  }
}
