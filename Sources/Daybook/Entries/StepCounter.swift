/// Counts the steps of commands anew (``EntryHead/step``), for a copy of a book that leaves entries out.
package struct StepCounter: Sendable {
  /// Of the entry before: where its command begins in the book that is copied, and its step in the copy.
  private var last: (start: Int64, step: Int32)?

  /// Begins before the first entry.
  package init() {}

  /// The step in the copy of the next entry that is copied.
  ///
  /// - Parameter head: The entry's head in the book that is copied.
  /// - Returns: The step; 0 where the entry does not say it.
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

  /// Lets the next entry begin a command: in the copy something else stands before it.
  package mutating func interrupt() { last = nil }
}
