import PropertyTesting
import Testing

@testable import Journal

/// Backups: whole, of one moment, and never mistaken when partial.
@Suite(.tags(.damage), .temporaryDirectory) struct BackupTests {
  static let notes = SealingTests.commits.flatMap(\.self)

  /// A journal whose segments are sealed except the last two.
  static func journal(on disk: Disk = .memory) throws -> Journal {
    let journal = try SealingTests.journal(on: disk)
    let count = try journal.segments().count
    var sealer = SegmentSealer(journal, lock: try JournalWriter.takeLock(of: journal))
    for _ in 0..<count - 2 { try sealer.sealNext() }
    return journal
  }

  /// Another journal on the same disk.
  static func target(of journal: Journal, _ name: String = "backup") -> Journal {
    Journal(directory: journal.directory + "-" + name, storage: journal.storage)
  }

  /// Every file in a journal's directories, with its bytes.
  static func files(_ journal: Journal) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for directory in [journal.directory, journal.segmentDirectory] {
      for name in try journal.storage.names(in: directory) ?? [] where name != "journal" {
        if name != "LOCK" { files[name] = try journal.bytes(of: "\(directory)/\(name)") }
      }
    }
    return files
  }

  @Test(arguments: [(Disk.file, true), (.memory, true), (.memory, false)])
  func `a backup is a whole book with the same head, and links its sealed segments (ES-1)`(
    disk: Disk, linking: Bool
  ) throws {
    let journal = try Self.journal(on: disk)
    let backup = Self.target(of: journal)
    let names = try journal.segments()
    let made = try journal.backup(to: backup.directory, linking: linking)
    #expect(made.linkedCount == (linking ? names.count - 2 : 0))
    #expect(made.copiedCount == (linking ? 2 : names.count))
    #expect(made.keptCount == 0)
    let found = try backup.verify()
    #expect(found.damages == [])
    #expect(found.head == made.head)
    #expect(try journal.verify().head == made.head)
    #expect(found.entryCount == made.entryCount && found.byteCount == made.byteCount)
    #expect(found.sealedCount == names.count - 2)
    #expect(try backup.entries() == Self.notes)
    #expect(try backup.storage.names(in: backup.segmentDirectory) == names.map(\.fileName))
    // A backup is a book: it can be written to, and the original book does not change.
    let before = try Self.files(journal)
    try backup.open().writer.append([Note(at: 99, "after")])
    try backup.seal()
    #expect(try backup.verify().damages == [])
    #expect(try Self.files(journal) == before)
    #expect(try journal.verify().head == made.head)
  }

  @Test func `on a disk without links a backup copies, read-only like the originals`() throws {
    let journal = try Self.journal()
    let backup = Self.target(of: journal)
    let disk = UnlinkableStorage(journal.storage)
    let made = try Journal(directory: journal.directory, storage: disk)
      .backup(to: backup.directory)
    #expect(made.linkedCount == 0)
    #expect(try backup.entries() == Self.notes)
    let first = try #require(try backup.segments().first)
    #expect(throws: StorageError.self) {
      try backup.storage.open(backup.path(of: first), .readWrite)
    }
  }

  @Test func `an update keeps a backup's sealed segments, and replaces the rest`() {
    let shapes = Generator.zip(
      Generator<Int>.element(of: [1, 350, 500]),
      Generator<Int>.integer(in: 0...4).array(count: 3...3))
    let report = check(
      "brought up to date", Generator.zip(VerifyTests.histories, shapes), cases: 10
    ) { commits, shape in
      let (size, seals) = shape
      let journal = Disk.memory.journal()
      let backup = Self.target(of: journal)
      try journal.create()
      var last: JournalCopy?
      for (part, count) in seals.enumerated() {
        do {
          let writer = try journal.open(segmentByteCount: size).writer
          let begin = commits.count * part / 3
          for commit in commits[begin..<commits.count * (part + 1) / 3] {
            try writer.append(commit)
          }
          var sealer = SegmentSealer(journal, lock: writer.lock)
          for _ in 0..<count { try sealer.sealNext(before: writer.segment) }
        }
        let kept =
          try last == nil
          ? []
          : backup.segments().filter {
            try backup.header(of: $0).seal != nil
          }
        let made = try journal.backup(to: backup.directory)
        try expectEqual(made.keptCount, kept.count)
        try expectEqual(made.copiedCount, try journal.unsealed().count)
        let found = try backup.verify(expecting: last?.head)
        try expectEqual(found.damages, [])
        try expectEqual(found.head, try journal.verify().head)
        if last != nil { try expectEqual(found.proof, .contained) }
        try expectEqual(try backup.entries(), try journal.entries())
        try expectEqual(
          try backup.storage.names(in: backup.segmentDirectory),
          try journal.storage.names(in: journal.segmentDirectory))
        last = made
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: Disk.allCases)
  func `backups are whole prefixes while a writer appends, rolls over and seals`(
    disk: Disk
  ) async throws {
    let journal = disk.journal()
    let backup = Self.target(of: journal)
    try journal.create()
    let commits = (1...(disk == .file ? 12 : 60)).map { number in
      [Note](repeating: Note(at: Int64(number), "commit \(number)"), count: number % 4 + 1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        var count: Int64 = 0
        var number = 0
        while count < Int64(commits.joined().count) {
          number += 1
          let fresh = Self.target(of: journal, "fresh-\(number)")
          // The loop ends when the last backup has everything.
          for target in disk == .file ? [backup] : [fresh, backup] {
            let made = try journal.backup(to: target.directory)
            #expect(made.entryCount >= count)
            count = made.entryCount
            let found = try target.verify()
            #expect(found.damages == [])
            #expect(found.head == made.head)
            #expect(try target.entries() == Array(commits.joined().prefix(Int(count))))
          }
          await Task.yield()
        }
      }
      group.addTask { @concurrent in
        let writer = try journal.open(segmentByteCount: 700).writer
        var sealer = SegmentSealer(journal, lock: writer.lock)
        for (index, commit) in commits.enumerated() {
          try writer.append(commit)
          if index % 5 == 4 {
            while try sealer.sealNext(before: writer.segment) != nil { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try backup.verify().head == journal.verify().head)
  }

  @Test func `segments sealed during a backup are copied again`() throws {
    for call in 0..<100 {
      let journal = try SealingTests.journal()
      let backup = Self.target(of: journal)
      let disk = SealingStorage(journal.storage, journal, beforeOpening: call)
      try Journal(directory: journal.directory, storage: disk).backup(to: backup.directory)
      let found = try backup.verify()
      #expect(found.damages == [], "\(call)")
      #expect(found.entryCount == Int64(Self.notes.count))
      if !disk.hasSealed { return #expect(call > 20) }
    }
    Issue.record("the backup never ended")
  }

  @Test func `a directory with other content is refused and left unchanged`() throws {
    let journal = try Self.journal()
    func expectRefused(
      _ target: Journal, _ name: String, at location: SourceLocation = #_sourceLocation
    ) throws {
      let before = try Self.files(target)
      #expect(
        try failure { _ = try journal.backup(to: target.directory) } == name,
        sourceLocation: location)
      #expect(try Self.files(target) == before, sourceLocation: location)
    }
    let papers = Self.target(of: journal, "papers")
    try papers.storage.createDirectory(papers.directory)
    try papers.overwrite(papers.directory + "/letter.txt", with: [1])
    try expectRefused(papers, "notEmpty")

    let other = Self.target(of: journal, "other")
    try other.create(book: "another book", schemaText: Note.schemaText)
    try expectRefused(other, "anotherHistory")

    // The book continued from an earlier state in another way, or is behind its backup.
    let ahead = Self.target(of: journal, "ahead")
    try journal.backup(to: ahead.directory)
    try ahead.open().writer.append([Note(at: 99, "elsewhere")])
    try expectRefused(ahead, "anotherHistory")
    try journal.open().writer.append([Note(at: 99, "here")])
    try expectRefused(ahead, "anotherHistory")

    let closed = Self.target(of: journal, "closed")
    try journal.backup(to: closed.directory)
    try closed.open().writer.closeSegment()
    try journal.open().writer.append([Note(at: 99, "and more")])
    try expectRefused(closed, "anotherHistory")

    // A damaged book without its beginning is not an unfinished backup.
    let damaged = Self.target(of: journal, "damaged")
    try journal.backup(to: damaged.directory)
    try damaged.storage.remove(damaged.path(of: 1))
    try expectRefused(damaged, "notEmpty")
    #expect(try failure { _ = try journal.backup(to: journal.directory) } == "alreadyABook")
    #expect(try failure { _ = try journal.restore(to: other.directory) } == "alreadyABook")
  }

  @Test func `a backup that is being written to is left alone`() throws {
    let journal = try Self.journal()
    let backup = Self.target(of: journal)
    try journal.backup(to: backup.directory)
    let writer = try backup.open().writer
    #expect(try failure { _ = try journal.backup(to: backup.directory) } == "locked")
    withExtendedLifetime(writer) {}
  }

  @Test func `every reader reports a missing segment's entries or file`() throws {
    let journal = try Self.journal()
    let names = try journal.segments()
    try journal.storage.remove(journal.path(of: names[1]))
    let (first, last) = (names[1].first, names[2].first.number - 1)
    let missing =
      first.number == last
      ? "entry \(first), which stands before it, is missing"
      : "entries \(first) to \(last), which stand before it, are missing"
    func corruption(_ body: () throws -> Void) throws -> JournalError.Corruption? {
      let error = #expect(throws: JournalError.self, performing: body)
      guard case .corrupt(let corruption) = error else { return nil }
      return corruption
    }
    let read = try corruption { _ = try journal.entries() }
    let followed = try corruption {
      var tail = try JournalTail(journal, from: .start)
      while try tail.step() {}
    }
    for found in [read, followed] {
      #expect(found?.reason == missing)
      #expect(found?.file == journal.path(of: names[2]))
    }
    let copied = try corruption { try journal.backup(to: Self.target(of: journal).directory) }
    #expect(copied?.file == journal.path(of: names[1]))
  }

  @Test func `a damaged book gives no backup, and a damaged backup is not updated`() throws {
    let journal = try Self.journal()
    let whole = Self.target(of: journal, "whole")
    try journal.backup(to: whole.directory, linking: false)
    for name in try journal.segments() {
      let copy = Self.target(of: journal, "copy")
      try journal.restore(to: copy.directory, linking: false)
      for damaged in [copy, whole] {
        let path = damaged.path(of: name)
        let bytes = try damaged.bytes(of: path)
        var flipped = bytes
        // The active segment's last commit would be a torn tail.
        let isLast = try name == journal.segments().last
        flipped[isLast ? 100 : bytes.count - 30] ^= 1
        try damaged.storage.remove(path)
        try damaged.overwrite(path, with: flipped)
        let backup = Self.target(of: copy, "backup")
        let book = damaged.directory == copy.directory ? copy : journal
        let target = damaged.directory == copy.directory ? backup : whole
        let error = try #require(throws: JournalError.self) {
          try book.backup(to: target.directory)
        }
        guard case .corrupt(let corruption) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(corruption.file == path)
        #expect(try !backup.exists())
        #expect(try backup.storage.names(in: backup.segmentDirectory) ?? [] == [])
        try damaged.storage.remove(path)
        try damaged.overwrite(path, with: bytes)
      }
      for name in try copy.segments() { try copy.storage.remove(copy.path(of: name)) }
    }
  }
}

/// A disk without hard links.
private struct UnlinkableStorage: StorageOverlay {
  let base: any Storage

  init(_ base: any Storage) { self.base = base }

  func link(_ path: String, to newPath: String) throws(StorageError) {
    throw StorageError(
      operation: "link", path: path, reason: .system(95), message: "not supported")
  }
}
