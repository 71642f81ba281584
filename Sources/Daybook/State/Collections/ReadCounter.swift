#if DEBUG
  /// Counts the reads of a state's tables and indexes, so that a test can measure the cost of a command without a
  /// clock.
  @usableFromInline
  package final class ReadCounter: @unchecked Sendable {
    // Safe to send: it counts the reads of a single task, which happen one after another, and is queried when they are
    // done.

    /// The counter of the task's reads, while it is set.
    @TaskLocal package static var current: ReadCounter?

    /// The number of reads so far.
    package private(set) var total = 0

    package init() {}

    /// Counts one more read.
    @usableFromInline
    static func noteRead() { current?.total += 1 }
  }
#endif
