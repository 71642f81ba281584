import Dispatch
import Synchronization

/// Lets one write at a time, in the order in which they asked.
///
/// Whoever writes has the *turn*. It goes from hand to hand: a thread takes it when nobody has it and nobody
/// waits, and passes it on to the first who waits. That is either a thread that asked for the turn itself, or
/// writes, which are carried out for those who asked for them, many as one commit, on a thread of this queue's own:
/// so no task ever blocks its thread in a sync.
///
/// Nobody waits for more than what came before, and each who waits holds but one write: what is queued is never
/// more than the tasks and threads that wait for an answer.
final class CommitQueue: Sendable {
  /// As many writes make one commit at most.
  static let groupCount = 1024

  private enum Waiting {
    /// May share a commit with others.
    case grouped(any GroupedWrite)
    /// Is carried out by itself.
    case exclusive(any ExclusiveWrite)
    /// A thread that wants the turn.
    case thread(DispatchSemaphore)

    /// Whether it may share a commit with others that wait.
    var isShared: Bool {
      if case .grouped(let write) = self { !write.isLong } else { false }
    }
  }

  private struct Line {
    var waiting: [Waiting] = []
    var isTaken = false
    /// How many must wait for the leader to be woken, when it waits for them.
    var goal = Int.max
    /// How many of those who wait gave up.
    var cancelledCount = 0

    /// Takes writes that share a commit from the front, up to a limit, or one long write when it is first.
    mutating func takeGrouped(_ limit: Int, joining isJoining: Bool = false) -> [any GroupedWrite] {
      var writes: [any GroupedWrite] = []
      var count = 0
      for one in waiting.prefix(limit) {
        guard case .grouped(let write) = one, !write.isLong || count == 0 && !isJoining else {
          break
        }
        count += 1
        if write.take() { writes.append(write) }
        if write.isLong { break }
      }
      waiting.removeFirst(count)
      cancelledCount = max(0, cancelledCount - (count - writes.count))
      return writes
    }

    /// Queues somebody; says whether the leader is to be woken.
    mutating func append(_ one: Waiting) -> Bool {
      waiting.append(one)
      guard goal < .max, waiting.count >= goal || !one.isShared else { return false }
      goal = .max
      return true
    }
  }

  private let line = Mutex(Line())
  private let arrival = DispatchSemaphore(value: 0)
  /// Not of the pool that runs tasks: a thread here may wait for the disk.
  private let thread = DispatchQueue(label: "daybook.commits", qos: .userInitiated)

  /// How many wait.
  var waitingCount: Int { line.withLock { $0.waiting.count } }

  // MARK: The turn

  /// Takes the turn if nobody has it or waits for it.
  func takeTurnAtOnce() -> Bool {
    line.withLock { line in
      guard !line.isTaken else { return false }
      line.isTaken = true
      return true
    }
  }

  /// Waits for the turn.
  func takeTurn() {
    guard !takeTurnAtOnce() else { return }
    let semaphore = DispatchSemaphore(value: 0)
    let (isFree, isAwaited) = line.withLock { line in
      guard line.isTaken else {
        line.isTaken = true
        return (true, false)
      }
      return (false, line.append(.thread(semaphore)))
    }
    if isAwaited { arrival.signal() }
    if !isFree { semaphore.wait() }
  }

  /// Hands the turn to the first who waits.
  func passTurn(of book: Book) {
    if handTurn() { lead(book) }
  }

  /// Hands the turn to a thread that is first in line, or gives it up when nobody waits; says whether
  /// somebody must carry out writes.
  private func handTurn() -> Bool {
    line.withLock { line in
      guard let first = line.waiting.first else {
        line.isTaken = false
        return false
      }
      guard case .thread(let semaphore) = first else { return true }
      line.waiting.removeFirst()
      semaphore.signal()
      return false
    }
  }

  // MARK: Writes

  /// Queues a write that is carried out together with others.
  func enqueue(_ write: any GroupedWrite, of book: Book) { enqueue(.grouped(write), of: book) }

