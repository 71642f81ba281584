#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileStorage {
  /// Takes a lock on the file and on its directory, so that the lock holds whatever happens to the
  /// file.
  ///
  /// - Throws: ``StorageError``.
  public func lock(_ path: String) throws(StorageError) -> LockAttempt {
    let (parent, name) = Self.split(path)
    let directory = try opened(parent, O_RDONLY | O_DIRECTORY)
    func open(_ flags: Int32) throws(StorageError) -> File {
      let flags = flags | O_NOFOLLOW | O_CLOEXEC
      let descriptor = retrying { openFile(in: directory.descriptor, name, flags, 0o600) }
      guard descriptor >= 0 else { throw .init(errno, "open", path) }
      return File(descriptor: descriptor, path: path)
    }
    guard try directory.tryLock() else {
      return .held(by: (try? open(O_RDONLY))?.note ?? "another process")
    }
    let file = try open(O_RDWR | O_CREAT)
    guard try file.tryLock() else { return .held(by: file.note ?? "another process") }
    // A file that is not our own note is not overwritten.
    let isEmpty = try file.byteCount() == 0
    if isEmpty || file.note != nil {
      try file.truncate(to: 0)
      try file.write(Array("\(File.noteStart)\(getpid()) on \(hostName())\n".utf8), at: 0)
    }
    let lock = Lock(file: file, directory: directory)
    try lock.check()
    return .taken(lock)
  }

  /// A path's directory and its last part.
  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let parent = path[..<slash]
    return (parent.isEmpty ? "/" : String(parent), String(path[path.index(after: slash)...]))
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

  /// A lock file and its directory, both locked.
  private final class Lock: StorageLock {
    let file: File
    let directory: File

    init(file: File, directory: File) {
      self.file = file
      self.directory = directory
    }

    func check() throws(StorageError) {
      // The directory need not be checked: another writer would also need the lock file at this
      // path.
      try file.check(at: file.path, byteCount: nil, "keep the lock")
    }
  }
}
