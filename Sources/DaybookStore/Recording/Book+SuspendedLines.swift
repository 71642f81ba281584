public import Daybook
import Dispatch
import Journal

// What `RequestLine.swift` does by blocking a thread, for tasks: they are suspended meanwhile, and no thread waits.
extension Book {
  /// As the blocking ``apply(line:from:)``; lines of tasks that wait at the same time share a commit and its sync.
  ///
  /// A task that is cancelled while its line waits gets a `CancellationError`, and nothing is recorded. Once the line
  /// was taken into a commit, it is carried out and answered all the same.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - caller: Who calls.
  ///   - id: The idempotency key of a line that says none itself.
  /// - Returns: The answer, and whether the command was accepted.
  /// - Throws: ``JournalError``, or `CancellationError`; then nothing changed.
  public func apply(
    line: [UInt8], from caller: Caller, id: Key? = nil
  ) async throws -> RequestOutcome {
    let write = PendingLine(line, for: self, from: caller, id: id)
    return try await suspend(for: write, under: write.id) {
      write.ticket.wait($0)
    } cancelling: {
      write.ticket.cancel()
    }
  }

  /// Carries out lines one after another, each by itself, as the blocking ``apply(lines:from:_:)`` does.
  ///
  /// - Parameters:
  ///   - lines: The JSON texts.
  ///   - caller: Who calls.
  ///   - id: The idempotency key of all: from it, each line that says none itself has one of its own
  ///     (``Key/init(ofLine:of:in:)``).
  ///   - answer: Is given the answers to the next lines, in order, once they are on disk.
  /// - Throws: ``JournalError``, or `CancellationError`: lines that were not answered were not carried out.
  package func apply(
    lines: [[UInt8]], from caller: Caller, id: Key? = nil, _ answer: ([RequestOutcome]) -> Void
  ) async throws {
    var rest = await pending(lines, from: caller, id: id)[...]
    while !rest.isEmpty {
      let outcomes = try await carryOut(PendingLines(rest.prefix(CommitQueue.groupCount)))
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

  private func carryOut(_ write: PendingLines) async throws -> [RequestOutcome] {
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
  /// The idempotency key of a line, from 0, of lines that were sent under one key: the same each time they are sent. One
  /// line has the key itself, however it was wrapped.
  package init(ofLine index: Int, of count: Int, in key: Key) {
    self = count == 1 ? key : Key(derivedFrom: [key.description, String(index)])
  }
}

/// Lines that wait for their turn in a ``CommitQueue``: as many of them as one commit has room for are carried out.
private final class PendingLines: ExclusiveWrite {
  let ticket = Ticket<[RequestOutcome]>()
  private let writes: ArraySlice<PendingLine>

  init(_ writes: ArraySlice<PendingLine>) { self.writes = writes }

  func take() -> Bool { ticket.take() }
  var isCancelled: Bool { ticket.isCancelled }

  func carryOut(on book: Book) -> () -> Void {
    let (count, failure) = book.carryOut(writes.map { $0 as any GroupedWrite }[...])
    for write in writes.prefix(count) { write.settle(after: failure) }
    let result = Result { try writes.prefix(count).map { try $0.result.get() } }
    return { self.ticket.settle(result) }
  }
}
