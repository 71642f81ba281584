import Journal
import Testing

@Suite(.tags(.damage), .temporaryDirectory, .timeLimit(.minutes(60))) struct ConcurrencyTests {
  @Test(arguments: Disk.allCases)
  func `readers see growing prefixes while a writer appends and rolls over`(
    disk: Disk
  ) async throws {
    let journal = disk.journal()
    try journal.create()
    let commits = (1...60).map { number in
      [Note](repeating: Note("commit \(number)"), count: number % 4 + 1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        var count = 0
        while count < commits.count {
          let read = try journal.commits()
          #expect(read.count >= count)
          #expect(read == Array(commits[..<read.count]))
          count = read.count
          await Task.yield()
        }
      }
      group.addTask { @concurrent in
        let writer = try journal.open(segmentByteCount: 1_000).writer
        for commit in commits {
          try writer.append(commit)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    #expect(try journal.segments().count > 2)
  }
}
