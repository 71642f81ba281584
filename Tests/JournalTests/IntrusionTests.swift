#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import PropertyTesting
import Testing

@testable import Journal

/// Another process changes a book's files while a writer has it open, or did so before.
@Suite(.tags(.damage), .temporaryDirectory) struct IntrusionTests {
  /// A change to the files of an open book.
  enum Intrusion: String, CaseIterable {
    case removeLock, replaceLock, growSegment, shortenSegment, replaceSegment, removeSegment

    func carryOut(on journal: Journal) throws {
      let (lock, segment) = (journal.directory + "/LOCK", journal.path(of: 1))
      switch self {
      case .removeLock: try journal.storage.remove(lock)
      case .replaceLock: try journal.overwrite(lock, with: [])
      case .growSegment: try tamper(segment, of: journal) { $0 + [0] }
      case .shortenSegment: try tamper(segment, of: journal) { $0.dropLast() }
      case .replaceSegment: try journal.overwrite(segment, with: try journal.bytes(of: segment))
      case .removeSegment: try journal.storage.remove(segment)
      }
    }
  }

  @Test(arguments: Disk.allCases, Intrusion.allCases)
  func `a writer whose lock or segment was changed writes nothing more (ES-1)`(
    disk: Disk, intrusion: Intrusion
  ) throws {
    for isClosing in [false, true] {
      let journal = Journal(
        directory: disk.make().directory + (isClosing ? "-closing" : ""),
        storage: disk.make().storage)
      let writer = try journal.create([["a"]])
      try intrusion.carryOut(on: journal)
      let files = try BackupTests.files(journal)
      let found = try failure {
        if isClosing { try writer.closeSegment() } else { try writer.append(["b"]) }
      }
      #expect(found == "storage replaced")
      #expect(try BackupTests.files(journal) == files)
      #expect(try failure { try writer.append(["c"]) } == "poisoned")
      #expect(writer.head == Position(1))
    }
  }

  @Test(arguments: Disk.allCases)
  func `a bulk import is published only if its file is unchanged`(disk: Disk) throws {
    let journal = disk.journal()
    try journal.create([["a"]])
    for intrusion in [Intrusion.growSegment, .replaceSegment, .removeSegment, .removeLock] {
      let writer = try journal.open().writer
      try writer.write(["b"])
      let path = journal.path(of: 2) + ".new"
      switch intrusion {
      case .growSegment: try tamper(path, of: journal) { $0 + [0] }
      case .replaceSegment: try journal.overwrite(path, with: try journal.bytes(of: path))
      case .removeSegment: try journal.storage.remove(path)
      default: try intrusion.carryOut(on: journal)
      }
      #expect(try failure { try writer.publish() } == "storage replaced")
      #expect(try journal.commits() == [["a"]])
    }
  }

  @Test(arguments: Disk.allCases)
  func `a writer stops if the segment grew between its reading and its start`(
    disk: Disk
  ) throws {
    let journal = disk.journal()
    try journal.create([["a"]])
    let lock = try JournalWriter.takeLock(of: journal)
    let end = try journal.read().end
    let path = journal.path(of: 1)
    let bytes = try journal.bytes(of: path)
    try tamper(path, of: journal) { $0 + $0.suffix(60) }
    let found = try failure {
      _ = try JournalWriter(journal, after: end, lock: lock, schemaText: Note.schemaText)
    }
    #expect(found == "storage replaced")
    #expect(try journal.bytes(of: path) == bytes + bytes.suffix(60))
  }

  @Test func `sealing and rewriting stop when the lock is lost`() throws {
    let journal = try SealingTests.journal()
    let lock = try JournalWriter.takeLock(of: journal)
    var sealer = SegmentSealer(journal, lock: lock)
    try sealer.sealNext()
    let first = try #require(try journal.segments().first)
    var rewriter = SegmentRewriter(journal, lock: lock)
    _ = try rewriter.prepare(first) { _, entry in Array(entry.dropLast()) + [0x21] }
    let files = try BackupTests.files(journal)
    try journal.storage.remove(journal.directory + "/LOCK")
    #expect(try failure { try sealer.sealNext() } == "storage replaced")
    #expect(try failure { try rewriter.finish(first) } == "storage replaced")
    #expect(try BackupTests.files(journal) == files)
  }
}

