import Journal
import Synchronization

/// A disk that loses power after a number of calls, and what may then be on it.
///
/// A write is on disk once its file was synchronised, a name once its directory was. Until then each may
/// be lost, kept, or (a write) half kept, or kept in length but not in bytes; each for itself.
final class CrashStorage: Storage {
  /// Power is gone.
  static let crash = StorageError(
    operation: "reach", path: "the disk", reason: .system(5), message: "no power")

  enum Change: Hashable, Sendable {
    case write([UInt8], at: Int)
    case length(Int)
  }

  enum NameChange: Hashable, Sendable {
    case link(String, Int)
    case unlink(String)
  }

  /// Files by number, and the names that lead to them; what is not yet on disk stands apart.
  struct Contents: Hashable, Sendable {
    var files: [[UInt8]] = []
    var changes: [[Change]] = []
    var names: [String: Int] = [:]
    var nameChanges: [[NameChange]] = []
    var directories: Set<String> = []

    /// The bytes of a file as programs see them.
    func seen(_ number: Int) -> [UInt8] { changes[number].reduce(files[number], Self.applied) }

    /// The names as programs see them.
    var seenNames: [String: Int] { nameChanges.reduce(names, Self.applied) }

    static func applied(_ bytes: [UInt8], _ change: Change) -> [UInt8] {
      var bytes = bytes
      switch change {
      case .write(let more, let offset):
        bytes += [UInt8](repeating: 0, count: max(0, offset + more.count - bytes.count))
        bytes.replaceSubrange(offset..<offset + more.count, with: more)
      case .length(let count):
        bytes = Array(bytes.prefix(count))
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
      }
      return bytes
    }

    static func applied(_ names: [String: Int], _ changes: [NameChange]) -> [String: Int] {
      var names = names
      for change in changes {
        switch change {
        case .link(let name, let number): names[name] = number
        case .unlink(let name): names[name] = nil
        }
      }
      return names
    }
  }

  private let state: Mutex<(contents: Contents, callsLeft: Int)>

  init(_ contents: Contents = Contents(), calls: Int = .max) {
    state = Mutex((contents, calls))
  }

  var contents: Contents { state.withLock { $0.contents } }
  var callsLeft: Int { state.withLock { $0.callsLeft } }

  fileprivate func change<Result: Sendable>(
    _ body: (inout Contents) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let lock = state.withLock { state -> Swift.Result<Result, StorageError> in
      guard state.callsLeft > 0 else { return .failure(Self.crash) }
      state.callsLeft -= 1
      do throws(StorageError) { return .success(try body(&state.contents)) } catch {
        return .failure(error)
      }
    }
    return try lock.get()
  }

  static func notFound(_ path: String) -> StorageError {
    StorageError(operation: "open", path: path, reason: .notFound, message: "not found")
  }

  func createDirectory(_ path: String) throws(StorageError) {
    _ = try change { contents throws(StorageError) in
      var made = ""
      for part in path.split(separator: "/") {
        made += made.isEmpty ? String(part) : "/" + part
        contents.directories.insert(made)
      }
    }
  }

  func names(in directory: String) throws(StorageError) -> [String]? {
    try state.withLock { state throws(StorageError) -> [String]? in
      guard state.contents.directories.contains(directory) else { return nil }
      return (Array(state.contents.seenNames.keys) + state.contents.directories)
        .filter {
          $0.hasPrefix(directory + "/") && !$0.dropFirst(directory.count + 1).contains("/")
        }
        .map { String($0.dropFirst(directory.count + 1)) }.sorted()
    }
  }

  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    if access != .create {
      guard let number = contents.seenNames[path] else { throw Self.notFound(path) }
      return File(storage: self, number: number)
    }
    let number = try change { contents throws(StorageError) in
      if let number = contents.seenNames[path] {
        contents.changes[number].append(.length(0))
        return number
      }
      contents.files.append([])
      contents.changes.append([])
      contents.nameChanges.append([.link(path, contents.files.count - 1)])
      return contents.files.count - 1
    }
    return File(storage: self, number: number)
  }

  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try change { contents throws(StorageError) in
      guard let number = contents.seenNames[path] else { throw Self.notFound(path) }
      contents.nameChanges.append([.unlink(path), .link(newPath, number)])
    }
  }

  func link(_ path: String, to newPath: String) throws(StorageError) {
    try change { contents throws(StorageError) in
      guard let number = contents.seenNames[path] else { throw Self.notFound(path) }
      contents.nameChanges.append([.link(newPath, number)])
    }
  }

  // The mode is no part of what is told apart here.
  func makeReadOnly(_ path: String) throws(StorageError) {}

  func remove(_ path: String) throws(StorageError) {
    try change { contents throws(StorageError) in contents.nameChanges.append([.unlink(path)]) }
  }

  func synchronizeDirectory(_ path: String) throws(StorageError) {
    // All files lie in one directory; the lock is none here.
    try change { contents throws(StorageError) in
      guard path.hasSuffix("/journal") else { return }
      contents.names = contents.seenNames
      contents.nameChanges = []
    }
  }

  private final class Lock: StorageLock {}

  func lock(_ path: String) throws(StorageError) -> LockAttempt { .taken(Lock()) }

  private final class File: StorageFile {
    let storage: CrashStorage
    let number: Int

    init(storage: CrashStorage, number: Int) {
      self.storage = storage
      self.number = number
    }

    func byteCount() throws(StorageError) -> Int { storage.contents.seen(number).count }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      buffer += storage.contents.seen(number).dropFirst(offset).prefix(count)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try storage.change { contents throws(StorageError) in
        contents.changes[number].append(.write(bytes, at: offset))
      }
    }

    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.change { contents throws(StorageError) in
        contents.changes[number].append(.length(byteCount))
      }
    }

    func synchronize() throws(StorageError) {
      try storage.change { contents throws(StorageError) in
        contents.files[number] = contents.seen(number)
        contents.changes[number] = []
      }
    }
  }
}

extension CrashStorage.Contents {
  /// Every disk that may be found after the power went.
  var afterCrash: Set<Self> {
    var disks: Set<Self> = []
    for kept in 0..<1 << nameChanges.count {
      var disk = self
      disk.changes = changes.map { _ in [] }
      disk.nameChanges = []
      for (index, change) in nameChanges.enumerated() where kept >> index & 1 == 1 {
        disk.names = Self.applied(disk.names, change)
      }
      var worlds: [[[UInt8]]] = [[]]
      for number in files.indices {
        let outcomes = Self.outcomes(of: changes[number], on: files[number])
        worlds = worlds.flatMap { world in outcomes.map { world + [$0] } }
      }
      for files in worlds {
        disk.files = files
        disks.insert(disk)
      }
    }
    return disks
  }

  /// What a file may hold when its last changes were not synchronised.
  private static func outcomes(
    of changes: [CrashStorage.Change], on bytes: [UInt8]
  ) -> Set<[UInt8]> {
    var outcomes: Set<[UInt8]> = [bytes]
    for change in changes {
      var choices: [CrashStorage.Change] = [change]
      if case .write(let more, let offset) = change {
        let half = more.count / 2
        choices.append(.write(Array(more[..<half]), at: offset))
        choices.append(.write([UInt8](repeating: 0, count: more.count), at: offset))
        choices.append(
          .write([UInt8](repeating: 0, count: half) + more[half...], at: offset))
      }
      outcomes.formUnion(outcomes.flatMap { bytes in choices.map { applied(bytes, $0) } })
    }
    return outcomes
  }
}
