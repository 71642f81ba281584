public import Journal
import Synchronization

/// A simulated disk with planned faults that can show every state a crash may leave.
///
/// It honours the contract of ``Storage``: reads are complete, and a failed write throws. (Short counts and
/// interruptions of system calls below that contract are tested where the calls are made.) Calls are numbered
/// from 0, so that a fault can be planned for any of them; creating a directory takes two calls for each new
/// part of its path. On request, ``history`` keeps the disk after each call that changed it. The clock, the
/// order and the faults are all given, so two runs are the same.
public final class SimulatedStorage: Storage {
  /// How the disk behaves.
  public struct Behaviour: Sendable {
    /// The faults, by the number of the call.
    public var faults: [Int: DiskFault] = [:]
    /// Whether a failed sync forgets its bytes, as on Linux; later syncs then do not retry.
    public var failedSyncForgets = true
    /// The capacity for all files together, in bytes; a full disk also accepts no new names.
    public var capacity = Int.max
    /// Whether to keep the disk after every change.
    public var keepsHistory = false
    /// The disks that other programs turn this one into, by the number of the call from which on each is visible.
    public var scenes: [Int: SimulatedDisk] = [:]

    /// A disk that works except for the faults, and that changes as other programs would change it.
    public init(faults: [Int: DiskFault] = [:], scenes: [Int: SimulatedDisk] = [:]) {
      self.faults = faults
      self.scenes = scenes
    }
  }

