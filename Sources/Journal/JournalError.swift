import Avro

/// An error of a journal; its description says in one sentence what happened and what to do next.
public enum JournalError: Error, Sendable {
  /// The operating system refused a file operation.
  case storage(StorageError)
  /// There is nothing at the path.
  case noBook(path: String)
  /// There is something at the path, but it contains no journal.
  case notABook(path: String)
  /// There is already a book at the path.
  case alreadyABook(path: String)
  /// There is an unfinished copy of a book at the path.
  case unfinished(path: String)
  /// The path of a new book is not empty.
  case notEmpty(path: String)
  /// There is a book at the path, but it is not an earlier state of the same history.
  case anotherHistory(path: String, reason: String)
  /// The book was written by a newer Daybook.
  case newerFormat(file: String, format: String)
  /// The segment was written with event types that this Daybook does not read.
  case unknownSchema(file: String)
  /// The journal is damaged; nothing was changed.
  case corrupt(Corruption)
  /// Another writer holds the book.
  case locked(path: String, holder: String)
  /// An earlier write or sync failed, so the writer does not know what is on disk.
  case poisoned(reason: String)
  /// A tail had read entries that no longer exist: their sync had failed, and they were never
  /// acknowledged.
  case rolledBack(after: Position)
  /// The entries of one commit do not fit in a segment.
  case commitTooLarge(byteCount: Int)

  /// Where a journal is damaged.
  public struct Corruption: Sendable, Hashable {
    /// The file.
    public var file: String
    /// The offset of the first damaged block.
    public var offset: Int
    /// The position of the last entry before the damage.
    public var after: Position
    /// What is wrong.
    public var reason: String

    public init(file: String, offset: Int, after: Position, reason: String) {
      self.file = file
      self.offset = offset
      self.after = after
      self.reason = reason
    }

    /// The corruption of a segment that does not begin where the one before it ends.
    static func gap(before name: SegmentName, _ path: String, expected: Position) -> Corruption {
      let reason =
        if name.first == expected.next {
          "entry \(expected), which stands before it, is missing"
        } else if name.first > expected {
          "entries \(expected) to \(name.first.number - 1), which stand before it, are missing"
        } else {
          "it begins with entry \(name.first), which the segment before it holds"
        }
      return Corruption(
        file: path, offset: 0, after: Position(expected.number - 1), reason: reason)
    }
  }
}

extension JournalError: CustomStringConvertible {
  /// One sentence: what happened, and what to do next.
  public var description: String {
    switch self {
    case .storage(let error): error.description
    case .noBook(let path): "There is no book at \(path); `daybook --book \(path) init` makes one."
    case .notABook(let path):
      "\(path) is not a book: it has no journal in it; give --book another directory."
    case .alreadyABook(let path): "There is a book at \(path) already; it was left as it is."
    case .unfinished(let path):
      "\(path) holds a copy of a book that was never finished; make the copy again."
    case .notEmpty(let path):
      "\(path) is not empty; give a directory that does not exist yet."
    case .anotherHistory(let path, let reason):
      "\(path) is not an earlier backup of this book: \(reason); it was left as it is. Give "
        + "another directory."
    case .newerFormat(let file, let format):
      "\(file) is of format \(format), which is newer than this Daybook reads; use a newer Daybook."
    case .unknownSchema(let file):
      "\(file) holds event types that this Daybook does not read; use the Daybook that wrote it."
    case .corrupt(let corruption):
      "The book is damaged: in \(corruption.file) at byte \(corruption.offset), after entry"
        + " \(corruption.after), \(corruption.reason); nothing was changed. `daybook verify` "
        + "lists all damage; restore the damaged files from a backup, or copy what is whole "
        + "into a new book with `daybook salvage`."
    case .locked(let path, let holder):
      "The book at \(path) is held by another writer (\(holder)); wait until it ends, or open "
        + "the book only to read."
    case .poisoned(let reason):
      "An earlier write failed (\(reason)), so nothing more is written; open the book again."
    case .rolledBack(let position):
      "The disk refused the entries after entry \(position), so they were removed again: follow "
        + "the book from there again."
    case .commitTooLarge(let byteCount):
      "One commit of \(byteCount) bytes is more than a segment holds; split it."
    }
  }
}

/// Runs file operations and turns storage errors into journal errors.
package func onDisk<Result>(
  _ operations: () throws(StorageError) -> Result
) throws(JournalError) -> Result {
  do throws(StorageError) { return try operations() } catch { throw .storage(error) }
}

/// Runs a codec, which fails here only when memory is short.
func withCodec<Result>(
  _ operations: () throws(AvroError) -> Result
) throws(JournalError) -> Result {
  do throws(AvroError) { return try operations() } catch {
    throw .poisoned(reason: error.description)
  }
}
