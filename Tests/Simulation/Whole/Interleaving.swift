import DaybookStore
import Journal
import SimulatedStorage
import Synchronization

/// A disk on which another action runs before a call, on request: the action of another task, thread or process.
final class InterleavedStorage: Storage, @unchecked Sendable {
  // Safe to send: one thread runs a simulated life, and alone sets and calls `meanwhile`.
  let base: SimulatedStorage
  /// Called before every call to the disk.
  var meanwhile: () -> Void = {}

  init(_ base: SimulatedStorage) { self.base = base }

  private func passing<Result>(
    _ call: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    meanwhile()
    return try call()
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.createDirectory(path) }
  }
  func names(in directory: String) throws(StorageError) -> [String]? {
    try passing { () throws(StorageError) in try base.names(in: directory) }
  }
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    let file = try passing { () throws(StorageError) in try base.open(path, access) }
    return File(storage: self, base: file)
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.rename(path, to: newPath) }
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.link(path, to: newPath) }
  }
  func makeReadOnly(_ path: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.makeReadOnly(path) }
  }
  func remove(_ path: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.remove(path) }
  }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try passing { () throws(StorageError) in try base.synchronizeDirectory(path) }
  }
  func lock(_ path: String) throws(StorageError) -> LockAttempt {
    try passing { () throws(StorageError) in try base.lock(path) }
  }

  private final class File: StorageFile {
    let storage: InterleavedStorage
    let base: any StorageFile

    init(storage: InterleavedStorage, base: any StorageFile) {
      self.storage = storage
      self.base = base
    }

    func byteCount() throws(StorageError) -> Int {
      try storage.passing { () throws(StorageError) in try base.byteCount() }
    }
    func read(
      _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
    ) throws(StorageError) {
      storage.meanwhile()
      try base.read(count, at: offset, appendingTo: &buffer)
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try storage.passing { () throws(StorageError) in try base.write(bytes, at: offset) }
    }
    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.passing { () throws(StorageError) in try base.truncate(to: byteCount) }
    }
    func synchronize() throws(StorageError) {
      try storage.passing { () throws(StorageError) in try base.synchronize() }
    }
    func check(at path: String, byteCount: Int) throws(StorageError) {
      try storage.passing { () throws(StorageError) in
        try base.check(at: path, byteCount: byteCount)
      }
    }
  }
}

/// Runs a book's maintenance on request.
final class ChosenMoments: MaintenanceExecutor {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  func later(_ round: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(round) } }

  func now(_ body: () -> Void) {
    while runNext() {}
    body()
  }

  /// Runs the round that has waited longest; returns whether there was one.
  @discardableResult
  func runNext() -> Bool {
    let round = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    round?()
    return round != nil
  }

  /// Drops the waiting rounds: the program has ended.
  func forget() { waiting.withLock { $0 = [] } }
}
