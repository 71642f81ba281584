import Synchronization

/// A lock in a storage in memory; it is held while somebody has the object.
package final class LockInMemory: StorageLock {
  /// A reference that does not keep the lock.
  package struct Weak {
    /// The lock, while it is held.
    package weak var lock: LockInMemory?

    /// Refers to a lock.
    package init(lock: LockInMemory) { self.lock = lock }
  }

  private let checking: @Sendable () throws(StorageError) -> Void

  /// Takes a lock; `checking` throws unless the file is still the one that was locked.
  package init(_ checking: @escaping @Sendable () throws(StorageError) -> Void) {
    self.checking = checking
  }

  /// Checks that the file is still the one that was locked.
  ///
  /// - Throws: ``StorageError``.
  package func check() throws(StorageError) { try checking() }
}

/// A storage in memory: it behaves as ``FileStorage`` does, and is gone with its last holder.
package final class MemoryStorage: Storage {
  private struct Contents {
    /// The root, whose path is empty, is always there.
    var directories: Set<String> = [""]
    var files: [String: File] = [:]
    var locks: [String: LockInMemory.Weak] = [:]
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Creates a directory and its parents.
  ///
  /// - Throws: ``StorageError``.
  package func createDirectory(_ path: String) throws(StorageError) {
    contents.withLock { contents in
      var path = Self.normal(path)
      while !path.isEmpty {
        contents.directories.insert(path)
        path = Self.parent(path)
      }
    }
  }

  /// The names in a directory.
  ///
  /// - Throws: ``StorageError``.
  package func names(in directory: String) throws(StorageError) -> [String]? {
    let directory = Self.normal(directory)
    return contents.withLock { contents in
      guard contents.directories.contains(directory) else { return nil }
      let paths = Array(contents.files.keys) + contents.directories
      return paths.filter { !$0.isEmpty && Self.parent($0) == directory }
        .map { String($0.dropFirst(directory.isEmpty ? 0 : directory.count + 1)) }.sorted()
    }
  }

  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  package func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    let path = Self.normal(path)
    let opened = contents.withLock { contents -> Result<File, StorageError> in
      guard access == .create else {
        guard let file = contents.files[path] else { return .failure(.notFound("open", path)) }
        if access == .readWrite, file.isReadOnly { return .failure(.notPermitted(path)) }
        return .success(file)
      }
      guard contents.directories.contains(Self.parent(path)) else {
        return .failure(.notFound("open", path))
      }
      let file = File(path: path, storage: self)
      contents.files[path] = file
      return .success(file)
    }
    return try opened.get()
  }

  /// Gives a file another name.
  ///
  /// - Throws: ``StorageError``.
  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    let moved = contents.withLock { contents in
      guard let file = contents.files.removeValue(forKey: Self.normal(path)) else { return false }
      contents.files[Self.normal(newPath)] = file
      return true
    }
    guard moved else { throw .notFound("rename", path) }
  }

  /// Gives a file a second name.
  ///
  /// - Throws: ``StorageError``.
  package func link(_ path: String, to newPath: String) throws(StorageError) {
    let linked = contents.withLock { contents -> Bool? in
      guard let file = contents.files[Self.normal(path)],
        contents.directories.contains(Self.parent(Self.normal(newPath)))
      else { return nil }
      guard contents.files[Self.normal(newPath)] == nil else { return false }
      contents.files[Self.normal(newPath)] = file
      return true
    }
    guard let linked else { throw .notFound("link", path) }
    guard linked else {
      throw StorageError(
        operation: "link", path: path, reason: .system(17), message: "file exists")
    }
  }

  /// Makes a file read-only for everybody.
  ///
  /// - Throws: ``StorageError``.
  package func makeReadOnly(_ path: String) throws(StorageError) {
    let file = contents.withLock { $0.files[Self.normal(path)] }
    guard let file else { throw .notFound("make read-only", path) }
    file.makeReadOnly()
  }

  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  package func remove(_ path: String) throws(StorageError) {
    let removed = contents.withLock { $0.files.removeValue(forKey: Self.normal(path)) != nil }
    guard removed else { throw .notFound("remove", path) }
  }

  /// Waits until the directory's names are on disk.
  ///
  /// - Throws: ``StorageError``.
  package func synchronizeDirectory(_ path: String) throws(StorageError) {
    let exists = contents.withLock { $0.directories.contains(Self.normal(path)) }
    guard exists else { throw .notFound("sync", path) }
  }

  /// Takes a lock.
  ///
  /// - Throws: ``StorageError``.
  package func lock(_ path: String) throws(StorageError) -> LockAttempt {
    let path = Self.normal(path)
    return contents.withLock { contents in
      if contents.locks[path]?.lock != nil { return .held(by: "this process") }
      let file = contents.files[path] ?? File(path: path, storage: self)
      contents.files[path] = file
      let lock = LockInMemory { () throws(StorageError) in
        try self.check(file, at: path, byteCount: nil, "keep the lock")
      }
      contents.locks[path] = .init(lock: lock)
      return .taken(lock)
    }
  }

  private func check(
    _ file: File, at path: String, byteCount: Int?, _ operation: String
  ) throws(StorageError) {
    let isInPlace = contents.withLock { $0.files[Self.normal(path)] === file }
    let found = try file.byteCount()
    let message: String? =
      if !isInPlace {
        "another file is in its place, or none"
      } else if let byteCount, byteCount != found {
        "it has \(found) bytes, and was left with \(byteCount)"
      } else { nil }
    guard let message else { return }
    throw StorageError(operation: operation, path: path, reason: .replaced, message: message)
  }

  private static func normal(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private final class File: StorageFile {
    let path: String
    private weak let storage: MemoryStorage?
    private let bytes = Mutex<[UInt8]>([])
    private let readOnly = Mutex(false)

    init(path: String, storage: MemoryStorage) {
      self.path = path
      self.storage = storage
    }

    var isReadOnly: Bool { readOnly.withLock { $0 } }
    func makeReadOnly() { readOnly.withLock { $0 = true } }

    func check(at path: String, byteCount: Int) throws(StorageError) {
      try storage?.check(self, at: path, byteCount: byteCount, "append to")
    }

    func byteCount() throws(StorageError) -> Int { bytes.withLock { $0.count } }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      let read = bytes.withLock { bytes in
        // A whole read shares the array until somebody writes.
        if offset == 0, count >= bytes.count { return bytes }
        return offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
      }
      if buffer.isEmpty { buffer = read } else { buffer += read }
    }

    func write(_ more: [UInt8], at offset: Int) throws(StorageError) {
      bytes.withLock { bytes in
        if bytes.count < offset { bytes += [UInt8](repeating: 0, count: offset - bytes.count) }
        // Most writes append, or fill an empty file.
        if bytes.isEmpty {
          bytes = more
        } else if offset == bytes.count {
          bytes += more
        } else {
          bytes.replaceSubrange(offset..<min(bytes.count, offset + more.count), with: more)
        }
      }
    }

    func truncate(to byteCount: Int) throws(StorageError) {
      bytes.withLock { bytes in
        if bytes.count > byteCount {
          bytes.removeLast(bytes.count - byteCount)
        } else {
          bytes += [UInt8](repeating: 0, count: byteCount - bytes.count)
        }
      }
    }

    func synchronize() throws(StorageError) {}
  }
}

// The errors of disks that are not real.
extension StorageError {
  package static func notFound(_ operation: String, _ path: String) -> StorageError {
    StorageError(
      operation: operation, path: path, reason: .notFound, message: "no such file or directory")
  }

  package static func notPermitted(_ path: String) -> StorageError {
    StorageError(
      operation: "open", path: path, reason: .notPermitted, message: "permission denied")
  }
}
