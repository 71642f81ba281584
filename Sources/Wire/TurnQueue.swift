import Dispatch
import Synchronization
package import Values

/// Runs what takes long on threads of its own, a few at a time: the accounts have their turns one after another, however
/// much one of them asks for, and what nobody waits for any more is left out.
package final class TurnQueue: Sendable {
  /// An account has as much waiting as it may.
  package struct Full: Error {
    package init() {}
  }

  /// How much an account may have waiting and running at once.
  package static let mostPerAccount = 32

  fileprivate struct Contents {
    /// What waits, by account, oldest first.
    var waiting: [Key: [Turn]] = [:]
    /// The accounts that wait, in the order of their turns.
    var accounts: [Key] = []
    /// How much each account has waiting and running.
    var counts: [Key: Int] = [:]
    var runningCount = 0
  }

  private let width: Int
  private let contents = Mutex(Contents())

  /// Makes a queue.
  ///
  /// - Parameter width: How much runs at once.
  package init(width: Int) { self.width = max(1, width) }

  /// How much waits for its turn.
  package var waitingCount: Int {
    contents.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } }
  }

  /// Runs what an account asked for, when it is its turn.
  ///
  /// - Parameters:
  ///   - account: Who asked.
  ///   - body: Is given what tells whether its result is still wanted, which it is until the task is cancelled.
  /// - Returns: What `body` returns.
  /// - Throws: ``Full``; `CancellationError` when the task was cancelled before it began; what `body` throws.
  package func run<Result: Sendable>(
    for account: Key,
    _ body: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
  ) async throws -> Result {
    let turn = Turn(account)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        turn.begin { refusal in
          continuation.resume(
            with: Swift.Result {
              if let refusal { throw refusal }
              return try body { turn.isWanted }
            })
        }
        enter(turn)
      }
    } onCancel: {
      turn.cancel()
      leave(turn)
    }
  }

  private func enter(_ turn: Turn) {
    let refusal: (any Error)? = contents.withLock { contents in
      guard turn.isWanted else { return CancellationError() }
      let count = contents.counts[turn.account] ?? 0
      guard count < Self.mostPerAccount else { return Full() }
      contents.counts[turn.account] = count + 1
      if contents.waiting[turn.account] == nil { contents.accounts.append(turn.account) }
      contents.waiting[turn.account, default: []].append(turn)
      return nil
    }
    if let refusal { return turn.run(refusal) }
    goOn()
  }

  /// Takes out what waits; what runs already ends by itself.
  private func leave(_ turn: Turn) {
    let isFound = contents.withLock { contents in
      guard let place = contents.waiting[turn.account]?.firstIndex(where: { $0 === turn }) else {
        return false
      }
      contents.take(place, of: turn.account)
      contents.count(out: turn.account)
      return true
    }
    if isFound { turn.run(CancellationError()) }
  }

  /// Begins what may run now.
  private func goOn() {
    while let turn = contents.withLock({ $0.next(of: width) }) {
      DispatchQueue.global(qos: .userInitiated).async { [self] in
        turn.run(nil)
        contents.withLock { contents in
          contents.runningCount -= 1
          contents.count(out: turn.account)
        }
        goOn()
      }
    }
  }
}

extension TurnQueue.Contents {
  /// The next one to run, if one may.
  fileprivate mutating func next(of width: Int) -> Turn? {
    guard runningCount < width, let account = accounts.first, let turn = waiting[account]?.first
    else { return nil }
    runningCount += 1
    take(0, of: account)
    // The account has its next turn after all others.
    if waiting[account] != nil { accounts.append(accounts.removeFirst()) }
    return turn
  }

  fileprivate mutating func take(_ place: Int, of account: Key) {
    waiting[account]?.remove(at: place)
    guard waiting[account]?.isEmpty == true else { return }
    waiting[account] = nil
    accounts.removeAll { $0 == account }
  }

  fileprivate mutating func count(out account: Key) {
    guard let count = counts[account] else { return }
    counts[account] = count > 1 ? count - 1 : nil
  }
}

/// Something that an account asked for.
private final class Turn: Sendable {
  let account: Key
  private let isCancelled = Atomic<Bool>(false)
  private let body = Mutex<(@Sendable ((any Error)?) -> Void)?>(nil)

  init(_ account: Key) { self.account = account }

  var isWanted: Bool { !isCancelled.load(ordering: .relaxed) }

  func cancel() { isCancelled.store(true, ordering: .sequentiallyConsistent) }

  func begin(_ body: @escaping @Sendable ((any Error)?) -> Void) {
    self.body.withLock { $0 = body }
  }

  /// Carries it out, or refuses it: once.
  func run(_ refusal: (any Error)?) { body.withLock { $0.take() }?(refusal) }
}