  /// Queues a write that is carried out by itself.
  func enqueue(_ write: any ExclusiveWrite, of book: Book) { enqueue(.exclusive(write), of: book) }

  private func enqueue(_ waiting: Waiting, of book: Book) {
    let (isFree, isAwaited) = line.withLock { line in
      defer { line.isTaken = true }
      return (!line.isTaken, line.append(waiting))
    }
    if isFree { lead(book) }
    if isAwaited { arrival.signal() }
  }

  /// Forgets those who gave up, once they are many.
  func noteCancelled() {
    line.withLock { line in
      line.cancelledCount += 1
      guard line.cancelledCount > 32, line.cancelledCount > line.waiting.count / 2 else { return }
      line.waiting.removeAll { waiting in
        switch waiting {
        case .grouped(let write): write.isCancelled
        case .exclusive(let write): write.isCancelled
        case .thread: false
        }
      }
      line.cancelledCount = 0
    }
  }

  // MARK: Leading

  /// Carries out what waits, until a thread takes the turn or nobody is left.
  private func lead(_ book: Book) {
    // While anybody waits for an answer, it is the book whose method waits, so it is there.
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
            guard let answer = book.map({ write.carryOut(on: $0) }) else { return }
            answer()
            continue
          case .nobody: return
          }
        }
        let outcome = book.map { book in
          book.carryOut(&rest, expecting: expected?.count ?? 0) { join($0, of: expected) }
        }
        guard let (count, failure, time) = outcome else { return }
        if let expected { delay.note(isComplete: rest.count >= expected.count) }
        let waiting = waitingCount + rest.count - count
        delay.note(answered: count, waiting: waiting, time: time)
        // Whoever is answered may drop the book, and open it again: it is not held here any more.
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

  /// Takes the writes from the front of the line, up to a whole group; hands the turn on when it must.
  private func next() -> Next {
    while true {
      guard handTurn() else { return .nobody }
      let taken = line.withLock { line -> Next in
        guard case .exclusive(let write)? = line.waiting.first else {
          return .group(line.takeGrouped(Self.groupCount))
        }
        line.waiting.removeFirst()
        return write.take() ? .exclusive(write) : .group([])
      }
      if case .group(let writes) = taken, writes.isEmpty { continue }
      return taken
    }
  }

  // MARK: Waiting for more

  /// How many a commit should have, and how long they are waited for.
  private struct Expected {
    var count: Int
    var deadline: DispatchTime
  }

  /// Waits a moment for those who were just answered to ask again, so that they share the next sync, too.
  ///
  /// - Returns: How many are expected still. Many are decided while they come, so only the first of them is waited for
  ///   here.
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

  /// Takes those who came while a commit was decided, if it is one that waits for them; when none is there, a moment more.
  ///
  /// Where nobody is waited for none is taken either: they make up the next commit, and ask while this one is brought to
  /// the disk.
  ///
  /// - Parameters:
  ///   - count: How many the commit has.
  ///   - expected: How many it should have.
  /// - Returns: The further ones; none when it is to go to the disk as it is.
  private func join(_ count: Int, of expected: Expected?) -> [any GroupedWrite] {
    guard let expected else { return [] }
    let limit = Self.groupCount - count
    let writes = line.withLock { $0.takeGrouped(limit, joining: true) }
    guard writes.isEmpty, count < expected.count else { return writes }
    wait(for: expected.count - count, until: expected.deadline)
    return line.withLock { $0.takeGrouped(limit, joining: true) }
  }

  /// Waits until so many wait, or one who shares no commit.
  private func wait(for count: Int, until deadline: DispatchTime) {
    let mustWait = line.withLock { line in
      guard line.waiting.count < count, line.waiting.allSatisfy(\.isShared) else { return false }
      line.goal = count
      return true
    }
    guard mustWait, arrival.wait(timeout: deadline) == .timedOut else { return }
    let wasSignalled = line.withLock { line in
      defer { line.goal = .max }
      return line.goal == .max
    }
    // The signal came, or comes, after all: it must not be left for the next wait.
    if wasSignalled { arrival.wait() }
  }
}
