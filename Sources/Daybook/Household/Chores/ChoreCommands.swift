/// Writes down what is to be done in a household (MC-3). Repeated by a member with the same key it changes nothing.
public struct CreateChore: Command {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// What is to be done.
  public var content: ChoreContent
  /// Who is to do it: a member.
  public var assignee: Account.ID?

  /// Makes the command.
  public init(
    in household: Household.ID, key: Key? = nil, _ content: ChoreContent,
    assignee: Account.ID? = nil
  ) {
    self.household = household
    self.key = key
    self.content = content
    self.assignee = assignee
  }

  /// Decides the command; the answer is the task's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    let (found, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    if let known = try state.known(key, in: state.chores, of: household) {
      return Decision([], known)
    }
    let content = try content.checked()
    try found.check(assignee)
    return Decision(
      [
        .choreCreated(
          ChoreCreated(
            key: key, household: household, owner: actor, content: content, assignee: assignee))
      ], state.chores.nextNumber)
  }
}

/// Changes what is to be done, when, how much it matters, or who is to do it.
public struct UpdateChore: Command {
  /// The task.
  public var chore: Chore.ID
  /// What is to be done.
  public var title: Edit<String> = .keep
  /// More about it.
  public var description: Edit<String?> = .keep
  /// The day on which it is due. Without a day there is no time, either.
  public var dueDate: Edit<Day?> = .keep
  /// The time of that day.
  public var dueTime: Edit<LocalTime?> = .keep
  /// How much it matters.
  public var priority: Edit<ChorePriority> = .keep
  /// Who is to do it: a member, or nobody in particular.
  public var assignee: Edit<Account.ID?> = .keep

  /// Makes a command that changes nothing yet.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    let (found, household, _) = try state.ownChore(chore, context)
    let old = found.content
    let date = dueDate.applied(to: old.dueDate)
    // With its day goes its time, unless a time is asked for.
    let time = date == nil && dueTime == .keep ? nil : dueTime.applied(to: old.dueTime)
    let content = try ChoreContent(
      title: title.applied(to: old.title), description: description.applied(to: old.description),
      dueDate: date, dueTime: time, priority: priority.applied(to: old.priority)
    ).checked()
    var events: [Event] = []
    if content != old {
      events.append(.choreDescribed(ChoreDescribed(chore: chore, content: content)))
    }
    let assignee = assignee.applied(to: found.assignee)
    if assignee != found.assignee {
      try household.check(assignee)
      events.append(.choreAssigned(ChoreAssigned(chore: chore, assignee: assignee)))
    }
    return Decision(events, chore)
  }
}

/// Says who is to do it: a member, or nobody in particular.
public struct AssignChore: Command {
  /// The task.
  public var chore: Chore.ID
  /// Who is to do it.
  public var assignee: Account.ID?

  /// Makes the command.
  public init(_ chore: Chore.ID, to assignee: Account.ID?) {
    self.chore = chore
    self.assignee = assignee
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    var update = UpdateChore(chore)
    update.assignee = .set(assignee)
    return try update.decide(state, context)
  }
}

/// Says that it is done. Done again it changes nothing.
public struct CompleteChore: Command {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    let (found, _, _) = try state.ownChore(chore, context)
    guard !found.isComplete else { return Decision([], chore) }
    return Decision([.choreCompleted(ChoreCompleted(chore: chore))], chore)
  }
}

/// Says that it is to be done again. Who was to do it still is, unless they left. What is open changes nothing.
public struct ReopenChore: Command {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    let (found, household, _) = try state.ownChore(chore, context)
    guard found.isComplete else { return Decision([], chore) }
    var events: [Event] = []
    if let assignee = found.assignee, !household.hasMember(assignee) {
      events.append(.choreAssigned(ChoreAssigned(chore: chore, assignee: nil)))
    }
    return Decision(events + [.choreReopened(ChoreReopened(chore: chore))], chore)
  }
}

/// Takes it off the household's list; time travel finds it.
public struct DeleteChore: Command {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    _ = try state.ownChore(chore, context)
    return Decision([.choreDeleted(ChoreDeleted(chore: chore))], chore)
  }
}

extension State {
  fileprivate func ownChore(
    _ number: Chore.ID, _ context: Context
  ) throws(Rejection) -> (Chore, Household, Account.ID) {
    try ownThing(number, in: chores, context, missing: .choreNotFound)
  }
}

extension Household {
  /// Refuses to assign something to one who is no member.
  fileprivate func check(_ assignee: Account.ID?) throws(Rejection) {
    if let assignee, !hasMember(assignee) { throw .personNotFound }
  }
}

extension ChoreContent {
  fileprivate func checked() throws(Rejection) -> ChoreContent {
    var checked = self
    checked.title = try checkedLine(title, "title")
    try Limit.text.check(description, "description")
    if dueDate == nil && dueTime != nil { throw .timeWithoutDate }
    return checked
  }
}
