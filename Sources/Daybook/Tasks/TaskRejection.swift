package import Calendar

// Rejections of commands about a task or a label.
extension Rejection {
  /// There is no such task, or it was deleted.
  package static let taskNotFound = Rejection(.taskNotFound, "There is no such task.")

  /// There is no such parent: it may be created later, and then the command may be repeated.
  package static let parentNotFound = Rejection(
    .parentNotFound,
    "parent_task_id: there is no such task yet; send it first, then this one again.")

  /// The task's title is empty.
  package static let emptyTaskTitle = Rejection(.emptyTitle, "title: a task needs a title.")

  /// The task would become its own descendant.
  package static let taskCycle = Rejection(
    .taskCycle, "parent_task_id: a task cannot be a part of itself.")

  /// The neighbour is in another list.
  package static let invalidNeighbour = Rejection(
    .invalidNeighbour, "A task can be placed only beside one with the same parent and bucket.")

  /// The rule is invalid, or repeats within a day.
  package static func invalidRecurrence(_ error: RecurrenceError) -> Rejection {
    Rejection(.invalidRecurrence, "recurrence_rule: \(error)")
  }

  /// The text is not a rank.
  package static let invalidRank = Rejection(
    .invalidRank, "rank: this is not a rank; leave it out, and move the task instead.")
}

// Labels.
extension Rejection {
  /// There is no such label, or it was deleted.
  package static let labelNotFound = Rejection(.labelNotFound, "There is no such label.")

  /// The label's name is empty.
  package static let emptyLabelName = Rejection(.emptyName, "name: a label needs a name.")

  /// The name holds control characters.
  package static let invalidLabelName = Rejection(
    .invalidName, "name: the name holds control characters; leave them out.")

  /// The account has another label with that name.
  package static func nameTaken(_ name: String) -> Rejection {
    Rejection(.nameTaken, "name: there is a label \"\(name)\" already.")
  }
}

// Undoing.
extension Rejection {
  /// There is no entry at that position, or it belongs to another account.
  package static func entryNotFound(_ position: Int64) -> Rejection {
    Rejection(.entryNotFound, "position: you have no entry \(position).")
  }

  /// The entry is not about a task or a label.
  package static func notUndoable(_ position: Int64) -> Rejection {
    Rejection(
      .notUndoable,
      "position: entry \(position) is not about a task or a label; this command undoes only those.")
  }

  /// The entry affected others, refers to something that is deleted, or is of a kind that cannot be undone.
  package static func notUndoable(_ position: Int64, because reason: String) -> Rejection {
    Rejection(.notUndoable, "position: entry \(position) cannot be undone: \(reason).")
  }

  /// The created entity now contains others, which would be deleted with it.
  package static func holdsOthers(_ name: String, _ what: String) -> Rejection {
    Rejection(
      .changedSince, "position: \(name) has \(what) by now; undo those, or delete it.")
  }

  /// A later entry changed what would be restored.
  package static func changedSince(_ position: Int64) -> Rejection {
    Rejection(
      .changedSince,
      "position: entry \(position) changed the same thing later; undo that entry first.")
  }

  /// Its parent was done or deleted meanwhile.
  package static let parentChanged = Rejection(
    .changedSince,
    "position: its parent is done or deleted by now; reopen or restore the parent first.")

  /// One of its subtasks was created or reopened meanwhile.
  package static let partChanged = Rejection(
    .changedSince,
    "position: by now it has a subtask that is not deleted or not done; delete or complete that "
      + "first."
  )

  /// A task was given the label meanwhile.
  package static let labelGiven = Rejection(
    .changedSince, "position: a task has the label by now; remove it from the task first.")

  /// Everything is already as it was before.
  package static func nothingToUndo(_ position: Int64) -> Rejection {
    Rejection(.nothingToUndo, "position: entry \(position) is undone already.")
  }
}
