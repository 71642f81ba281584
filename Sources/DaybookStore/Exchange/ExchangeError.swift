import Avro
package import Daybook
package import Journal

/// Why an import or export failed. Nothing of it was kept.
package enum ExchangeError: Error, CustomStringConvertible {
  /// A line of a file is malformed.
  case malformed(file: String, line: Int, reason: String)
  /// The domain refuses a line of a file.
  case refused(file: String, line: Int, Rejection)
  /// The directory or archive holds no CSV export of Loop Habit Tracker.
  case notALoopExport(path: String)
  /// The file is an SQLite database, which trackers write as their own backup.
  case database(path: String)
  /// The domain refuses a recipe of a file for a reason other than a limit.
  case refusedRecipe(file: String, title: String, Rejection)
  /// The file holds no recipe.
  case noRecipe(path: String)
  /// The file is in none of the formats that can be read.
  case notUnderstood(path: String, reason: String)
  /// An exported book can be imported only into an empty one.
  case bookNotEmpty(entryCount: Int64)
  /// An entry of the book refers to a number that nothing has.
  case danglingNumber(position: Int64, reason: String)
  /// The disk refused a file operation.
  case storage(StorageError)

  /// The stable code.
  package var code: String {
    switch self {
    case .malformed: "malformed"
    case .refused(_, _, let rejection), .refusedRecipe(_, _, let rejection): rejection.code
    case .notALoopExport: "not_a_loop_export"
    case .database: "database"
    case .noRecipe: "no_recipe"
    case .notUnderstood: "not_understood"
    case .bookNotEmpty: "book_not_empty"
    case .danglingNumber: "dangling_number"
    case .storage: "storage"
    }
  }

  /// One sentence: what happened, and what to do next.
  package var description: String {
    switch self {
    case .malformed(let file, let line, let reason):
      "\(file), line \(line): \(reason); nothing was imported. Correct the line and import again."
    case .refused(let file, let line, let rejection):
      "\(file), line \(line): \(rejection.description) Nothing was imported."
    case .refusedRecipe(let file, let title, let rejection):
      "\(JSON.string(title).encoded) in \(file): \(rejection.description) Nothing was imported."
    case .notALoopExport(let path):
      "\(path) has no Habits.csv: give the CSV export of Loop Habit Tracker (Settings, \"Export as CSV\"), as it"
        + " is or unpacked."
    case .database(let path):
      "\(path) is a database, which Daybook does not read: in Loop Habit Tracker choose"
        + " Settings, \"Export as CSV\", and import that; a backup of Tickmate for Android or Rewire can be"
        + " imported into Loop first."
    case .noRecipe(let path):
      "\(path) holds no recipe: no schema.org Recipe, and none of Mealie or Paprika."
    case .notUnderstood(let path, let reason): "\(path) was not read: \(reason)"
    case .bookNotEmpty(let count):
      "The book has \(count) \(count == 1 ? "entry" : "entries") already, and an exported book "
        + "can be imported only into an empty one; give --book a new directory."
    case .danglingNumber(let position, let reason):
      "Entry \(position) cannot be exported: \(reason); the book is damaged, restore it from a backup."
    case .storage(let error): error.description
    }
  }
}