/// Links planted in a book's directory, on a real disk.
@Suite(.tags(.damage), .temporaryDirectory) struct LinkTests {
  /// A file of the owner's outside any book.
  private let letter = TemporaryDirectory.path + "/letter.txt"
  private static let text = Array("Dear Ada, process of elimination".utf8)

  private func plant(_ path: String) throws {
    unlink(path)
    try #require(symlink(letter, path) == 0)
  }

  private func makeLetter() throws {
    let file = try FileStorage().open(letter, .create)
    try file.write(Self.text, at: 0)
  }

  private func expectUntouched(at location: SourceLocation = #_sourceLocation) throws {
    var bytes: [UInt8] = []
    try FileStorage().open(letter, .read).read(1000, at: 0, appendingTo: &bytes)
    #expect(bytes == Self.text, sourceLocation: location)
  }

  @Test func `a lock file or segment that is a symbolic link is refused, with its path`() throws {
    try makeLetter()
    let journal = Disk.file.journal()
    try journal.create([["a"]])
    for path in [journal.directory + "/LOCK", journal.path(of: 1)] {
      try journal.storage.rename(path, to: path + ".kept")
      try plant(path)
      let error = try #require(throws: JournalError.self) { try journal.open() }
      guard case .storage(let error) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(error.path == path && error.reason == .link, "\(error)")
      try journal.storage.rename(path + ".kept", to: path)
    }
    try expectUntouched()
    #expect(try journal.open().commits == [["a"]])
  }

  @Test func `links in the place of new files are replaced, and their targets left alone`()
    throws
  {
    try makeLetter()
    let journal = Disk.file.journal()
    let writer = try journal.create([["a"]])
    try plant(journal.path(of: 2) + ".new")
    try writer.closeSegment()
    try writer.append(["b"])
    try expectUntouched()
    try plant(journal.path(of: 1) + ".sealing")
    var sealer = SegmentSealer(journal, lock: writer.lock)
    try sealer.sealNext(before: writer.segment)
    try expectUntouched()
    let rewritten = journal.path(of: 1) + ".rewritten"
    try plant(rewritten)
    var rewriter = SegmentRewriter(journal, lock: writer.lock)
    _ = try rewriter.prepare(SegmentName(first: Position(1))) { _, entry in
      Array(entry.dropLast()) + [0x21]
    }
    try expectUntouched()
    try journal.storage.remove(rewritten)
    let backup = BackupTests.target(of: journal)
    try journal.storage.createDirectory(backup.segmentDirectory)
    try plant(backup.path(of: 1) + ".part")
    try plant(backup.path(of: 2) + ".part")
    try journal.backup(to: backup.directory)
    try expectUntouched()
    #expect(try backup.commits() == [["a"], ["b"]])
    let status = try #require(FileStatus(backup.path(of: 1)))
    #expect(status.isFile)
  }

  @Test func `a torn tail is not saved through a link`() throws {
    try makeLetter()
    let journal = Disk.file.journal()
    try journal.create([["a"]])
    let path = journal.path(of: 1)
    let count = try journal.bytes(of: path).count
    try tamper(path, of: journal) { $0 + [1, 2, 3] }
    try plant("\(path).torn-\(count)")
    #expect(try journal.open().writer.recovered?.byteCount == 3)
    #expect(try journal.bytes(of: "\(path).torn-\(count)") == [1, 2, 3])
    try expectUntouched()
  }

  @Test func `a lock file hard-linked to another file is locked and not written to`()
    throws
  {
    try makeLetter()
    let journal = Disk.file.journal()
    try journal.create([["a"]])
    let path = journal.directory + "/LOCK"
    unlink(path)
    try #require(link(letter, path) == 0)
    let writer = try journal.open().writer
    try writer.append(["b"])
    #expect(try failure { _ = try journal.open() } == "locked")
    try expectUntouched()
  }

  @Test func `a book reached through a linked directory is the same book`()
    throws
  {
    let journal = Disk.file.journal()
    try journal.create([["a"]])
    let other = Journal(directory: journal.directory + "-too")
    try #require(symlink(journal.directory, other.directory) == 0)
    let writer = try other.open().writer
    try writer.append(["b"])
    #expect(try failure { _ = try journal.open() } == "locked")
    #expect(try journal.commits() == [["a"], ["b"]])
  }

  @Test func `a writer does not write to a book's files through links in a copy`() throws {
    let journal = Disk.file.journal()
    let writer = try journal.create([["a"]])
    let copy = BackupTests.target(of: journal)
    try copy.storage.createDirectory(copy.segmentDirectory)
    try copy.storage.link(journal.path(of: 1), to: copy.path(of: 1))
    #expect(try failure { _ = try copy.open() } == "locked")
    try writer.append(["b"])
    #expect(try copy.commits() == [["a"], ["b"]])
  }
}

/// The status of a file, without following its last name.
private struct FileStatus {
  let isFile: Bool

  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    isFile = status.st_mode & S_IFMT == S_IFREG
  }
}

/// Changes a file's bytes in place, like a program that takes no lock.
private func tamper(
  _ path: String, of journal: Journal, _ change: ([UInt8]) -> [UInt8]
) throws {
  let bytes = change(try journal.bytes(of: path))
  guard journal.storage is FileStorage else {
    let file = try journal.storage.open(path, .readWrite)
    try file.truncate(to: 0)
    return try file.write(bytes, at: 0)
  }
  let descriptor = open(path, O_WRONLY | O_TRUNC)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  try #require(write(descriptor, bytes, bytes.count) == bytes.count)
}
