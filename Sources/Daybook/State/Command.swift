public import Values
public import Calendar

/// Something that somebody asks of a book: decided into events, or refused.
///
/// Deciding is pure: the same state, command and context give the same events or the same refusal.
public protocol Command: Sendable {
  /// What the one who asked gets to know.
  associatedtype Answer: Sendable

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``; then nothing is written.
  func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Answer>
}

/// What a command comes to: events to append as one commit (perhaps none), and the answer.
public struct Decision<Answer: Sendable>: Sendable {
  /// What happens, in order.
  public var events: [Event]
  /// What the one who asked gets to know.
  public var answer: Answer

  public init(_ events: [Event], _ answer: Answer) {
    self.events = events
    self.answer = answer
  }
}

/// All that a decision may depend on besides the state and the command.
public struct Context: Sendable {
  /// Who asks; nobody when an account creates itself.
  public var actor: Account.ID?
  /// The book's clock.
  public var at: Instant
  /// A key for an entity to which the command gives none. It is drawn when it is asked for, once a decision:
  /// most commands need none, and random ones are dear.
  public var freshKey: Key { drawKey() }
  /// The time zones.
  public var zones: any TimeZones
  private let drawKey: @Sendable () -> Key

  public init(actor: Account.ID?, at: Instant, freshKey: Key, zones: any TimeZones) {
    self.init(actor: actor, at: at, drawKey: { freshKey }, zones: zones)
  }

  public init(
    actor: Account.ID?, at: Instant, drawKey: @escaping @Sendable () -> Key, zones: any TimeZones
  ) {
    self.actor = actor
    self.at = at
    self.drawKey = drawKey
    self.zones = zones
  }
}
