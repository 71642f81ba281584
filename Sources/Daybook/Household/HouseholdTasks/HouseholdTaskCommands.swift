package import Values

/// Writes down what is to be done in a household (MC-3). Repeated by a member with the same key and
/// content it changes nothing.
public struct CreateHouseholdTask: ColumnCommand {
  /// The household.
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  /// What is to be done, and who is to do it.
  package var draft: HouseholdTaskDraft

  /// Makes the command.
  public init(
    in household: Household.ID, key: Key? = nil, _ content: HouseholdTaskContent,
    assignee: Account.ID? = nil
  ) {
    self.household = household
    self.key = key
    draft = HouseholdTaskDraft(content: content, assignee: assignee)
  }

  /// "create_household_task".
  package static let form = CommandForm(
    "create_household_task", "Writes down what is to be done in a household.",
    answer: "household_task")
  /// A task without a title.
  public static var defaults: CreateHouseholdTask {
    CreateHouseholdTask(in: .placeholder, .placeholder)
  }

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
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    let (found, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    let content = try draft.content.checked()
    if let known = try state.known(
      key, in: state.householdTasks, of: household,
      { $0.content == content && $0.assignee == draft.assignee })
    {
      return Decision([], known)
    }
    try found.check(draft.assignee)
    return Decision(
      [
        .householdTaskCreated(
          HouseholdTaskCreated(
            key: key, household: household, owner: actor, content: content,
            assignee: draft.assignee))
      ], state.householdTasks.nextNumber)
  }
}

/// Changes what is to be done, when, how much it matters, or who is to do it.
public struct UpdateHouseholdTask: ColumnCommand {
  /// The task.
  package var householdTask: HouseholdTask.ID
  /// What changes. Without a day there is no time, either.
  package var patch: Patch<HouseholdTaskDraft>

  /// Makes a command that sets what the closure sets.
  public init(
    _ householdTask: HouseholdTask.ID, _ set: (inout HouseholdTaskDraft) -> Void = { _ in }
  ) {
    self.householdTask = householdTask
    patch = Patch(set)
  }

  /// "update_household_task".
  package static let form = CommandForm(
    "update_household_task", "Changes what is to be done, when, or who is to do it.",
    answer: "household_task")
  /// Nothing changes.
  public static var defaults: UpdateHouseholdTask { UpdateHouseholdTask(.placeholder) }

  /// `task`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &householdTask)
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    let (found, household, _) = try state.ownHouseholdTask(householdTask, context)
    let old = found.content
    var draft = patch.applied(to: HouseholdTaskDraft(content: old, assignee: found.assignee))
    // With its day goes its time, unless a time is asked for.
    if draft.content.dueDate == nil, !patch.has("due_time") { draft.content.dueTime = nil }
    let content = try draft.content.checked()
    var events: [Event] = []
    if content != old {
      events.append(
        .householdTaskDescribed(
          HouseholdTaskDescribed(householdTask: householdTask, content: content)))
    }
    if draft.assignee != found.assignee {
      try household.check(draft.assignee)
      events.append(
        .householdTaskAssigned(
          HouseholdTaskAssigned(householdTask: householdTask, assignee: draft.assignee)))
    }
    return Decision(events, householdTask)
  }
}

/// Says who is to do it: a member, or nobody in particular.
public struct AssignHouseholdTask: ColumnCommand {
  /// The task.
  package var householdTask: HouseholdTask.ID
  /// Who is to do it.
  package var assignee: Account.ID?

  /// Makes the command.
  public init(_ householdTask: HouseholdTask.ID, to assignee: Account.ID?) {
    self.householdTask = householdTask
    self.assignee = assignee
  }

  /// "assign_household_task".
  package static let form = CommandForm(
    "assign_household_task", "Says who is to do a task: a member, or nobody in particular.",
    answer: "household_task")
  /// Of no task yet.
  public static var defaults: AssignHouseholdTask { AssignHouseholdTask(.placeholder, to: nil) }

