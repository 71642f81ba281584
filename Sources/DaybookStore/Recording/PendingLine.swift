import Avro
import Daybook
import Journal
import Synchronization

/// A line with a command that waits to be recorded. It is read and decided in the state that the
/// lines before it leave, as if they were already on disk.
final class PendingLine: GroupedWrite {
  let ticket = Ticket<RequestOutcome>()
  private let line: Result<JSON, Rejection>
  /// The line's idempotency key.
  let id: Key?
  /// Whether reading the line takes a look into the journal.
  private let readsPast: Bool
  private let book: BookReader
  private let pepper: Pepper?
  private let caller: Caller
  /// The progress so far; only the holder of the turn changes it.
  private let progress = Mutex(Progress())

  private struct Progress: Sendable {
    /// The earlier use of the line's id, from the journal.
    var first: EarlierUse?
    /// The moment at which the id was looked up and not found.
    var lookedUp: IdempotencyKeys.Revision?
    /// The command, when it had to be read before the group began.
    var request: Request?
    var outcome: Result<RequestOutcome, any Error>?
    /// Whether the outcome holds only if the group reaches the disk.
    var needsGroup = false
  }

  /// The earlier use of an id.
  private enum EarlierUse: Sendable {
    /// The same command was carried out under the id.
    case same(KeptReceipt, actor: Account.ID?, at: Instant)
    /// Another command used the key; or a command of an erased account, whose blank words make it look like any other.
    case other(Key, Entry)
  }

  /// Makes a write of a line.
  ///
  /// - Parameters:
  ///   - line: The JSON text.
  ///   - book: The book that is written.
  ///   - caller: Who calls.
  ///   - id: The idempotency key, unless the line gives its own.
  convenience init(_ line: [UInt8], for book: Book, from caller: Caller, id: Key? = nil) {
    let line = Result { () throws(Rejection) in try Request.object(in: line) }
    self.init(line, for: book, from: caller, id: id)
  }

  /// Makes a write of a line that was already parsed, or refused.
  init(_ line: Result<JSON, Rejection>, for book: Book, from caller: Caller, id: Key?) {
    let line = line.flatMap { json in
      Result { () throws(Rejection) in
        try caller.check(json)
        return json
      }
    }
    let json = try? line.get()
    self.line = line
    self.id = json.flatMap { Request.id(of: $0) } ?? id
    readsPast = json.map { Request.readsPast($0) } ?? false
    self.book = book.reader
    self.caller = caller
    pepper = book.pepper
  }

  /// The line's outcome, once it was settled.
  var result: Result<RequestOutcome, any Error> {
    guard let answer = ticket.answer else {
      preconditionFailure("a line is settled before it is answered")
    }
    return answer
  }

  func admit() -> Bool { ticket.admit() }
  var isCancelled: Bool { ticket.isCancelled }

  func settle(after failure: JournalError?) {
    let progress = progress.withLock { $0 }
    if let failure, progress.needsGroup || progress.outcome == nil {
      return ticket.settle(.failure(failure))
    }
    guard let outcome = progress.outcome else {
      preconditionFailure("a line is decided before it is answered")
    }
    ticket.settle(outcome)
  }

  /// Where and when the command was carried out before, once that was looked up; nil when it was
  /// not.
  var carriedOut: (span: CommandSpan, at: Instant)? {
    guard case .same(let receipt, _, let at) = progress.withLock({ $0.first }) else { return nil }
    return (receipt.span, at)
  }

  // MARK: Before the group is begun

  func lookUp(_ receipts: ReceiptLookup) {
    guard case .success(let json) = line, let id,
      progress.withLock({ $0.first == nil && $0.outcome == nil })
    else { return }
    let revision = receipts.keys.revision
    do {
      let use = try receipts.first(under: id).map { first in
        if let kept = receipts.kept(of: asked(json), first) {
          return EarlierUse.same(kept, actor: first.entry.head.actor, at: first.entry.head.at)
        }
        return try pastUse(of: id, json, first)
      }
      progress.withLock { ($0.first, $0.lookedUp) = (use, revision) }
    } catch {
      noteOutcome(of: error, needsGroup: false)
    }
  }

  func isAnswered(in state: () -> BookState) -> Bool {
    guard case .success(let json) = line, let first = progress.withLock({ $0.first }) else {
      return progress.withLock { $0.outcome != nil }
    }
    do { noteOutcome(try outcome(of: first, json, in: state()), needsGroup: false) } catch {
      noteOutcome(of: error, needsGroup: false)
    }
    return true
  }

