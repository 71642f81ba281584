import Journal
import Testing

/// The power goes after every call of a script, and every disk that may then be found is opened.
@Suite struct CrashTests {
  static let commits: [Commit] = [["a"], ["b", "c"], ["d"]]

  /// Appends what is not there yet of the commits, each acknowledged as it is; ends when the power goes.
  static func run(
    _ storage: CrashStorage, from start: Int = 0, segmentByteCount: Int
  ) -> Int {
    let journal = Journal(directory: "book", storage: storage)
    var acknowledged = start
    do {
      if try !journal.exists() { try journal.create() }
      let writer = try journal.open(segmentByteCount: segmentByteCount).writer
      for commit in commits[start...] {
        try writer.append(commit)
        acknowledged += 1
      }
    } catch {}
    return acknowledged
  }

  /// Opens a disk after a crash; returns how many commits are there.
  static func recovered(
    _ disk: CrashStorage.Contents, acknowledged: Int, _ comment: Comment
  ) throws -> Int {
    let journal = Journal(directory: "book", storage: CrashStorage(disk))
    guard try journal.exists() else {
      #expect(acknowledged == 0, comment)
      return 0
    }
    let found = try journal.commits()
    #expect(found == Array(commits.prefix(found.count)), comment)
    #expect(found.count >= acknowledged, comment)
    let (writer, opened) = try journal.open()
    #expect(opened == found, comment)
    try writer.append(["after"])
    #expect(try journal.commits() == found + [["after"]], comment)
    return found.count
  }

  @Test(arguments: [1, 400, 1 << 20])
  func `what was acknowledged survives any crash, and what survives is a prefix (ES-1)`(
    segmentByteCount: Int
  ) throws {
    var disks = 0
    var calls = 0
    while true {
      let storage = CrashStorage(calls: calls)
      let acknowledged = Self.run(storage, segmentByteCount: segmentByteCount)
      for disk in storage.contents.afterCrash {
        disks += 1
        _ = try Self.recovered(disk, acknowledged: acknowledged, "after \(calls) calls")
      }
      if acknowledged == Self.commits.count { break }
      calls += 1
    }
    #expect(disks > 2 * calls)
  }

  @Test(arguments: [1, 1 << 20])
  func `a second crash during recovery and the appends after it loses nothing either (ES-1)`(
    segmentByteCount: Int
  ) throws {
    var seen: Set<[CrashStorage.Contents]> = []
    for calls in 0..<1000 {
      let first = CrashStorage(calls: calls)
      let acknowledged = Self.run(first, segmentByteCount: segmentByteCount)
      for disk in first.contents.afterCrash where seen.insert([disk]).inserted {
        let start = try Self.recovered(disk, acknowledged: acknowledged, "first crash at \(calls)")
        for more in 0..<1000 {
          let second = CrashStorage(disk, calls: more)
          let survived = Self.run(second, from: start, segmentByteCount: segmentByteCount)
          // Before the writer saw to what it had read, that was not acknowledged by anybody.
          let promised = survived > start ? survived : acknowledged
          for disk in second.contents.afterCrash where seen.insert([first.contents, disk]).inserted
          {
            _ = try Self.recovered(
              disk, acknowledged: promised, "crashes at \(calls) and \(more)")
          }
          if second.callsLeft > 0 { break }
        }
      }
      if first.callsLeft > 0 { break }
    }
  }

  @Test func `a program that dies leaves its last commit to the next writer's care`() throws {
    // The process ends between write and sync; the system, and its memory, live on.
    for calls in 0..<1000 {
      let dying = CrashStorage(calls: calls)
      let acknowledged = Self.run(dying, segmentByteCount: 1)
      let next = CrashStorage(dying.contents)
      let journal = Journal(directory: "book", storage: next)
      if try !journal.exists() { try journal.create() }
      let (writer, found) = try journal.open(segmentByteCount: 1)
      #expect(found.count >= acknowledged)
      try writer.append(["after"])
      for disk in next.contents.afterCrash {
        let after = Journal(directory: "book", storage: CrashStorage(disk))
        #expect(try after.commits() == found + [["after"]], "died after \(calls) calls")
      }
      if acknowledged == Self.commits.count { break }
    }
  }
}
