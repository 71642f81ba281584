import Journal
import Synchronization

/// What goes wrong with a disk.
struct Fault: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// The call fails and does nothing.
    case inputOutput
    /// As above, but a write has written its first half.
    case shortInputOutput
    /// The disk is full: this call and all that need room fail, until there is room again.
    case full
    /// As above, and a write has written its first half.
    case shortFull
  }

  var kind: Kind
  /// The number of the call that fails, from 0.
  var call: Int

  var isFull: Bool { kind == .full || kind == .shortFull }
  var isShort: Bool { kind == .shortInputOutput || kind == .shortFull }

  func error(_ operation: String, _ path: String) -> StorageError {
    StorageError(
      operation: operation, path: path, reason: isFull ? .full : .system(5), message: "injected")
  }
}

/// A disk whose n-th call fails.
final class FaultyStorage: Storage {
  let base: any Storage
  private let state: Mutex<(fault: Fault?, calls: Int, isFull: Bool, hit: String?)>

  init(base: any Storage, _ fault: Fault?) {
    self.base = base
    state = Mutex((fault, 0, false, nil))
  }

  /// How many calls there were.
  var calls: Int { state.withLock { $0.calls } }
  /// The operation that failed first.
  var hit: String? { state.withLock { $0.hit } }
  /// Makes room.
  func heal() { state.withLock { $0.isFull = false } }

  /// Counts a call; returns the fault when it is to fail.
  fileprivate func fault(_ operation: String, needsRoom: Bool = false) -> Fault? {
    state.withLock { state in
      defer { state.calls += 1 }
      guard let fault = state.fault else { return nil }
      if state.calls == fault.call {
        // What needs no room does not fail on a full disk.
        if fault.isFull && !needsRoom { return nil }
        state.isFull = fault.isFull
        state.hit = operation
        return fault
      }
      return state.isFull && needsRoom ? fault : nil
    }
  }

  fileprivate func run(
    _ operation: String, _ path: String, needsRoom: Bool = false
  ) throws(StorageError) {
    if let fault = fault(operation, needsRoom: needsRoom) { throw fault.error(operation, path) }
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try run("make", path, needsRoom: true)
    try base.createDirectory(path)
  }

  func names(in directory: String) throws(StorageError) -> [String]? {
    try run("list", directory)
    return try base.names(in: directory)
  }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    try run("open", path, needsRoom: access == .create)
    return File(storage: self, path: path, base: try base.open(path, access))
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try run("rename", path, needsRoom: true)
    try base.rename(path, to: newPath)
  }

  func link(_ path: String, to newPath: String) throws(StorageError) {
    try run("link", path, needsRoom: true)
    try base.link(path, to: newPath)
  }

  func makeReadOnly(_ path: String) throws(StorageError) {
    try run("make read-only", path)
    try base.makeReadOnly(path)
  }

  func remove(_ path: String) throws(StorageError) {
    try run("remove", path)
    try base.remove(path)
  }

  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try run("sync directory", path, needsRoom: true)
    try base.synchronizeDirectory(path)
  }

  func lock(_ path: String) throws(StorageError) -> LockAttempt {
    try run("lock", path)
    return try base.lock(path)
  }

  private final class File: StorageFile {
    let storage: FaultyStorage
    let path: String
    let base: any StorageFile

    init(storage: FaultyStorage, path: String, base: any StorageFile) {
      self.storage = storage
      self.path = path
      self.base = base
    }

    func byteCount() throws(StorageError) -> Int {
      try storage.run("look at", path)
      return try base.byteCount()
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      try storage.run("read", path)
      try base.read(count, at: offset, appendingTo: &buffer)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      guard let fault = storage.fault("write", needsRoom: true) else {
        return try base.write(bytes, at: offset)
      }
      if fault.isShort { try base.write(Array(bytes[..<(bytes.count / 2)]), at: offset) }
      throw fault.error("write", path)
    }

    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.run("shorten", path)
      try base.truncate(to: byteCount)
    }

    func synchronize() throws(StorageError) {
      try storage.run("sync", path)
      try base.synchronize()
    }
  }
}

/// A disk whose files show only their first bytes for the first calls, and then nothing or zeros: a writer
/// is at work.
final class GrowingStorage: Storage {
  let base: any Storage
  let visible: Int
  let isZeroed: Bool
  private let calls: Mutex<Int>

  init(base: any Storage, visible: Int, calls: Int, isZeroed: Bool) {
    self.base = base
    self.visible = visible
    self.isZeroed = isZeroed
    self.calls = Mutex(calls)
  }

  /// How much of a file is seen by the next call.
  fileprivate func limit() -> Int {
    calls.withLock { calls in
      calls -= 1
      return calls >= 0 ? visible : .max
    }
  }

  func createDirectory(_ path: String) throws(StorageError) { try base.createDirectory(path) }
  func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    File(storage: self, base: try base.open(path, access))
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

  private final class File: StorageFile {
    let storage: GrowingStorage
    let base: any StorageFile

    init(storage: GrowingStorage, base: any StorageFile) {
      self.storage = storage
      self.base = base
    }

    func byteCount() throws(StorageError) -> Int {
      let limit = storage.limit()
      return min(storage.isZeroed ? .max : limit, try base.byteCount())
    }
    func read(
      _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
    ) throws(StorageError) {
      let start = buffer.count
      let seen = max(0, min(count, storage.limit() - offset))
      try base.read(storage.isZeroed ? count : seen, at: offset, appendingTo: &buffer)
      if storage.isZeroed {
        for index in min(start + seen, buffer.count)..<buffer.count { buffer[index] = 0 }
      }
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try base.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int) throws(StorageError) { try base.truncate(to: byteCount) }
    func synchronize() throws(StorageError) { try base.synchronize() }
  }
}
