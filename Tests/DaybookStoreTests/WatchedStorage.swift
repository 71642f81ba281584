import Journal
import Synchronization

/// Counts the reads of each file and their bytes, and fails from one of the modifying calls on, like a disk that
/// disappears.
final class WatchedStorage: StorageOverlay {
  let base: any Storage
  private let state: Mutex<(reads: [String: Int], changesLeft: Int)>
  private let byteCount = Mutex(0)

  init(base: any Storage, failingAfter changes: Int = .max) {
    self.base = base
    state = Mutex(([:], changes))
  }

  func readCount(of path: String) -> Int { state.withLock { $0.reads[path] ?? 0 } }
  /// The bytes read from all files.
  var readByteCount: Int { byteCount.withLock { $0 } }
  /// Whether a call has failed.
  var hasFailed: Bool { state.withLock { $0.changesLeft < 0 } }

  fileprivate func read(_ path: String) { state.withLock { $0.reads[path, default: 0] += 1 } }

  fileprivate func change(_ path: String) throws(StorageError) {
    let fails = state.withLock { state in
      state.changesLeft -= 1
      return state.changesLeft < 0
    }
    guard fails else { return }
    throw StorageError(operation: "reach", path: path, reason: .system(5), message: "injected")
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try change(path)
    try base.createDirectory(path)
  }
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    if access == .create { try change(path) }
    return File(storage: self, path: path, base: try base.open(path, access))
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try change(path)
    try base.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try change(path)
    try base.link(path, to: newPath)
  }
  func makeReadOnly(_ path: String) throws(StorageError) {
    try change(path)
    try base.makeReadOnly(path)
  }
  func remove(_ path: String) throws(StorageError) {
    try change(path)
    try base.remove(path)
  }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try change(path)
    try base.synchronizeDirectory(path)
  }

  private final class File: StorageFileOverlay {
    let storage: WatchedStorage
    let path: String
    let base: any StorageFile

    init(storage: WatchedStorage, path: String, base: any StorageFile) {
      self.storage = storage
      self.path = path
      self.base = base
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      storage.read(path)
      let start = buffer.count
      try base.read(count, at: offset, appendingTo: &buffer)
      storage.byteCount.withLock { $0 += buffer.count - start }
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try storage.change(path)
      try base.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.change(path)
      try base.truncate(to: byteCount)
    }
    func synchronize() throws(StorageError) {
      try storage.change(path)
      try base.synchronize()
    }
  }
}
