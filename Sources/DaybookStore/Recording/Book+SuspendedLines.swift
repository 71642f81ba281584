public import Daybook
import Dispatch
import Journal

// The suspending forms of what `RequestLine.swift` does: the task is suspended, and no thread
// waits.
extension Book {
  /// Applies a line as the blocking ``record(line:from:)`` does; lines of tasks that wait at the
  /// same time share a commit and its sync.
  ///
  /// A task that is cancelled while its line waits gets a `CancellationError`, and nothing is
  /// recorded. Once a commit has taken the line, it is carried out and answered all the same.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - caller: Who calls.
  ///   - id: The idempotency key, unless the line gives its own.
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``, or `CancellationError`; then nothing changed.
  public func record(
    line: [UInt8], from caller: Caller, id: Key? = nil
  ) async throws -> RequestOutcome {
    let write = PendingLine(line, for: self, from: caller, id: id)
    return try await suspend(for: write, under: write.id) {
      write.ticket.wait($0)
    } cancelling: {
      write.ticket.cancel()
    }
  }

  /// Carries out lines one after another, each in its own right, as the blocking
  /// ``record(lines:from:_:)`` does.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  ///   - id: The idempotency key of all lines. Each line that gives none of its own gets one
  ///     derived from it (``Key/init(ofLine:of:in:)``).
  ///   - answer: Receives the answers to the next lines, in order, once they are on disk.
  /// - Throws: ``JournalError``, or `CancellationError`: lines that were not answered were not carried out.
  package func record(
    lines: [[UInt8]], from caller: Caller, id: Key? = nil, _ answer: ([RequestOutcome]) -> Void
  ) async throws {
    var rest = await pending(lines, from: caller, id: id)[...]
    while !rest.isEmpty {
      let outcomes = try await execute(PendingLines(rest.prefix(CommitQueue.groupCount)))
      answer(outcomes)
      rest = rest.dropFirst(outcomes.count)
    }
  }

  private func pending(
    _ lines: [[UInt8]], from caller: Caller, id: Key?
  ) async -> [PendingLine] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async { [self] in
        let writes = lines.enumerated().map { index, line in
          PendingLine(
            line, for: self, from: caller,
            id: id.map { Key(ofLine: index, of: lines.count, in: $0) })
        }
        for write in writes { write.lookUp(receipts) }
        continuation.resume(returning: writes)
      }
    }
  }

  private func execute(_ write: PendingLines) async throws -> [RequestOutcome] {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        if write.ticket.wait(continuation) { queue.enqueue(write, of: self) }
      }
    } onCancel: {
      if write.ticket.cancel() { queue.noteCancelled() }
    }
  }
}

extension Key {
  /// The idempotency key of one line, counted from 0, among lines sent under one key. It is the
  /// same each time they are sent. A single line gets the key itself, however it was wrapped.
  package init(ofLine index: Int, of count: Int, in key: Key) {
    self = count == 1 ? key : Key(derivedFrom: [key.description, String(index)])
  }
}

/// Lines that wait for their turn in a ``CommitQueue``; each turn carries out as many as fit in one
/// commit.
private final class PendingLines: ExclusiveWrite {
  let ticket = Ticket<[RequestOutcome]>()
  private let writes: ArraySlice<PendingLine>

  init(_ writes: ArraySlice<PendingLine>) { self.writes = writes }

  func admit() -> Bool { ticket.admit() }
  var isCancelled: Bool { ticket.isCancelled }

  func execute(on book: Book) -> () -> Void {
    let (count, failure) = book.commit(writes.map { $0 as any GroupedWrite }[...])
    for write in writes.prefix(count) { write.settle(after: failure) }
    let result = Result { try writes.prefix(count).map { try $0.result.get() } }
    return { self.ticket.settle(result) }
  }
}
