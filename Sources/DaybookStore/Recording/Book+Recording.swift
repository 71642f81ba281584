public import Daybook
import Dispatch
import Journal
import Synchronization

// Both forms of recording: one blocks its thread, the other suspends its task. They take turns with each
// other, in the order in which they were called, and share commits and syncs.
extension Book {
  /// Decides a command, appends what it comes to, and returns the answer once that is on disk.
  ///
  /// - Parameters:
  ///   - command: What is asked.
  ///   - actor: Who asks.
  ///   - at: The book's clock; the machine's, but never before the last entry, unless given.
  ///   - id: An idempotency key: repeated, it returns the first receipt and appends nothing.
  /// - Returns: The command's answer.
  /// - Throws: ``Rejection``, or ``JournalError``; then nothing changed.
  @discardableResult
  @inlinable
  public func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    try commit(command, by: actor, at: at, id: id).answer
  }

  /// As ``record(_:by:at:id:)``, and returns where the entries are.
  ///
  /// - Parameters:
  ///   - command: What is asked.
  ///   - actor: Who asks.
  ///   - at: The book's clock; the machine's, but never before the last entry, unless given.
  ///   - id: An idempotency key.
  ///   - expected: The position that the book's last entry must have, for one who decided what to ask from what
  ///     the book said then.
  /// - Returns: The receipt.
  /// - Throws: ``Rejection``, ``PositionConflict``, or ``JournalError``; then nothing changed.
  @inlinable
  public func commit<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil,
    expecting expected: Int64? = nil
  ) throws -> Receipt<C.Answer> {
    let slot = AnswerSlot<C.Answer>()
    let ask = Ask(by: actor, at: at, id: id, expecting: expected) {
      slot.keep(try command.decide($0, $1))
    }
    return slot.receipt(try carryOut(ask))
  }

  /// Carries out a command, and blocks its thread until that is on disk.
  @usableFromInline
  func carryOut(_ ask: Ask) throws -> Receipt<Void> {
    let call = Call(ask)
    wait(for: call) { call.ticket.wait($0) }
    guard let answer = call.ticket.answer else {
      preconditionFailure("a thread is woken when its call was answered")
    }
    return try answer.get()
  }

  /// Has a call carried out, on this thread or by the one who has the turn, and returns once it was answered.
  func wait(for call: some Member, _ prepare: (DispatchSemaphore) -> Void) {
    call.lookUp(recall)
    if call.isTold(in: { read { $0 } }) { return call.settle(after: nil) }
    if queue.takeTurnAtOnce() {
      defer { queue.passTurn(of: self) }
      call.settle(after: carryOut([call]).failure)
    } else {
      let semaphore = DispatchSemaphore(value: 0)
      prepare(semaphore)
      queue.enqueue(call, of: self)
      semaphore.wait()
    }
  }

  /// Decides a command, appends what it comes to, and returns the answer once that is on disk; meanwhile the
  /// task is suspended, and no thread waits.
  ///
  /// Commands of tasks that wait at the same time go into one commit, for one sync. Each is decided in the
  /// state that the ones before it leave, and answered by itself: a refusal disturbs no other. When the disk
  /// refuses the commit, all of them fail, and nothing changed.
  ///
  /// A task that is cancelled while its command waits gets a `CancellationError`, and nothing is recorded.
  /// Once the command was taken into a commit, it is carried out and answered all the same.
  ///
  /// - Returns: The command's answer.
  /// - Throws: ``Rejection``, ``JournalError``, or `CancellationError`; then nothing changed.
  @discardableResult
  @inlinable
  public func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) async throws -> C.Answer {
    try await commit(command, by: actor, at: at, id: id).answer
  }

  /// As the suspending ``record(_:by:at:id:)``, and returns where the entries are.
  ///
  /// - Parameters:
  ///   - command: What is asked.
  ///   - actor: Who asks.
  ///   - at: The book's clock; the machine's, but never before the last entry, unless given.
  ///   - id: An idempotency key.
  ///   - expected: The position that the book's last entry must have, for one who decided what to ask from what
  ///     the book said then.
  /// - Returns: The receipt.
  /// - Throws: ``Rejection``, ``PositionConflict``, ``JournalError``, or `CancellationError`; then
  ///   nothing changed.
  @inlinable
  public func commit<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil,
    expecting expected: Int64? = nil
  ) async throws -> Receipt<C.Answer> {
    let slot = AnswerSlot<C.Answer>()
    let ask = Ask(by: actor, at: at, id: id, expecting: expected) {
      slot.keep(try command.decide($0, $1))
    }
    return slot.receipt(try await carryOut(ask))
  }

  /// Carries out a command, and suspends its task until that is on disk.
  @usableFromInline
  func carryOut(_ ask: Ask) async throws -> Receipt<Void> {
    let call = Call(ask)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard call.ticket.wait(continuation) else { return }
        guard let id = ask.id, keys.mayHold(id) else { return queue.enqueue(call, of: self) }
        // The disk is waited for on a thread that runs no tasks.
        DispatchQueue.global(qos: .userInitiated).async { [self] in
          call.lookUp(recall)
          guard call.isTold(in: { read { $0 } }) else { return queue.enqueue(call, of: self) }
          if call.take() { call.settle(after: nil) }
        }
      }
    } onCancel: {
      if call.ticket.cancel() { queue.noteCancelled() }
    }
  }

  /// Decides several commands as one commit: all of them are recorded, or none.
  ///
  /// Other writers wait while `body` runs, and so would it if it recorded into the book; readers see the book
  /// as it was.
  ///
  /// - Parameter body: Records into the batch; what it throws, nothing of the batch is kept.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, or ``JournalError``.
  @discardableResult
  public func commit<Result>(_ body: (inout Batch) throws -> Result) throws -> Result {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    return try carryOut(body)
  }

  /// Decides several commands as one commit, and suspends the task until it is on disk; no thread waits.
  ///
  /// - Parameter body: Records into the batch, on a thread of the book's own; what it throws, nothing of the
  ///   batch is kept.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, ``JournalError``, or `CancellationError` when the task was cancelled before
  ///   its turn.
  @discardableResult
  public func commit<Result: Sendable>(
    _ body: @escaping @Sendable (inout Batch) throws -> Result
  ) async throws -> Result {
    let call = BatchCall(body)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if call.ticket.wait(continuation) { queue.enqueue(call, of: self) }
      }
    } onCancel: {
      if call.ticket.cancel() { queue.noteCancelled() }
    }
  }
}

