import PropertyTesting
import SimulatedStorage
import Testing

@testable import Journal

/// An update of a backup whose process died.
@Suite(.tags(.damage)) struct BackupUpdateTests {
  static let work = CopyFaultTests.Work.update

  /// The disk after every change of an update.
  static func history() throws -> [SimulatedDisk] {
    let start = SimulatedStorage()
    _ = try CopyFaultTests.prepare(start, for: work)
    let storage = SimulatedStorage(start.disk.settled, keepingHistory: ())
    try work.run(Journal(directory: "book", storage: storage))
    return storage.history
  }

  private static func isDecided(_ disk: SimulatedDisk) -> Bool {
    disk.contents.contains { $0.path == "copy/journal/UPDATE" }
  }

  @Test func `the next process finishes an update, even after another interruption (ES-1)`() throws
  {
    var kills = 0
    for left in try sample(Self.history().filter(Self.isDecided), every: 3) {
      // A reader, a restore, a writer, and another backup.
      for next in 0..<4 {
        let storage = SimulatedStorage(left, keepingHistory: ())
        let copy = Journal(directory: "copy", storage: storage)
        switch next {
        case 0: #expect(try copy.entries() == Self.work.notes)
        case 1:
          try copy.restore(to: "again")
          let again = Journal(directory: "again", storage: storage)
          #expect(try again.entries() == Self.work.notes)
        case 2: try copy.open().writer.append([Note(at: 99, "after")])
        default: try Self.work.run(Journal(directory: "book", storage: storage))
        }
        #expect(try copy.verify().damages == [])
        let names = try storage.names(in: "copy/journal") ?? []
        #expect(names.allSatisfy { $0.hasSuffix(".avro") })
        for (changes, disk) in storage.history.enumerated() {
          for crashState in disk.crashStates(.coarse) where !crashState.isCorrupted {
            kills += 1
            let after = Journal(directory: "copy", storage: SimulatedStorage(crashState.disk))
            let found = try after.entries()
            let isPower = !Self.isDecided(crashState.disk) && found.count == 4
            #expect(
              found.starts(with: Self.work.notes) || isPower, "\(next), \(changes) changes")
            #expect(try after.verify().damages == [], "\(next), \(changes) changes")
          }
        }
      }
    }
    #expect(kills > 30)
  }

  @Test func `during an update a reader is asked to retry, and changes nothing`()
    throws
  {
    let left = try #require(try Self.history().first(where: Self.isDecided))
    let storage = SimulatedStorage(left)
    guard case .taken(let lock) = try storage.lock("copy/LOCK") else {
      Issue.record("the lock was not taken")
      return
    }
    let copy = Journal(directory: "copy", storage: storage)
    let error = try #require(throws: JournalError.self) { try copy.entries() }
    #expect(error.description.contains("bringing it up to date"))
    #expect(try failure { _ = try copy.open() } == "locked")
    #expect(storage.disk.fingerprint == left.fingerprint)
    withExtendedLifetime(lock) {}
  }

  @Test func `the parts of an undecided update are removed, and the backup is unchanged`() throws {
    let history = try Self.history()
    let decided = try #require(history.firstIndex(where: Self.isDecided))
    let storage = SimulatedStorage(history[decided - 1])
    let copy = Journal(directory: "copy", storage: storage)
    let names = try storage.names(in: "copy/journal") ?? []
    #expect(names.contains { $0.hasSuffix(".part") })
    #expect(try copy.entries().count == 4)
    #expect(try copy.verify().damages == [])
    try Self.work.run(Journal(directory: "book", storage: storage))
    #expect(try copy.entries() == Self.work.notes)
  }
}

extension SimulatedStorage {
  /// Takes over a disk, and keeps it after every change.
  fileprivate convenience init(_ disk: SimulatedDisk, keepingHistory: Void) {
    var behaviour = Behaviour()
    behaviour.keepsHistory = true
    self.init(disk, behaviour)
  }
}
