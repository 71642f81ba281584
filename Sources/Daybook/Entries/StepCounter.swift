/// Renumbers the steps of commands (``EntryHead/step``) for a copy of a book that leaves entries out.
package struct StepCounter: Sendable {
  /// For the entry before: the position of its command's first entry in the original, and its step in the copy.
  private var last: (start: Int64, step: Int32)?

  package init() {}

  /// The step that the next copied entry has in the copy.
  ///
  /// - Parameter head: The entry's head in the original book.
  /// - Returns: The step; 0 when the entry does not know it.
  package mutating func step(of head: EntryHead) -> Int32 {
    guard let start = head.commandStart else {
      last = nil
      return 0
    }
    var step: Int32 = 1
    if let last, last.start == start { step = last.step &+ 1 }
    last = (start, step)
    return step
  }

  /// Makes the next entry begin a command: in the copy, something else precedes it.
  package mutating func interrupt() { last = nil }
}
