public import Daybook
import Dispatch
public import Journal
import Synchronization

// Recording in two forms: one blocks its thread, the other suspends its task. All calls take turns
// in the order in which they were made, and share commits and syncs.
extension Book {
  /// Decides a command, appends its events, and returns the answer once they are on disk.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - actor: The account that asks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - id: An idempotency key: repeated, it returns the first receipt and appends nothing.
  /// - Returns: The command's answer.
  /// - Throws: ``Rejection``, or ``JournalError``; then nothing changed.
  @discardableResult
  @inlinable
  public func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    try recordWithReceipt(command, by: actor, at: at, id: id).answer
  }

  /// Records a command as ``record(_:by:at:id:)`` does, and returns a receipt that says where its
  /// entries are.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - actor: The account that asks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - id: An idempotency key.
  ///   - expected: The position that the book's last entry must have, for a caller who chose the
  ///     command by what the book said then.
  /// - Returns: The receipt.
  /// - Throws: ``Rejection``, ``PositionConflict``, or ``JournalError``; then nothing changed.
  @inlinable
  public func recordWithReceipt<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil,
    expecting expected: Position? = nil
  ) throws -> Receipt<C.Answer> {
    let slot = AnswerSlot<C.Answer>()
    let envelope = CommandEnvelope(by: actor, at: at, id: id, expecting: expected) {
      slot.keep(try command.decide($0, $1))
    }
    return slot.receipt(try execute(envelope))
  }

  /// Carries out a command and blocks the thread until it is on disk.
  @usableFromInline
  func execute(_ envelope: CommandEnvelope) throws -> Receipt<Void> {
    let write = PendingCommand(envelope)
    wait(for: write) { write.ticket.wait($0) }
    guard let answer = write.ticket.answer else {
      preconditionFailure("a thread is woken when its write was answered")
    }
    return try answer.get()
  }

  /// Carries out a write, on this thread or by the holder of the turn, and returns once it was
  /// answered.
  func wait(for write: some GroupedWrite, _ prepare: (DispatchSemaphore) -> Void) {
    write.lookUp(receipts)
    if isUpToDate, write.isAnswered(in: { read { $0 } }) { return write.settle(after: nil) }
    if queue.tryTakeTurn() {
      defer { queue.passTurn(of: self) }
      write.settle(after: commit([write]).failure)
    } else {
      let semaphore = DispatchSemaphore(value: 0)
      prepare(semaphore)
      queue.enqueue(write, of: self)
      semaphore.wait()
    }
  }

  /// Decides a command, appends its events, and returns the answer once they are on disk. The task
  /// is suspended meanwhile, and no thread waits.
  ///
  /// Commands of tasks that wait at the same time share a commit and its sync. Each is decided in
  /// the state that those before it leave, and is answered by itself: a refusal disturbs no other.
  /// When the disk refuses the commit, all of them fail, and nothing changed.
  ///
  /// A task that is cancelled while its command waits gets a `CancellationError`, and nothing is
  /// recorded. Once a commit has taken the command, it is carried out and answered all the same.
  ///
  /// - Returns: The command's answer.
  /// - Throws: ``Rejection``, ``JournalError``, or `CancellationError`; then nothing changed.
  @discardableResult
  @inlinable
  public func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) async throws -> C.Answer {
    try await recordWithReceipt(command, by: actor, at: at, id: id).answer
  }

  /// Records a command as the suspending ``record(_:by:at:id:)`` does, and returns a receipt that
  /// says where its entries are.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - actor: The account that asks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - id: An idempotency key.
  ///   - expected: The position that the book's last entry must have, for a caller who chose the
  ///     command by what the book said then.
  /// - Returns: The receipt.
  /// - Throws: ``Rejection``, ``PositionConflict``, ``JournalError``, or `CancellationError`; then
  ///   nothing changed.
  @inlinable
  public func recordWithReceipt<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil,
    expecting expected: Position? = nil
  ) async throws -> Receipt<C.Answer> {
    let slot = AnswerSlot<C.Answer>()
    let envelope = CommandEnvelope(by: actor, at: at, id: id, expecting: expected) {
      slot.keep(try command.decide($0, $1))
    }
    return slot.receipt(try await execute(envelope))
  }

  /// Carries out a command and suspends the task until it is on disk.
  @usableFromInline
  func execute(_ envelope: CommandEnvelope) async throws -> Receipt<Void> {
    let write = PendingCommand(envelope)
    return try await suspend(for: write, under: envelope.id) {
      write.ticket.wait($0)
    } cancelling: {
      write.ticket.cancel()
    }
  }

  /// Carries out a write, and suspends the task until the write is answered or the task is
  /// cancelled in time.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - id: The write's idempotency key, if it has one.
  ///   - wait: Attaches the continuation to the write's ticket.
  ///   - cancel: Cancels the ticket; returns whether that was in time.
  /// - Returns: The ticket's answer.
  /// - Throws: the error that the ticket was answered with, or `CancellationError`.
  func suspend<Answer: Sendable>(
    for write: some GroupedWrite, under id: Key?,
    _ wait: (UnsafeContinuation<Answer, any Error>) -> Bool,
    cancelling cancel: @escaping @Sendable () -> Bool
  ) async throws -> Answer {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        guard wait(continuation) else { return }
        guard let id, keys.mayHold(id) else { return queue.enqueue(write, of: self) }
        // A thread that runs no tasks waits for the disk.
        DispatchQueue.global(qos: .userInitiated).async { [self] in
          write.lookUp(receipts)
          guard isUpToDate, write.isAnswered(in: { read { $0 } }) else {
            return queue.enqueue(write, of: self)
          }
          if write.admit() { write.settle(after: nil) }
        }
      }
    } onCancel: {
      if cancel() { queue.noteCancelled() }
    }
  }

  /// Decides several commands as one commit: all of them are recorded, or none.
  ///
  /// Other writers wait while `body` runs. `body` must not record into the book, or it would wait
  /// for itself. Readers see the book as it was.
  ///
  /// - Parameter body: Records into the batch. If it throws, nothing of the batch is kept. It runs
  ///   again when another book on the same log was faster.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, or ``JournalError``.
  @discardableResult
  public func transaction<Result>(_ body: (inout Batch) throws -> Result) throws -> Result {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    return try commit(body)
  }

  /// Decides several commands as one commit, and suspends the task until it is on disk; no thread waits.
  ///
  /// Batches and commands of tasks that wait at the same time share a sync. Each sees what those
  /// before it did, and is recorded whole or not at all.
  ///
  /// - Parameter body: Records into the batch, on a thread of the book's own. If it throws, nothing
  ///   of the batch is kept. It runs again when another book on the same log was faster, or when
  ///   the commit had no room for it.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, ``JournalError``, or `CancellationError` when the task was cancelled before
  ///   its turn.
  @discardableResult
  @inlinable
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (inout Batch) throws -> Result
  ) async throws -> Result {
    try await transaction(isLong: false, body)
  }

  /// Decides several commands as one commit, and suspends the task until it is on disk; no thread waits.
  ///
  /// - Parameters:
  ///   - isLong: Whether `body` takes more than a few milliseconds. It then gets a commit of its
  ///     own, so that earlier writes do not wait until it is decided.
  ///   - body: Records into the batch, on a thread of the book's own. If it throws, nothing of the
  ///     batch is kept. It runs again when another book on the same log was faster, or when the
  ///     commit had no room for it.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, ``JournalError``, or `CancellationError` when the task was cancelled before its turn.
  @discardableResult
  @inlinable
  public func transaction<Result: Sendable>(
    isLong: Bool, _ body: @escaping @Sendable (inout Batch) throws -> Result
  ) async throws -> Result {
    let slot = AnswerSlot<Result>()
    try await executeBatch(isLong: isLong) { slot.keep(try body(&$0)) }
    return slot.kept
  }

  /// Carries out a batch and suspends the task until it is on disk.
  @usableFromInline
  func executeBatch(
    isLong: Bool, _ body: @escaping @Sendable (inout Batch) throws -> Void
  ) async throws {
    let write = PendingBatch(body, receipts, isLong: isLong)
    try await suspend(for: write, under: nil) {
      write.ticket.wait($0)
    } cancelling: {
      write.ticket.cancel()
    }
  }
}
