import Foundation
import Journal
import Testing

/// Requirements of the journal that every disk must meet.
@Suite(.tags(.damage), .temporaryDirectory) struct StorageTests {
  @Test(arguments: Disk.allCases)
  func `directories are created with their parents, and creating them again is allowed`(
    disk: Disk
  ) throws {
    let (storage, directory) = disk.make()
    #expect(try storage.names(in: directory) == nil)
    try storage.createDirectory(directory + "/a/b")
    try storage.createDirectory(directory + "/a/b")
    #expect(try storage.names(in: directory) == ["a"])
    #expect(try storage.names(in: directory + "/a/b") == [])
    try storage.synchronizeDirectory(directory + "/a/b")
    #expect(throws: StorageError.self) { try storage.synchronizeDirectory(directory + "/c") }
  }

  @Test(arguments: Disk.allCases)
  func `a file reads back as it was written, at any place`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    let file = try storage.open(directory + "/f", .create)
    try file.write([1, 2, 3, 4], at: 0)
    try file.write([9, 9], at: 2)
    try file.write([7], at: 6)
    try file.synchronize()
    let reader = try storage.open(directory + "/f", .read)
    #expect(try reader.byteCount() == 7)
    var bytes: [UInt8] = [0]
    try reader.read(3, at: 1, appendingTo: &bytes)
    #expect(bytes == [0, 2, 9, 9])
    try reader.read(100, at: 4, appendingTo: &bytes)
    #expect(bytes == [0, 2, 9, 9, 0, 0, 7])
    try reader.read(5, at: 7, appendingTo: &bytes)
    try reader.read(5, at: 700, appendingTo: &bytes)
    #expect(bytes.count == 7)
  }

  @Test(arguments: Disk.allCases)
  func `a file is cut and extended to a length`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    do {
      let file = try storage.open(directory + "/f", .create)
      try file.write([1, 2, 3, 4], at: 0)
      try file.truncate(to: 2)
      try file.truncate(to: 3)
      var bytes: [UInt8] = []
      try file.read(9, at: 0, appendingTo: &bytes)
      #expect(bytes == [1, 2, 0])
    }
    #expect(try storage.open(directory + "/f", .readWrite).byteCount() == 3)
    #expect(try storage.open(directory + "/f", .create).byteCount() == 0)
  }

  @Test func `files and directories are private to their owner`() throws {
    let (storage, directory) = Disk.file.make()
    try storage.createDirectory(directory + "/a")
    try storage.open(directory + "/a/f", .create).write([1], at: 0)
    try storage.open(directory + "/a/sealed", .create).write([1], at: 0)
    try storage.makeReadOnly(directory + "/a/sealed")
    guard case .taken(let lock) = try storage.lock(directory + "/LOCK") else {
      Issue.record("nobody else has the lock")
      return
    }
    let modes = try ["", "/a", "/a/f", "/a/sealed", "/LOCK"].map { name in
      try FileManager.default.attributesOfItem(atPath: directory + name)[.posixPermissions] as? Int
    }
    #expect(modes == [0o700, 0o700, 0o600, 0o400, 0o600])
    try lock.check()
  }

  @Test(arguments: Disk.allCases)
  func `a rename replaces an existing file`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    try storage.open(directory + "/a", .create).write([1], at: 0)
    try storage.open(directory + "/b", .create).write([2, 2], at: 0)
    try storage.rename(directory + "/a", to: directory + "/b")
    #expect(try storage.names(in: directory) == ["b"])
    #expect(try storage.open(directory + "/b", .read).byteCount() == 1)
    try storage.remove(directory + "/b")
    #expect(try storage.names(in: directory) == [])
  }

  @Test(arguments: Disk.allCases)
  func `a hard link leads to the same bytes, and replaces nothing`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    let file = try storage.open(directory + "/a", .create)
    try storage.link(directory + "/a", to: directory + "/b")
    try file.write([1, 2], at: 0)
    #expect(try storage.names(in: directory) == ["a", "b"])
    #expect(try storage.open(directory + "/b", .read).byteCount() == 2)
    #expect(throws: StorageError.self) {
      try storage.link(directory + "/a", to: directory + "/b")
    }
    try storage.remove(directory + "/a")
    #expect(try storage.open(directory + "/b", .read).byteCount() == 2)
  }

  @Test(arguments: Disk.allCases)
  func `a created file shares nothing with the file it replaces`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    try storage.open(directory + "/a", .create).write([1, 2], at: 0)
    try storage.makeReadOnly(directory + "/a")
    try storage.link(directory + "/a", to: directory + "/b")
    let file = try storage.open(directory + "/a", .create)
    try file.write([3], at: 0)
    #expect(try storage.open(directory + "/a", .read).byteCount() == 1)
    #expect(try storage.open(directory + "/b", .read).byteCount() == 2)
  }

  @Test(arguments: Disk.allCases)
  func `a file knows whether it is still the one at its path, unchanged`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    let path = directory + "/a"
    let file = try storage.open(path, .create)
    try file.write([1, 2], at: 0)
    func isInPlace(_ path: String, _ byteCount: Int) throws -> Bool {
      do throws(StorageError) {
        try file.check(at: path, byteCount: byteCount)
        return true
      } catch {
        guard error.reason == .replaced else { throw error }
        return false
      }
    }
    #expect(try isInPlace(path, 2))
    #expect(try !isInPlace(path, 1))
    #expect(try !isInPlace(path, 3))
    #expect(try !isInPlace(directory + "/b", 2))
    try storage.rename(path, to: directory + "/b")
    #expect(try !isInPlace(path, 2))
    #expect(try isInPlace(directory + "/b", 2))
    _ = try storage.open(directory + "/b", .create)
    #expect(try !isInPlace(directory + "/b", 2))
  }

  @Test(arguments: Disk.allCases)
  func `a read-only file can be read and renamed`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    try storage.open(directory + "/a", .create).write([1], at: 0)
    try storage.makeReadOnly(directory + "/a")
    try storage.rename(directory + "/a", to: directory + "/b")
    #expect(try storage.open(directory + "/b", .read).byteCount() == 1)
    // The superuser of a real system may write to any file.
    if disk != .file {
      let error = #expect(throws: StorageError.self) {
        _ = try storage.open(directory + "/b", .readWrite)
      }
      #expect(error?.reason == .notPermitted)
    }
  }

  @Test(arguments: Disk.allCases)
  func `a missing file or directory is reported as not found`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    func expectNotFound(
      at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws {
      let error = try #require(
        throws: StorageError.self, sourceLocation: location, performing: body)
      #expect(error.reason == .notFound, sourceLocation: location)
    }
    try expectNotFound { _ = try storage.open(directory + "/f", .create) }
    try storage.createDirectory(directory)
    try expectNotFound { _ = try storage.open(directory + "/f", .read) }
    try expectNotFound { _ = try storage.open(directory + "/f", .readWrite) }
    try expectNotFound { try storage.rename(directory + "/f", to: directory + "/g") }
    try expectNotFound { try storage.remove(directory + "/f") }
  }

  @Test(arguments: Disk.allCases)
  func `a lock has one holder, and is free after its release`(disk: Disk) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    do {
      let first = try storage.lock(directory + "/LOCK")
      guard case .taken(let lock) = first, case .held = try storage.lock(directory + "/LOCK") else {
        Issue.record("the lock is not exclusive")
        return
      }
      try lock.check()
      withExtendedLifetime(lock) {}
    }
    guard case .taken = try storage.lock(directory + "/LOCK") else {
      Issue.record("the lock was not freed")
      return
    }
  }

  @Test(arguments: Disk.allCases)
  func `a lock is held even if its file is replaced, and its holder detects that`(
    disk: Disk
  ) throws {
    let (storage, directory) = disk.make()
    try storage.createDirectory(directory)
    let path = directory + "/LOCK"
    guard case .taken(let lock) = try storage.lock(path) else {
      Issue.record("the lock was not taken")
      return
    }
    for isReplaced in [false, true] {
      if isReplaced {
        try storage.open(path, .create).write([1], at: 0)
      } else {
        try storage.remove(path)
      }
      guard case .held = try storage.lock(path) else {
        Issue.record("a second one took the lock")
        return
      }
      let error = #expect(throws: StorageError.self) { try lock.check() }
      #expect(error?.reason == .replaced)
    }
  }
}
