import Daybook
import Dispatch
import Foundation
import Journal
import Synchronization
import Testing

@testable import DaybookStore

/// The order of writers: tasks, threads, batches and imports take turns.
@Suite(.tags(.unit), .timeLimit(.minutes(60))) struct TurnTests {
  let fixture = try? WriterFixture()

  @Test func `tasks and threads are served in the order in which they asked`() async throws {
    let fixture = try #require(fixture)
    let order = Mutex<[String]>([])
    let box = Box(order)
    fixture.storage.close()
    let first = Task { try await fixture.book.recordWithReceipt(fixture.log(0), by: fixture.ada) }
    while fixture.storage.heldCount == 0 { await Task.yield() }
    var waiting = 0
    let threads = DispatchQueue(label: "threads", attributes: .concurrent)
    let group = DispatchGroup()
    var tasks: [Task<Void, any Error>] = []
    // They begin one after another, each as soon as the previous one waits.
    for name in ["task", "thread", "task", "batch", "import", "thread", "late batch", "task"] {
      waiting += 1
      let number = waiting
      switch name {
      case "task":
        tasks.append(
          Task {
            _ = try await fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada)
            box.note("\(number) \(name)")
          })
      case "late batch":
        tasks.append(
          Task {
            try await fixture.book.transaction { batch in
              box.note("\(number) \(name)")
              try batch.record(fixture.log(number), by: fixture.ada)
            }
          })
      default:
        threads.async(group: group) {
          do {
            switch name {
            case "thread":
              _ = try fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada)
            case "batch":
              try fixture.book.transaction { batch in
                box.note("\(number) \(name)")
                try batch.record(fixture.log(number), by: fixture.ada)
              }
            default:
              try fixture.book.importing { importer in
                box.note("\(number) \(name)")
                try importer.record(fixture.log(number), by: fixture.ada)
              }
            }
          } catch {
            box.note("\(error)")
          }
        }
      }
      while fixture.book.queue.waitingCount < waiting { await Task.yield() }
    }
    fixture.storage.open()
    _ = try await first.value
    for task in tasks { try await task.value }
    await withCheckedContinuation { continuation in
      group.notify(queue: threads) { continuation.resume() }
    }
    let days = try fixture.loggedDays()
    #expect(days == (0...waiting).map { fixture.clock.today.advanced(by: -$0) })
    let alone = box.noted.filter { !$0.contains("task") }
    #expect(alone == ["4 batch", "5 import", "7 late batch"])
    try fixture.expectSameWhenReopened()
  }

  @Test func `waiting threads share a commit, too`() async throws {
    let fixture = try #require(fixture)
    let before = try fixture.commits().count
    let (_, others) = try await fixture.hold(waiting: 6) { number in
      try await onThread {
        try fixture.book.recordWithReceipt(fixture.log(number), by: fixture.ada).position
      }
    }
    #expect(others.sorted() == Array(4...9))
    #expect(try fixture.commits().dropFirst(before) == [1, 6])
  }

  @Test func `a batch from a task is recorded whole or not at all`() async throws {
    let fixture = try #require(fixture)
    let count = try await fixture.book.transaction { batch in
      try batch.record(fixture.log(1), by: fixture.ada)
      try batch.record(fixture.log(2), by: fixture.ada)
      return 2
    }
    #expect(count == 2)
    await #expect(throws: Rejection.self) {
      try await fixture.book.transaction { batch in
        try batch.record(fixture.log(3), by: fixture.ada)
        try batch.record(fixture.future(), by: fixture.ada)
      }
    }
    #expect(fixture.book.read { $0.position } == 4)
    #expect(try fixture.commits().last == 2)
    try fixture.expectSameWhenReopened()
  }

  @Test func `readers see the earlier state while a batch is decided`() throws {
    let fixture = try #require(fixture)
    try fixture.book.transaction { batch in
      try batch.record(fixture.log(1), by: fixture.ada)
      #expect(batch.state.position == 3)
      #expect(fixture.book.read { $0.position } == 2)
    }
    #expect(fixture.book.read { $0.position } == 3)
  }

  @Test func `the last caller answered may close the book and open it again`() async throws {
    let storage = GatedStorage()
    _ = try WriterFixture(storage)
    let clock = HandClock(try #require(Instant(WriterFixture.now)))
    for number in 0..<200 {
      let book = try WriterFixture.open(storage, clock)
      let ada = try #require(Account.ID(1))
      try await book.record(CreateHabit(key: Menu.key(2, number), name: "Swim"), by: ada)
    }
    let book = try WriterFixture.open(storage, clock)
    #expect(book.read { $0.habits.elements.count } == 201)
  }

  @Test func `a leader waits for the callers just answered, as long as they come back`() {
    var delay = CommitDelay()
    func begins() -> Bool { delay.begins() }
    #expect(!begins(), "nobody was answered yet")
    delay.note(answered: 5, waiting: 58, time: .microseconds(200))
    #expect(delay.goal == 63)
    #expect(delay.timeout == .microseconds(100))
    #expect(begins())
    delay.note(isComplete: true)
    #expect(begins())
    // The wait was in vain, so it skips one wait, two, four, …
    for skips in [1, 2, 4, 8, 16, 32, 64, 64] {
      delay.note(isComplete: false)
      for _ in 0..<skips { #expect(!begins()) }
      #expect(begins())
    }
    delay.note(isComplete: true)
    #expect(begins())
    delay.note(answered: 1, waiting: 0, time: .seconds(1))
    #expect(!begins(), "a single caller shares with nobody")
    delay.note(answered: 1000, waiting: 1000, time: .seconds(1))
    #expect(delay.goal == CommitQueue.groupCount)
    #expect(delay.timeout == .milliseconds(1))
  }
}

/// Events of several threads.
private final class Box: Sendable {
  private let notes: Mutex<[String]>
  init(_ notes: consuming Mutex<[String]>) { self.notes = notes }
  func note(_ text: String) { notes.withLock { $0.append(text) } }
  var noted: [String] { notes.withLock { $0 } }
}

extension WriterFixture {
  /// The days of the logs, in the order of the journal.
  func loggedDays() throws -> [Day] {
    struct Days: Projection {
      var days: [Day] = []
      mutating func apply(_ entry: Entry) {
        if case .habitLogged(let log) = entry.event { days.append(log.day) }
      }
    }
    var days = Days()
    try book.reader.replay(into: &days)
    return days.days
  }
}
