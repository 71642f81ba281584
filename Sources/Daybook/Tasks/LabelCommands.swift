/// Makes a label for tasks (DM-4). Repeated by its owner with the same key it changes nothing.
public struct CreateLabel: Command {
  /// The client's name for the label; a fresh one unless given.
  public var key: Key?
  /// What it is called.
  public var name: String
  /// Its colour: `#FF9F1C`.
  public var color: String

  /// The colour of a label that was given none.
  public static let usualColor = "#6C757D"

  /// Makes the command.
  public init(key: Key? = nil, name: String, color: String = CreateLabel.usualColor) {
    self.key = key
    self.name = name
    self.color = color
  }

  /// Decides the command; the answer is the label's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    let plan = try TaskPlan(state, context)
    let key = key ?? context.freshKey
    if let existing = state.labels.number(of: key) {
      guard let label = state.labels[existing], label.owner == plan.actor, !label.isDeleted else {
        throw .keyTaken(key)
      }
      return Decision([], existing)
    }
    let name = try checkedLabelName(name)
    try plan.checkFree(name)
    let created = LabelCreated(
      key: key, owner: plan.actor, name: name, color: try checkedLabelColor(color))
    return Decision([created.event], state.labels.nextNumber)
  }
}

/// Changes a label's name or colour.
public struct UpdateLabel: Command {
  /// The label.
  public var label: TaskLabel.ID
  /// What it is called.
  public var name: Edit<String>
  /// Its colour.
  public var color: Edit<String>

  /// Makes the command.
  public init(_ label: TaskLabel.ID, name: Edit<String> = .keep, color: Edit<String> = .keep) {
    self.label = label
    self.name = name
    self.color = color
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    let plan = try TaskPlan(state, context)
    let found = try plan.own(label)
    let name = try checkedLabelName(name.applied(to: found.name))
    if name != found.name { try plan.checkFree(name, but: label) }
    return Decision(try plan.describe(label, found, name, color).map { [$0.event] } ?? [], label)
  }
}

/// Deletes a label; the tasks that have it lose it.
public struct DeleteLabel: Command {
  /// The label.
  public var label: TaskLabel.ID

  /// Makes the command.
  public init(_ label: TaskLabel.ID) { self.label = label }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    var plan = try TaskPlan(state, context)
    _ = try plan.own(label)
    plan.delete(label)
    return Decision(plan.events, label)
  }
}

/// A label's row as a device sends it: made or changed, whichever is called for (DM-7). A deleted label stays
/// deleted.
public struct UpsertLabel: Command {
  /// The client's name for the label.
  public var key: Key
  /// Whose the row says it is: the actor's.
  public var owner: Key?
  /// What it is called.
  public var name: Edit<String> = .keep
  /// Its colour.
  public var color: Edit<String> = .keep
  /// Whether it is deleted.
  public var isDeleted = false

  /// Makes a row that says nothing yet.
  public init(_ key: Key) { self.key = key }

  /// Decides the command; the answer is the label's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    guard let number = state.labels.number(of: key) else {
      // Of what was never here nothing is left to delete.
      if isDeleted, name == .keep { return Decision([], state.labels.nextNumber) }
      plan.add(
        LabelCreated(
          key: key, owner: plan.actor, name: try checkedLabelName(name.applied(to: "")),
          color: try checkedLabelColor(color.applied(to: CreateLabel.usualColor))))
      if isDeleted { plan.add(LabelDeleted(label: state.labels.nextNumber)) }
      return Decision(plan.events, state.labels.nextNumber)
    }
    guard let label = state.labels[number], label.owner == plan.actor else { throw .notOwner }
    guard !label.isDeleted else { return Decision([], number) }
    if isDeleted {
      plan.delete(number)
    } else if let described = try plan.describe(
      number, label, try checkedLabelName(name.applied(to: label.name)), color)
    {
      plan.add(described)
    }
    return Decision(plan.events, number)
  }
}

