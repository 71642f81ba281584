import Dispatch
import Synchronization
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct TurnQueueTests {
  private static let (ada, ben) = (Key(high: 1, low: 1), Key(high: 1, low: 2))

  /// A queue in which one turn of Ada's runs until the test says so.
  private struct Held {
    let queue: TurnQueue
    let first: Task<Void, any Error>
    private let end = DispatchSemaphore(value: 0)

    init(
      width: Int = 1, widthPerAccount: Int = .max,
      mostPerAccount: Int = TurnQueue.mostPerAccount
    ) async {
      queue = TurnQueue(
        width: width, widthPerAccount: widthPerAccount, mostPerAccount: mostPerAccount)
      let (queue, end) = (queue, end)
      first = await begun { started in
        Task {
          try await queue.run(for: ada) { _ in
            started()
            end.wait()
          }
        }
      }
    }

    /// Lets the first turn end, and waits for it.
    func release() async throws {
      end.signal()
      try await first.value
    }
  }

  @Test func `accounts take turns, however much one asks for`() async throws {
    let held = await Held()
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, (name, account)) in [
        ("Ada 1", Self.ada), ("Ada 2", Self.ada), ("Ada 3", Self.ada), ("Ben 1", Self.ben),
        ("Ben 2", Self.ben),
      ].enumerated() {
        group.addTask {
          try await held.queue.run(for: account) { _ in order.note(name) }
        }
        while held.queue.waitingCount < number + 1 { await Task.yield() }
      }
      try await held.release()
      try await group.waitForAll()
    }
    #expect(order.names == ["Ada 1", "Ben 1", "Ada 2", "Ben 2", "Ada 3"])
  }

  @Test func `one account's waiting requests are limited, and others are admitted`() async throws {
    let held = await Held()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1..<TurnQueue.mostPerAccount {
        group.addTask { try await held.queue.run(for: Self.ada) { _ in } }
        while held.queue.waitingCount < number { await Task.yield() }
      }
      await #expect(throws: TurnQueue.Full.self) {
        try await held.queue.run(for: Self.ada) { _ in }
      }
      group.addTask { try await held.queue.run(for: Self.ben) { _ in } }
      try await held.release()
      try await group.waitForAll()
    }
    for _ in 0..<2 * TurnQueue.mostPerAccount { try await held.queue.run(for: Self.ada) { _ in } }
  }

  @Test func `a cancelled request leaves the queue at once, and never runs`() async throws {
    let held = await Held()
    let order = Order()
    let waiting = Task {
      try await held.queue.run(for: Self.ben) { _ in order.note("Ben") }
    }
    while held.queue.waitingCount < 1 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(held.queue.waitingCount == 0)
    try await held.release()
    #expect(order.names == [])
  }

  @Test func `a running request learns that it is cancelled`() async throws {
    let queue = TurnQueue(width: 1)
    let running = await begun { started in
      Task {
        try await queue.run(for: Self.ada) { isWanted in
          started()
          while isWanted() {}
          return "ended"
        }
      }
    }
    running.cancel()
    #expect(try await running.value == "ended")
  }

  @Test func `a turn held by a task lasts until its work has ended`() async throws {
    let held = await Held()
    let (order, queue) = (Order(), held.queue)
    let waiting = Task {
      try await queue.hold(for: Self.ben) {
        order.note("begun")
        for _ in 0..<10 { await Task.yield() }
        order.note("ended")
      }
    }
    while queue.waitingCount < 1 { await Task.yield() }
    let last = Task { try await queue.hold(for: Self.ben) { order.note("next") } }
    while queue.waitingCount < 2 { await Task.yield() }
    #expect(order.names == [])
    try await held.release()
    try await waiting.value
    try await last.value
    #expect(order.names == ["begun", "ended", "next"])
  }

  @Test func `one account's running requests are limited, and others overtake it`() async throws {
    let held = await Held(width: 3, widthPerAccount: 1)
    let order = Order()
    let second = Task { try await held.queue.run(for: Self.ada) { _ in order.note("Ada") } }
    while held.queue.waitingCount < 1 { await Task.yield() }
    try await held.queue.run(for: Self.ben) { _ in order.note("Ben") }
    #expect(order.names == ["Ben"])
    try await held.release()
    try await second.value
    #expect(order.names == ["Ben", "Ada"])
  }

  @Test func `a queue has room for an account up to the account's limit`()
    async throws
  {
    let held = await Held(width: 1, mostPerAccount: 2)
    #expect(held.queue.hasRoom(for: Self.ada))
    let second = Task { try await held.queue.run(for: Self.ada) { _ in } }
    while held.queue.waitingCount < 1 { await Task.yield() }
    #expect(!held.queue.hasRoom(for: Self.ada) && held.queue.hasRoom(for: Self.ben))
    try await held.release()
    try await second.value
    #expect(held.queue.hasRoom(for: Self.ada))
  }

  @Test func `a request cancelled before it enters does not run`() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await TurnQueue(width: 1).run(for: Self.ada) { _ in true }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// Records what ran.
private final class Order: Sendable {
  private let noted = Mutex<[String]>([])

  var names: [String] { noted.withLock { $0 } }

  func note(_ name: String) { noted.withLock { $0.append(name) } }
}

/// Starts something, and waits until it has started.
private func begun<Thing>(_ begin: (_ started: @escaping @Sendable () -> Void) -> Thing) async
  -> Thing
{
  let (starts, start) = AsyncStream.makeStream(of: Void.self)
  let thing = begin { start.yield() }
  for await _ in starts { break }
  return thing
}
