import Values

extension BookState {
  /// The tasks of an account that are there, in the order of their creation.
  public func tasks(of account: Account.ID) -> [(number: TaskItem.ID, task: TaskItem)] {
    indexes.tasks.tasks(of: account).compactMap { number in
      guard let task = tasks[number], !task.isDeleted else { return nil }
      return (number, task)
    }
  }

  /// The parts of a task that are there, in the order of their creation.
  package func parts(of task: TaskItem.ID) -> [TaskItem.ID] { indexes.tasks.parts(of: task) }

  /// Whether a task that is there has a label.
  package func isUsed(_ label: TaskLabel.ID) -> Bool {
    var isUsed = false
    indexes.tasks.visit(having: label) { _ in
      isUsed = true
      return false
    }
    return isUsed
  }

  /// The labels of an account that are there, in the order of their creation.
  public func labels(of account: Account.ID) -> [(number: TaskLabel.ID, label: TaskLabel)] {
    indexes.tasks.labels(of: account).compactMap { number in
      guard let label = labels[number], !label.isDeleted else { return nil }
      return (number, label)
    }
  }
}

/// A title that somebody gives, without the space around it.
func checkedTaskTitle(_ title: String) throws(Rejection) -> String {
  try keptTaskTitle(title.asOneLine)
}

/// A title that a device's row says, with the space around it: there somebody may be in the middle of a word, whose row
/// comes back.
func keptTaskTitle(_ title: String) throws(Rejection) -> String {
  let line = title.withSpacesForBreaks
  // What nobody can see is no title.
  let isSeen = line.trimmingSpace.unicodeScalars.contains {
    !$0.properties.isDefaultIgnorableCodePoint
  }
  guard isSeen else { throw .emptyTaskTitle }
  try Limit.title.check(line, "title")
  guard !line.hasControls else { throw .invalidTitle }
  return line
}
