package import Journal
import Synchronization

/// A storage that counts syncs of files and directories, and written bytes.
package final class CountingStorage: StorageOverlay {
  package let base: any Storage
  private let counts = Mutex((syncs: 0, bytes: 0))

  /// Counts the operations on a storage.
  package init(base: any Storage = FileStorage()) { self.base = base }

  /// How many syncs there were.
  package var syncCount: Int { counts.withLock { $0.syncs } }
  /// How many bytes were written.
  package var writtenByteCount: Int { counts.withLock { $0.bytes } }

  fileprivate func noteSync() { counts.withLock { $0.syncs += 1 } }
  fileprivate func noteWrite(_ byteCount: Int) { counts.withLock { $0.bytes += byteCount } }

  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  package func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    CountingFile(storage: self, base: try base.open(path, access))
  }
  /// Syncs a directory; this is counted, too.
  ///
  /// - Throws: ``StorageError``.
  package func synchronizeDirectory(_ path: String) throws(StorageError) {
    noteSync()
    try base.synchronizeDirectory(path)
  }
}

private final class CountingFile: StorageFileOverlay {
  let storage: CountingStorage
  let base: any StorageFile

  init(storage: CountingStorage, base: any StorageFile) {
    self.storage = storage
    self.base = base
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
    storage.noteWrite(bytes.count)
    try base.write(bytes, at: offset)
  }
  func synchronize() throws(StorageError) {
    storage.noteSync()
    try base.synchronize()
  }
}
