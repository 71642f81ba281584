/// Numbers the steps of commands anew (``EntryHead/step``), for a copy of a book that leaves entries out.
package struct StepCounter: Sendable {
  /// The entry before: the position at which its command begins in the original, and its step in the copy.
  private var last: (start: Int64, step: Int32)?

  package init() {}

  /// The step that the next entry has in the copy.
  ///
  /// - Parameter head: The entry's head in the original.
  /// - Returns: The step; 0 when the entry does not say one.
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

  /// Makes the next entry begin a command, because the copy has something else before it.
  package mutating func interrupt() { last = nil }
}