// What the holder of the turn does.
extension Book {
  /// Finds what was answered before.
  var recall: Recall { Recall(keys: keys, reader: reader) }

  /// Carries out calls as one commit: as many of them, from the first on, as one has room for.
  ///
  /// - Returns: How many were carried out, and why their commit is not on disk, if it is not.
  func carryOut(_ calls: ArraySlice<any Member>) -> (count: Int, failure: JournalError?) {
    if let failure = writing.failure { return (calls.count, failure) }
    for (place, call) in calls.enumerated() {
      call.lookAgain(recall, isFirst: place == 0) { read { $0 } }
    }
    var group = CommitGroup(clock: clock, zones: reader.zones)
    let (count, after) = decide(calls, in: &group)
    do throws(JournalError) { try append(group.draft) } catch { return (count, error) }
    state.withLock { state in
      if let after { state = after } else { group.apply(to: &state) }
    }
    signal.advance(to: writing.journal.head.number)
    return (count, nil)
  }

  /// From how many calls on a commit is decided on a copy of the state.
  private static let copyingCount = 32

  /// Decides calls, as many as a commit has room for; returns how many, and the state that they leave if it is at hand.
  ///
  /// Nobody sees what was decided before it is on disk. A few calls are decided in place and taken back meanwhile, for
  /// a copy of the state parts from it wherever they touch it; many touch the same places again and again.
  private func decide(
    _ calls: ArraySlice<any Member>, in group: inout CommitGroup
  ) -> (count: Int, after: State?) {
    func count(on state: inout State) -> Int {
      calls.firstIndex { !$0.decide(in: &group, on: &state) }.map { $0 - calls.startIndex }
        ?? calls.count
    }
    guard calls.count < Self.copyingCount else {
      var after = read { $0 }
      let count = count(on: &after)
      return (count, after)
    }
    return state.withLock { state in
      let count = count(on: &state)
      group.takeBack(from: &state)
      return (count, nil)
    }
  }

  /// Carries out a batch as one commit.
  func carryOut<Result>(_ body: (inout Batch) throws -> Result) throws -> Result {
    if let failure = writing.failure { throw failure }
    var batch = Batch(read { $0 }, clock: clock, zones: reader.zones, recall)
    let result = try body(&batch)
    try append(batch.draft)
    state.withLock { $0 = batch.state }
    signal.advance(to: writing.journal.head.number)
    return result
  }

  private func append(_ draft: Draft) throws(JournalError) {
    guard draft.count > 0 else { return }
    let segment = writing.journal.segment
    try writing.journal.append(count: draft.count, entries: draft.bytes)
    if writing.journal.segment != segment { maintenance.begin(before: writing.journal.segment) }
    keys.insert(draft.keyed, in: writing.journal.segment)
  }
}

/// A batch that waits for its turn in a ``CommitQueue``.
final class BatchCall<Result: Sendable>: Loner {
  let ticket = Ticket<Result>()
  private let body: @Sendable (inout Batch) throws -> Result

  init(_ body: @escaping @Sendable (inout Batch) throws -> Result) { self.body = body }

  func take() -> Bool { ticket.take() }
  var isCancelled: Bool { ticket.isCancelled }

  func carryOut(on book: Book) -> () -> Void {
    let result = Swift.Result { try book.carryOut(body) }
    return { self.ticket.settle(result) }
  }
}