  /// `task`, `assigned_to`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &householdTask)
    try visitor.columns(
      OptionalEntityCodec(
        "assigned_to", orElse: Rejection.personNotFound, isNeeded: true,
        "who is to do it: a member; null for nobody in particular"), &assignee)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    try UpdateHouseholdTask(householdTask) { $0.assignee = assignee }.decide(state, context)
  }
}

/// Says that it is done. Done again it changes nothing.
public struct CompleteHouseholdTask: ColumnCommand {
  /// The task.
  package var householdTask: HouseholdTask.ID

  /// Makes the command.
  public init(_ householdTask: HouseholdTask.ID) { self.householdTask = householdTask }

  /// "complete_household_task".
  package static let form = CommandForm(
    "complete_household_task", "Says that a task is done.", answer: "household_task")
  /// Of no task yet.
  public static var defaults: CompleteHouseholdTask { CompleteHouseholdTask(.placeholder) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &householdTask)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    let (found, _, _) = try state.ownHouseholdTask(householdTask, context)
    guard !found.isComplete else { return Decision([], householdTask) }
    return Decision(
      [.householdTaskCompleted(HouseholdTaskCompleted(householdTask: householdTask))], householdTask
    )
  }
}

/// Says that it is to be done again. Who was to do it still is, unless they left. What is open changes nothing.
public struct ReopenHouseholdTask: ColumnCommand {
  /// The task.
  package var householdTask: HouseholdTask.ID

  /// Makes the command.
  public init(_ householdTask: HouseholdTask.ID) { self.householdTask = householdTask }

  /// "reopen_household_task".
  package static let form = CommandForm(
    "reopen_household_task", "Says that a task is to be done again.", answer: "household_task")
  /// Of no task yet.
  public static var defaults: ReopenHouseholdTask { ReopenHouseholdTask(.placeholder) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &householdTask)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    let (found, household, _) = try state.ownHouseholdTask(householdTask, context)
    guard found.isComplete else { return Decision([], householdTask) }
    var events: [Event] = []
    if let assignee = found.assignee, !household.hasMember(assignee) {
      events.append(
        .householdTaskAssigned(HouseholdTaskAssigned(householdTask: householdTask, assignee: nil)))
    }
    return Decision(
      events + [.householdTaskReopened(HouseholdTaskReopened(householdTask: householdTask))],
      householdTask)
  }
}

/// Takes it off the household's list; time travel finds it.
public struct DeleteHouseholdTask: ColumnCommand {
  /// The task.
  package var householdTask: HouseholdTask.ID

  /// Makes the command.
  public init(_ householdTask: HouseholdTask.ID) { self.householdTask = householdTask }

  /// "delete_household_task".
  package static let form = CommandForm(
    "delete_household_task", "Takes a task off the household's list.", answer: "id, deleted")
  /// Of no task yet.
  public static var defaults: DeleteHouseholdTask { DeleteHouseholdTask(.placeholder) }

  /// `task`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("task"), &householdTask)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    _ = try state.ownHouseholdTask(householdTask, context)
    return Decision(
      [.householdTaskDeleted(HouseholdTaskDeleted(householdTask: householdTask))], householdTask)
  }
}

extension BookState {
  fileprivate func ownHouseholdTask(
    _ number: HouseholdTask.ID, _ context: Context
  ) throws(Rejection) -> (HouseholdTask, Household, Account.ID) {
    try ownEntity(number, in: householdTasks, context, missing: .householdTaskNotFound)
  }
}

extension Household {
  /// Refuses to assign something to one who is no member.
  fileprivate func check(_ assignee: Account.ID?) throws(Rejection) {
    if let assignee, !hasMember(assignee) { throw .personNotFound }
  }
}

extension HouseholdTaskContent {
  fileprivate func checked() throws(Rejection) -> HouseholdTaskContent {
    var checked = self
    checked.title = try checkedLine(title, "title")
    try Limit.text.check(description, "description")
    if dueDate == nil && dueTime != nil { throw .timeWithoutDate }
    return checked
  }
}
