public import Daybook

/// Commands decided one after another, each in the state that the ones before it leave; appended together.
///
/// What a batch does, it does at one time: its commands are of the moment at which the clock was first asked, unless they
/// are given another.
///
/// Logs come by the thousand, and few batches look at what they just logged. So a log is decided without the ones before
/// it, and waits in its bytes. Once they are on disk, the book's state takes them up where it is. In a copy each would
/// first copy what it touches, for readers see the book as it was: the page of its habit, and the habit's days.
public struct Batch {
  /// The state after the commands so far.
  public var state: BookState {
    _read {
      if mark.count == draft.count {
        yield applied
      } else {
        yield looks.state(applied, draft, mark)
      }
    }
  }
  private(set) var draft = Draft()
  /// The entries so far, where they are wanted as they are: of what is only supposed (``BookView/supposing(_:)``), which
  /// nobody writes, and of a batch that shares its commit.
  private(set) var entries: [Entry]?
  /// What lines are answered if the batch comes to be on disk, to be kept then.
  private(set) var newReceipts: [ReceiptKeeper.New] = []
  /// Whether it used an idempotency key of another's in the same commit: it must be carried out again, after that.
  private(set) var mustWait = false

  /// The state after the entries that were applied.
  private var applied: BookState
  /// How much of the draft was applied.
  private var mark = Draft.Mark()
  /// What was made for those who looked at the state since the last entry.
  private var looks = Looks()
  /// Whether logs wait to be applied: as long as nobody looks.
  private var letsLogsWait = true
  /// The last entry so far: its position, its instant and its step. The step is 0 before the batch's first entry.
  private var last: (position: Int64, at: Instant, step: Int32)

  private let clock: BookClock
  /// What the clock said when it was first asked.
  private var now: Instant?
  /// That of the command that is decided: actor and time are each one's own.
  private var context: Context
  /// The day that was told for the log before, as long as nothing but logs was decided since.
  private var today = KnownToday()
  /// What was answered before; nothing where that is not looked up.
  private let receipts: ReceiptLookup?
  private var keys: Set<Key> = []
  /// The idempotency keys of others in the same commit, each with a place there.
  private let otherKeys: [Key: Int]

  /// So many bytes wait at most, some six thousand logs: readers wait while the book's state takes them up.
  private static let waitingByteCount = 1 << 17

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

  /// Supposes commands in the state of a view, at its instant unless they say otherwise.
  package init(supposing view: BookView) {
    let now = view.query.asOf
    self.init(
      view.state, BookClock(now: { now }), view.query.zones, nil, besides: [:], keeping: [])
  }

