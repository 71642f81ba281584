package import Journal
import Synchronization

/// A disk that counts how often it is asked to sync a file or a directory, and how many bytes are written.
package final class CountingStorage: Storage {
  private let base: any Storage
  private let counts = Mutex((syncs: 0, bytes: 0))

  /// Counts what is asked of a disk.
  package init(base: any Storage = FileStorage()) { self.base = base }

  /// How many syncs there were.
  package var syncCount: Int { counts.withLock { $0.syncs } }
  /// How many bytes were written.
  package var writtenByteCount: Int { counts.withLock { $0.bytes } }

  fileprivate func noteSync() { counts.withLock { $0.syncs += 1 } }
  fileprivate func noteWrite(_ byteCount: Int) { counts.withLock { $0.bytes += byteCount } }

  /// Makes a directory.
  ///
  /// - Throws: ``StorageError``.
  package func createDirectory(_ path: String) throws(StorageError) {
    try base.createDirectory(path)
  }
  /// The names in a directory.
  ///
  /// - Throws: ``StorageError``.
  package func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }
  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  package func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    CountingFile(storage: self, base: try base.open(path, access))
  }
  /// Gives a file another name.
  ///
  /// - Throws: ``StorageError``.
  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    try base.rename(path, to: newPath)
  }
  /// Gives a file a second name.
  ///
  /// - Throws: ``StorageError``.
  package func link(_ path: String, to newPath: String) throws(StorageError) {
    try base.link(path, to: newPath)
  }
  /// Lets nobody write to a file any more.
  ///
  /// - Throws: ``StorageError``.
  package func makeReadOnly(_ path: String) throws(StorageError) { try base.makeReadOnly(path) }
  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  package func remove(_ path: String) throws(StorageError) { try base.remove(path) }
  /// Syncs a directory, which is counted, too.
  ///
  /// - Throws: ``StorageError``.
  package func synchronizeDirectory(_ path: String) throws(StorageError) {
    noteSync()
    try base.synchronizeDirectory(path)
  }
  /// Takes a lock.
  ///
  /// - Throws: ``StorageError``.
  package func lock(_ path: String) throws(StorageError) -> LockAttempt { try base.lock(path) }
}

private final class CountingFile: StorageFile {
  let storage: CountingStorage
  let base: any StorageFile

  init(storage: CountingStorage, base: any StorageFile) {
    self.storage = storage
    self.base = base
  }

  func byteCount() throws(StorageError) -> Int { try base.byteCount() }
  func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError) {
    try base.read(count, at: offset, appendingTo: &buffer)
  }
  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    storage.noteWrite(bytes.count)
    try base.write(bytes, at: offset)
  }
  func truncate(to byteCount: Int) throws(StorageError) { try base.truncate(to: byteCount) }
  func check(at path: String, byteCount: Int) throws(StorageError) {
    try base.check(at: path, byteCount: byteCount)
  }
  func synchronize() throws(StorageError) {
    storage.noteSync()
    try base.synchronize()
  }
}
