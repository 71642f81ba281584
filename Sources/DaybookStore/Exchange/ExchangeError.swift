public import Daybook
public import Journal

/// Why an import or export came to nothing. Nothing of it was kept.
public enum ExchangeError: Error, CustomStringConvertible {
  /// A line of a file is not what it should be.
  case malformed(file: String, line: Int, reason: String)
  /// The domain refuses what a line of a file says.
  case refused(file: String, line: Int, Rejection)
  /// The directory holds no CSV export of Loop Habit Tracker.
  case notALoopExport(path: String)
  /// An exported book is imported into an empty one only.
  case bookNotEmpty(entryCount: Int64)
  /// An entry of the book names something by a number that nothing has.
  case danglingNumber(position: Int64, reason: String)
  /// The disk refused a file operation.
  case storage(StorageError)

  /// The stable code.
  public var code: String {
    switch self {
    case .malformed: "malformed"
    case .refused(_, _, let rejection): rejection.code
    case .notALoopExport: "not_a_loop_export"
    case .bookNotEmpty: "book_not_empty"
    case .danglingNumber: "dangling_number"
    case .storage: "storage"
    }
  }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    switch self {
    case .malformed(let file, let line, let reason):
      "\(file), line \(line): \(reason); nothing was imported. Correct the line and import again."
    case .refused(let file, let line, let rejection):
      "\(file), line \(line): \(rejection.description) Nothing was imported."
    case .notALoopExport(let path):
      "\(path) has no Habits.csv: give the directory into which a CSV export of Loop Habit Tracker was"
        + " unpacked."
    case .bookNotEmpty(let count):
      "The book has \(count) \(count == 1 ? "entry" : "entries") already, and an exported book is"
        + " imported into an empty one only; give --book a new directory."
    case .danglingNumber(let position, let reason):
      "Entry \(position) cannot be exported: \(reason); the book is damaged, restore it from a backup."
    case .storage(let error): error.description
    }
  }
}
