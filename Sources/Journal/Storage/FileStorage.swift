#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The real disk.
///
/// `synchronize` is `fdatasync` on Linux and `F_FULLFSYNC` on Darwin, where `fsync` does not reach the
/// drive. The lock is `flock`, which the system frees when a process dies.
public struct FileStorage: Storage {
  /// Uses the file system of this machine.
  public init() {}

  /// Makes a directory and those above it.
  ///
  /// - Throws: ``StorageError``.
  public func createDirectory(_ path: String) throws(StorageError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let parent = made.isEmpty ? "." : made
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/" + part
      guard mkdir(made, 0o777) != 0 else {
        try synchronizeDirectory(parent)
        continue
      }
      let code = errno
      guard code == EEXIST || (code != ENOSPC && directoryExists(made)) else {
        throw .init(code, "make the directory", made)
      }
    }
  }

  private func directoryExists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a directory.
  ///
  /// - Throws: ``StorageError``.
  public func names(in directory: String) throws(StorageError) -> [String]? {
    guard let stream = opendir(directory) else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .init(errno, "list", directory)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      // Only `errno` tells the end of the directory from names that could not be read.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .init(errno, "list", directory) }
        break
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  public func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    let flags =
      switch access {
      case .read: O_RDONLY
      case .readWrite: O_RDWR
      case .create: O_RDWR | O_CREAT | O_TRUNC
      }
    let descriptor = retrying { openFile(path, flags | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .init(errno, "open", path) }
    return File(descriptor: descriptor, path: path)
  }

  /// Gives a file another name.
  ///
  /// - Throws: ``StorageError``.
  public func rename(_ path: String, to newPath: String) throws(StorageError) {
    guard renameFile(path, newPath) == 0 else { throw .init(errno, "rename", path) }
  }

  /// Gives a file a second name.
  ///
  /// - Throws: ``StorageError``.
  public func link(_ path: String, to newPath: String) throws(StorageError) {
    guard linkFile(path, newPath) == 0 else { throw .init(errno, "link", path) }
  }

  /// Lets nobody write to a file any more.
  ///
  /// - Throws: ``StorageError``.
  public func makeReadOnly(_ path: String) throws(StorageError) {
    guard chmod(path, 0o444) == 0 else { throw .init(errno, "make read-only", path) }
  }

  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  public func remove(_ path: String) throws(StorageError) {
    guard unlink(path) == 0 else { throw .init(errno, "remove", path) }
  }

  /// Returns once the directory's names are on disk.
  ///
  /// - Throws: ``StorageError``.
  public func synchronizeDirectory(_ path: String) throws(StorageError) {
    let descriptor = retrying { openFile(path, O_RDONLY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw .init(errno, "open", path) }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and say EINVAL; there is nothing more to be done there.
    guard retrying({ fsync(descriptor) }) == 0 || errno == EINVAL else {
      throw .init(errno, "sync", path)
    }
  }

  /// Device, number, length and time of the last change.
  ///
  /// - Throws: ``StorageError``.
  public func identity(of path: String) throws(StorageError) -> FileIdentity? {
    var status = stat()
    guard fileStatus(path, &status) == 0 else { throw .init(errno, "look at", path) }
    #if canImport(Darwin)
      let change = status.st_mtimespec
    #else
      let change = status.st_mtim
    #endif
    return FileIdentity([
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino),
      Int64(truncatingIfNeeded: status.st_size), Int64(truncatingIfNeeded: change.tv_sec),
      Int64(truncatingIfNeeded: change.tv_nsec),
    ])
  }

  /// Takes a lock.
  ///
  /// - Throws: ``StorageError``.
  public func lock(_ path: String) throws(StorageError) -> LockAttempt {
    let descriptor = retrying { openFile(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { throw .init(errno, "open", path) }
    let file = File(descriptor: descriptor, path: path)
    guard retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 else {
      guard errno == EWOULDBLOCK else { throw .init(errno, "lock", path) }
      var note: [UInt8] = []
      try file.read(200, at: 0, appendingTo: &note)
      let text = String(decoding: note, as: UTF8.self).split(separator: "\n").first.map(String.init)
      return .held(by: text ?? "another process")
    }
    try file.truncate(to: 0)
    try file.write(Array("process \(getpid()) on \(hostName())\n".utf8), at: 0)
    return .taken(file)
  }

  private func hostName() -> String {
    var name = [UInt8](repeating: 0, count: 256)
    let result = name.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { gethostname($0, text.count - 1) } ?? -1
      }
    }
    return result == 0 ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : "this host"
  }

  private final class File: StorageFile, StorageLock {
    let descriptor: Int32
    let path: String

    init(descriptor: Int32, path: String) {
      self.descriptor = descriptor
      self.path = path
    }

    deinit { close(descriptor) }

    func byteCount() throws(StorageError) -> Int {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .init(errno, "look at", path) }
      return Int(status.st_size)
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      let start = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: count))
      let moved = moveAll(count) { done in
        buffer.withUnsafeMutableBytes { bytes in
          let rest = bytes.baseAddress?.advanced(by: start + done)
          return pread(descriptor, rest, count - done, off_t(offset + done))
        }
      }
      guard let moved else {
        let code = errno
        buffer.removeLast(buffer.count - start)
        throw .init(code, "read", path)
      }
      buffer.removeLast(count - moved)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      let moved = moveAll(bytes.count) { done in
        bytes.withUnsafeBytes { source in
          let rest = source.baseAddress?.advanced(by: done)
          return pwrite(descriptor, rest, bytes.count - done, off_t(offset + done))
        }
      }
      guard moved == bytes.count else { throw .init(moved == nil ? errno : EIO, "write", path) }
    }

    func truncate(to byteCount: Int) throws(StorageError) {
      guard retrying({ Int(ftruncate(descriptor, off_t(byteCount))) }) == 0 else {
        throw .init(errno, "shorten", path)
      }
    }

    func synchronize() throws(StorageError) {
      #if canImport(Darwin)
        let result = fcntl(descriptor, F_FULLFSYNC)
      #else
        let result = fdatasync(descriptor)
      #endif
      guard result == 0 else { throw .init(errno, "sync", path) }
    }
  }
}

/// Repeats a call that may move fewer bytes than it was asked to, until all are moved or it moves none. It
/// is given how many were moved so far, and returns how many more were, or −1 and `errno`.
///
/// - Returns: How many were moved: fewer only where there is no more. `nil` when a call failed; then `errno`
///   says why, and any part may have been moved.
func moveAll(_ count: Int, _ call: (_ done: Int) -> Int) -> Int? {
  var done = 0
  while done < count {
    let moved = retrying { call(done) }
    if moved < 0 { return nil }
    if moved == 0 { break }
    done += moved
  }
  return done
}

/// Repeats a call that a signal interrupted before it did anything.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

// Inside `FileStorage` the names `open`, `rename` and `link` are its own methods.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}

private func renameFile(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }

private func fileStatus(_ path: String, _ status: inout stat) -> Int32 { stat(path, &status) }

private func linkFile(_ path: String, _ newPath: String) -> Int32 { link(path, newPath) }

extension StorageError {
  fileprivate init(_ code: Int32, _ operation: String, _ path: String) {
    let reason: Reason =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .notPermitted
      case ENOENT, ENOTDIR: .notFound
      default: .system(code)
      }
    self.init(
      operation: operation, path: path, reason: reason,
      message: String(cString: strerror(code)).lowercased())
  }
}
