import Journal
import Synchronization

/// A disk on which all closed segments are sealed before the n-th file is opened.
final class SealingStorage: StorageOverlay {
  let base: any Storage
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
}
