public import Daybook

/// Commands that are decided one after another, each in the state that those before it leave, and
/// appended together.
///
/// A batch happens at one moment: its commands take the time at which the clock was first asked,
/// unless they are given another.
///
/// Logs come by the thousand, and few batches look at what they just logged. So a log is decided
/// without the logs before it and waits in encoded form. Once the bytes are on disk, the waiting
/// logs are applied to the book's state in place. Applying them to a copy would first copy what
/// each log touches (its habit's page and days), because readers still hold the book as it was.
public struct Batch {
  /// The state after the commands so far.
  public var state: BookState {
    _read {
      if appliedEnd.count == draft.count {
        yield applied
      } else {
        yield stateCache.state(applied, draft, appliedEnd)
      }
    }
  }
  private(set) var draft = Draft()
  /// The entries so far, decoded, if they are needed: for suppositions (``BookView/supposing(_:)``), which are never
  /// written, and for a batch that shares its commit.
  package private(set) var entries: [Entry]?
  /// The receipts of lines, to be kept if the batch reaches the disk.
  private(set) var newReceipts: [ReceiptKeeper.NewReceipt] = []
  /// Whether a command reused an idempotency key of another write in the same commit. The batch
  /// must then run again after that write.
  private(set) var mustWait = false

  /// The state after the entries applied so far.
  private var applied: BookState
  /// How much of the draft has been applied.
  private var appliedEnd = Draft.Savepoint()
  /// The state made for a caller who looked since the last entry.
  private var stateCache = StateCache()
  /// Whether logs wait to be applied: true until somebody looks at the state.
  private var letsLogsWait = true
  /// The last entry's position, when it was recorded, and its step within its command in this
  /// batch. The step is 0 before the batch's first entry.
  private var last: (position: Int64, at: Instant, step: Int32)

  private let clock: BookClock
  /// The time that the clock gave when it was first asked.
  private var now: Instant?
  /// The context of the command being decided; each command has its own actor and time.
  private var context: Context
  /// The day computed for the previous log, kept as long as only logs are decided.
  private var today = TodayCache()
  /// The answers of earlier commands; nil where nothing is looked up.
  private let receipts: ReceiptLookup?
  private var keys: Set<Key> = []
  /// The idempotency keys of other writes in the same commit, each with its place there.
  private let otherKeys: [Key: Int]

  /// At most this many bytes wait, some six thousand logs: readers are blocked while the book's
  /// state applies them.
  private static let waitingByteCount = 1 << 17

  /// The most rows or commands that are decided so quickly that other writes share a commit with them. A larger batch has a
  /// commit of its own (``Book/transaction(isLong:_:)``).
  package static let shortCount = 20

  private init(
    _ state: BookState, _ clock: BookClock, _ zones: any TimeZones, _ receipts: ReceiptLookup?,
    besides keys: [Key: Int], keeping entries: [Entry]?
  ) {
    last = (state.position, state.at, 0)
    self.clock = clock
    context = Context(actor: nil, at: state.at, drawKey: clock.freshKey, zones: zones)
    self.receipts = receipts
    otherKeys = keys
    self.entries = entries
    applied = state
  }

  init(_ state: BookState, clock: BookClock, zones: any TimeZones, _ receipts: ReceiptLookup) {
    self.init(state, clock, zones, receipts, besides: [:], keeping: nil)
  }

  /// Decides commands that share a commit with those before them.
  init(
    _ state: BookState, clock: BookClock, zones: any TimeZones, _ receipts: ReceiptLookup,
    besides keys: [Key: Int]
  ) {
    self.init(state, clock, zones, receipts, besides: keys, keeping: [])
  }

  /// Supposes commands in the state of a view, at the view's instant unless they say otherwise.
  package init(supposing view: BookView) {
    let now = view.query.asOf
    self.init(
      view.state, BookClock(now: { now }), view.query.zones, nil, besides: [:], keeping: [])
  }

