package import Calendar

// Why a command about a task or a label is refused.
extension Rejection {
  /// There is no such task, or it was deleted.
  package static let taskNotFound = Rejection(.taskNotFound, "There is no such task.")

  /// There is no such parent: it may come yet, and the command may then be repeated.
  package static let parentNotFound = Rejection(
    .parentNotFound,
    "parent_task_id: there is no such task yet; send it first, then this one again.")

  /// The task's title is empty.
  package static let emptyTaskTitle = Rejection(.emptyTitle, "title: a task needs a title.")

  /// The task would be a part of itself.
  package static let taskCycle = Rejection(
    .taskCycle, "parent_task_id: a task cannot be a part of itself.")

  /// The neighbour is not of the same list.
  package static let invalidNeighbour = Rejection(
    .invalidNeighbour, "A task is put beside one that has the same parent and bucket.")

  /// The rule is none, or repeats within a day.
  package static func invalidRecurrence(_ error: RecurrenceError) -> Rejection {
    Rejection(.invalidRecurrence, "recurrence_rule: \(error)")
  }

  /// The text is no rank.
  package static let invalidRank = Rejection(
    .invalidRank, "rank: this is no rank; leave it out, and move the task instead.")
}

// Labels.
extension Rejection {
  /// There is no such label, or it was deleted.
  package static let labelNotFound = Rejection(.labelNotFound, "There is no such label.")

  /// The label's name is empty.
  package static let emptyLabelName = Rejection(.emptyName, "name: a label needs a name.")

  /// It holds control characters.
  package static let invalidLabelName = Rejection(
    .invalidName, "name: the name holds control characters; leave them out.")

  /// The account has another label of that name.
  package static func nameTaken(_ name: String) -> Rejection {
    Rejection(.nameTaken, "name: there is a label \"\(name)\" already.")
  }
}

// Undoing.
extension Rejection {
  /// No entry of that position is there, or it is another account's.
  package static func entryNotFound(_ position: Int64) -> Rejection {
    Rejection(.entryNotFound, "position: you have no entry \(position).")
  }

  /// The entry is not about a task or a label.
  package static func notUndoable(_ position: Int64) -> Rejection {
    Rejection(
      .notUndoable,
      "position: entry \(position) is not about a task or a label; only those are undone.")
  }

  /// The entry touched others, names what is gone, or is of a kind that is not taken back.
  package static func notUndoable(_ position: Int64, because reason: String) -> Rejection {
    Rejection(.notUndoable, "position: entry \(position) is not taken back: \(reason).")
  }

  /// What was created holds others by now, which would go with it.
  package static func holdsOthers(_ name: String, _ what: String) -> Rejection {
    Rejection(
      .changedSince, "position: \(name) has \(what) by now; take those back or delete it.")
  }

  /// What would be restored was changed by a later entry.
  package static func changedSince(_ position: Int64) -> Rejection {
    Rejection(
      .changedSince,
      "position: what it changed was changed again by entry \(position); undo that first.")
  }

  /// What it is a part of is done or deleted meanwhile.
  package static let parentChanged = Rejection(
    .changedSince,
    "position: what it is a part of is done or gone meanwhile; reopen or restore that first.")

  /// A part of it is there, or open, meanwhile.
  package static let partChanged = Rejection(
    .changedSince,
    "position: it has a part meanwhile that is still there or open; delete or complete that first.")

  /// A task has the label meanwhile.
  package static let labelGiven = Rejection(
    .changedSince, "position: a task has the label meanwhile; take it from the task first.")

  /// Everything is as it was before already.
  package static func nothingToUndo(_ position: Int64) -> Rejection {
    Rejection(.nothingToUndo, "position: what entry \(position) did is undone already.")
  }
}
