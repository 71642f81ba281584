import Calendar

/// Brings back a task that was deleted, with the parts that were deleted with it, for whoever says so: a row that is silent,
/// or that knows nothing of it, leaves it deleted (DM-8).
package struct RestoreTask: Command {
  private let task: TaskItem.ID

  /// Makes the command, for the task of a number.
  package init(_ task: TaskItem.ID) { self.task = task }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: the task is not there, not the actor's, or purged.
  package func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Void> {
    var plan = try TaskPlan(state, context)
    guard let item = state.tasks[task], !item.isPurged else { throw .taskNotFound }
    guard item.owner == plan.actor else { throw TaskItem.notOwner }
    try plan.restore(task)
    return Decision(plan.events, ())
  }
}

/// Brings back a label that was deleted, on the tasks that lost it by that.
package struct RestoreLabel: Command {
  private let label: TaskLabel.ID

  /// Makes the command, for the label of a number.
  package init(_ label: TaskLabel.ID) { self.label = label }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``: the label is not there, not the actor's, or purged, or another has its name.
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
  /// Brings back a task, under the nearest task above that is there, and then the parts that went with it: those that were
  /// deleted at the same instant.
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
    // Now that its parts are there: what is done with a task above is done with them.
    settle(number)
  }
}
