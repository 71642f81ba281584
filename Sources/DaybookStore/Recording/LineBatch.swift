package import Avro
package import Daybook

extension Book {
  /// Carries out commands in their JSON form as one commit: all of them are recorded, or none. The
  /// task is suspended meanwhile.
  ///
  /// Commands that are sent again under the same key get their first answers, and nothing is
  /// appended.
  ///
  /// - Parameters:
  ///   - lines: The commands.
  ///   - caller: Who calls.
  ///   - id: The idempotency key of all commands. Each command that gives none of its own gets one
  ///     derived from it (``Key/init(ofLine:of:in:)``).
  /// - Returns: An answer for each command. A command that was carried out before has no row if the
  ///   caller may no longer see its entity.
  /// - Throws: ``LineRefusal`` for the first command that is refused, ``JournalError``, or `CancellationError`; then
  ///   nothing changed.
  package func record(
    together lines: [JSON], from caller: Caller, id: Key? = nil
  ) async throws -> [RequestOutcome] {
    let lines = LineBatch(lines: lines, caller: caller, id: id, book: self)
    return try await transaction(isLong: lines.lines.count > Batch.shortCount) {
      try lines.record(in: &$0)
    }
  }
}

/// The refusal of one of several commands that are recorded all together or not at all.
package struct LineRefusal: Error, Sendable {
  /// The refused command's place, from 0.
  package let index: Int
  /// The refusal as an answer.
  package let outcome: RequestOutcome
}

/// Commands that are carried out as one commit.
private struct LineBatch: Sendable {
  let lines: [JSON]
  let caller: Caller
  let id: Key?
  let book: Book

  func record(in batch: inout Batch) throws -> [RequestOutcome] {
    let writes = lines.enumerated().map { index, line in
      PendingLine(
        .success(line), for: book, from: caller,
        id: id.map { Key(ofLine: index, of: lines.count, in: $0) })
    }
    // If another write in the same commit is this same request, these lines must not be read in the state after it.
    for id in writes.compactMap(\.id) { try batch.deferIfUsed(id) }
    for write in writes { write.lookUp(book.receipts) }
    let before = batch.state
    if let id, let sending = EarlierBatch(of: writes, under: id),
      let outcomes = try outcomes(of: writes, sent: sending, now: before)
    {
      return outcomes
    }
    return try writes.enumerated().map { index, write in
      try refusing(index) {
        try earlierOutcome(write, now: before)
          ?? record(write, lines[index], in: &batch, after: before)
      }
    }
  }

  /// Runs a step that may refuse one of the commands.
  private func refusing(
    _ index: Int, _ body: () throws -> RequestOutcome
  ) throws -> RequestOutcome {
    let outcome: RequestOutcome
    do { outcome = try body() } catch let rejection as Rejection {
      throw LineRefusal(
        index: index, outcome: RequestOutcome(rejection.asSeen(by: caller).asSent(in: lines[index]))
      )
    } catch let refused as RefusedLine {
      throw LineRefusal(index: index, outcome: refused.outcome)
    }
    return outcome
  }

  /// A line that was refused before anything was decided.
  private struct RefusedLine: Error {
    let outcome: RequestOutcome
  }

  /// The answer of a command that was carried out before; nil when it was not.
  private func earlierOutcome(_ write: PendingLine, now: BookState) throws -> RequestOutcome? {
    guard write.isAnswered(in: { now }) else { return nil }
    if write.ticket.answer == nil { write.settle(after: nil) }
    let outcome = try write.result.get()
    guard outcome.isAccepted || write.carriedOut != nil else { throw RefusedLine(outcome: outcome) }
    return outcome
  }

  private func record(
    _ write: PendingLine, _ line: JSON, in batch: inout Batch, after before: BookState
  ) throws -> RequestOutcome {
    // An undo reads from the journal, which does not have yet what this batch recorded.
    guard !Request.readsPast(line) || batch.state.position == before.position else {
      throw Rejection.undoNotFirst
    }
    return try record(try write.request(in: batch.state), of: write, in: &batch)
  }

