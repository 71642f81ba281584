import Daybook
import Journal
import Synchronization
import Testing

@testable import DaybookStore

/// Following a book within a program.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct EntryTailTests {
  let fixture = try? WriterFixture()

  @Test func `a tail gives the existing entries, then new ones at once (ES-1)`() async throws {
    let fixture = try #require(fixture)
    // The clock never moves: nothing waits for it while the book is open in this process.
    let clock = ManualClock()
    let tail = fixture.book.reader.tail(from: 2, clock: clock)
    let seen = Positions()
    let follower = Task { () -> Event? in
      for try await entry in tail {
        seen.note(entry.head.position)
        if entry.head.position == 22 { return entry.event }
      }
      return nil
    }
    for number in 1...20 {
      try await fixture.book.record(fixture.log(number), by: fixture.ada)
      while seen.all.last != Int64(number + 2) { await Task.yield() }
    }
    #expect(seen.all == Array(2...22))
    #expect(try await follower.value == .habitLogged(try fixture.logged(20)))
    #expect(clock.sleepCount == 0)
  }

  @Test func `a tail of an open book gives only entries on disk`() async throws {
    let fixture = try #require(fixture)
    fixture.storage.close()
    let commit = Task { try await fixture.book.record(fixture.log(1), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    // The block is in the file, and its sync is not finished.
    let seen = Positions()
    let follower = Task {
      for try await entry in fixture.book.reader.tail() { seen.note(entry.head.position) }
    }
    while seen.all.count < 2 { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    #expect(seen.all == [1, 2])
    #expect(try BookReader(at: "book", storage: fixture.storage).state().position == 3)
    fixture.storage.open()
    _ = try await commit.value
    while seen.all.count < 3 { await Task.yield() }
    follower.cancel()
    try await follower.value
    #expect(seen.all == [1, 2, 3])
  }

  @Test func `a separate reader polls at its interval`() async throws {
    let fixture = try #require(fixture)
    let clock = ManualClock()
    let reader = BookReader(at: "book", storage: fixture.storage)
    let tail = reader.tail(from: 1, every: .seconds(5), clock: clock)
    let seen = Positions()
    let follower = Task {
      for try await entry in tail { seen.note(entry.head.position) }
    }
    while clock.sleeperCount == 0 { await Task.yield() }
    #expect(seen.all == [1, 2])
    try await fixture.book.record(fixture.log(1), by: fixture.ada)
    clock.advance(by: .milliseconds(4999))
    for _ in 0..<50 { await Task.yield() }
    #expect(seen.all == [1, 2])
    clock.advance(by: .milliseconds(1))
    while clock.sleepCount < 2 || clock.sleeperCount == 0 { await Task.yield() }
    #expect(seen.all == [1, 2, 3])
    follower.cancel()
    try await follower.value
    #expect(clock.sleeperCount == 0, "cancellation ends it at once")
  }

  @Test func `a tail continues when its book is closed and another is opened`() async throws {
    let storage = GatedStorage()
    let clock = ManualClock()
    let (reader, ada, habit) = try {
      let fixture = try WriterFixture(storage)
      return (fixture.book.reader, fixture.ada, fixture.habit)
    }()
    let seen = Positions()
    let follower = Task {
      for try await entry in reader.tail(from: 3, clock: clock) { seen.note(entry.head.position) }
    }
    while clock.sleeperCount == 0 { await Task.yield() }
    let book = try WriterFixture.open(storage, HandClock(try #require(Instant(WriterFixture.now))))
    try await book.record(LogHabit(habit), by: ada)
    #expect(seen.all == [])
    clock.advance(by: .seconds(1))
    while seen.all.isEmpty { await Task.yield() }
    #expect(seen.all == [3])
    follower.cancel()
    try await follower.value
  }

  @Test func `a cancelled tail ends, wherever it waits`() async throws {
    let fixture = try #require(fixture)
    for reader in [fixture.book.reader, BookReader(at: "book", storage: fixture.storage)] {
      let seen = Positions()
      let follower = Task {
        for try await batch in reader.tail(from: 1, every: .seconds(1_000_000)).batches {
          seen.note(batch.count > 0 ? batch[0].head.position : 0)
        }
        return "ended"
      }
      while seen.all.isEmpty { await Task.yield() }
      follower.cancel()
      #expect(try await follower.value == "ended")
    }
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      var tail = fixture.book.reader.tail().makeAsyncIterator()
      return try await tail.next()
    }
    late.cancel()
    #expect(try await late.value == nil)
  }

  @Test func `a large commit arrives in parts, and a tail may start within it`() async throws {
    let fixture = try #require(fixture)
    let count = EntryFollower.batchCount * 2 + 100
    try fixture.book.importing { importer in
      for number in 0..<count { try importer.record(fixture.log(number), by: fixture.ada) }
    }
    for start in [1, 3, 5000, Int64(count)] {
      var sizes: [Int] = []
      var last = start - 1
      for try await batch in fixture.book.reader.tail(from: start).batches {
        sizes.append(batch.count)
        for entry in batch {
          #expect(entry.head.position == last + 1)
          last = entry.head.position
        }
        if last == Int64(count) + 2 { break }
      }
      #expect(sizes.allSatisfy { (1...EntryFollower.batchCount).contains($0) })
    }
  }

  @Test func `small commits arrive together`() async throws {
    let fixture = try #require(fixture)
    for number in 0..<100 { try await fixture.book.record(fixture.log(number), by: fixture.ada) }
    var tail = fixture.book.reader.tail().batches.makeAsyncIterator()
    #expect(try await tail.next()?.count == 102)
  }

  @Test func `damage ends a tail with its error, and nothing follows`() async throws {
    let fixture = try #require(fixture)
    for number in 0..<5 { try await fixture.book.record(fixture.log(number), by: fixture.ada) }
    let path = "book/journal/00000000000000000001.avro"
    let file = try fixture.storage.open(path, .readWrite)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    bytes[bytes.count - 120] ^= 1
    try file.write(bytes, at: 0)
    var tail = BookReader(at: "book", storage: fixture.storage).tail().makeAsyncIterator()
    var error: JournalError?
    do {
      while try await tail.next() != nil {}
    } catch let found {
      error = found
    }
    guard case .corrupt = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await tail.next() == nil)
    var none = BookReader(at: "nothing", storage: fixture.storage).tail().makeAsyncIterator()
    await #expect(throws: JournalError.self) { try await none.next() }
  }

  /// Tails from everywhere, while tasks record, segments fill, and the book is closed and opened again.
  @Test func `all tails see one sequence, whatever the writers do`() async throws {
    let storage = GatedStorage()
    let fixture = try WriterFixture(storage, segmentByteCount: Book.segmentByteCount(holding: 300))
    let count: Int64 = 302
    try await withThrowingTaskGroup(of: [Entry].self) { group in
      let other = BookReader(at: "book", storage: storage)
      for (index, start) in [1, 2, 77, 250].enumerated() {
        let reader = index % 2 == 0 ? fixture.book.reader : other
        group.addTask {
          var entries: [Entry] = []
          let tail = reader.tail(from: Int64(start), every: .microseconds(200))
          for try await entry in tail {
            entries.append(entry)
            if entry.head.position == count { break }
          }
          return entries
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for writer in 0..<10 {
          writers.addTask {
            for number in 0..<30 {
              try await fixture.book.record(fixture.log(writer * 30 + number), by: fixture.ada)
            }
          }
        }
        try await writers.waitForAll()
      }
      struct All: Projection {
        var entries: [Entry] = []
        mutating func apply(_ entry: Entry) { entries.append(entry) }
      }
      var all = All()
      try fixture.book.reader.replay(into: &all)
      #expect(all.entries.count == count)
      #expect(try fixture.book.reader.journal.segments().count > 3)
      for try await entries in group {
        let start = try #require(entries.first?.head.position)
        #expect(entries == Array(all.entries.dropFirst(Int(start - 1))))
      }
    }
  }
}

/// The entries that a follower received.
private final class Positions: Sendable {
  private let positions = Mutex<[Int64]>([])
  func note(_ position: Int64) { positions.withLock { $0.append(position) } }
  var all: [Int64] { positions.withLock { $0 } }
}

extension WriterFixture {
  /// The event of a log.
  fileprivate func logged(_ number: Int) throws -> HabitLogged {
    HabitLogged(habit: habit, day: clock.today.advanced(by: -number), value: .one)
  }
}
