/// Writes down what is to be done in a household (MC-3). Repeated by a member with the same key it changes nothing.
public struct CreateChore: ColumnCommand {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// What is to be done, and who is to do it.
  public var draft: ChoreDraft

  /// Makes the command.
  public init(
    in household: Household.ID, key: Key? = nil, _ content: ChoreContent,
    assignee: Account.ID? = nil
  ) {
    self.household = household
    self.key = key
    draft = ChoreDraft(content: content, assignee: assignee)
  }

  /// "create_household_task".
  public static var form: CommandForm {
    CommandForm(
      "create_household_task", "Writes down what is to be done in a household.",
      answer: "household_task")
  }
  /// A task without a title.
  public static var defaults: CreateChore { CreateChore(in: .blank, .blank) }

  /// `household`, `key`, what is to be done, and who is to do it.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column("key", &key)
    try draft.visitColumns(&visitor)
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
    let content = try draft.content.checked()
    try found.check(draft.assignee)
    return Decision(
      [
        .choreCreated(
          ChoreCreated(
            key: key, household: household, owner: actor, content: content,
            assignee: draft.assignee))
      ], state.chores.nextNumber)
  }
}

/// Changes what is to be done, when, how much it matters, or who is to do it.
public struct UpdateChore: ColumnCommand {
  /// The task.
  public var chore: Chore.ID
  /// What changes. Without a day there is no time, either.
  public var patch: Patch<ChoreDraft>

  /// Makes a command that sets what the closure sets.
  public init(_ chore: Chore.ID, _ set: (inout ChoreDraft) -> Void = { _ in }) {
    self.chore = chore
    patch = Patch(set)
  }

  /// "update_household_task".
  public static var form: CommandForm {
    CommandForm(
      "update_household_task", "Changes what is to be done, when, or who is to do it.",
      answer: "household_task")
  }
  /// Nothing changes.
  public static var defaults: UpdateChore { UpdateChore(.blank) }

  /// `task`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &chore)
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    let (found, household, _) = try state.ownChore(chore, context)
    let old = found.content
    var draft = patch.applied(to: ChoreDraft(content: old, assignee: found.assignee))
    // With its day goes its time, unless a time is asked for.
    if draft.content.dueDate == nil, !patch.has("due_time") { draft.content.dueTime = nil }
    let content = try draft.content.checked()
    var events: [Event] = []
    if content != old {
      events.append(.choreDescribed(ChoreDescribed(chore: chore, content: content)))
    }
    if draft.assignee != found.assignee {
      try household.check(draft.assignee)
      events.append(.choreAssigned(ChoreAssigned(chore: chore, assignee: draft.assignee)))
    }
    return Decision(events, chore)
  }
}

/// Says who is to do it: a member, or nobody in particular.
public struct AssignChore: ColumnCommand {
  /// The task.
  public var chore: Chore.ID
  /// Who is to do it.
  public var assignee: Account.ID?

  /// Makes the command.
  public init(_ chore: Chore.ID, to assignee: Account.ID?) {
    self.chore = chore
    self.assignee = assignee
  }

  /// "assign_household_task".
  public static var form: CommandForm {
    CommandForm(
      "assign_household_task", "Says who is to do a task: a member, or nobody in particular.",
      answer: "household_task")
  }
  /// Of no task yet.
  public static var defaults: AssignChore { AssignChore(.blank, to: nil) }

  /// `task`, `assigned_to`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &chore)
    try visitor.columns(
      OptionalEntityCodec(
        "assigned_to", orElse: Rejection.personNotFound, isNeeded: true,
        "who is to do it: a member; null for nobody in particular"), &assignee)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Chore.ID> {
    try UpdateChore(chore) { $0.assignee = assignee }.decide(state, context)
  }
}

/// Says that it is done. Done again it changes nothing.
public struct CompleteChore: ColumnCommand {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// "complete_household_task".
  public static var form: CommandForm {
    CommandForm("complete_household_task", "Says that a task is done.", answer: "household_task")
  }
  /// Of no task yet.
  public static var defaults: CompleteChore { CompleteChore(.blank) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &chore)
  }

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
public struct ReopenChore: ColumnCommand {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// "reopen_household_task".
  public static var form: CommandForm {
    CommandForm(
      "reopen_household_task", "Says that a task is to be done again.", answer: "household_task")
  }
  /// Of no task yet.
  public static var defaults: ReopenChore { ReopenChore(.blank) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &chore)
  }

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
public struct DeleteChore: ColumnCommand {
  /// The task.
  public var chore: Chore.ID

  /// Makes the command.
  public init(_ chore: Chore.ID) { self.chore = chore }

  /// "delete_household_task".
  public static var form: CommandForm {
    CommandForm(
      "delete_household_task", "Takes a task off the household's list.", answer: "id, deleted")
  }
  /// Of no task yet.
  public static var defaults: DeleteChore { DeleteChore(.blank) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &chore)
  }

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
