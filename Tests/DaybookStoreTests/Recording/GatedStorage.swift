import DaybookStore
import Dispatch
import Journal
import Synchronization

/// A disk that can be held at a sync, filled up, or broken, so that the order of events is certain.
final class GatedStorage: StorageOverlay {
  let base: any Storage
  private let gate = Mutex(Gate())
  private let opened = DispatchSemaphore(value: 0)

  private struct Gate {
    var isClosed = false
    var heldCount = 0
    /// How many more syncs of files succeed.
    var syncs = Int.max
    /// How many more writes succeed, and whether the disk is full after that, or broken.
    var writes = Int.max
    var isFull = false
    /// How many more reads succeed.
    var reads = Int.max
    var syncCount = 0
  }

  init(base: any Storage = MemoryStorage()) { self.base = base }

  /// Syncs of files wait from now on.
  func close() { gate.withLock { $0.isClosed = true } }

  /// Releases everything that waits, now and later.
  func open() {
    let held = gate.withLock { gate in
      defer { (gate.isClosed, gate.heldCount) = (false, 0) }
      return gate.heldCount
    }
    for _ in 0..<held { opened.signal() }
  }

  /// The number of held syncs.
  var heldCount: Int { gate.withLock { $0.heldCount } }
  /// The number of syncs of files.
  var syncCount: Int { gate.withLock { $0.syncCount } }

  func failWrites(after count: Int, isFull: Bool) {
    gate.withLock { ($0.writes, $0.isFull) = (count, isFull) }
  }
  func failSyncs(after count: Int) { gate.withLock { $0.syncs = count } }
  func failReads(after count: Int = 0) { gate.withLock { $0.reads = count } }
  func heal() {
    gate.withLock { ($0.writes, $0.syncs, $0.reads) = (.max, .max, .max) }
  }

  fileprivate func read(_ path: String) throws(StorageError) {
    let isBroken = gate.withLock { gate in
      defer { gate.reads -= gate.reads > 0 && gate.reads < .max ? 1 : 0 }
      return gate.reads == 0
    }
    guard !isBroken else { throw broken("read", path) }
  }

  /// How much of a write succeeds, and the error of the rest.
  fileprivate func write(_ path: String) -> StorageError? {
    gate.withLock { gate in
      guard gate.writes == 0 else {
        gate.writes -= gate.writes == .max ? 0 : 1
        return nil
      }
      return StorageError(
        operation: "write", path: path, reason: gate.isFull ? .full : .system(5),
        message: "injected")
    }
  }

  fileprivate func synchronize(_ path: String) throws(StorageError) {
    let (isHeld, isBroken) = gate.withLock { gate in
      gate.syncCount += 1
      if gate.isClosed { gate.heldCount += 1 }
      defer { if gate.syncs > 0, gate.syncs < .max { gate.syncs -= 1 } }
      return (gate.isClosed, gate.syncs == 0)
    }
    if isHeld { opened.wait() }
    if isBroken { throw broken("sync", path) }
  }

  private func broken(_ operation: String, _ path: String) -> StorageError {
    StorageError(operation: operation, path: path, reason: .system(5), message: "injected")
  }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    File(storage: self, path: path, base: try base.open(path, access))
  }

  private final class File: StorageFileOverlay {
    let storage: GatedStorage
    let path: String
    let base: any StorageFile

    init(storage: GatedStorage, path: String, base: any StorageFile) {
      self.storage = storage
      self.path = path
      self.base = base
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      try storage.read(path)
      try base.read(count, at: offset, appendingTo: &buffer)
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      guard let error = storage.write(path) else { return try base.write(bytes, at: offset) }
      try base.write(Array(bytes[..<(bytes.count / 2)]), at: offset)
      throw error
    }
    func synchronize() throws(StorageError) {
      try storage.synchronize(path)
      try base.synchronize()
    }
  }
}