  /// Decides a command. If its idempotency key was used before the batch, it gets the first answer
  /// again.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    try setContext(actor, at)
    return try decide(command, id)
  }

  /// Decides a command that continues the one before it in the batch, by the same person at the
  /// same time. Feeds and undo treat the two as one.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  package mutating func recordContinuation<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?
  ) throws -> C.Answer {
    let former = (context.actor, context.at)
    try setContext(actor, at)
    let isTogether = former == (context.actor, context.at)
    return try decide(command, nil, after: isTogether ? Int(last.step) : 0)
  }

  /// Keeps the next ``recordContinuation(_:by:at:)`` from continuing what was recorded so far.
  package mutating func beginCommand() { last.step = 0 }

  /// Decides a log like any other command. It has its own overload because logs come by the
  /// million.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record(
    _ command: LogHabit, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> Day {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    try setContext(actor, at)
    // An entry with a key must be decoded, too.
    if id == nil, entries == nil, let day = decideAhead(command) { return day }
    return try decide(command, id)
  }

  /// The first answer of a command whose key was used before; nil when the key is new.
  private mutating func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    try deferIfUsed(id)
    if let answer = try receipts?.answer(to: command, by: actor, id: id) { return answer }
    guard !keys.contains(id) else { throw Rejection.keyReused(id) }
    return nil
  }

  /// Stops the batch if another write that shares its commit uses an idempotency key. The batch is
  /// carried out again after the others.
  ///
  /// - Throws: ``Rejection`` in that case. The batch is carried out again later.
  mutating func deferIfUsed(_ id: Key) throws(Rejection) {
    guard otherKeys[id] != nil else { return }
    mustWait = true
    throw .keyReused(id)
  }

  /// Sets the actor and time of the next command.
  private mutating func setContext(_ actor: Account.ID?, _ at: Instant?) throws(Rejection) {
    context.actor = actor
    if at == nil, let now { return context.at = max(now, last.at) }
    context.at = try clock.instant(at, after: last.at, isFirst: last.position == 0)
    if at == nil { now = context.at }
  }

  private mutating func decide<C: Command>(
    _ command: C, _ id: Key?, after count: Int = 0
  ) throws -> C.Answer {
    applyWaitingLogs()
    let decision = try command.decide(applied, context)
    if let id, !decision.events.isEmpty { keys.insert(id) }
    for (index, event) in decision.events.enumerated() {
      let head = EntryHead(
        position: last.position + 1, after: count + index, of: context, id: id)
      add(Entry(head, event))
    }
    return decision.answer
  }

  /// Appends an entry of another book as it is; its position is the next one here.
  ///
  /// - Throws: ``Rejection/clockBackwards(given:last:)``.
  mutating func append(_ entry: Entry) throws(Rejection) {
    guard entry.head.at >= last.at || last.position == 0 else {
      throw .clockBackwards(given: entry.head.at, last: last.at)
    }
    applyWaitingLogs()
    var entry = entry
    entry.head.position = last.position + 1
    add(entry)
  }

  /// Keeps the receipt of a line that the batch carried out.
  mutating func keep(_ receipt: ReceiptKeeper.NewReceipt) { newReceipts.append(receipt) }

  /// Adds an entry, and applies it at once.
  private mutating func add(_ entry: Entry) {
    if entries == nil { draft.add(entry) } else { entries?.append(entry) }
    applied.apply(entry)
    appliedEnd = draft.savepoint
    last = (entry.head.position, entry.head.at, entry.head.step)
    today = TodayCache()
  }
}

// MARK: Logs that wait
extension Batch {
  /// The state made for callers who looked at a batch while logs waited. Copies of the batch share
  /// it as long as they have the same entries.
  private final class StateCache {
    private var state: BookState?
    /// Whether there is such a state. It is asked at every log, and moving the state itself there
    /// and back would cost too much.
    private(set) var isMade = false

    /// The state with the waiting logs applied.
    func state(_ applied: BookState, _ draft: Draft, _ appliedEnd: Draft.Savepoint) -> BookState {
      if let state { return state }
      var whole = applied
      draft.apply(to: &whole, since: appliedEnd)
      state = whole
      isMade = true
      return whole
    }

    /// Gives up the state if one was made; it is no longer kept here.
    func removeState() -> BookState? {
      isMade = false
      return state.take()
    }
  }

  /// Decides a log without the ones before it and leaves it waiting; returns nil when that is not
  /// possible.
  private mutating func decideAhead(_ command: LogHabit) -> Day? {
    separateFromCopies()
    guard let day = draft.add(command, aheadOf: applied, context, &today) else { return nil }
    last = (last.position + 1, context.at, 1)
    if !letsLogsWait || draft.byteCount - appliedEnd.byteCount > Self.waitingByteCount {
      applyDraft()
    }
    return day
  }

  /// Applies the waiting logs.
  private mutating func applyWaitingLogs() {
    separateFromCopies()
    applyDraft()
  }

  private mutating func applyDraft() {
    draft.apply(to: &applied, since: appliedEnd)
    appliedEnd = draft.savepoint
  }

  /// Separates this batch from its copies, which may continue differently. If somebody looked at
  /// the state, somebody will look again, so from then on logs are applied at once.
  @inline(__always)
  private mutating func separateFromCopies() {
    if isKnownUniquelyReferenced(&stateCache), !stateCache.isMade { return }
    separateNow()
  }

  @inline(never)
  private mutating func separateNow() {
    let isOwn = isKnownUniquelyReferenced(&stateCache)
    if appliedEnd.count < draft.count {
      applied = isOwn ? stateCache.removeState() ?? state : state
      appliedEnd = draft.savepoint
      letsLogsWait = false
    }
    stateCache = StateCache()
  }

  /// Returns the state after the commands, all of which were applied at once. It ends the batch.
  consuming func finish() -> BookState { applied }

  /// Brings the book's state up to the commands, now that they are on disk. It ends the batch.
  mutating func publish(to state: inout BookState) {
    separateFromCopies()
    swap(&applied, &state)
    // The former state is dropped first, so that nothing is copied that nobody else holds.
    applied = BookState()
    draft.apply(to: &state, since: appliedEnd)
    appliedEnd = draft.savepoint
  }
}