/// Gives a task labels and takes others from it; those that are not named stay (DM-8). One that is named both
/// ways is taken. A task or a label that was deleted meanwhile is passed over.
public struct SetTaskLabels: Command {
  /// The task.
  public var task: TaskItem.ID
  /// Whose a row says the task is: the actor's.
  public var owner: Key?
  /// The labels that it gets, if it has them not.
  public var added: [TaskLabel.ID]
  /// The labels that it loses, if it has them.
  public var removed: [TaskLabel.ID]
  /// Whether it takes labels from a task that is not there: then nothing happens.
  var isOfNothing = false

  /// Makes the command.
  public init(_ task: TaskItem.ID, add added: [TaskLabel.ID], remove removed: [TaskLabel.ID] = []) {
    self.task = task
    self.added = added
    self.removed = removed
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    if isOfNothing { return Decision([], task) }
    guard let item = state.tasks[task] else { throw .taskNotFound }
    guard item.owner == plan.actor else { throw .notOwner }
    // A device that does not know that the task was deleted need not ask again.
    if item.isDeleted { return Decision([], task) }
    try plan.checkTaken(removed)
    try plan.label(task, add: try plan.given(added), remove: removed)
    return Decision(plan.events, task)
  }
}

extension TaskPlan {
  /// A label that is there and the actor's own.
  func own(_ number: TaskLabel.ID) throws(Rejection) -> TaskLabel {
    guard let label = state.labels[number], !label.isDeleted else { throw .labelNotFound }
    guard label.owner == actor else { throw .notOwner }
    return label
  }

  /// Those of some labels that a task can get: one that was deleted meanwhile, as another device may have, is no
  /// mistake.
  func given(_ labels: [TaskLabel.ID]) throws(Rejection) -> [TaskLabel.ID] {
    try checkTaken(labels)
    return labels.filter { state.labels[$0]?.isDeleted == false }
  }

  /// Refuses labels that are not there, or another's; deleted ones can be taken.
  func checkTaken(_ labels: [TaskLabel.ID]) throws(Rejection) {
    for label in labels where state.labels[label]?.owner != actor { _ = try own(label) }
  }

  /// People tell labels by their names.
  func checkFree(_ name: String, but own: TaskLabel.ID? = nil) throws(Rejection) {
    let named = state.taskIndex.labels(named: SearchText(name), of: actor)
    if named.contains(where: { $0 != own }) { throw .nameTaken(name) }
  }

  func describe(
    _ number: TaskLabel.ID, _ label: TaskLabel, _ name: String, _ color: Edit<String>
  ) throws(Rejection) -> LabelDescribed? {
    let color = try checkedLabelColor(color.applied(to: label.color))
    guard name != label.name || color != label.color else { return nil }
    return LabelDescribed(label: number, name: name, color: color)
  }

  /// Gives a task labels and takes others from it; those that are not named stay.
  mutating func label(
    _ number: TaskItem.ID, add added: [TaskLabel.ID], remove removed: [TaskLabel.ID]
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let has = Set(item.currentLabels)
    let lost = Set(removed).intersection(has).sorted()
    let got = Set(added).subtracting(has).subtracting(removed).sorted()
    guard !lost.isEmpty || !got.isEmpty else { return }
    if !got.isEmpty {
      let count = has.count - lost.count + got.count
      try Limit.labels.check(count, "labels")
    }
    add(TaskLabelsChanged(task: number, added: got, removed: lost))
  }

  mutating func delete(_ label: TaskLabel.ID) {
    for number in tasks(having: label) where self[number]?.currentLabels.contains(label) == true {
      add(TaskLabelsChanged(task: number, added: [], removed: [label]))
    }
    add(LabelDeleted(label: label))
  }
}

private func checkedLabelName(_ name: String) throws(Rejection) -> String {
  let trimmed = name.trimmingSpace
  guard !trimmed.isEmpty else { throw .emptyLabelName }
  try Limit.name.check(trimmed, "name")
  guard !trimmed.hasControls else { throw .invalidLabelName }
  return trimmed
}

private func checkedLabelColor(_ color: String) throws(Rejection) -> String {
  let digits = color.dropFirst()
  guard color.first == "#", digits.utf8.count == 6,
    digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
  else { throw .invalidColor(color, "color") }
  return color
}
