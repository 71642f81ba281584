import Daybook

extension State {
  /// Why an entry from a file cannot follow this state, if it cannot: what no command would have come to.
  ///
  /// That what it refers to exists and is not deleted was checked when its keys became numbers; whether names
  /// may be empty, ``ErasureCheck`` says.
  func contradiction(of entry: Entry, zones: any TimeZones) -> String? {
    if let (kind, key) = EntityKind.created(by: entry.event), isTaken(key, kind) {
      return "a line above creates the \(kind.word) \(key) already"
    }
    if let reason = contradiction(ofActor: entry) { return reason }
    switch entry.event {
    case .accountCreated(let event):
      return clockIsWrong(event.timeZone, event.dayStartHour, entry.head.at, zones)
    case .dayClockChanged(let event):
      return clockIsWrong(event.timeZone, event.dayStartHour, entry.head.at, zones)
    case .accountPaused(let event):
      guard let last = event.last, last < event.first else { return nil }
      return "the pause ends (\(last)) before it begins (\(event.first))"
    case .habitCreated(let event):
      if let goal = event.goal, goals[goal]?.owner != event.owner { return Self.foreignGoal }
      return look(event.description) ?? targetIsZero(event.target)
    case .habitDescribed(let event): return look(event.description)
    case .habitTargetChanged(let event): return targetIsZero(event.target)
    case .focusChosen(let event):
      guard let habit = event.habit.flatMap({ habits[$0] }) else { return nil }
      if habit.owner != event.account { return "the habit is another account's" }
      return habit.isArchived ? "the habit is archived" : nil
    case .goalDeleted(let event):
      let serves = habits.elements.contains { $0.goal == event.goal && !$0.isDeleted }
      return serves ? "habits still serve the goal; they are deleted before it" : nil
    case .habitAttached(let event):
      return habits[event.habit]?.owner == goals[event.goal]?.owner ? nil : Self.foreignGoal
    default: return nil
    }
  }

  private static let foreignGoal = "the goal is another account's"

  private func isTaken(_ key: Key, _ kind: EntityKind) -> Bool {
    switch kind {
    case .account: accounts.number(of: key) != nil
    case .habit: habits.number(of: key) != nil
    case .goal: goals.number(of: key) != nil
    }
  }

  /// Only the owner acts on what is theirs; an account may begin by itself, and anybody may be asked to erase it.
  private func contradiction(ofActor entry: Entry) -> String? {
    if case .accountCreated = entry.event { return nil }
    guard let actor = entry.head.actor else { return "nobody acts: actor is missing" }
    if case .accountErased = entry.event { return nil }
    if accounts[actor]?.isErased == true { return "a line above erases the actor" }
    guard let owner = owner(of: entry.event), owner != actor else { return nil }
    return "the actor is not the owner"
  }

  /// The account that an event is of, or whose habit or goal it is of; that of a new one is not known yet.
  func owner(of event: Event) -> Account.ID? {
    switch event {
    case .accountCreated: nil
    case .profileChanged(let event): event.account
    case .dayClockChanged(let event): event.account
    case .accountPaused(let event): event.account
    case .accountResumed(let event): event.account
    case .habitCreated(let event): event.owner
    case .habitDescribed(let event): habits[event.habit]?.owner
    case .habitScheduleChanged(let event): habits[event.habit]?.owner
    case .habitTargetChanged(let event): habits[event.habit]?.owner
    case .habitRemindersChanged(let event): habits[event.habit]?.owner
    case .habitArchived(let event): habits[event.habit]?.owner
    case .habitRestored(let event): habits[event.habit]?.owner
    case .habitDeleted(let event): habits[event.habit]?.owner
    case .habitLogged(let event): habits[event.habit]?.owner
    case .habitLogCleared(let event): habits[event.habit]?.owner
    case .habitDaySkipped(let event): habits[event.habit]?.owner
    case .focusChosen(let event): event.account
    case .goalCreated(let event): event.owner
    case .goalDescribed(let event): goals[event.goal]?.owner
    case .goalDeleted(let event): goals[event.goal]?.owner
    case .habitAttached(let event): habits[event.habit]?.owner
    case .habitDetached(let event): habits[event.habit]?.owner
    case .accountErased(let event): event.account
    }
  }
}

private func clockIsWrong(
  _ timeZone: String, _ dayStartHour: Int32, _ at: Instant, _ zones: any TimeZones
) -> String? {
  guard (0...23).contains(dayStartHour) else {
    return AccountRejection.invalidDayStart(Int(dayStartHour)).description
  }
  guard zones.offsetSeconds(of: timeZone, at: at) != nil else {
    return AccountRejection.unknownTimeZone(timeZone).description
  }
  return nil
}

private func look(_ description: HabitDescription) -> String? {
  let isColor =
    description.color.utf8.count == 7 && description.color.first == "#"
    && description.color.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  return isColor ? nil : "\"\(description.color)\" is not a colour such as #FF9F1C"
}

private func targetIsZero(_ target: Target) -> String? {
  target.bound == .atLeast && target.amount == .zero ? "the target must be above 0" : nil
}
