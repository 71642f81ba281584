import Daybook

/// A command with all that is asked beside it.
struct Ask<C: Command>: Sendable {
  var command: C
  var actor: Account.ID?
  /// The book's clock, when it is given.
  var at: Instant?
  /// The idempotency key.
  var id: Key?
  /// The position that the book's last entry must have.
  var expected: Int64?

  /// The receipt that the command got when its key was first used.
  ///
  /// The command is decided again in the state that it met then, which gives the same answer, for deciding
  /// is pure.
  ///
  /// It is decided again in the state before the entry on which the key stands.
  ///
  /// - Returns: The receipt.
  /// - Throws: ``BookError/keyReused(_:)`` when the key was used by another command or account.
  func receipt(
    of key: Key, on first: Entry, in before: State, zones: any TimeZones
  ) throws(BookError) -> Receipt<C.Answer> {
    let context = Context(
      actor: first.head.actor, at: first.head.at, freshKey: first.event.drawnKey ?? key,
      zones: zones)
    guard actor == first.head.actor, let decision = try? command.decide(before, context),
      decision.events.first == first.event
    else { throw .keyReused(key) }
    return Receipt(
      answer: decision.answer, position: first.head.position, count: decision.events.count,
      isRepeated: true)
  }
}

extension Context {
  /// The context of a command that is recorded next: never before the last entry.
  init(
    _ state: borrowing State, actor: Account.ID?, at: Instant?, clock: BookClock,
    zones: any TimeZones
  ) throws(BookError) {
    if let at, at < state.at, state.position > 0 {
      throw .clockBackwards(given: at, last: state.at)
    }
    self.init(
      actor: actor, at: at ?? max(clock.now(), state.at), drawKey: clock.freshKey, zones: zones)
  }
}

extension Event {
  /// The key that a command may have drawn freshly for the event: that of what it creates, or the one whose last
  /// digits are an invite's code.
  fileprivate var drawnKey: Key? {
    if case .hiveInviteCreated(let event) = self {
      return UInt64(event.code, radix: 16).map { Key(high: 0, low: $0) }
    }
    guard case .new(_, let key, _) = subject else { return nil }
    return key
  }
}