  func lookUpAgain(_ receipts: ReceiptLookup, isFirst: Bool, in state: () -> BookState) {
    guard id != nil || readsPast, case .success(let json) = line else { return }
    if let id {
      let revision = progress.withLock { $0.lookedUp }
      if revision.map({ !receipts.keys.stillLacks(id, since: $0) }) ?? true { lookUp(receipts) }
    }
    let isKnown = progress.withLock { $0.first != nil || $0.outcome != nil }
    guard isFirst, readsPast, !isKnown else { return }
    do {
      // Only the journal knows what is undone, and it holds everything that precedes the line.
      let request = try read(json, in: state(), isPastKnown: true)
      progress.withLock { $0.request = request }
    } catch {
      noteOutcome(of: error, needsGroup: false)
    }
  }

  /// Reads the line in the state that its first use met: what it names may be gone by now, perhaps
  /// through the command itself, or mean something else (HH-26).
  private func pastUse(of id: Key, _ json: JSON, _ first: FirstUse) throws -> EarlierUse {
    do {
      return try first.inStateBefore { before in
        let request = try read(json, in: before, isPastKnown: true)
        return try earlierUse(request.body, request.actor, id, first.entry, before)
      }
    } catch is Rejection {
      return .other(id, first.entry)
    }
  }

  private func earlierUse<Body: RequestBody>(
    _ body: Body, _ actor: Account.ID?, _ id: Key, _ first: Entry, _ before: BookState
  ) throws -> EarlierUse {
    let slot = RowSlot<Body>()
    let envelope = CommandEnvelope(filling: slot, with: body, by: actor, at: nil, id: id)
    let span = try envelope.receipt(of: id, on: first, in: before, zones: book.zones).span
    let seen = slot.found
    let receipt = KeptReceipt(
      position: span.position, count: span.count, aggregate: seen.aggregate,
      visibility: seen.visibility, answer: RequestOutcome(span) { $0.value(seen.row) }.text)
    return .same(receipt, actor: actor, at: first.head.at)
  }

  private func asked(_ json: JSON) -> SentLine {
    SentLine(json: json, caller: caller, pepper: pepper)
  }

  /// The receipt to keep for a repetition of the line; nil when the index allows deciding it again
  /// quickly.
  ///
  /// - Parameters:
  ///   - outcome: The answer.
  ///   - body: The command.
  ///   - answer: The command's typed answer.
  ///   - span: Where its entries are.
  ///   - first: The first of them.
  ///   - state: The state as the command left it.
  /// - Returns: The receipt, on its way to its file.
  func receipt<Body: RequestBody>(
    _ outcome: RequestOutcome, of body: Body, _ answer: Body.Answer, at span: CommandSpan,
    on first: Entry, in state: BookState
  ) -> ReceiptKeeper.NewReceipt? {
    guard id != nil, case .success(let json) = line,
      span.count > 1 || first.event.loggedHabit == nil,
      outcome.text.count <= ReceiptFile.largestAnswerByteCount
    else { return nil }
    let aggregate = body.aggregate(of: answer)
    let visibility = aggregate.map { state.visibility(of: $0, for: first.head.actor) } ?? .nothing
    let receipt = KeptReceipt(
      position: span.position, count: span.count, aggregate: aggregate, visibility: visibility,
      answer: outcome.text)
    return ReceiptKeeper.NewReceipt(receipt: receipt, line: asked(json))
  }

  /// The command that the line asks for, read in a state from the journal.
  ///
  /// - Throws: ``Rejection``, or ``JournalError``.
  func request(in state: BookState) throws -> Request {
    try read(try line.get(), in: state, isPastKnown: true)
  }

  // MARK: As part of a group

  func decide(in group: inout CommitGroup, on state: inout BookState) -> Bool {
    let (isDecided, first, request) = progress.withLock {
      ($0.outcome != nil, $0.first, $0.request)
    }
    guard !isDecided else { return true }
    let needsGroup = !group.isEmpty
    do {
      let json = try line.get()
      if let first {
        return noteOutcome(try outcome(of: first, json, in: state), needsGroup: needsGroup)
      }
      if let id, group.holds(id) { return false }
      if request == nil, readsPast {
        // The command to undo may be in this group, which no reader sees yet.
        return false
      }
      // Not with `??`: its closure would capture the state and copy it.
      let command: Request
      if let request {
        command = request
      } else {
        command = try read(json, in: state, isPastKnown: false)
      }
      let outcome = try decide(command.body, command, in: &group, on: &state)
      return noteOutcome(outcome, needsGroup: !group.isEmpty)
    } catch is CommitGroup.Full {
      return false
    } catch {
      noteOutcome(of: error, needsGroup: needsGroup)
      return true
    }
  }

