public import Daybook

/// Commands decided one after another, each in the state that the ones before it leave; appended together.
public struct Batch {
  /// The state after the commands so far.
  public private(set) var state: BookState
  private(set) var draft = Draft()
  /// The entries so far of what is only supposed (``BookView/supposing(_:)``), which nobody writes; nothing of what is
  /// recorded.
  private(set) var supposed: [Entry]?
  private let clock: BookClock
  private let zones: any TimeZones
  /// What was answered before; nothing where that is not looked up.
  private let receipts: ReceiptLookup?
  private var keys: Set<Key> = []

  init(_ state: BookState, clock: BookClock, zones: any TimeZones, _ receipts: ReceiptLookup) {
    self.state = state
    self.clock = clock
    self.zones = zones
    self.receipts = receipts
  }

  /// Supposes commands in the state of a view, at its instant unless they say otherwise.
  package init(supposing view: BookView) {
    let now = view.query.asOf
    state = view.state
    clock = BookClock(now: { now })
    zones = view.query.zones
    receipts = nil
    supposed = []
  }

  /// Decides a command. One whose idempotency key was used before the batch is answered as then.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    try carryOut(command, by: actor, at: at, id: id)
  }

  /// Decides a log, as any other command; made for itself here, since logs come by the million.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record(
    _ command: LogHabit, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> Day {
    try carryOut(command, by: actor, at: at, id: id)
  }

  @inline(__always)
  private mutating func carryOut<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws -> C.Answer {
    if let id {
      if let answer = try receipts?.answer(to: command, by: actor, id: id) { return answer }
      guard !keys.contains(id) else { throw Rejection.keyReused(id) }
    }
    let context = try Context(
      state, actor: actor, at: at, clock: clock, zones: zones)
    let decision = try command.decide(state, context)
    if let id, !decision.events.isEmpty { keys.insert(id) }
    for (index, event) in decision.events.enumerated() {
      let head = EntryHead(
        position: state.position + 1, at: context.at, actor: actor, key: index == 0 ? id : nil)
      add(Entry(head, event))
    }
    return decision.answer
  }

  /// Takes an entry as it is, from another book; its position is the next one here.
  ///
  /// - Throws: ``Rejection/clockBackwards(given:last:)``.
  mutating func take(_ entry: Entry) throws(Rejection) {
    guard entry.head.at >= state.at || state.position == 0 else {
      throw .clockBackwards(given: entry.head.at, last: state.at)
    }
    var entry = entry
    entry.head.position = state.position + 1
    add(entry)
  }

  private mutating func add(_ entry: Entry) {
    if supposed == nil { draft.add(entry) } else { supposed?.append(entry) }
    state.apply(entry)
  }
}
