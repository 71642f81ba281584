import Values

extension BookState {
  /// The tasks of an account that are not deleted, in the order of their creation.
  public func tasks(of account: Account.ID) -> [(number: TaskItem.ID, task: TaskItem)] {
    indexes.owned[TaskItem.self][account].compactMap { number in
      guard let task = tasks[number], !task.isDeleted else { return nil }
      return (number, task)
    }
  }

  /// The subtasks of a task that are not deleted, in the order of their creation.
  package func parts(of task: TaskItem.ID) -> [TaskItem.ID] { indexes.tasks.parts(of: task) }

  /// Whether any task that is not deleted has a label.
  package func isUsed(_ label: TaskLabel.ID) -> Bool {
    var isUsed = false
    indexes.tasks.visit(having: label) { _ in
      isUsed = true
      return false
    }
    return isUsed
  }

  /// The labels of an account that are not deleted, in the order of their creation.
  public func labels(of account: Account.ID) -> [(number: TaskLabel.ID, label: TaskLabel)] {
    indexes.owned[TaskLabel.self][account].compactMap { number in
      guard let label = labels[number], !label.isDeleted else { return nil }
      return (number, label)
    }
  }
}

/// A title that a person gives, without surrounding white space.
func checkedTaskTitle(_ title: String) throws(Rejection) -> String {
  try keptTaskTitle(title.asOneLine)
}

/// A title from a device's row, with its surrounding white space: a person may be typing there, and the row is sent
/// back to the device.
func keptTaskTitle(_ title: String) throws(Rejection) -> String {
  let line = title.withSpacesForBreaks
  // A title without visible characters is refused.
  let isSeen = line.trimmingSpace.unicodeScalars.contains {
    !$0.properties.isDefaultIgnorableCodePoint
  }
  guard isSeen else { throw .emptyTaskTitle }
  try Limit.title.check(line, "title")
  guard !line.hasControls else { throw .invalidTitle }
  return line
}