  /// A file that was opened for writing.
  public struct OpenedFile: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The names in its directory at that time.
    public let siblings: [String]
  }

  fileprivate struct State {
    var disk: SimulatedDisk
    var behaviour: Behaviour
    var calls = 0
    var hits: [String] = []
    var history: [SimulatedDisk] = []
    var openings: [OpenedFile] = []
    var written: [String] = []
    var locks: [String: LockInMemory.Weak] = [:]
  }

  private let state: Mutex<State>

  /// Starts from a disk.
  public init(_ disk: SimulatedDisk = SimulatedDisk(), _ behaviour: Behaviour = Behaviour()) {
    state = Mutex(State(disk: disk, behaviour: behaviour))
  }

  /// Starts from an empty disk, with faults at the calls with these numbers.
  public convenience init(faults: [Int: DiskFault] = [:], keepsHistory: Bool) {
    var behaviour = Behaviour(faults: faults)
    behaviour.keepsHistory = keepsHistory
    self.init(SimulatedDisk(), behaviour)
  }

  /// The current disk.
  public var disk: SimulatedDisk { state.withLock { $0.disk } }
  /// The number of calls.
  public var calls: Int { state.withLock { $0.calls } }
  /// The operation at which each fault struck.
  public var hits: [String] { state.withLock { $0.hits } }
  /// The number of calls that changed the disk; one less than the number of disks in the history.
  public var changes: Int { state.withLock { max(0, $0.history.count - 1) } }
  /// The disk at the start, and after every call that changed it.
  public var history: [SimulatedDisk] {
    state.withLock { $0.history.isEmpty ? [$0.disk] : $0.history }
  }
  /// The files that were opened for writing.
  public var openings: [OpenedFile] { state.withLock { $0.openings } }
  /// The read-only files that were nevertheless written, through handles opened earlier.
  public var writtenThoughReadOnly: [String] { state.withLock { $0.written } }
  /// Removes the limit on space.
  public func makeRoom() { state.withLock { $0.behaviour.capacity = .max } }
  /// Limits the remaining space to a number of bytes.
  public func limitRoom(to byteCount: Int) {
    state.withLock { $0.behaviour.capacity = $0.disk.usedByteCount + byteCount }
  }
  /// Plans a fault for the call after a number of other calls, and for that one only.
  public func plan(_ fault: DiskFault, after calls: Int) {
    state.withLock { $0.behaviour.faults = [$0.calls + calls: fault] }
  }
  /// Cancels all planned faults.
  public func heal() {
    state.withLock { state in
      state.behaviour.faults = [:]
      state.behaviour.capacity = .max
    }
  }

  // MARK: Calls

  /// Whether a call notices that the disk is full.
  fileprivate enum Room {
    case none
    /// It may: a file system that allocates space late reports this at a sync.
    case perhaps
    case some
  }

  /// Changes the disk, unless a fault strikes.
  private func change<Result: Sendable>(
    _ operation: String, _ path: String, needing room: Room = .none,
    _ body: (inout State) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try state.withLock { state throws(StorageError) in
      try state.enter(operation, path, needing: room)
      state.beginHistory()
      let result = try body(&state)
      state.remember()
      return result
    }
  }

  /// Reads the disk, unless a fault strikes.
  private func readDisk<Result: Sendable>(
    _ operation: String, _ path: String, _ body: (inout State) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try state.withLock { state throws(StorageError) in
      try state.enter(operation, path)
      return try body(&state)
    }
  }

  /// Creates a directory and its parents.
  ///
  /// - Throws: ``StorageError``.
  public func createDirectory(_ path: String) throws(StorageError) {
    var made = ""
    for part in DiskPath.normal(path).split(separator: "/") {
      let parent = made
      made += made.isEmpty ? String(part) : "/" + part
      let path = made
      let node = state.withLock { $0.disk.seenNames[path] }
      if node == .directory { continue }
      try change("make the directory", path, needing: .some) { state throws(StorageError) in
        guard node == nil else { throw .exists("make the directory", path) }
        state.disk.change(.put(path, .directory))
      }
      try synchronizeDirectory(parent)
    }
  }

  /// The names in a directory.
  ///
  /// - Throws: ``StorageError``.
  public func names(in directory: String) throws(StorageError) -> [String]? {
    try readDisk("list", directory) { $0.disk.seenNames.names(in: DiskPath.normal(directory)) }
  }

  /// Opens a file.
  ///
  /// - Throws: ``StorageError``.
  public func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    let path = DiskPath.normal(path)
    let number =
      if access == .create {
        try change("open", path, needing: .some) { state throws(StorageError) in
          try state.create(path)
        }
      } else {
        try readDisk("open", path) { state throws(StorageError) in
          try state.find(path, isWriting: access == .readWrite)
        }
      }
    return File(storage: self, number: number, path: path)
  }

  /// Renames a file.
  ///
  /// - Throws: ``StorageError``.
  public func rename(_ path: String, to newPath: String) throws(StorageError) {
    let (path, newPath) = (DiskPath.normal(path), DiskPath.normal(newPath))
    try change("rename", path, needing: .some) { state throws(StorageError) in
      let number = try state.number(of: path, "rename")
      try state.requireDirectory(above: newPath, "rename")
      if state.disk.seenNames[newPath] == .file(number) { return }
      state.disk.change(.move(path, to: newPath, .file(number)))
    }
  }

  /// Gives a file an additional name.
  ///
  /// - Throws: ``StorageError``.
  public func link(_ path: String, to newPath: String) throws(StorageError) {
    let (path, newPath) = (DiskPath.normal(path), DiskPath.normal(newPath))
    try change("link", path, needing: .some) { state throws(StorageError) in
      let number = try state.number(of: path, "link")
      try state.requireDirectory(above: newPath, "link")
      guard state.disk.seenNames[newPath] == nil else { throw .exists("link", path) }
      state.disk.change(.put(newPath, .file(number)))
    }
  }

  /// Makes a file read-only for everybody.
  ///
  /// - Throws: ``StorageError``.
  public func makeReadOnly(_ path: String) throws(StorageError) {
    let path = DiskPath.normal(path)
    try change("make read-only", path) { state throws(StorageError) in
      let number = try state.number(of: path, "make read-only")
      state.disk.change(number, .readOnly)
    }
  }

  /// Removes a file.
  ///
  /// - Throws: ``StorageError``.
  public func remove(_ path: String) throws(StorageError) {
    let path = DiskPath.normal(path)
    try change("remove", path) { state throws(StorageError) in
      _ = try state.number(of: path, "remove")
      state.disk.change(.remove(path))
    }
  }

  /// Synchronises the names of a directory.
  ///
  /// - Throws: ``StorageError``.
  public func synchronizeDirectory(_ path: String) throws(StorageError) {
    let path = DiskPath.normal(path)
    try change("sync directory", path, needing: .perhaps) { state throws(StorageError) in
      guard state.disk.seenNames[path] == .directory else { throw .notFound("sync", path) }
      state.disk.synchronizeNames(in: path)
    }
  }

  /// Takes a lock, and creates its file if necessary.
  ///
  /// - Throws: ``StorageError``.
  public func lock(_ path: String) throws(StorageError) -> LockAttempt {
    let path = DiskPath.normal(path)
    return try change("lock", path) { state throws(StorageError) in
      if state.locks[path]?.lock != nil { return .held(by: "this process") }
      let number =
        if let found = state.disk.seenNames[path]?.file { found } else { try state.create(path) }
      let lock = LockInMemory { () throws(StorageError) in
        try self.check(number, at: path, byteCount: nil, "keep the lock")
      }
      state.locks[path] = .init(lock: lock)
      return .taken(lock)
    }
  }

  /// Checks the path and length of a file.
  private func check(
    _ number: Int, at path: String, byteCount: Int?, _ operation: String
  ) throws(StorageError) {
    let (node, found) = try readDisk("look at", path) { state in
      (state.disk.seenNames[DiskPath.normal(path)], state.disk.files[number].seen.bytes.count)
    }
    let message: String? =
      if node != .file(number) {
        "another file is in its place, or none"
      } else if let byteCount, byteCount != found {
        "it has \(found) bytes, and was left with \(byteCount)"
      } else { nil }
    guard let message else { return }
    throw StorageError(operation: operation, path: path, reason: .replaced, message: message)
  }

  // MARK: Files

  fileprivate final class File: StorageFile {
    let storage: SimulatedStorage
    let number: Int
    let path: String

    init(storage: SimulatedStorage, number: Int, path: String) {
      self.storage = storage
      self.number = number
      self.path = path
    }

    func byteCount() throws(StorageError) -> Int {
      try storage.readDisk("look at", path) { $0.disk.files[number].seen.bytes.count }
    }

    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      let bytes = try storage.readDisk("read", path) { $0.disk.files[number].seen.bytes }
      guard offset < bytes.count else { return }
      buffer += bytes[offset..<offset + min(count, bytes.count - offset)]
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      try storage.write(bytes, at: offset, to: self)
    }

    func truncate(to byteCount: Int) throws(StorageError) {
      try storage.change("shorten", path) { state throws(StorageError) in
        state.noteWriting(self)
        state.disk.change(number, .length(byteCount))
      }
    }

    func synchronize() throws(StorageError) {
      try storage.synchronize(self)
    }

    func check(at path: String, byteCount: Int) throws(StorageError) {
      try storage.check(number, at: path, byteCount: byteCount, "append to")
    }
  }

  private func write(
    _ bytes: [UInt8], at offset: Int, to file: File
  ) throws(StorageError) {
    let error = state.withLock { state -> StorageError? in
      state.beginHistory()
      let fault = state.strike("write", needing: .some)
      var count = bytes.count
      if let fault {
        count = fault.isShort ? count / 2 : 0
      } else if state.behaviour.capacity != .max {
        let room = max(0, state.behaviour.capacity - state.disk.usedByteCount)
        let end = state.disk.files[file.number].seen.bytes.count
        count = min(count, max(0, end + room - offset))
      }
      if count > 0 {
        state.noteWriting(file)
        let written = count == bytes.count ? bytes : Array(bytes[..<count])
        state.disk.change(file.number, .write(written, at: offset))
        state.remember()
      }
      if let fault {
        if fault.isFull { state.fill() }
        return fault.error("write", file.path)
      }
      return count < bytes.count ? DiskFault.full.error("write", file.path) : nil
    }
    if let error { throw error }
  }

  private func synchronize(_ file: File) throws(StorageError) {
    let error = state.withLock { state -> StorageError? in
      state.beginHistory()
      if let fault = state.strike("sync", needing: .perhaps) {
        if state.behaviour.failedSyncForgets { state.disk.forget(file.number) }
        state.remember()
        return fault.error("sync", file.path)
      }
      state.disk.synchronize(file.number)
      state.remember()
      return nil
    }
    if let error { throw error }
  }
}