  func discardDecision() {
    progress.withLock { progress in
      progress.request = nil
      guard progress.needsGroup else { return }
      (progress.outcome, progress.needsGroup) = (nil, false)
    }
  }

  private func decide<Body: RequestBody>(
    _ body: Body, _ request: Request, in group: inout CommitGroup, on state: inout BookState
  ) throws -> RequestOutcome {
    let context = try group.context(by: request.actor, at: request.at, in: state)
    let decision = try body.decide(state, context)
    let span = try group.append(decision.events, context, request.id, on: &state).span
    let outcome = Self.outcome(of: body, decision.answer, at: span, in: state)
    if span.count > 0, request.id != nil {
      let first = group.entries[group.entries.count - span.count]
      if let new = receipt(outcome, of: body, decision.answer, at: span, on: first, in: state) {
        group.keep(new)
      }
    }
    return outcome
  }

  /// The row of an answer. The state is a parameter, not a variable: the closure that writes the row
  /// would copy a variable.
  private static func outcome<Body: RequestBody>(
    of body: Body, _ answer: Body.Answer, at span: CommandSpan, in state: BookState
  ) -> RequestOutcome {
    RequestOutcome(span) { body.write(answer, in: state, to: &$0) }
  }

  /// The answer, in the current state, of a line that was carried out before.
  private func outcome(of first: EarlierUse, _ json: JSON, in state: BookState) throws
    -> RequestOutcome
  {
    switch first {
    case .same(let receipt, let actor, _):
      let refusal = state.refusal(
        for: actor, about: receipt.aggregate, seenThen: receipt.visibility)
      if let refusal { return RequestOutcome(refused(refusal, json), at: receipt.span) }
      return RequestOutcome(text: receipt.answer)
    case .other(let id, let entry):
      if try isByErased(json, entry, in: state) {
        return RequestOutcome(
          Rejection.accountNotFound.asSent(in: json), from: entry.head.position)
      }
      // Errors in the line itself are reported first.
      let request = try read(json, in: state, isPastKnown: false)
      if let actor = request.actor, state.accounts[actor]?.isErased == true {
        throw Rejection.accountNotFound
      }
      throw Rejection.keyReused(id)
    }
  }

  /// Whether the line and the command first carried out under its id both belong to an erased
  /// account; or the line creates an account, and that command created one that was erased.
  private func isByErased(_ json: JSON, _ first: Entry, in state: BookState) throws -> Bool {
    let named = json["as"]?.text.flatMap { Key($0) }.flatMap { state.accounts.number(of: $0) }
    let actor = Request.needsCaller(json) ? try caller.account(in: state) : named
    if let actor {
      return first.head.actor == actor && state.accounts[actor]?.isErased == true
    }
    guard case .accountCreated(let creation) = first.event, json["do"] == "create_account",
      let account = state.accounts.number(of: creation.key)
    else { return false }
    return state.accounts[account]?.isErased == true
  }

  private func read(_ json: JSON, in state: BookState, isPastKnown: Bool) throws -> Request {
    let actor = Request.needsCaller(json) ? try caller.account(in: state) : nil
    var past: Request.Past?
    if isPastKnown, readsPast { past = { try self.book.commandHistory(at: $0, knowing: state) } }
    var request = try Request(
      json, state, actor: actor, seenBy: caller.viewer, hashing: pepper?.hashing, past: past)
    request.id = id
    return request
  }

  @discardableResult
  private func noteOutcome(_ outcome: RequestOutcome, needsGroup: Bool) -> Bool {
    progress.withLock { ($0.outcome, $0.needsGroup) = (.success(outcome), needsGroup) }
    return true
  }

  private func refused(_ rejection: Rejection) -> RequestOutcome {
    guard case .success(let json) = line else {
      return RequestOutcome(rejection.asSeen(by: caller))
    }
    return RequestOutcome(refused(rejection, json))
  }

  /// A refusal in the form that the caller gets.
  private func refused(_ rejection: Rejection, _ json: JSON) -> Rejection {
    rejection.asSeen(by: caller).asSent(in: json)
  }

  /// Settles on an error: a refusal is an answer, any other error is thrown to the caller.
  private func noteOutcome(of error: any Error, needsGroup: Bool) {
    let outcome: Result<RequestOutcome, any Error> =
      if let rejection = error as? Rejection { .success(refused(rejection)) } else {
        .failure(error)
      }
    progress.withLock { ($0.outcome, $0.needsGroup) = (outcome, needsGroup) }
  }
}
