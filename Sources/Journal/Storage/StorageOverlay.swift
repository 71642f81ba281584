/// A storage on top of another, which handles every operation that this one does not implement.
package protocol StorageOverlay: Storage {
  /// The storage below.
  var base: any Storage { get }
}

extension StorageOverlay {
  package func createDirectory(_ path: String) throws(StorageError) {
    try base.createDirectory(path)
  }

  package func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }

  package func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    try base.open(path, access)
  }

  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    try base.rename(path, to: newPath)
  }

  package func link(_ path: String, to newPath: String) throws(StorageError) {
    try base.link(path, to: newPath)
  }

  package func makeReadOnly(_ path: String) throws(StorageError) { try base.makeReadOnly(path) }

  package func remove(_ path: String) throws(StorageError) { try base.remove(path) }

  package func synchronizeDirectory(_ path: String) throws(StorageError) {
    try base.synchronizeDirectory(path)
  }

  package func identity(of path: String) throws(StorageError) -> FileIdentity? {
    try base.identity(of: path)
  }

  package func lock(_ path: String) throws(StorageError) -> LockAttempt { try base.lock(path) }
}

/// An open file of a ``StorageOverlay``. The file below handles every operation that this one does not implement.
package protocol StorageFileOverlay: StorageFile {
  /// The file below.
  var base: any StorageFile { get }
}

extension StorageFileOverlay {
  package func byteCount() throws(StorageError) -> Int { try base.byteCount() }

  package func read(
    _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
  ) throws(StorageError) {
    try base.read(count, at: offset, appendingTo: &buffer)
  }

  package func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    try base.write(bytes, at: offset)
  }

  package func truncate(to byteCount: Int) throws(StorageError) {
    try base.truncate(to: byteCount)
  }

  package func synchronize() throws(StorageError) { try base.synchronize() }

  package func check(at path: String, byteCount: Int) throws(StorageError) {
    try base.check(at: path, byteCount: byteCount)
  }
}
