public import Avro
public import Calendar
package import Values

/// Creates a task of a household (MC-3). Repeated by a member with the same key and content it changes nothing.
public struct CreateHouseholdTask: HouseholdCreationCommand {
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  /// The content and the assignee.
  package var content: HouseholdTaskDraft
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(
    in household: Household.ID, key: Key? = nil, _ content: HouseholdTaskContent,
    assignee: Account.ID? = nil
  ) {
    self.household = household
    self.key = key
    self.content = HouseholdTaskDraft(content: content, assignee: assignee)
  }

  package static let form = CommandForm(
    "create_household_task", "Adds a task to a household.",
    answer: "household_task")
  /// A task without a title.
  public static var defaults: CreateHouseholdTask {
    CreateHouseholdTask(in: .placeholder, .placeholder)
  }

  /// Decides the command; the answer is the task's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HouseholdTask.ID> {
    let (found, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    let (content, assignee) = (try content.content.checked(), content.assignee)
    let known = try state.known(key, in: state.householdTasks, of: household) { task in
      task.content == content && task.assignee == assignee
    }
    if let known { return Decision([], known) }
    try found.check(assignee)
    return Decision(
      [
        .householdTaskCreated(
          HouseholdTaskCreated(
            key: key, household: household, owner: actor, content: content, assignee: assignee,
            begun: context.begun(begun)))
      ], state.householdTasks.nextNumber)
  }
}

/// Changes a household task's content or assignee.
public struct UpdateHouseholdTask: PatchCommand {
  package var thing: HouseholdTask.ID
  /// The changes. Clearing the day clears the time.
  package var patch: Patch<HouseholdTaskDraft>

  public init(
    _ householdTask: HouseholdTask.ID, _ set: (inout HouseholdTaskDraft) -> Void = { _ in }
  ) {
    thing = householdTask
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_household_task", "Changes a household task: its text, its due date, or who does it.",
    answer: "household_task")
  /// Nothing changes.
  public static var defaults: UpdateHouseholdTask { UpdateHouseholdTask(.placeholder) }

  func events(
    _ found: HouseholdTask, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let old = found.content
    var draft = patch.applied(to: HouseholdTaskDraft(content: old, assignee: found.assignee))
    // Clearing the day clears the time, unless a time is given.
    if patch.has("due_date"), draft.content.dueDate == nil, !patch.has("due_time") {
      draft.content.dueTime = nil
    }
    let content = try draft.content.checked()
    var events: [Event] = []
    if content != old {
      events.append(
        .householdTaskDescribed(HouseholdTaskDescribed(householdTask: thing, content: content)))
    }
    if draft.assignee != found.assignee {
      try state.households[found.household]?.check(draft.assignee)
      events.append(
        .householdTaskAssigned(
          HouseholdTaskAssigned(householdTask: thing, assignee: draft.assignee)))
    }
    return events
  }
}

/// Assigns a household task to a member, or to nobody in particular.
public struct AssignHouseholdTask: EntityCommand {
  package var thing: HouseholdTask.ID
  /// The new assignee.
  package var assignee: Account.ID?

  public init(_ householdTask: HouseholdTask.ID, to assignee: Account.ID?) {
    thing = householdTask
    self.assignee = assignee
  }

  package static let form = CommandForm(
    "assign_household_task", "Assigns a household task to a member, or to nobody in particular.",
    answer: "household_task")
  /// The defaults; no task is named yet.
  public static var defaults: AssignHouseholdTask { AssignHouseholdTask(.placeholder, to: nil) }

  /// `task`, `assigned_to`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try HouseholdTask.visit(&thing, by: &visitor)
    try visitor.columns(
      OptionalEntityCodec(
        "assigned_to", orElse: Rejection.personNotFound, isNeeded: true,
        "the member who does it; null for nobody in particular"), &assignee)
  }

  func events(
    _ found: HouseholdTask, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    try UpdateHouseholdTask(thing) { $0.assignee = assignee }.events(found, state, context)
  }
}

/// Marks a household task as done. Repeated it changes nothing.
public struct CompleteHouseholdTask: EntityCommand {
  package var thing: HouseholdTask.ID
  /// When it was done by the clock of its app; now if that is not given, or lies in the future.
  package var completed: Instant?

  public init(_ householdTask: HouseholdTask.ID, at completed: Instant? = nil) {
    thing = householdTask
    self.completed = completed
  }

  package static let form = CommandForm(
    "complete_household_task", "Marks a household task as done.", answer: "household_task")
  /// The defaults; no task is named yet.
  public static var defaults: CompleteHouseholdTask { CompleteHouseholdTask(.placeholder) }

  /// `task`, `completed_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try HouseholdTask.visit(&thing, by: &visitor)
    try visitor.column(
      "completed_at", &completed,
      [.doc("when it was done, by the app's clock; now if it is not given or in the future")])
  }

  func events(_ found: HouseholdTask, _ state: BookState, _ context: Context) -> [Event] {
    if found.isComplete { return [] }
    let completed = context.begun(completed)
    let event = HouseholdTaskCompleted(
      householdTask: thing, completed: completed,
      completer: completed == nil ? nil : context.actor)
    return [.householdTaskCompleted(event)]
  }
}

/// Reopens a household task. The assignee stays, unless they left the household. An open task does not change.
public struct ReopenHouseholdTask: BareEntityCommand {
  package var thing: HouseholdTask.ID

  public init(_ householdTask: HouseholdTask.ID) { thing = householdTask }

  package static let form = CommandForm(
    "reopen_household_task", "Reopens a household task.", answer: "household_task")

  func events(_ found: HouseholdTask, _ state: BookState, _ context: Context) -> [Event] {
    guard found.isComplete else { return [] }
    let reopened: [Event] = [.householdTaskReopened(HouseholdTaskReopened(householdTask: thing))]
    guard let assignee = found.assignee,
      state.households[found.household]?.hasMember(assignee) == false
    else { return reopened }
    let assigned = HouseholdTaskAssigned(householdTask: thing, assignee: nil)
    return [.householdTaskAssigned(assigned)] + reopened
  }
}

/// Deletes a household task; as-of queries still find it.
public struct DeleteHouseholdTask: BareEntityCommand {
  package var thing: HouseholdTask.ID

  public init(_ householdTask: HouseholdTask.ID) { thing = householdTask }

  package static let form = CommandForm(
    "delete_household_task", "Deletes a household task.", answer: "id, deleted")

  func events(_ found: HouseholdTask, _ state: BookState, _ context: Context) -> [Event] {
    [.householdTaskDeleted(HouseholdTaskDeleted(householdTask: thing))]
  }
}

extension Household {
  /// Refuses an assignee who is not a member.
  fileprivate func check(_ assignee: Account.ID?) throws(Rejection) {
    if let assignee, !hasMember(assignee) { throw .personNotFound }
  }
}

extension HouseholdTaskContent {
  fileprivate func checked() throws(Rejection) -> HouseholdTaskContent {
    var checked = self
    checked.title = try checkedLine(title, "title")
    try Limit.text.check(description, "description")
    return checked
  }
}
