import Journal
import SimulatedStorage
import Testing

/// Every call to the disk fails once, in every way, throughout a script of all writer operations.
@Suite(.tags(.damage)) struct FaultTests {
  /// The long one starts a new segment, although the short one after it would still fit the old one.
  static let commits: [Commit] = [
    ["a"],
    ["Pack my box with five dozen liquor jugs, 0123456789; SPHINX OF BLACK QUARTZ, JUDGE MY VOW"],
    ["b", "c"], ["d"], ["e"], ["f"],
  ]

  /// The result of a run of the script.
  struct Outcome {
    var acknowledged: [Commit] = []
    var refused: Commit?
    var failures: [String] = []
  }

  /// Creates a book, appends, reopens and appends the rest; the disk has room again after each failure.
  static func run(_ storage: SimulatedStorage, segmentByteCount: Int) -> Outcome {
    let journal = Journal(directory: "book", storage: storage)
    var outcome = Outcome()
    func attempt<Result>(_ body: () throws(JournalError) -> Result) -> Result? {
      do throws(JournalError) { return try body() } catch {
        outcome.failures.append(error.name)
        storage.makeRoom()
        return nil
      }
    }
    for _ in 0..<2 where attempt({ () throws(JournalError) in try journal.create() }) != nil {
      break
    }
    for half in [commits[..<3], commits[3...]] {
      var opened = attempt { () throws(JournalError) in
        try journal.open(segmentByteCount: segmentByteCount).writer
      }
      if opened == nil {
        opened = attempt { () throws(JournalError) in
          try journal.open(segmentByteCount: segmentByteCount).writer
        }
      }
      guard let writer = opened else { continue }
      for commit in half {
        if attempt({ () throws(JournalError) in try writer.append(commit) }) != nil {
          outcome.acknowledged.append(commit)
        } else if outcome.failures.last != "poisoned" {
          outcome.refused = commit
        }
      }
    }
    return outcome
  }

  @Test(arguments: DiskFault.allCases, [1, 412, 1 << 20])
  func `acknowledged commits survive any disk failure (ES-1)`(
    fault: DiskFault, segmentByteCount: Int
  ) throws {
    let healthy = SimulatedStorage()
    #expect(Self.run(healthy, segmentByteCount: segmentByteCount).acknowledged == Self.commits)
    var operations: Set<String> = []
    for call in 0..<healthy.calls {
      let storage = SimulatedStorage(SimulatedDisk(), .init(faults: [call: fault]))
      let outcome = Self.run(storage, segmentByteCount: segmentByteCount)
      guard let hit = storage.hits.first else { continue }
      let comment: Comment = "call \(call): \(hit), \(outcome)"
      operations.insert(hit)
      // Also for readers, before anything is repaired.
      let journal = Journal(directory: "book", storage: storage)
      #expect(try journal.commits().starts(with: outcome.acknowledged), comment)
      let (writer, commits) = try journal.open(segmentByteCount: segmentByteCount)
      #expect(
        commits == outcome.acknowledged
          || outcome.refused.map { commits == outcome.acknowledged + [$0] } == true, comment)
      try writer.append(["after"])
      #expect(try journal.commits() == commits + [["after"]], comment)

      if !["look at", "read", "list"].contains(hit) {
        #expect(!outcome.failures.isEmpty, comment)
      }
      // A full disk costs the commit that met it and no other, unless only the sync detected it.
      if fault.isFull, hit != "sync" {
        #expect(!outcome.failures.contains("poisoned"), comment)
        #expect(outcome.acknowledged.count >= Self.commits.count - 1, comment)
      }
    }
    #expect(operations.isSuperset(of: ["write", "open", "rename", "sync", "sync directory"]))
  }

  @Test func `a full disk refuses commits, and accepts them once there is room (ES-1)`()
    throws
  {
    for room in 0..<400 {
      let storage = SimulatedStorage()
      let journal = Journal(directory: "book", storage: storage)
      let writer = try journal.create([["a"]], segmentByteCount: 412)
      storage.limitRoom(to: room)
      var commits: [Commit] = [["a"]]
      var failures: Set<String> = []
      for commit in Self.commits {
        do throws(JournalError) {
          try writer.append(commit)
          commits.append(commit)
        } catch {
          failures.insert(error.name)
        }
        #expect(try journal.commits() == commits, "\(room) bytes")
      }
      #expect(failures == ["storage full"], "\(room) bytes")
      storage.makeRoom()
      try writer.append(["b"])
      #expect(try journal.commits() == commits + [["b"]], "\(room) bytes")
    }
  }

  @Test func `after a failed sync nothing is written until the book is opened again`() throws {
    let storage = SimulatedStorage()
    let journal = Journal(directory: "book", storage: storage)
    try journal.create([["a"]])
    do {
      let writer = try journal.open().writer
      // An append checks the lock and the file, then writes, then syncs.
      storage.plan(.inputOutput, after: 3)
      #expect(try failure { try writer.append(["b"]) } == "storage system(5)")
      #expect(storage.hits == ["sync"])
      #expect(try failure { try writer.append(["c"]) } == "poisoned")
      #expect(writer.head == Position(1))
      #expect(try journal.commits() == [["a"]])
    }
    let (writer, commits) = try journal.open()
    #expect(commits == [["a"]])
    try writer.append(["c"])
    #expect(try journal.commits() == [["a"], ["c"]])
  }

  @Test(arguments: DiskFault.allCases)
  func `a failure while cutting a torn tail loses nothing`(fault: DiskFault) throws {
    let segment = try RecoveryTests.Segment()
    let bytes = Array(segment.bytes.dropLast(3))
    var call = 0
    while true {
      let disk = try RecoveryTests.book(bytes, on: SimulatedStorage())
      guard let simulated = disk.storage as? SimulatedStorage else { return }
      let before = simulated.calls
      simulated.plan(fault, after: call)
      _ = try? disk.open()
      let isOver = simulated.calls - before <= call
      simulated.heal()
      #expect(try disk.open().commits == Array(RecoveryTests.commits[..<2]), "call \(call)")
      let kept = try disk.bytes(of: "\(disk.path(of: 1)).torn-\(segment.ends[2])")
      #expect(kept == Array(bytes[segment.ends[2]...]), "call \(call)")
      call += 1
      if isOver { break }
    }
    #expect(call > 10)
  }
}
