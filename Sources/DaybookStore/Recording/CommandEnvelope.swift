public import Daybook
public import Journal

/// A command's envelope: the command, and what is said beside it.
///
/// It does not depend on the command's type, which only its decision knows: what is done for every command is
/// compiled once, and looks up no types while it runs. The answer is kept in an ``AnswerSlot`` meanwhile.
@usableFromInline
struct CommandEnvelope: Sendable {
  /// Decides the command, and keeps its answer.
  @usableFromInline typealias Decide = @Sendable (BookState, Context) throws -> [Event]
  typealias Look = @Sendable (BookState) -> Void

  let decide: Decide
  /// Looks at the state as the command left it, before anything else happens: at once, or when it is repeated.
  var look: Look?
  var actor: Account.ID?
  /// The book's clock, when it is given.
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

  /// The receipt that the command got when its key was first used.
  ///
  /// The command is decided again in the state that it met then, which gives the same answer, for deciding
  /// is pure.
  ///
  /// It is decided again in the state before the entry on which the key stands.
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
    if let look {
      var after = before
      for (index, event) in events.enumerated() {
        let head = EntryHead(
          position: first.head.position + Int64(index), after: index, of: context, id: nil)
        after.apply(Entry(head, event))
      }
      look(after)
    }
    return Receipt(
      answer: (), position: first.head.position, count: events.count, isRepeated: true)
  }
}

/// Where the answer of a command or a batch is kept until the one who asked takes it.
@usableFromInline
final class AnswerSlot<Answer: Sendable>: @unchecked Sendable {
  // Safe to send: only the holder of the turn sets it, and the one who asked reads it only once the ticket was
  // settled, whose lock orders the two.
  @usableFromInline var answer: Answer?

  @inlinable
  init() {}

  /// Keeps the answer of a decision; returns its events.
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
  /// - Precondition: what it is the answer of was carried out.
  @inlinable
  var kept: Answer {
    guard let answer else { preconditionFailure("what was carried out has an answer") }
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
  /// The context of a command that is recorded next: never before the last entry.
  init(
    _ state: borrowing BookState, actor: Account.ID?, at: Instant?, clock: BookClock,
    zones: any TimeZones
  ) throws(Rejection) {
    let at = try clock.instant(at, after: state.at, isFirst: state.position == 0)
    self.init(actor: actor, at: at, drawKey: clock.freshKey, zones: zones)
  }
}

extension Event {
  /// The key that a command may have drawn freshly for the event: that of what it creates or adds, or the one whose
  /// last digits are an invite's code, or a household's.
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
