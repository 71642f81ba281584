public import Daybook
public import Journal

/// A command together with its time, its idempotency key and the position that it expects.
///
/// The envelope does not depend on the command's type; only its `decide` closure knows that. So
/// what is done for every command is compiled once and looks up no types at run time. An
/// ``AnswerSlot`` keeps the answer meanwhile.
@usableFromInline
struct CommandEnvelope: Sendable {
  /// Decides the command and keeps its answer.
  @usableFromInline typealias Decide = @Sendable (BookState, Context) throws -> [Event]
  typealias Inspection = @Sendable (BookState) -> Void

  let decide: Decide
  /// Called with the state exactly as the command left it: right after the command, and again if the command is
  /// repeated.
  var inspect: Inspection?
  var actor: Account.ID?
  /// The time of the command; nil when the clock decides.
  var at: Instant?
  /// The idempotency key.
  var id: Key?
  /// The position that the book's last entry must have.
  var expected: Position?

  @usableFromInline
  init(
    by actor: Account.ID?, at: Instant? = nil, id: Key?, expecting expected: Position? = nil,
    _ decide: @escaping Decide
  ) {
    self.decide = decide
    self.actor = actor
    self.at = at
    self.id = id
    self.expected = expected
  }

  /// The first receipt of a command whose key was used before.
  ///
  /// The command is decided again in the state that it met then, before the entry that carries the
  /// key. That gives the same answer, because deciding is pure.
  ///
  /// - Returns: The receipt.
  /// - Throws: ``Rejection/keyReused(_:)`` when the key was used by another command or account.
  func receipt(
    of key: Key, on first: Entry, in before: BookState, zones: any TimeZones
  ) throws(Rejection) -> Receipt<Void> {
    let context = Context(
      actor: first.head.actor, at: first.head.at, freshKey: first.event.drawnKey ?? key,
      zones: zones)
    guard actor == first.head.actor, let events = try? decide(before, context),
      events.first == first.event
    else { throw .keyReused(key) }
    if let inspect {
      var after = before
      for (index, event) in events.enumerated() {
        let head = EntryHead(
          position: first.head.position + Int64(index), after: index, of: context, id: nil)
        after.apply(Entry(head, event))
      }
      inspect(after)
    }
    return Receipt(
      answer: (), position: first.head.position, count: events.count, isRepeated: true)
  }
}

/// A slot for the answer of a command or a batch, kept until the caller takes it.
@usableFromInline
final class AnswerSlot<Answer: Sendable>: @unchecked Sendable {
  // Safe to send: only the holder of the turn sets it, and the caller reads it only after the
  // ticket was settled. The ticket's lock orders the two.
  @usableFromInline var answer: Answer?

  @inlinable
  init() {}

  /// Keeps the answer of a decision and returns its events.
  @inlinable
  func keep(_ decision: Decision<Answer>) -> [Event] {
    answer = decision.answer
    return decision.events
  }

  /// Keeps an answer.
  @inlinable
  func keep(_ answer: Answer) { self.answer = answer }

  /// The answer.
  ///
  /// - Precondition: the command or batch was carried out.
  @inlinable
  var kept: Answer {
    guard let answer else { preconditionFailure("a command that was carried out has an answer") }
    return answer
  }

  /// A receipt with the answer.
  @inlinable
  func receipt(_ receipt: Receipt<Void>) -> Receipt<Answer> {
    Receipt(
      answer: kept, position: receipt.position, count: receipt.count,
      isRepeated: receipt.isRepeated)
  }
}

extension Context {
  /// The context of the next command to record: its time is never before the last entry.
  init(
    _ state: borrowing BookState, actor: Account.ID?, at: Instant?, clock: BookClock,
    zones: any TimeZones
  ) throws(Rejection) {
    let at = try clock.instant(at, after: state.at, isFirst: state.position == 0)
    self.init(actor: actor, at: at, drawKey: clock.freshKey, zones: zones)
  }
}

extension Event {
  /// The key that a command may have generated for the event: the key of what it creates or adds,
  /// or the key whose last digits are an invite's or a household's code.
  fileprivate var drawnKey: Key? {
    if case .hiveInviteCreated(let event) = self {
      return UInt64(event.code, radix: 16).map { Key(high: 0, low: $0) }
    }
    if case .householdCodeChanged(let event) = self {
      return event.code.flatMap { UInt64($0, radix: 16) }.map { Key(high: 0, low: $0) }
    }
    if case .groceryItemAdded(let event) = self { return event.key }
    guard case .new(_, let key, _) = subject else { return nil }
    return key
  }
}
