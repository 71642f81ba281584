public import Daybook

/// Commands decided one after another, each in the state that the ones before it leave; appended together.
public struct Batch {
  /// The state after the commands so far.
  public private(set) var state: BookState
  private(set) var draft = Draft()
  /// The entries so far, where they are wanted as they are: of what is only supposed (``BookView/supposing(_:)``), which
  /// nobody writes, and of a batch that shares its commit.
  private(set) var entries: [Entry]?
  /// What lines are answered if the batch comes to be on disk, to be kept then.
  private(set) var newReceipts: [ReceiptKeeper.New] = []
  /// Whether it used an idempotency key of another's in the same commit: it must be carried out again, after that.
  private(set) var mustWait = false
  private let clock: BookClock
  private let zones: any TimeZones
  /// What was answered before; nothing where that is not looked up.
  private let receipts: ReceiptLookup?
  private var keys: Set<Key> = []
  /// The idempotency keys of others in the same commit, each with a place there.
  private let otherKeys: [Key: Int]

  init(_ state: BookState, clock: BookClock, zones: any TimeZones, _ receipts: ReceiptLookup) {
    self.state = state
    self.clock = clock
    self.zones = zones
    self.receipts = receipts
    otherKeys = [:]
  }

  /// Decides commands that share a commit with those before them.
  init(
    _ state: BookState, clock: BookClock, zones: any TimeZones, _ receipts: ReceiptLookup,
    besides keys: [Key: Int]
  ) {
    self.state = state
    self.clock = clock
    self.zones = zones
    self.receipts = receipts
    otherKeys = keys
    entries = []
  }

  /// Supposes commands in the state of a view, at its instant unless they say otherwise.
  package init(supposing view: BookView) {
    let now = view.query.asOf
    state = view.state
    clock = BookClock(now: { now })
    zones = view.query.zones
    receipts = nil
    otherKeys = [:]
    entries = []
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
      guard otherKeys[id] == nil else {
        mustWait = true
        throw Rejection.keyReused(id)
      }
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

  /// Keeps the receipt of a line that the batch carried out.
  mutating func keep(_ receipt: ReceiptKeeper.New) { newReceipts.append(receipt) }

  private mutating func add(_ entry: Entry) {
    if entries == nil { draft.add(entry) } else { entries?.append(entry) }
    state.apply(entry)
  }
}