  /// Decides a command. One whose idempotency key was used before the batch is answered as then.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    try enter(actor, at)
    return try decide(command, id)
  }

  /// Decides a command that continues the one before it in the batch.
  ///
  /// When the same person gives both at the same instant, they are listed as one command, and undone as one.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  package mutating func recordWithLast<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?
  ) throws -> C.Answer {
    let former = (context.actor, context.at)
    try enter(actor, at)
    let isTogether = former == (context.actor, context.at)
    return try decide(command, nil, after: isTogether ? Int(last.step) : 0)
  }

  /// Decides a log, as any other command; made for itself here, since logs come by the million.
  ///
  /// - Throws: ``Rejection``.
  @discardableResult
  public mutating func record(
    _ command: LogHabit, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> Day {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    try enter(actor, at)
    // An entry with a key is wanted as it is, too.
    if id == nil, entries == nil, let day = lineUp(command) { return day }
    return try decide(command, id)
  }

  /// What a command was answered when its key was first used, if it was.
  private mutating func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    try waitForOther(id)
    if let answer = try receipts?.answer(to: command, by: actor, id: id) { return answer }
    guard !keys.contains(id) else { throw Rejection.keyReused(id) }
    return nil
  }

  /// Has the batch carried out again, after the others that share its commit, if one of them uses an idempotency key.
  ///
  /// - Throws: ``Rejection`` then: the batch is over for now.
  mutating func waitForOther(_ id: Key) throws(Rejection) {
    guard otherKeys[id] != nil else { return }
    mustWait = true
    throw .keyReused(id)
  }

  /// Takes up who asks next, and when.
  private mutating func enter(_ actor: Account.ID?, _ at: Instant?) throws(Rejection) {
    context.actor = actor
    if at == nil, let now { return context.at = max(now, last.at) }
    context.at = try clock.instant(at, after: last.at, isFirst: last.position == 0)
    if at == nil { now = context.at }
  }

  private mutating func decide<C: Command>(
    _ command: C, _ id: Key?, after count: Int = 0
  ) throws -> C.Answer {
    catchUp()
    let decision = try command.decide(applied, context)
    if let id, !decision.events.isEmpty { keys.insert(id) }
    for (index, event) in decision.events.enumerated() {
      let head = EntryHead(
        position: last.position + 1, after: count + index, of: context, id: id)
      add(Entry(head, event))
    }
    return decision.answer
  }

  /// Takes an entry as it is, from another book; its position is the next one here.
  ///
  /// - Throws: ``Rejection/clockBackwards(given:last:)``.
  mutating func take(_ entry: Entry) throws(Rejection) {
    guard entry.head.at >= last.at || last.position == 0 else {
      throw .clockBackwards(given: entry.head.at, last: last.at)
    }
    catchUp()
    var entry = entry
    entry.head.position = last.position + 1
    add(entry)
  }

  /// Keeps the receipt of a line that the batch carried out.
  mutating func keep(_ receipt: ReceiptKeeper.New) { newReceipts.append(receipt) }

  /// Adds an entry, and applies it at once.
  private mutating func add(_ entry: Entry) {
    if entries == nil { draft.add(entry) } else { entries?.append(entry) }
    applied.apply(entry)
    mark = draft.mark
    last = (entry.head.position, entry.head.at, entry.head.step)
    today = KnownToday()
  }
}

// Logs that wait.
extension Batch {
  /// What was made for those who looked at a batch's state while logs waited. Copies of the batch share it, as long as
  /// they have the same entries.
  private final class Looks {
    private var state: BookState?
    /// Whether there is one. Asked at every log, for which it would be moved to and fro.
    private(set) var isMade = false

    /// The state with the logs that wait.
    func state(_ applied: BookState, _ draft: Draft, _ mark: Draft.Mark) -> BookState {
      if let state { return state }
      var whole = applied
      draft.apply(to: &whole, since: mark)
      state = whole
      isMade = true
      return whole
    }

    /// The state that was made, if one was; it is not kept here any more.
    func take() -> BookState? {
      isMade = false
      return state.take()
    }
  }

  /// Decides a log without the ones before it, and lets it wait; nothing when that cannot be.
  private mutating func lineUp(_ command: LogHabit) -> Day? {
    part()
    guard let day = draft.add(command, aheadOf: applied, context, &today) else { return nil }
    last = (last.position + 1, context.at, 1)
    if !letsLogsWait || draft.byteCount - mark.byteCount > Self.waitingByteCount { applyWaiting() }
    return day
  }

  /// Applies the logs that wait.
  private mutating func catchUp() {
    part()
    applyWaiting()
  }

  private mutating func applyWaiting() {
    draft.apply(to: &applied, since: mark)
    mark = draft.mark
  }

  /// Parts from copies, which may go on otherwise. Who looked at the state looks again: from then on logs are applied at
  /// once.
  @inline(__always)
  private mutating func part() {
    if isKnownUniquelyReferenced(&looks), !looks.isMade { return }
    goOnApart()
  }

  @inline(never)
  private mutating func goOnApart() {
    let isOwn = isKnownUniquelyReferenced(&looks)
    if mark.count < draft.count {
      applied = isOwn ? looks.take() ?? state : state
      mark = draft.mark
      letsLogsWait = false
    }
    looks = Looks()
  }

  /// The state after the commands, each of which was applied at once. The batch is over then.
  consuming func end() -> BookState { applied }

  /// Makes the state after the commands the book's, now that they are on disk. The batch is over then.
  mutating func move(to state: inout BookState) {
    part()
    swap(&applied, &state)
    // Nothing is copied of what nobody else holds: the former state is not kept.
    applied = BookState()
    draft.apply(to: &state, since: mark)
    mark = draft.mark
  }
}
