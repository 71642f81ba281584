import Journal
import SimulatedStorage
import Testing

/// Many commits that share their syncs.
@Suite(.tags(.damage), .temporaryDirectory) struct PublishingTests {
  static let commits: [Commit] = [["a"], ["b", "c"], ["d"], ["e", "f", "g"], ["h"]]

  @Test(arguments: Disk.allCases, [1, 170, 1 << 20])
  func `commits published together are read like others`(
    disk: Disk, segmentByteCount: Int
  ) throws {
    let journal = disk.journal()
    try journal.create([["0"]])
    do {
      let writer = try journal.open(segmentByteCount: segmentByteCount).writer
      for commit in Self.commits { try writer.write(commit) }
      if segmentByteCount > 1000 {
        #expect(writer.head == Position(1))
        #expect(try journal.commits() == [["0"]], "unpublished commits are invisible")
      }
      try writer.publish()
      #expect(writer.head == Position(9))
      try writer.publish()
      try writer.append(["i"])
      try writer.write(["j"])
      try writer.publish()
    }
    let all = [["0"]] + Self.commits + [["i"], ["j"]]
    let (writer, commits) = try journal.open(segmentByteCount: segmentByteCount)
    #expect(commits == all)
    #expect(try writer.append(["k"]) == Position(12))
    #expect(try journal.commits() == all + [["k"]])
  }

  @Test func `an empty segment is replaced by a published one`() throws {
    let journal = Disk.memory.journal()
    try journal.create()
    let writer = try journal.open().writer
    try writer.write(["a", "b"])
    try writer.publish()
    #expect(try journal.segments().map(\.first.number) == [1])
    try writer.append(["c"])
    #expect(try journal.commits() == [["a", "b"], ["c"]])
  }

  @Test(arguments: [1, 170, 1 << 20])
  func `a crash leaves a prefix with everything published (ES-1)`(segmentByteCount: Int) throws {
    let commits: [Commit] = [["a"], ["b", "c"], ["d"]]
    let storage = SimulatedStorage(keepsHistory: true)
    let journal = Journal(directory: "book", storage: storage)
    try journal.create()
    let writer = try journal.open(segmentByteCount: segmentByteCount).writer
    var published = [(changes: 0, count: 0)]
    for (index, commit) in commits.enumerated() {
      try writer.write(commit)
      guard index > 0 else { continue }
      try writer.publish()
      published.append((storage.changes, index + 1))
    }
    var disks = 0
    for (changes, disk) in storage.history.enumerated() {
      let kept = published.last { $0.changes <= changes }?.count ?? 0
      for crashState in disk.crashStates(.coarse) {
        disks += 1
        let journal = Journal(directory: "book", storage: SimulatedStorage(crashState.disk))
        guard try journal.exists() else {
          #expect(kept == 0)
          continue
        }
        let (writer, found) = try journal.open()
        #expect(found == Array(commits.prefix(found.count)), "after \(changes) changes")
        #expect(found.count >= kept, "after \(changes) changes")
        let names = try journal.storage.names(in: "book/journal") ?? []
        #expect(!names.contains { $0.hasSuffix(".new") }, "\(names)")
        try writer.append(["after"])
        #expect(try journal.commits() == found + [["after"]])
      }
    }
    #expect(disks > 2 * storage.changes)
  }

  private struct Outcome {
    var head: Position
    var isPoisoned = false
  }

  /// Publishes the commits, then appends one more; `nil` when the fault came before or after that.
  private static func run(
    _ storage: SimulatedStorage, _ segmentByteCount: Int
  ) throws -> Outcome? {
    let journal = Journal(directory: "book", storage: storage)
    let writer: JournalWriter
    do { writer = try journal.open(segmentByteCount: segmentByteCount).writer } catch { return nil }
    do {
      for commit in commits { try writer.write(commit) }
      try writer.publish()
    } catch {
      storage.heal()
    }
    var outcome = Outcome(head: writer.head)
    // The fault should come before this.
    let isOver = storage.hits.isEmpty
    do { try writer.append(["after"]) } catch {
      outcome.isPoisoned = error.name == "poisoned"
      if !outcome.isPoisoned, !isOver { throw error }
    }
    return isOver ? nil : outcome
  }

  @Test(arguments: DiskFault.allCases, [1, 170, 1 << 20])
  func `a disk failure loses nothing before the last published commit (ES-1)`(
    fault: DiskFault, segmentByteCount: Int
  ) throws {
    var operations: Set<String> = []
    var call = 0
    while true {
      let storage = SimulatedStorage()
      let journal = Journal(directory: "book", storage: storage)
      try journal.create([["0"]])
      let before = storage.calls
      storage.plan(fault, after: call)
      call += 1
      let outcome = try Self.run(storage, segmentByteCount)
      if call > storage.calls - before { break }
      storage.heal()
      guard let outcome, let hit = storage.hits.first else { continue }
      let (expected, isPoisoned) = (outcome.head.number, outcome.isPoisoned)
      operations.insert(hit)
      let comment: Comment = "call \(call): \(hit), \(expected)"
      let commits = try journal.commits()
      let all = [["0"]] + Self.commits
      let rest = commits.last == ["after"] ? Array(commits.dropLast()) : commits
      #expect(rest == Array(all.prefix(rest.count)), comment)
      #expect((commits.last == ["after"]) == !isPoisoned, comment)
      let count = Int64(rest.joined().count)
      // The journal may hold more than the writer states only if the writer says that it does not know.
      #expect(isPoisoned ? count >= expected : count == expected, comment)
      let (reopened, found) = try journal.open()
      #expect(found == commits, comment)
      #expect(try reopened.append(["again"]).number == Int64(found.joined().count) + 1, comment)
    }
    #expect(operations.isSuperset(of: ["write", "open", "rename", "sync directory"]))
  }
}
