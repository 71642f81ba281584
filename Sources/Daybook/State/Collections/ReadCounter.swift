#if DEBUG
  /// Counts what is read of a state's tables and indexes, so that a test can tell what a command costs without a clock.
  @usableFromInline
  package final class ReadCounter: @unchecked Sendable {
    // Safe to send: it counts what one task reads, which reads one thing after another, and is asked when that is done.

    /// Counts what the task reads, while it is set.
    @TaskLocal package static var current: ReadCounter?

    /// How much was read so far.
    package private(set) var total = 0

    package init() {}

    /// One more was read.
    @usableFromInline
    static func noteRead() { current?.total += 1 }
  }
#endif
