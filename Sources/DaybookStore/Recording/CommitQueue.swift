import Dispatch
import Synchronization

/// Admits one writer at a time, in the order in which they asked.
///
/// The writer holds the *turn*. A thread takes the turn when it is free and nobody waits, and
/// passes it to the first in the queue. That is either a thread that asked for the turn itself, or
/// a run of writes. The queue carries out such writes on a thread of its own, many as one commit,
/// so no task ever blocks its thread in a sync.
///
/// Nobody waits for more than what was queued before. Each waiting task or thread queues one write,
/// so the queue never holds more than there are callers waiting for an answer.
final class CommitQueue: Sendable {
  /// The largest number of writes in one commit.
  static let groupCount = 1024

  private enum Waiter {
    /// May share a commit with others.
    case grouped(any GroupedWrite)
    /// Is carried out by itself.
    case exclusive(any ExclusiveWrite)
    /// A thread that asks for the turn.
    case thread(DispatchSemaphore)

    /// Whether it can share a commit with its neighbours in the queue.
    var isShared: Bool {
      if case .grouped(let write) = self { !write.isLong } else { false }
    }
  }

  private struct State {
    var waiting: [Waiter] = []
    var isTaken = false
    /// The number of waiting writes at which the leader is woken, when it waits.
    var goal = Int.max
    /// How many of the queued were cancelled.
    var cancelledCount = 0

    /// Takes writes that share a commit from the front, up to a limit; or a single long write, when
    /// it is first.
    mutating func admitGrouped(_ limit: Int, joining isJoining: Bool = false) -> [any GroupedWrite]
    {
      var writes: [any GroupedWrite] = []
      var count = 0
      for one in waiting.prefix(limit) {
        guard case .grouped(let write) = one, !write.isLong || count == 0 && !isJoining else {
          break
        }
        count += 1
        if write.admit() { writes.append(write) }
        if write.isLong { break }
      }
      waiting.removeFirst(count)
      cancelledCount = max(0, cancelledCount - (count - writes.count))
      return writes
    }

    /// Adds to the queue; returns whether the leader is to be woken.
    mutating func append(_ one: Waiter) -> Bool {
      waiting.append(one)
      guard goal < .max, waiting.count >= goal || !one.isShared else { return false }
      goal = .max
      return true
    }
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)
  /// Not a thread of the pool that runs tasks, because it may wait for the disk.
  private let thread = DispatchQueue(label: "daybook.commits", qos: .userInitiated)

  /// How many wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  // MARK: The turn

  /// Takes the turn if it is free and nobody waits for it; returns whether it did.
  func tryTakeTurn() -> Bool {
    state.withLock { state in
      guard !state.isTaken else { return false }
      state.isTaken = true
      return true
    }
  }

