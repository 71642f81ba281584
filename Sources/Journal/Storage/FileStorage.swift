#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file system of this machine.
///
/// `synchronize` is `fdatasync` on Linux and `F_FULLFSYNC` on Darwin, where `fsync` does not reach
/// the drive. Locks are `flock`, which the system releases when a process dies.
///
/// New files and directories are accessible to their owner only, so nobody else on the machine can
/// read what people did.
///
/// A path whose last part is a symbolic link is refused. Otherwise, whoever could plant a link in a
/// book's directory could have any file of its owner overwritten. Directories may be reached
/// through links.
public struct FileStorage: Storage {
  private let followsLinks: Bool

  /// Uses the file system of this machine.
  ///
  /// - Parameter followsLinks: Whether links are followed to files that are only read, such as
  ///   files that a user names.
  public init(followingLinks followsLinks: Bool = false) { self.followsLinks = followsLinks }

  /// Creates a directory and its parents.
  ///
  /// - Throws: ``StorageError``.
  public func createDirectory(_ path: String) throws(StorageError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let parent = made.isEmpty ? "." : made
      made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/" + part
      guard mkdir(made, 0o700) != 0 else {
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
      // Only `errno` distinguishes the end of the directory from a failed read.
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

  /// Opens a file. A file opened for writing is locked: nobody else can open it for writing
  /// meanwhile, under whatever name.
  ///
  /// - Throws: ``StorageError``.
  public func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    if access == .read { return try opened(path, O_RDONLY | (followsLinks ? 0 : O_NOFOLLOW)) }
    let file = access == .create ? try created(path) : try opened(path, O_RDWR | O_NOFOLLOW)
    guard try file.tryLock() else {
      throw StorageError(
        operation: "open", path: path, reason: .held, message: "another process is writing to it")
    }
    return file
  }

  func opened(_ path: String, _ flags: Int32) throws(StorageError) -> File {
    let descriptor = retrying { openFile(path, flags | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw .init(errno, "open", path) }
    return File(descriptor: descriptor, path: path)
  }

  /// Creates a new file in place of anything with that name, whether a crash left it or somebody
  /// planted it.
  private func created(_ path: String) throws(StorageError) -> File {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    do throws(StorageError) { return try opened(path, flags) } catch {
      guard error.reason == .system(EEXIST) else { throw error }
    }
    guard unlink(path) == 0 || errno == ENOENT else { throw .init(errno, "replace", path) }
    return try opened(path, flags)
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

  /// Makes a file read-only for everybody.
  ///
  /// - Throws: ``StorageError``.
  public func makeReadOnly(_ path: String) throws(StorageError) {
    let file = try opened(path, O_RDONLY | O_NOFOLLOW)
    guard fchmod(file.descriptor, 0o400) == 0 else { throw .init(errno, "make read-only", path) }
  }

  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  public func remove(_ path: String) throws(StorageError) {
    guard unlink(path) == 0 else { throw .init(errno, "remove", path) }
  }

  /// Waits until the directory's names are on disk.
  ///
  /// - Throws: ``StorageError``.
  public func synchronizeDirectory(_ path: String) throws(StorageError) {
    let descriptor = retrying { openFile(path, O_RDONLY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw .init(errno, "open", path) }
    defer { close(descriptor) }
    // Some file systems cannot sync a directory and report EINVAL; nothing more can be done there.
    guard retrying({ fsync(descriptor) }) == 0 || errno == EINVAL else {
      throw .init(errno, "sync", path)
    }
  }

  /// The device, number, length and time of the last change.
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

  final class File: StorageFile {
    let descriptor: Int32
    let path: String

    init(descriptor: Int32, path: String) {
      self.descriptor = descriptor
      self.path = path
    }

    deinit {
      // A lock is released explicitly. Closing alone would leave it with a program that this
      // process has just started, which keeps our descriptors until its own `exec`.
      _ = retrying { flock(descriptor, LOCK_UN) }
      close(descriptor)
    }

    func byteCount() throws(StorageError) -> Int {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw .init(errno, "look at", path) }
      return Int(status.st_size)
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      let start = buffer.count
      // An array, because a repeating sequence is copied byte by byte in unoptimised builds.
      buffer.append(contentsOf: [UInt8](repeating: 0, count: count))
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
      // A signal interrupts the wait and drops no pages, so waiting again waits for the same pages.
      #if canImport(Darwin)
        let result = retrying { fcntl(descriptor, F_FULLFSYNC) }
      #else
        let result = retrying { fdatasync(descriptor) }
      #endif
      guard result == 0 else { throw .init(errno, "sync", path) }
    }

    func check(at path: String, byteCount: Int) throws(StorageError) {
      try check(at: path, byteCount: byteCount, "append to")
    }

    func check(at path: String, byteCount: Int?, _ operation: String) throws(StorageError) {
      func replaced(_ message: String) -> StorageError {
        StorageError(operation: operation, path: path, reason: .replaced, message: message)
      }
      var (own, found) = (stat(), stat())
      guard fstat(descriptor, &own) == 0 else { throw .init(errno, "look at", path) }
      guard linkStatus(path, &found) == 0 else {
        guard errno == ENOENT || errno == ENOTDIR else { throw .init(errno, "look at", path) }
        throw replaced("somebody removed or moved it")
      }
      guard own.st_dev == found.st_dev, own.st_ino == found.st_ino else {
        throw replaced("another file is in its place")
      }
      guard let byteCount, Int(own.st_size) != byteCount else { return }
      throw replaced("it has \(own.st_size) bytes, and was left with \(byteCount)")
    }

    func tryLock() throws(StorageError) -> Bool {
      if retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
      guard errno == EWOULDBLOCK else { throw .init(errno, "lock", path) }
      return false
    }

    static let noteStart = "process "

    /// The note of the lock file's holder; nil when the file is something else.
    var note: String? {
      var bytes: [UInt8] = []
      guard (try? read(400, at: 0, appendingTo: &bytes)) != nil, bytes.count < 400 else {
        return nil
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.hasPrefix(Self.noteStart) else { return nil }
      return text.split(separator: "\n").first.map(String.init)
    }
  }
}
