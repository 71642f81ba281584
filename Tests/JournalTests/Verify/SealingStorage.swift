import Journal
import Synchronization

/// A disk on which, before the n-th file is opened, somebody seals all closed segments.
final class SealingStorage: Storage {
  private let base: any Storage
  private let journal: Journal
  private let state: Mutex<(left: Int, hasSealed: Bool)>

  init(_ base: any Storage, _ journal: Journal, beforeOpening call: Int) {
    self.base = base
    self.journal = journal
    state = Mutex((call, false))
  }

  var hasSealed: Bool { state.withLock { $0.hasSealed } }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    let isTurn = state.withLock { state in
      state.left -= 1
      if state.left == -1 { state.hasSealed = true }
      return state.left == -1
    }
    if isTurn { _ = try? journal.seal() }
    return try base.open(path, access)
  }

  func createDirectory(_ path: String) throws(StorageError) { try base.createDirectory(path) }
  func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try base.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try base.link(path, to: newPath)
  }
  func makeReadOnly(_ path: String) throws(StorageError) { try base.makeReadOnly(path) }
  func remove(_ path: String) throws(StorageError) { try base.remove(path) }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try base.synchronizeDirectory(path)
  }
  func lock(_ path: String) throws(StorageError) -> LockAttempt { try base.lock(path) }
}
