import Journal

/// The storage of a book without files: it refuses every request and says why.
struct NoFilesStorage: Storage {
  /// The journal of a book without files: every operation that needs files throws.
  static let journal = Journal(directory: "the book's files", storage: NoFilesStorage())

  static func refusal(_ operation: String, _ path: String) -> StorageError {
    StorageError(
      operation: operation, path: path, reason: .noFiles, message: "the book is not kept in files")
  }

  func createDirectory(_ path: String) throws(StorageError) {
    throw Self.refusal("make", path)
  }

  func names(in directory: String) throws(StorageError) -> [String]? {
    throw Self.refusal("list", directory)
  }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    throw Self.refusal("open", path)
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    throw Self.refusal("rename", path)
  }

  func link(_ path: String, to newPath: String) throws(StorageError) {
    throw Self.refusal("link", path)
  }

  func makeReadOnly(_ path: String) throws(StorageError) {
    throw Self.refusal("make read-only", path)
  }

  func remove(_ path: String) throws(StorageError) { throw Self.refusal("remove", path) }

  func synchronizeDirectory(_ path: String) throws(StorageError) {
    throw Self.refusal("sync", path)
  }

  func lock(_ path: String) throws(StorageError) -> LockAttempt {
    throw Self.refusal("lock", path)
  }
}
