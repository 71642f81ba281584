import Testing
@testable import Journal
@Suite struct MakeGolden {
  @Test func `make`() throws {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create()
    let writer = try journal.open().writer
    for (i, commit) in ExhaustiveDamageTests.sealed.enumerated() {
      if i == 3 || i == 6 { 
        try writer.closeSegment()
        var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 20, level: 9)
        try sealer.sealNext()
      }
      if i == 8 { try writer.closeSegment() }
      try writer.append(commit)
    }
    try FileStorage().createDirectory("/work/fuzz/Tests/JournalTests/Fixtures/sealed")
    for name in try journal.segments() {
      let bytes = try journal.bytes(of: journal.path(of: name))
      try FileStorage().open("/work/fuzz/Tests/JournalTests/Fixtures/sealed/\(name.fileName)", .create).write(bytes, at: 0)
    }
  }
}
