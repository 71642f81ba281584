import Daybook

extension BookState {
  /// The reason why no command could record this entry of a file in this state; nil when one could.
  ///
  /// When keys were turned into numbers, it was checked that they refer to entities that exist and
  /// are not deleted. ``ErasureCheck`` says whether names may be empty.
  func contradiction(of entry: Entry, zones: any TimeZones) -> String? {
    if let (kind, key) = EntityKind.created(by: entry.event), isTaken(key, kind) {
      return "a line above creates the \(kind.word) \(key) already"
    }
    if let reason = entry.event.contradiction(in: self) { return reason }
    if let aggregate = entry.event.subject.aggregate, aggregate.kind == .hive,
      let hive = Hive.ID(Int(aggregate.number))
    {
      return contradiction(of: entry, in: hive)
    }
    if let reason = contradiction(ofActor: entry) ?? contradiction(ofBeginningIn: entry) {
      return reason
    }
    switch entry.event.byContext {
    case .accounts(let event): return contradiction(of: event, entry.head, zones)
    case .habits(let event): return contradiction(of: event)
    case .goals(let event): return contradiction(of: event)
    case .hives(.hiveCreated(let event)): return contradiction(of: event)
    // Events of an existing hive were checked above.
    case .hives: return nil
    case .household, .householdTasks, .recipes, .mealPlan, .groceries, .calendar:
      return household(of: entry.event).flatMap { contradiction(of: entry.event, inHousehold: $0) }
    case .tasks(let event): return contradiction(of: event, entry)
    case .activities(.activityPosted(let event)): return contradiction(of: event)
    case .others: return nil
    }
  }

  /// Why nobody could have recorded this event of a habit; nil when somebody could.
  private func contradiction(of event: Event.Habits) -> String? {
    switch event {
    case .habitCreated(let event):
      if let goal = event.goal, goals[goal]?.owner != event.owner { return Self.foreignGoal }
      return lookIsWrong(event.description.color)
        ?? targetIsZero(event.target)
    case .habitDescribed(let event):
      return lookIsWrong(event.description.color)
    case .habitTargetChanged(let event): return targetIsZero(event.target)
    case .habitUndeleted(let event):
      let goal = habits[event.habit]?.goal.flatMap { goals[$0] }
      return goal?.isDeleted == true ? "the goal is deleted" : nil
    case .habitVersionsReverted(let event):
      if event.versions.isEmpty { return "the habit asks nothing" }
      let days = event.versions.map(\.since)
      guard days == Set(days).sorted() else { return "the versions are not in order" }
      return event.versions.lazy.compactMap { targetIsZero($0.target) }.first
    case .focusChosen(let event):
      guard let habit = event.habit.flatMap({ habits[$0] }) else { return nil }
      if habit.owner != event.account { return "the habit is another account's" }
      return habit.isArchived ? "the habit is archived" : nil
    // These may be recorded of any habit that exists.
    case .habitScheduleChanged, .habitRemindersChanged, .habitArchived, .habitRestored,
      .habitDeleted, .habitLogged, .habitLogCleared, .habitDaySkipped, .habitDayReverted:
      return nil
    }
  }

  /// Why nobody could have recorded this event of a goal; nil when somebody could.
  private func contradiction(of event: Event.Goals) -> String? {
    switch event {
    case .goalDeleted(let event):
      return !habits(serving: event.goal).isEmpty
        ? "habits still serve the goal; delete them first" : nil
    case .habitAttached(let event):
      return habits[event.habit]?.owner == goals[event.goal]?.owner ? nil : Self.foreignGoal
    case .goalCreated, .goalDescribed, .goalRestored, .habitDetached: return nil
    }
  }

  private static let foreignGoal = "the goal is another account's"

  private func isTaken(_ key: Key, _ kind: EntityKind) -> Bool {
    table(of: kind).entityNumber(of: key) != nil
  }

  /// Checks that nothing begins or is done after it was recorded.
  private func contradiction(ofBeginningIn entry: Entry) -> String? {
    if let begun = entry.event.begun, begun > entry.head.at {
      return "it began after it was recorded"
    }
    if case .householdTaskCompleted(let event) = entry.event, let completed = event.completed,
      completed > entry.head.at
    {
      return "it was done after it was recorded"
    }
    if case .groceryListGenerated(let event) = entry.event, let generated = event.generated,
      generated > entry.head.at
    {
      return "the list was made after it was recorded"
    }
    if case .habitDayReverted(let event) = entry.event {
      guard event.created <= event.updated, event.updated <= entry.head.at else {
        return "the times of the restored day are out of order"
      }
      if event.value == nil, event.entered != nil {
        return "a skipped day cannot have an entered value"
      }
    }
    return nil
  }

  /// Checks the actor: only the owner acts on what is theirs, but an account may create itself, and
  /// anybody may ask for an erasure.
  private func contradiction(ofActor entry: Entry) -> String? {
    if case .accountCreated = entry.event { return nil }
    guard let actor = entry.head.actor else { return "nobody acts: actor is missing" }
    if case .accountErased = entry.event { return nil }
    if accounts[actor]?.isErased == true { return "a line above erases the actor" }
    // Registering a device takes it from its former account.
    if case .deviceUnregistered = entry.event { return nil }
    // Members act on what belongs to their household; what they add to it has their name on it.
    if case .householdJoined(let event) = entry.event, event.byCode { return nil }
    if let home = household(of: entry.event) {
      if case .householdRestored = entry.event, isMember(actor, of: home) { return nil }
      if household(home, for: actor) == nil { return "the actor is not a member of the household" }
      if entry.event.subject.aggregate != nil { return nil }
    }
    guard let owner = owner(of: entry.event.subject), owner != actor else { return nil }
    return "the actor is not the owner"
  }
}

func clockIsWrong(
  _ timeZone: String, _ dayStartHour: Int32, _ at: Instant, _ zones: any TimeZones
) -> String? {
  guard (0...23).contains(dayStartHour) else {
    return Rejection.invalidDayStart(Int(dayStartHour)).description
  }
  guard zones.offsetSeconds(of: timeZone, at: at) != nil else {
    return Rejection.unknownTimeZone(timeZone).description
  }
  return nil
}

func lookIsWrong(_ color: String) -> String? {
  reason { () throws(Rejection) in try ColorText.check(color, "color_hex") }
}

/// Why a text cannot be a label's colour; nil when it can.
func labelIsWrong(_ color: String) -> String? {
  reason { () throws(Rejection) in try ColorText.checkLabel(color) }
}

private func reason(_ check: () throws(Rejection) -> Void) -> String? {
  do throws(Rejection) {
    try check()
    return nil
  } catch { return error.description }
}

private func targetIsZero(_ target: Target) -> String? {
  target.bound == .atLeast && target.amount == .zero ? "the target must be above 0" : nil
}
