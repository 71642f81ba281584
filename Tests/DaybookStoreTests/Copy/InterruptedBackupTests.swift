import Daybook
import Journal
import PropertyTesting
import SimulatedStorage
import Testing

@testable import DaybookStore

/// An interrupted update of a backup, after an erasure rewrote segments that the backup holds.
@Suite(.tags(.damage)) struct InterruptedBackupTests {
  /// A book, and a backup made before somebody was erased.
  struct World {
    let storage = SimulatedStorage()
    let digestBefore: String
    let digestAfter: String

    static func open(_ storage: SimulatedStorage) throws -> Book {
      try Book(
        opening: BookReader(at: "book", storage: storage),
        clock: HandClock(Menu.beginnings[1]).bookClock, segmentByteCount: 1, sealing: .atOnce)
    }

    init() throws {
      try Book.create(
        at: "book", storage: storage, clock: HandClock(Menu.beginnings[1]).bookClock)
      let book = try Self.open(storage)
      let people = try ["Ada", "Bee"].map {
        try book.record(CreateAccount(name: $0, timeZone: "UTC"))
      }
      for person in people {
        let habit = try book.record(CreateHabit(name: "Read"), by: person)
        try book.record(LogHabit(habit, note: "poetry"), by: person)
      }
      // Not linked: the backup keeps what the book blanks.
      try book.backup(to: "copy", linking: false)
      digestBefore = try book.reader.state().digest
      try book.erase(people[0])
      try book.record(CreateHabit(name: "Swim"), by: people[1])
      digestAfter = try book.reader.state().digest
    }
  }

  @Test func `a backup killed or losing power at any point can be restored (ES-1, ES-6)`() throws {
    let world = try World()
    var behaviour = SimulatedStorage.Behaviour()
    behaviour.keepsHistory = true
    let storage = SimulatedStorage(world.storage.disk.settled, behaviour)
    try BookReader(at: "book", storage: storage).backup(to: "copy")
    var random = SplitMix64(seed: 0xB0B)
    var digests: [String: Int] = [:]
    for (changes, disk) in try sample(Array(storage.history.enumerated()), every: 4) {
      let crashState = disk.crashState(using: &random)
      for disk in [disk, crashState.isCorrupted ? disk.withoutMemory : crashState.disk] {
        let after = SimulatedStorage(disk)
        try BookReader(at: "copy", storage: after).restore(to: "again")
        let again = BookReader(at: "again", storage: after)
        #expect(try again.verify().isWhole, "after \(changes) changes")
        let digest = try again.state().digest
        #expect(
          [world.digestBefore, world.digestAfter].contains(digest), "after \(changes) changes")
        digests[digest, default: 0] += 1
      }
    }
    #expect(digests[world.digestBefore, default: 0] > 3)
    #expect(digests[world.digestAfter, default: 0] > 1)
  }
}
