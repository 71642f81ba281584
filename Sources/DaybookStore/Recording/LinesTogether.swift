package import Avro
package import Daybook

extension Book {
  /// Carries out commands in their JSON form as one commit: all of them are recorded, or none. The task is suspended
  /// meanwhile.
  ///
  /// Sent again under the same key, they are answered as the first time, and nothing is appended.
  ///
  /// - Parameters:
  ///   - lines: The commands.
  ///   - caller: Who calls.
  ///   - id: The idempotency key of all: from it, each command that says none itself has one of its own
  ///     (``Key/init(ofLine:in:)``).
  /// - Returns: An answer for each command. Of those that were carried out before, whoever may not see any more what
  ///   one is about is told no row.
  /// - Throws: ``LineRefusal`` for the first command that is refused, ``JournalError``, or `CancellationError`; then
  ///   nothing changed.
  package func apply(
    together lines: [JSON], from caller: Caller, id: Key? = nil
  ) async throws -> [RequestOutcome] {
    let lines = LinesTogether(lines: lines, caller: caller, id: id, book: self)
    return try await transaction { try lines.carryOut(in: &$0) }
  }
}

/// One of several commands that are recorded together or not at all was refused.
package struct LineRefusal: Error, Sendable {
  /// Which of them, from 0.
  package let index: Int
  /// Why, as an answer.
  package let outcome: RequestOutcome
}

/// Commands that are carried out as one commit.
private struct LinesTogether: Sendable {
  let lines: [JSON]
  let caller: Caller
  let id: Key?
  let book: Book

  func carryOut(in batch: inout Batch) throws -> [RequestOutcome] {
    let writes = lines.enumerated().map { index, line in
      PendingLine(
        .success(line), for: book, from: caller, id: id.map { Key(ofLine: index, in: $0) })
    }
    for write in writes { write.lookUp(book.receipts) }
    let wasSent = writes.enumerated().contains { index, write in
      write.carriedOut != nil && write.id == id.map { Key(ofLine: index, in: $0) }
    }
    let before = batch.state
    var outcomes: [RequestOutcome] = []
    for (index, write) in writes.enumerated() {
      do {
        let outcome: RequestOutcome
        if write.isAnswered(in: { before }) {
          write.settle(after: nil)
          outcome = try write.result.get()
          guard outcome.isAccepted || write.carriedOut != nil else {
            throw LineRefusal(index: index, outcome: outcome)
          }
        } else if wasSent {
          outcome = try unchanged(writes, index, now: before)
        } else {
          outcome = try carryOut(write, lines[index], in: &batch, after: before)
        }
        outcomes.append(outcome)
      } catch let rejection as Rejection {
        let outcome = RequestOutcome(rejection.told(to: caller).asSent(in: lines[index]))
        throw LineRefusal(index: index, outcome: outcome)
      }
    }
    return outcomes
  }

  private func carryOut(
    _ write: PendingLine, _ line: JSON, in batch: inout Batch, after before: BookState
  ) throws -> RequestOutcome {
    // What an undo takes back is read from the journal, which does not have yet what this batch recorded.
    guard !Request.readsPast(line) || batch.state.position == before.position else {
      throw Rejection.undoNotFirst
    }
    return try carryOut(try write.request(in: batch.state), of: write, in: &batch)
  }

  private func carryOut(
    _ request: Request, of write: PendingLine, in batch: inout Batch
  ) throws -> RequestOutcome {
    func record<Body: RequestBody>(_ body: Body) throws -> RequestOutcome {
      let last = batch.state.position
      let place = batch.entries?.count ?? 0
      let answer = try batch.record(body, by: request.actor, at: request.at, id: request.id)
      let count = Int(batch.state.position - last)
      let span = CommandSpan(position: count > 0 ? last + 1 : last, count: count)
      let state = batch.state
      let outcome = RequestOutcome(span) { body.write(answer, in: state, to: &$0) }
      if count > 0, let first = batch.entries?[place],
        let new = write.receipt(outcome, of: body, answer, at: span, on: first, in: state)
      {
        batch.keep(new)
      }
      return outcome
    }
    return try record(request.body)
  }

  // MARK: Sent again

  /// What a command is answered that changed nothing when it was first sent, so that no entry has its key: it is
  /// decided again in the state that it met between the others.
  private func unchanged(
    _ writes: [PendingLine], _ index: Int, now: BookState
  ) throws -> RequestOutcome {
    let earlier = writes[..<index].last { $0.carriedOut != nil }?.carriedOut
    let later = writes[index...].first { $0.carriedOut != nil }?.carriedOut
    let place = earlier.map { ($0.span.last + 1, $0.at) } ?? later.map { ($0.span.position, $0.at) }
    guard let (position, at) = place else {
      preconditionFailure("one of them was carried out before")
    }
    let then = try book.reader.state(before: position)
    let request = try writes[index].request(in: then)
    return try unchanged(request, at: at, then, now: now)
  }

  private func unchanged(
    _ request: Request, at: Instant, _ then: BookState, now: BookState
  ) throws -> RequestOutcome {
    func decide<Body: RequestBody>(_ body: Body) throws -> RequestOutcome {
      let context = Context(
        actor: request.actor, at: at, drawKey: book.clock.freshKey, zones: book.reader.zones)
      let decision = try body.decide(then, context)
      // Whatever was sent the first time, it was another command.
      if let id = request.id, !decision.events.isEmpty { throw Rejection.keyReused(id) }
      let seen = SeenRow(of: decision.answer, to: body, for: request.actor, in: then)
      let span = CommandSpan(position: then.position, count: 0)
      if let refusal = seen.refusal(in: now, toTell: request.actor) {
        return RequestOutcome(refusal, at: span)
      }
      return RequestOutcome(span) { $0.value(seen.row) }
    }
    return try decide(request.body)
  }
}

extension Rejection {
  /// An undo stands behind others that are recorded together with it.
  fileprivate static let undoNotFirst = Rejection(
    .notUndoable, field: "do",
    "An undo stands before the others of its batch, or is sent by itself: what they change is not recorded yet."
  )
}
