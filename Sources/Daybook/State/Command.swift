public import Values
public import Calendar

/// A request to a book: it is decided into events, or refused.
///
/// Deciding is pure: the same state, command and context give the same events or the same rejection.
public protocol Command: Sendable {
  /// The answer that the caller receives.
  associatedtype Answer: Sendable

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``; then nothing is written.
  func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Answer>
}

/// The result of a command: events to append as one commit (perhaps none), and the answer.
public struct Decision<Answer: Sendable>: Sendable {
  /// The events, in order.
  public var events: [Event]
  /// The answer that the caller receives.
  public var answer: Answer

  public init(_ events: [Event], _ answer: Answer) {
    self.events = events
    self.answer = answer
  }
}

/// Everything that a decision may depend on besides the state and the command.
public struct Context: Sendable {
  /// The actor; nobody when an account creates itself.
  public var actor: Account.ID?
  /// The book's clock.
  public var at: Instant
  /// A key for an entity whose command gives none. It is drawn on demand, once per decision: most commands need none,
  /// and random keys are expensive.
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
