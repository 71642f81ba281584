import Journal
import Testing

/// Every call to the disk fails once, in every way, through a script of all that a writer does.
@Suite struct FaultTests {
  /// The long one begins a segment where the short one after it would still fit the old one.
  static let commits: [Commit] = [
    ["a"],
    ["Pack my box with five dozen liquor jugs, 0123456789; SPHINX OF BLACK QUARTZ, JUDGE MY VOW"],
    ["b", "c"], ["d"], ["e"], ["f"],
  ]

  /// What a run of the script came to.
  struct Outcome {
    var acknowledged: [Commit] = []
    var refused: Commit?
    var failures: [String] = []
  }

  /// Makes a book, appends, opens again, appends the rest; the disk has room again after each failure.
  static func run(_ storage: FaultyStorage, segmentByteCount: Int) -> Outcome {
    let journal = Journal(directory: "book", storage: storage)
    var outcome = Outcome()
    func attempt<Result>(_ body: () throws(JournalError) -> Result) -> Result? {
      do throws(JournalError) { return try body() } catch {
        outcome.failures.append(error.name)
        storage.heal()
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

  @Test(arguments: Fault.Kind.allCases, [1, 330, 1 << 20])
  func `what was acknowledged is there after any failure of the disk (ES-1)`(
    kind: Fault.Kind, segmentByteCount: Int
  ) throws {
    let healthy = FaultyStorage(base: MemoryStorage(), nil)
    #expect(Self.run(healthy, segmentByteCount: segmentByteCount).acknowledged == Self.commits)
    var operations: Set<String> = []
    for call in 0..<healthy.calls {
      let disk = MemoryStorage()
      let storage = FaultyStorage(base: disk, Fault(kind: kind, call: call))
      let outcome = Self.run(storage, segmentByteCount: segmentByteCount)
      let comment: Comment = "call \(call): \(storage.hit ?? "-"), \(outcome)"
      guard let hit = storage.hit else { continue }
      operations.insert(hit)
      // Also for readers, before anybody repairs anything.
      let journal = Journal(directory: "book", storage: disk)
      #expect(try journal.commits().starts(with: outcome.acknowledged), comment)
      let (writer, commits) = try journal.open(segmentByteCount: segmentByteCount)
      #expect(
        commits == outcome.acknowledged
          || outcome.refused.map { commits == outcome.acknowledged + [$0] } == true, comment)
      try writer.append(["after"])
      #expect(try journal.commits() == commits + [["after"]], comment)

      if storage.hit != "look at" && storage.hit != "read" && storage.hit != "list" {
        #expect(!outcome.failures.isEmpty, comment)
      }
      if kind == .full || kind == .shortFull {
        // A full disk costs the commit that met it and no other.
        #expect(!outcome.failures.contains("poisoned"), comment)
        #expect(outcome.acknowledged.count >= Self.commits.count - 1, comment)
      }
    }
    #expect(operations.isSuperset(of: ["write", "open", "rename", "sync directory"]))
  }

  @Test func `after a failed sync nothing is written until the book is opened again`() throws {
    let disk = MemoryStorage()
    let journal = Journal(directory: "book", storage: disk)
    try journal.create([["a"]])
    let counter = FaultyStorage(base: disk, nil)
    do { _ = try Journal(directory: "book", storage: counter).open() }
    // The first append after opening is a write, then a sync.
    let storage = FaultyStorage(base: disk, Fault(kind: .inputOutput, call: counter.calls + 1))
    do {
      let writer = try Journal(directory: "book", storage: storage).open().writer
      #expect(try failure { try writer.append(["b"]) } == "storage system(5)")
      #expect(storage.hit == "sync")
      #expect(try failure { try writer.append(["c"]) } == "poisoned")
      #expect(writer.head == Position(1))
      #expect(try journal.commits() == [["a"]])
    }
    let (writer, commits) = try journal.open()
    #expect(commits == [["a"]])
    try writer.append(["c"])
    #expect(try journal.commits() == [["a"], ["c"]])
  }

  @Test(arguments: Fault.Kind.allCases)
  func `a failure while a torn tail is cut loses nothing`(kind: Fault.Kind) throws {
    let segment = try RecoveryTests.Segment()
    let bytes = Array(segment.bytes.dropLast(3))
    var call = 0
    while true {
      let disk = try RecoveryTests.book(bytes)
      let storage = FaultyStorage(base: disk.storage, Fault(kind: kind, call: call))
      _ = try? Journal(directory: "book", storage: storage).open()
      #expect(try disk.open().commits == Array(RecoveryTests.commits[..<2]), "call \(call)")
      let kept = try disk.bytes(of: "\(disk.path(of: 1)).torn-\(segment.ends[2])")
      #expect(kept == Array(bytes[segment.ends[2]...]), "call \(call)")
      call += 1
      if call > storage.calls { break }
    }
  }
}
