import Dispatch
import Synchronization
package import Values

/// Admits work a few pieces at a time. Accounts take turns, however much one of them asks for, and work whose
/// caller has gone never runs.
package final class TurnQueue: Sendable {
  /// The account already has as much work waiting and running as it may.
  package struct Full: Error {
    package init() {}
  }

  /// How much an account may have waiting and running at once, by default.
  package static let mostPerAccount = 32

  fileprivate struct Contents {
    /// The waiting turns of each account, oldest first.
    var waiting: [Key: [Turn]] = [:]
    /// The accounts whose turns wait, in the order in which they are admitted.
    var accounts: [Key] = []
    /// How much each account has waiting and running.
    var counts: [Key: Int] = [:]
    /// How much each account has running.
    var runningCounts: [Key: Int] = [:]
    var runningCount = 0
  }

  fileprivate struct Limits {
    let width: Int
    let widthPerAccount: Int
    let mostPerAccount: Int
  }

  private let limits: Limits
  private let contents = Mutex(Contents())

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - width: How much runs at once.
  ///   - widthPerAccount: How much of one account's work runs at once.
  ///   - mostPerAccount: How much an account may have waiting and running.
  package init(
    width: Int, widthPerAccount: Int = .max, mostPerAccount: Int = TurnQueue.mostPerAccount
  ) {
    limits = Limits(
      width: max(1, width), widthPerAccount: max(1, widthPerAccount),
      mostPerAccount: max(1, mostPerAccount))
  }

  /// How much work waits for its turn.
  package var waitingCount: Int {
    contents.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } }
  }

  /// Whether the queue has room for one more piece of an account's work.
  package func hasRoom(for account: Key) -> Bool {
    contents.withLock { ($0.counts[account] ?? 0) < limits.mostPerAccount }
  }

  /// Runs work in the calling task when its turn comes. The task is suspended until then.
  ///
  /// - Parameters:
  ///   - account: The account that asked.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: ``Full``; `CancellationError` when the task was cancelled before its turn; what `body` throws.
  package func hold<Result: Sendable>(
    for account: Key, _ body: () async throws -> Result
  ) async throws -> Result {
    let turn = Turn(account)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        turn.wait(continuation)
        enter(turn)
      }
    } onCancel: {
      turn.cancel()
      leave(turn)
    }
    defer { end(turn) }
    return try await body()
  }

  /// Runs work that blocks, on a thread of its own, when its turn comes.
  ///
  /// - Parameters:
  ///   - account: The account that asked.
  ///   - body: The work. Its closure tells whether the result is still wanted, which is so until the task is
  ///     cancelled.
  /// - Returns: What `body` returns.
  /// - Throws: ``Full``; `CancellationError` when the task was cancelled before its turn; what `body` throws.
  package func run<Result: Sendable>(
    for account: Key,
    _ body: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) async throws -> Result {
    try await hold(for: account) {
      let cancellation = Cancellation()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          DispatchQueue.global(qos: .userInitiated).async {
            continuation.resume(with: Swift.Result { try body { !cancellation.isRequested } })
          }
        }
      } onCancel: {
        cancellation.request()
      }
    }
  }

  private func enter(_ turn: Turn) {
    let refusal: (any Error)? = contents.withLock { contents in
      guard !turn.isCancelled else { return CancellationError() }
      let count = contents.counts[turn.account] ?? 0
      guard count < limits.mostPerAccount else { return Full() }
      contents.counts[turn.account] = count + 1
      if contents.waiting[turn.account] == nil { contents.accounts.append(turn.account) }
      contents.waiting[turn.account, default: []].append(turn)
      return nil
    }
    if let refusal { return turn.resume(refusal) }
    admit()
  }

  /// Removes a turn that is still waiting. A running one ends by itself.
  private func leave(_ turn: Turn) {
    let wasWaiting = contents.withLock { contents in
      guard let place = contents.waiting[turn.account]?.firstIndex(where: { $0 === turn }) else {
        return false
      }
      contents.remove(place, of: turn.account)
      contents.counts.decrement(turn.account)
      return true
    }
    if wasWaiting { turn.resume(CancellationError()) }
  }

  private func end(_ turn: Turn) {
    contents.withLock { contents in
      contents.runningCount -= 1
      contents.runningCounts.decrement(turn.account)
      contents.counts.decrement(turn.account)
    }
    admit()
  }

  /// Admits the turns that may run now.
  private func admit() {
    while let turn = contents.withLock({ $0.next(within: limits) }) { turn.resume(nil) }
  }
}

extension TurnQueue.Contents {
  /// The next turn that may run, if there is one.
  fileprivate mutating func next(within limits: TurnQueue.Limits) -> Turn? {
    guard runningCount < limits.width,
      let place = accounts.firstIndex(where: { runningCounts[$0] ?? 0 < limits.widthPerAccount }),
      let turn = waiting[accounts[place]]?.first
    else { return nil }
    let account = accounts.remove(at: place)
    runningCount += 1
    runningCounts[account, default: 0] += 1
    // The account's next turn comes after all others.
    accounts.append(account)
    remove(0, of: account)
    return turn
  }

  fileprivate mutating func remove(_ place: Int, of account: Key) {
    waiting[account]?.remove(at: place)
    guard waiting[account]?.isEmpty == true else { return }
    waiting[account] = nil
    accounts.removeAll { $0 == account }
  }
}

extension [Key: Int] {
  fileprivate mutating func decrement(_ account: Key) {
    guard let count = self[account] else { return }
    self[account] = count > 1 ? count - 1 : nil
  }
}

/// A piece of work that waits to be admitted.
private final class Turn: Sendable {
  let account: Key
  private let cancellation = Cancellation()
  private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)

  init(_ account: Key) { self.account = account }

  var isCancelled: Bool { cancellation.isRequested }

  func cancel() { cancellation.request() }

  func wait(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation.withLock { $0 = continuation }
  }

  /// Admits or refuses it, once.
  func resume(_ refusal: (any Error)?) {
    continuation.withLock { $0.take() }?.resume(with: refusal.map { .failure($0) } ?? .success(()))
  }
}

/// Whether cancellation was requested.
private final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRequested: Bool { flag.load(ordering: .relaxed) }

  func request() { flag.store(true, ordering: .sequentiallyConsistent) }
}
