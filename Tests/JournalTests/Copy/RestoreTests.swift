import PropertyTesting
import Testing

@testable import Journal

/// Books restored to a time.
@Suite(.tags(.law)) struct RestoreTests {
  /// Entries with equal times and gaps, in commits with several times.
  static let histories = Generator { source in
    var at: Int64 = 1000
    var commits: [Commit] = []
    for commit in try source.draw(ModelTests.commits.array(count: 0...10)) {
      commits.append(
        try commit.map { note in
          at += Int64(try source.draw(Generator<Int>.element(of: [0, 0, 1, 5])))
          return Note(at: at, note.text)
        })
    }
    return commits
  }

  @Test func `a book is restored to any time, with its entries until then and their head (ES-4)`() {
    let shapes = Generator.zip(
      Generator<Int>.element(of: [1, 350, 450]), Generator<Int>.integer(in: 0...8),
      Generator<Bool>.bool())
    let report = check(
      "restored to any time", Generator.zip(Self.histories, shapes), cases: 7
    ) { commits, shape in
      let (size, sealedCount, linking) = shape
      let journal = Disk.memory.journal()
      try journal.create(commits, segmentByteCount: size)
      do {
        var sealer = SegmentSealer(
          journal, lock: try JournalWriter.takeLock(of: journal), blockByteCount: 30, level: 3)
        for _ in 0..<sealedCount { try sealer.sealNext() }
      }
      let before = try BackupTests.files(journal)
      let notes = commits.flatMap(\.self)
      let times = Set(notes.flatMap { [$0.at - 1, $0.at] } + [0, Int64.max])
      for time in times.sorted() {
        let target = BackupTests.target(of: journal, "\(time)")
        let made = try journal.restore(
          to: target.directory, until: time == .max ? nil : time, linking: linking)
        let expected = notes.filter { $0.at <= time }
        try expectEqual(try target.entries(), expected, "until \(time)")
        let found = try target.verify()
        try expectEqual(found.damages, [])
        try expectEqual(found.head, made.head)
        try expectEqual(made.entryCount, Int64(expected.count))
        try expectEqual(try journal.verify(expecting: made.head).proof, .contained)
        // It continues as a book of its own.
        try target.open(segmentByteCount: size).writer.append([Note(at: time, "after")])
        try target.seal()
        try expectEqual(try target.entries(), expected + [Note(at: time, "after")])
        try expectEqual(try target.verify(expecting: made.head).proof, .contained)
      }
      try expect(try BackupTests.files(journal) == before, "the book changed")
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `damage after the time does no harm, and damage before it stops the restoring`() throws
  {
    let journal = try SealingTests.journal()
    try journal.seal()
    let names = try journal.segments()
    let path = journal.path(of: names[2])
    var bytes = try journal.bytes(of: path)
    bytes[bytes.count - 30] ^= 1
    try journal.storage.remove(path)
    try journal.overwrite(path, with: bytes)
    let notes = SealingTests.commits.flatMap(\.self)
    let time = notes[Int(names[2].first.number) - 2].at - 1
    let early = BackupTests.target(of: journal, "early")
    try journal.restore(to: early.directory, until: time)
    #expect(try early.entries() == notes.filter { $0.at <= time })
    #expect(try early.verify().damages == [])
    let late = BackupTests.target(of: journal, "late")
    for end in [nil, notes[notes.count - 2].at] {
      let error = try #require(throws: JournalError.self) {
        try journal.restore(to: late.directory, until: end)
      }
      guard case .corrupt(let corruption) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(corruption.file == path)
      #expect(try !late.exists())
    }
  }
}