  /// Waits for the turn.
  func takeTurn() {
    guard !tryTakeTurn() else { return }
    let semaphore = DispatchSemaphore(value: 0)
    let (isFree, isAwaited) = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return (true, false)
      }
      return (false, state.append(.thread(semaphore)))
    }
    if isAwaited { arrival.signal() }
    if !isFree { semaphore.wait() }
  }

  /// Passes the turn to the first in the queue.
  func passTurn(of book: Book) {
    if handTurn() { lead(book) }
  }

  /// Passes the turn to a thread at the front of the queue, or gives it up when the queue is empty;
  /// returns whether there are writes to carry out.
  private func handTurn() -> Bool {
    state.withLock { state in
      guard let first = state.waiting.first else {
        state.isTaken = false
        return false
      }
      guard case .thread(let semaphore) = first else { return true }
      state.waiting.removeFirst()
      semaphore.signal()
      return false
    }
  }

  // MARK: Writes

  /// Queues a write that may share a commit.
  func enqueue(_ write: any GroupedWrite, of book: Book) { enqueue(.grouped(write), of: book) }

  /// Queues a write that gets a commit of its own.
  func enqueue(_ write: any ExclusiveWrite, of book: Book) { enqueue(.exclusive(write), of: book) }

  private func enqueue(_ waiting: Waiter, of book: Book) {
    let (isFree, isAwaited) = state.withLock { state in
      defer { state.isTaken = true }
      return (!state.isTaken, state.append(waiting))
    }
    if isFree { lead(book) }
    if isAwaited { arrival.signal() }
  }

  /// Drops cancelled writes from the queue, once there are many.
  func noteCancelled() {
    state.withLock { state in
      state.cancelledCount += 1
      guard state.cancelledCount > 32, state.cancelledCount > state.waiting.count / 2 else {
        return
      }
      state.waiting.removeAll { waiting in
        switch waiting {
        case .grouped(let write): write.isCancelled
        case .exclusive(let write): write.isCancelled
        case .thread: false
        }
      }
      state.cancelledCount = 0
    }
  }

  // MARK: Leading

  /// Carries out queued writes until a thread takes the turn or the queue is empty.
  private func lead(_ book: Book) {
    // While a caller waits for an answer, it is inside a method of the book, so the book still
    // exists.
    thread.async { [self, weak book] in
      var delay = CommitDelay()
      var rest: ArraySlice<any GroupedWrite> = []
      while true {
        var expected: Expected?
        if rest.isEmpty {
          expected = waitForGroup(&delay)
          switch next() {
          case .group(let writes): rest = writes[...]
          case .exclusive(let write):
            guard let answer = book.map({ write.execute(on: $0) }) else { return }
            answer()
            continue
          case .nobody: return
          }
        }
        let outcome = book.map { book in
          book.commit(&rest, expecting: expected?.count ?? 0) { join($0, of: expected) }
        }
        guard let (count, failure, time) = outcome else { return }
        if let expected { delay.note(isComplete: rest.count >= expected.count) }
        let waiting = waitingCount + rest.count - count
        delay.note(answered: count, waiting: waiting, time: time)
        // A caller that is answered may drop the book and open it again, so the book is no longer
        // held here.
        for write in rest.prefix(count) { write.settle(after: failure) }
        rest = rest.dropFirst(count)
      }
    }
  }

  private enum Next {
    case group([any GroupedWrite])
    case exclusive(any ExclusiveWrite)
    case nobody
  }

  /// Takes a group of writes from the front of the queue; passes the turn on when a thread is
  /// first.
  private func next() -> Next {
    while true {
      guard handTurn() else { return .nobody }
      let taken = state.withLock { state -> Next in
        guard case .exclusive(let write)? = state.waiting.first else {
          return .group(state.admitGrouped(Self.groupCount))
        }
        state.waiting.removeFirst()
        return write.admit() ? .exclusive(write) : .group([])
      }
      if case .group(let writes) = taken, writes.isEmpty { continue }
      return taken
    }
  }

  // MARK: Waiting for more

  /// How many writes a commit should have, and how long to wait for them.
  private struct Expected {
    var count: Int
    var deadline: DispatchTime
  }

  /// Waits a moment for callers who were just answered to ask again, so that they share the next
  /// sync.
  ///
  /// - Returns: How many writes are still expected. A large group is decided while it arrives, so
  ///   only its first writes are waited for here.
  private func waitForGroup(_ delay: inout CommitDelay) -> Expected? {
    guard delay.begins() else { return nil }
    let timeout = Int(delay.timeout / .nanoseconds(1))
    let expected = Expected(count: delay.goal, deadline: .now() + .nanoseconds(timeout))
    guard expected.count < Book.copyingCount else {
      wait(for: 1, until: expected.deadline)
      return expected
    }
    wait(for: expected.count, until: expected.deadline)
    delay.note(isComplete: waitingCount >= expected.count)
    return nil
  }

  /// Takes writes that arrived while a commit was decided, if the commit waits for them; when there
  /// are none, waits a moment more.
  ///
  /// Where no further writes are expected, none are taken: late writes make up the next commit
  /// while this one goes to the disk.
  ///
  /// - Parameters:
  ///   - count: How many writes the commit has.
  ///   - expected: How many it should have.
  /// - Returns: The further writes; none when the commit is to go to the disk as it is.
  private func join(_ count: Int, of expected: Expected?) -> [any GroupedWrite] {
    guard let expected else { return [] }
    let limit = Self.groupCount - count
    let writes = state.withLock { $0.admitGrouped(limit, joining: true) }
    guard writes.isEmpty, count < expected.count else { return writes }
    wait(for: expected.count - count, until: expected.deadline)
    return state.withLock { $0.admitGrouped(limit, joining: true) }
  }

  /// Waits until this many writes are queued, or one that shares no commit.
  private func wait(for count: Int, until deadline: DispatchTime) {
    let mustWait = state.withLock { state in
      guard state.waiting.count < count, state.waiting.allSatisfy(\.isShared) else { return false }
      state.goal = count
      return true
    }
    guard mustWait, arrival.wait(timeout: deadline) == .timedOut else { return }
    let wasSignalled = state.withLock { state in
      defer { state.goal = .max }
      return state.goal == .max
    }
    // The signal came, or will come, after all; it must not be left for the next wait.
    if wasSignalled { arrival.wait() }
  }
}
