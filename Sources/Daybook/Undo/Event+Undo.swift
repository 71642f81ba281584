extension Event {
  /// The reason why an event cannot be undone in a command that begins with `first`, as a sentence without its
  /// beginning; nothing when it can.
  func reasonNotToUndo(after first: Event) -> String? {
    if case .hiveJoined = self, case .hiveCreated = first { return nil }
    return content.record.reasonNotToUndo
  }

  /// Whether an event can be undone in a command that begins with `first`, unless something else changed in between.
  package func isUndoable(after first: Event) -> Bool { reasonNotToUndo(after: first) == nil }

  /// Whether it accompanies a command and is not undone with it: it announces an undo, or names a row, which is
  /// restored under that name.
  package var isBesideCommand: Bool {
    if case .commandUndone = self { return true }
    if case .rowNamed = self { return true }
    return false
  }
}
