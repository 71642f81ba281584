#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Journal
import Testing

@Suite(.tags(.damage), .temporaryDirectory) struct LockTests {
  @Test(arguments: Disk.allCases)
  func `a second writer is refused while the first lives, and readers are not`(disk: Disk) throws {
    let journal = disk.journal()
    do {
      let writer = try journal.create([["a"]])
      #expect(try failure { _ = try journal.open() } == "locked")
      #expect(try journal.commits() == [["a"]])
      withExtendedLifetime(writer) {}
    }
    #expect(try journal.open().commits == [["a"]])
  }

  @Test func `the refusal names the holder's process and host`() throws {
    let journal = Disk.file.journal()
    let writer = try journal.create([])
    let error = try #require(throws: JournalError.self) { try journal.open() }
    guard case .locked(let path, let holder) = error else {
      Issue.record("\(error)")
      return
    }
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, 255)
    let hostName = String(
      decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #expect(path == journal.directory)
    #expect(holder == "process \(getpid()) on \(hostName)")
    withExtendedLifetime(writer) {}
  }

  @Test func `a dead process's lock file does no harm`() throws {
    let journal = Disk.file.journal()
    try journal.create([["a"]])
    try journal.overwrite(
      journal.directory + "/LOCK", with: Array("process 1 on a host of long ago\n".utf8))
    #expect(try journal.open().commits == [["a"]])
  }

  @Test func `a child process does not keep the lock of a closed writer`() throws {
    let journal = Disk.file.journal()
    var inherited: [Int32] = []
    defer { for descriptor in inherited { close(descriptor) } }
    do {
      let writer = try journal.create([["a"]])
      inherited = try [journal.directory, journal.directory + "/LOCK", journal.path(of: 1)]
        .flatMap { try Self.duplicates(of: $0) }
      #expect(try failure { _ = try journal.open() } == "locked")
      withExtendedLifetime(writer) {}
    }
    try #require(inherited.count == 3)
    #expect(try journal.open().commits == [["a"]])
  }

  /// Duplicate descriptors of this process's open files at a path, as a child process has them.
  private static func duplicates(of path: String) throws -> [Int32] {
    var sought = stat()
    try #require(stat(path, &sought) == 0)
    let own = (0..<Int32(1024)).filter { descriptor in
      var found = stat()
      return fstat(descriptor, &found) == 0 && found.st_ino == sought.st_ino
        && found.st_dev == sought.st_dev
    }
    return own.map { dup($0) }
  }
}