  private func record(
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

  /// The answers of commands that were sent together before; nil when they were not.
  private func outcomes(
    of writes: [PendingLine], sent sending: EarlierBatch, now: BookState
  ) throws -> [RequestOutcome]? {
    var met: (position: Int64, state: BookState)?
    do {
      return try writes.enumerated().map { index, write in
        try refusing(index) {
          if let outcome = try earlierOutcome(write, now: now) { return outcome }
          let (position, at) = sending.place(before: index)
          let then =
            try met.flatMap { $0.position == position ? $0.state : nil }
            ?? book.reader.state(before: position)
          met = (position, then)
          return try unchanged(try write.request(in: then), at: at, then, now: now)
        }
      }
    } catch let refusal as LineRefusal {
      // The command has an effect, yet no entry: it was not among those sent then.
      guard sending.isCertain else { return nil }
      throw refusal
    }
  }

  /// The answer of a command that changed nothing when it was first sent, so that no entry has its
  /// key. It is decided again in the state that it met then, between the others.
  private func unchanged(
    _ request: Request, at: Instant, _ then: BookState, now: BookState
  ) throws -> RequestOutcome {
    func decide<Body: RequestBody>(_ body: Body) throws -> RequestOutcome {
      let context = Context(
        actor: request.actor, at: at, drawKey: book.clock.freshKey, zones: book.reader.zones)
      let decision = try body.decide(then, context)
      // The first request under this key was a different command.
      if let id = request.id, !decision.events.isEmpty { throw Rejection.keyReused(id) }
      let seen = AnsweredRow(of: decision.answer, to: body, for: request.actor, in: then)
      let span = CommandSpan(position: then.position, count: 0)
      if let refusal = seen.refusal(in: now, for: request.actor) {
        return RequestOutcome(refusal.asSeen(by: caller), at: span)
      }
      return RequestOutcome(span) { $0.value(seen.row) }
    }
    return try decide(request.body)
  }
}

/// Where commands sent together under a key are in the journal, if they were sent before.
private struct EarlierBatch {
  private typealias Place = (index: Int, span: CommandSpan, at: Instant)

  /// The commands that changed something then. A command with an id of its own may have been
  /// carried out alone before; it is not included.
  private let places: [Place]
  /// Whether the key of the whole request was used. If not, everything that left a trace has an id
  /// of its own and may have been sent without the others. The others then decide: they changed
  /// nothing if they were part of the request.
  let isCertain: Bool

  /// Fails when none of them was carried out.
  init?(of writes: [PendingLine], under id: Key) {
    // Commands recorded together have one time and consecutive positions.
    var runs: [[Place]] = []
    for (index, write) in writes.enumerated() {
      guard let (span, at) = write.carriedOut else { continue }
      if let last = runs.last?.last, last.at == at, last.span.last + 1 == span.position {
        runs[runs.count - 1].append((index, span, at))
      } else {
        runs.append([(index, span, at)])
      }
    }
    let certain = runs.first { run in
      run.contains { writes[$0.index].id == Key(ofLine: $0.index, of: writes.count, in: id) }
    }
    guard let places = certain ?? runs.max(by: { $0[0].span.position < $1[0].span.position }) else {
      return nil
    }
    self.places = places
    isCertain = certain != nil
  }

  /// The position and time at which a command without a place of its own was decided.
  func place(before index: Int) -> (position: Int64, at: Instant) {
    if let earlier = places.last(where: { $0.index < index }) {
      return (earlier.span.last + 1, earlier.at)
    }
    return (places[0].span.position, places[0].at)
  }
}

extension Rejection {
  /// The refusal of an undo that comes after other commands in the same request.
  fileprivate static let undoNotFirst = Rejection(
    .notUndoable, field: "do",
    "Send an undo first in its batch, or by itself: the changes of commands before it are not "
      + "recorded yet."
  )
}
