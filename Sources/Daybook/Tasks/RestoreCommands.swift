import Calendar

/// Restores a deleted task, with the parts that were deleted with it, when a person asks for it. A device's row never
/// restores one: the device may not know of the deletion (DM-8).
package struct RestoreTask: Command {
  private let task: TaskItem.ID

  /// Makes the command, for the task of a number.
  package init(_ task: TaskItem.ID) { self.task = task }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: the task does not exist, is not the actor's, or was purged.
  package func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Void> {
    var plan = try TaskPlan(state, context)
    guard let item = state.tasks[task], !item.isPurged else { throw .taskNotFound }
    guard item.owner == plan.actor else { throw TaskItem.notOwner }
    try plan.restore(task)
    return Decision(plan.events, ())
  }
}

/// Restores a deleted label, on all tasks that lost it by the deletion.
package struct RestoreLabel: Command {
  private let label: TaskLabel.ID

  /// Makes the command, for the label of a number.
  package init(_ label: TaskLabel.ID) { self.label = label }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: the label does not exist, is not the actor's, or was purged, or another one has its name.
  package func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Void> {
    var plan = try TaskPlan(state, context)
    guard let found = state.labels[label], !found.isPurged else { throw .labelNotFound }
    guard found.owner == plan.actor else { throw TaskLabel.notOwner }
    guard let deleted = found.deleted else { return Decision([], ()) }
    try plan.checkFree(found.name, but: label)
    plan.add(LabelRestored(label: label))
    for task in state.allTasks(of: plan.actor) where plan.isThere(task) {
      guard plan[task]?.link(to: label)?.removed == deleted else { continue }
      try plan.label(task, add: [label], remove: [])
    }
    return Decision(plan.events, ())
  }
}

extension TaskPlan {
  /// Restores a task under its nearest ancestor that exists, and then the parts that were deleted with it, that is, at
  /// the same instant.
  fileprivate mutating func restore(_ number: TaskItem.ID) throws(Rejection) {
    guard let item = self[number], let deleted = item.deleted else { return }
    add(TaskRestored(task: number))
    if let parent = item.parent, !isThere(parent) {
      let list = List(parent: nearestAbove(number), bucket: item.bucket)
      move(number, to: list, try rank(at: .last, of: list, leavingOut: number))
    }
    var waiting = [number]
    while let next = waiting.popLast() {
      for part in state.indexes.tasks.tombstones(of: next)
      where state.tasks[part]?.deleted == deleted && state.tasks[part]?.owner == actor {
        add(TaskRestored(task: part))
        waiting.append(part)
      }
    }
    // Once its parts are restored, they are done if a task above them is done.
    settle(number)
  }
}
