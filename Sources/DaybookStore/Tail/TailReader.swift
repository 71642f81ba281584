import Daybook
import Journal

/// Reads a tail's entries on a thread of its own, so that a task that follows a book does not wait
/// for its disk.
actor TailReader {
  private let executor = QueueExecutor(label: "daybook.tail")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var entries: EntryFollower

  init(_ log: any EventLog, from start: Int64) throws(JournalError) {
    entries = try EntryFollower(log, from: start)
  }

  /// The next entries, as ``EntryFollower/read(until:)`` gives them.
  ///
  /// - Throws: ``JournalError``.
  func read(until end: Int64?) throws(JournalError) -> [Entry] { try entries.read(until: end) }
}