extension SimulatedStorage.State {
  /// Counts a call, applies the planned changes of other programs, and throws if a fault strikes.
  fileprivate mutating func enter(
    _ operation: String, _ path: String, needing room: SimulatedStorage.Room = .none
  ) throws(StorageError) {
    if let fault = strike(operation, needing: room) { throw fault.error(operation, path) }
    if room == .some, behaviour.capacity != .max, disk.usedByteCount >= behaviour.capacity {
      throw DiskFault.full.error(operation, path)
    }
  }

  /// Counts a call; returns the fault that strikes it, if any.
  fileprivate mutating func strike(
    _ operation: String, needing room: SimulatedStorage.Room
  ) -> DiskFault? {
    defer { calls += 1 }
    if let scene = behaviour.scenes[calls] { disk = scene }
    guard let fault = behaviour.faults[calls], room != .none || !fault.isFull else { return nil }
    hits.append(operation)
    if fault.isFull { fill() }
    return fault
  }

  /// Fills the disk, until someone makes space.
  fileprivate mutating func fill() { behaviour.capacity = disk.usedByteCount }

  fileprivate mutating func beginHistory() {
    if behaviour.keepsHistory, history.isEmpty { history = [disk] }
  }

  fileprivate mutating func remember() {
    if behaviour.keepsHistory { history.append(disk) }
  }

  fileprivate mutating func noteWriting(_ file: SimulatedStorage.File) {
    if disk.files[file.number].seen.isReadOnly { written.append(file.path) }
  }

  fileprivate mutating func noteOpening(_ path: String) {
    let siblings = disk.seenNames.names(in: DiskPath.parent(path)) ?? []
    openings.append(SimulatedStorage.OpenedFile(path: path, siblings: siblings))
  }

  fileprivate func number(of path: String, _ operation: String) throws(StorageError) -> Int {
    guard let number = disk.seenNames[path]?.file else { throw .notFound(operation, path) }
    return number
  }

  fileprivate func requireDirectory(
    above path: String, _ operation: String
  ) throws(StorageError) {
    guard disk.seenNames[DiskPath.parent(path)] == .directory else {
      throw .notFound(operation, path)
    }
  }

  fileprivate mutating func find(_ path: String, isWriting: Bool) throws(StorageError) -> Int {
    let number = try number(of: path, "open")
    if isWriting {
      if disk.files[number].seen.isReadOnly { throw .notPermitted(path) }
      noteOpening(path)
    }
    return number
  }

  /// Creates a file; an existing one keeps its other names, if any. As on a real disk it loses the name
  /// first, and a program may be killed in between.
  fileprivate mutating func create(_ path: String) throws(StorageError) -> Int {
    try requireDirectory(above: path, "open")
    noteOpening(path)
    if disk.seenNames[path]?.file != nil {
      disk.change(.remove(path))
      remember()
    }
    let number = disk.addFile()
    disk.change(.put(path, .file(number)))
    return number
  }
}
