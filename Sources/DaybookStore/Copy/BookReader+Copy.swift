public import Daybook
public import Journal

extension BookReader {
  /// Makes a backup of the book, or brings an earlier one up to date: a book of its own with
  /// everything recorded up to one moment. Writers need not stop.
  ///
  /// - Parameters:
  ///   - directory: The backup's directory: one that does not exist yet, or an earlier backup of
  ///     this book.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  ///   - progress: Receives how many bytes are done, and how many there are.
  /// - Returns: What the backup holds.
  /// - Throws: ``JournalError``; then there is no backup, or the earlier one as it was.
  @discardableResult
  public func backup(
    to directory: String, linking: Bool = true,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    try journal.backup(
      to: directory, linking: linking, rewrites: oldRewrites, progress: progress)
  }

  /// Makes a new book of everything recorded until an instant; its state is this book's state at
  /// that time.
  ///
  /// Accounts erased since then are erased there, too, because every blank entry must belong to an
  /// erased account. So the new book may have a few entries more than were recorded until then.
  ///
  /// - Parameters:
  ///   - directory: The new book's directory, which must not exist yet.
  ///   - last: Entries that were recorded later are left out.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  ///   - clock: The times at which erasures are recorded again.
  ///   - progress: Receives how many bytes are done, and how many there are.
  /// - Returns: What the new book holds.
  /// - Throws: ``JournalError``; then there is no new book.
  @discardableResult
  public func restore(
    to directory: String, until last: Instant = .last, linking: Bool = true,
    clock: BookClock = .system,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    let made = try journal.restore(
      to: directory, until: last.milliseconds, linking: linking, rewrites: oldRewrites,
      progress: progress)
    if last < .last { try repeatErasures(in: directory, clock) }
    return made
  }

  /// Repeats, in a restored book, the erasures in this book since then.
  private func repeatErasures(
    in directory: String, _ clock: BookClock
  ) throws(JournalError) {
    var records = ErasureRecords()
    try replay(into: &records)
    guard !records.accounts.isEmpty else { return }
    let target = BookReader(at: directory, storage: journal.storage, zones: zones)
    let then = try target.state()
    let left = records.accounts.filter { then.accounts.isThere($0) }
    guard !left.isEmpty else { return }
    let book = try Book(opening: target, clock: clock)
    for account in left {
      do { try book.erase(account) } catch let error as JournalError { throw error } catch {
        // The account was found a moment ago, and nobody else writes to the book.
        throw .poisoned(reason: "\(error)")
      }
    }
  }
}

extension Book {
  /// Makes a backup of the book, or brings an earlier one up to date, while others record.
  ///
  /// - Parameters:
  ///   - directory: The backup's directory: one that does not exist yet, or an earlier backup of
  ///     this book.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  /// - Returns: What the backup holds.
  /// - Throws: ``JournalError``; then there is no backup, or the earlier one as it was.
  @discardableResult
  public func backup(to directory: String, linking: Bool = true) throws(JournalError) -> JournalCopy
  {
    try reader.backup(to: directory, linking: linking)
  }
}
