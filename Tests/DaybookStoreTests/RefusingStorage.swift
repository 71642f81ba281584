import Journal
import Synchronization

/// Fails calls about files with certain paths, from one of the calls on: the disk is full, or gone. A failing write
/// writes half.
final class RefusingStorage: StorageOverlay {
  let base: any Storage
  private let part: String
  private let isGone: Bool
  private let calls: Mutex<(count: Int, limit: Int)>

  /// - Parameters:
  ///   - base: The disk.
  ///   - part: A part of the paths.
  ///   - limit: How many calls succeed.
  ///   - isGone: Whether calls that a full disk allows fail, too: reads and removals.
  init(base: any Storage, refusing part: String, after limit: Int, isGone: Bool = false) {
    self.base = base
    self.part = part
    self.isGone = isGone
    calls = Mutex((0, limit))
  }

  /// The number of calls.
  var callCount: Int { calls.withLock { $0.count } }

  /// Stops failing; returns whether anything failed.
  func stopRefusing() -> Bool {
    calls.withLock { calls in
      defer { calls.limit = .max }
      return calls.count > calls.limit
    }
  }

  /// Calls that a full disk allows.
  fileprivate func look(_ operation: String, _ path: String) throws(StorageError) {
    if isGone { try change(operation, path) }
  }

  fileprivate func change(_ operation: String, _ path: String) throws(StorageError) {
    guard path.contains(part) else { return }
    let isRefused = calls.withLock { calls in
      calls.count += 1
      return calls.count > calls.limit
    }
    if isRefused {
      throw StorageError(operation: operation, path: path, reason: .full, message: "it is full")
    }
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try change("make", path)
    try base.createDirectory(path)
  }
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    if access == .read { try look("open", path) } else { try change("open", path) }
    return File(storage: self, path: path, base: try base.open(path, access))
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try change("rename", path)
    try base.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try change("link", path)
    try base.link(path, to: newPath)
  }
  func remove(_ path: String) throws(StorageError) {
    try look("remove", path)
    try base.remove(path)
  }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try change("sync", path)
    try base.synchronizeDirectory(path)
  }

  private final class File: StorageFileOverlay {
    let storage: RefusingStorage
    let path: String
    let base: any StorageFile

    init(storage: RefusingStorage, path: String, base: any StorageFile) {
      self.storage = storage
      self.path = path
      self.base = base
    }

    func byteCount() throws(StorageError) -> Int {
      try storage.look("measure", path)
      return try base.byteCount()
    }
    func read(
      _ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]
    ) throws(StorageError) {
      try storage.look("read", path)
      try base.read(count, at: offset, appendingTo: &buffer)
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      do throws(StorageError) { try storage.change("write", path) } catch {
        try base.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
        throw error
      }
      try base.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.look("cut", path)
      try base.truncate(to: byteCount)
    }
    func synchronize() throws(StorageError) {
      try storage.change("sync", path)
      try base.synchronize()
    }
  }
}
