public import Daybook
public import Journal

extension BookReader {
  /// Makes a backup of the book, or brings an earlier one up to date: a book of its own that holds all that was
  /// recorded up to one moment. Writers may go on meanwhile.
  ///
  /// - Parameters:
  ///   - directory: Where; not there yet, or an earlier backup of this book.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  ///   - progress: Is told how many bytes are done, and how many there are.
  /// - Returns: What the backup holds.
  /// - Throws: ``JournalError``; then there is no backup, or the earlier one as it was.
  @discardableResult
  public func backup(
    to directory: String, linking: Bool = true,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    try journal.backup(
      to: directory, linking: linking, rewrites: erasures, progress: progress)
  }

  /// Makes a new book of all that was recorded until an instant: its state is what this book's was then.
  ///
  /// - Parameters:
  ///   - directory: Where; not there yet.
  ///   - last: Entries that were recorded later are left out.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  ///   - progress: Is told how many bytes are done, and how many there are.
  /// - Returns: What the new book holds.
  /// - Throws: ``JournalError``; then there is no new book.
  @discardableResult
  public func restore(
    to directory: String, until last: Instant = .last, linking: Bool = true,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> JournalCopy {
    try journal.restore(
      to: directory, until: last.milliseconds, linking: linking, rewrites: erasures,
      progress: progress)
  }
}

extension Book {
  /// Makes a backup of the book, or brings an earlier one up to date, while others record.
  ///
  /// - Parameters:
  ///   - directory: Where; not there yet, or an earlier backup of this book.
  ///   - linking: Whether to share the files of sealed segments where that is possible.
  /// - Returns: What the backup holds.
  /// - Throws: ``JournalError``; then there is no backup, or the earlier one as it was.
  @discardableResult
  public func backup(to directory: String, linking: Bool = true) throws(JournalError) -> JournalCopy
  {
    try reader.backup(to: directory, linking: linking)
  }
}
