import Daybook
import Journal
import Synchronization
import Testing

@testable import DaybookStore

/// A disk that refuses snapshots refuses nothing else.
@Suite(.tags(.damage)) struct SnapshotFaultTests {
  @Test func `whatever fails of a snapshot, commits go on and nothing is left behind`() throws {
    var refused = 0
    for call in 0... {
      let base = MemoryStorage()
      let storage = RefusingStorage(base: base, refusing: "/snapshots", from: call)
      let clock = HandClock(Menu.beginnings[0])
      let reader = BookReader(at: "book", storage: storage, zones: StateLedger.zones)
      try Book.create(at: "book", storage: storage, clock: clock.bookClock)
      var book: Book? = try Self.open(reader, clock)
      for number in 0..<4 {
        try book?.record(CreateAccount(name: "Bee \(number)", timeZone: "UTC"))
      }
      let state = try #require(book?.read { $0 })
      #expect(state.position == 4)
      #expect(try reader.state().isSame(as: state))
      let names = try base.names(in: "book/snapshots") ?? []
      #expect(names.allSatisfy { !$0.hasSuffix(".new") }, "after \(call) calls: \(names)")
      // Once there is room, the next writer makes good what is missing.
      let hasRefused = storage.stopRefusing()
      book = nil
      book = try Self.open(reader, clock)
      #expect(Snapshots(journal: reader.journal).positions.last == Position(3))
      #expect(try reader.state().isSame(as: state))
      guard hasRefused else { break }
      refused += 1
    }
    #expect(refused > 10)
  }

  private static func open(_ reader: BookReader, _ clock: HandClock) throws -> Book {
    try Book(
      opening: reader, clock: clock.bookClock, segmentByteCount: 1, sealing: .atOnce,
      snapshots: SnapshotSpacing(smallestGap: 1, share: 1 << 20))
  }
}

/// Refuses every call that changes something below a directory, from one of them on: the disk is full. What
/// it refuses to write it writes half of.
final class RefusingStorage: Storage {
  let base: MemoryStorage
  private let directory: String
  private let callsLeft: Mutex<Int?>

  init(base: MemoryStorage, refusing directory: String, from call: Int) {
    self.base = base
    self.directory = directory
    callsLeft = Mutex(call)
  }

  /// Refuses nothing any more; says whether anything was refused.
  func stopRefusing() -> Bool {
    callsLeft.withLock { left in
      defer { left = nil }
      return left.map { $0 < 0 } ?? false
    }
  }

  fileprivate func mayChange(_ operation: String, _ path: String) throws(StorageError) {
    guard path.contains(directory) else { return }
    let isRefused = callsLeft.withLock { left -> Bool in
      guard let count = left else { return false }
      left = max(-1, count - 1)
      return count <= 0
    }
    if isRefused {
      throw StorageError(operation: operation, path: path, reason: .full, message: "it is full")
    }
  }

  func createDirectory(_ path: String) throws(StorageError) {
    try mayChange("make", path)
    try base.createDirectory(path)
  }
  func names(in directory: String) throws(StorageError) -> [String]? {
    try base.names(in: directory)
  }
  func open(_ path: String, _ access: FileAccess) throws(StorageError) -> any StorageFile {
    if access != .read { try mayChange("open", path) }
    return File(storage: self, path: path, base: try base.open(path, access))
  }
  func rename(_ path: String, to newPath: String) throws(StorageError) {
    try mayChange("rename", path)
    try base.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(StorageError) {
    try base.link(path, to: newPath)
  }
  func makeReadOnly(_ path: String) throws(StorageError) { try base.makeReadOnly(path) }
  func remove(_ path: String) throws(StorageError) { try base.remove(path) }
  func synchronizeDirectory(_ path: String) throws(StorageError) {
    try mayChange("sync", path)
    try base.synchronizeDirectory(path)
  }
  func lock(_ path: String) throws(StorageError) -> LockAttempt { try base.lock(path) }

  private final class File: StorageFile {
    let storage: RefusingStorage
    let path: String
    let base: any StorageFile

    init(storage: RefusingStorage, path: String, base: any StorageFile) {
      self.storage = storage
      self.path = path
      self.base = base
    }

    func byteCount() throws(StorageError) -> Int { try base.byteCount() }
    func read(_ count: Int, at offset: Int, appendingTo buffer: inout [UInt8]) throws(StorageError)
    {
      try base.read(count, at: offset, appendingTo: &buffer)
    }
    func write(_ bytes: [UInt8], at offset: Int) throws(StorageError) {
      do throws(StorageError) { try storage.mayChange("write", path) } catch {
        try base.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
        throw error
      }
      try base.write(bytes, at: offset)
    }
    func truncate(to byteCount: Int) throws(StorageError) { try base.truncate(to: byteCount) }
    func synchronize() throws(StorageError) {
      try storage.mayChange("sync", path)
      try base.synchronize()
    }
  }
}
