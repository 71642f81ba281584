import Daybook
import Journal

/// Commands of several callers, decided one after another on the book's state, each in the state after the commands
/// before it. Together they are one commit, so each command is recorded whole or not at all.
struct CommitGroup {
  /// The size limit of a group. A single command that is larger forms a group by itself.
  static let byteCount = 1 << 20

  private(set) var draft = Draft()
  private(set) var entries: [Entry] = []
  private var rollback = Rollback()
  /// Whether the rollback covers all entries; those of batches are not noted in it.
  private var isNoted: Bool { rollback.count == entries.count }
  /// A state from which the current one can be rebuilt, and how many of the group's entries it
  /// contains.
  private var origin: (state: BookState, count: Int)?
  /// The idempotency keys of the group's commands, each with the place of its entry.
  private(set) var usedKeys: [Key: Int] = [:]
  /// The receipts of commands that came as JSON lines, to be kept if the group reaches the disk.
  private(set) var receipts: [ReceiptKeeper.NewReceipt] = []
  let clock: BookClock
  let zones: any TimeZones

  init(clock: BookClock, zones: any TimeZones) {
    self.clock = clock
    self.zones = zones
  }

  /// Starts the group on a copy of a state; only such a group can be rebuilt.
  mutating func begin(with state: BookState) { origin = (state, 0) }

  /// Whether the group appends nothing so far.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether one of the group's commands has an idempotency key.
  func holds(_ id: Key) -> Bool { usedKeys[id] != nil }

  /// Thrown when the group has no room for a command, which then goes into the next group.
  struct Full: Error {}

  /// Decides a command.
  ///
  /// - Returns: The receipt that the command gets if the group reaches the disk.
  /// - Throws: ``Full``, ``PositionConflict``, or ``Rejection``; then the state is as before.
  mutating func decide(_ envelope: CommandEnvelope, on state: inout BookState) throws -> Receipt<
    Void
  > {
    if let id = envelope.id, let place = usedKeys[id] {
      return try repeated(envelope, id, place, on: &state)
    }
    if let expected = envelope.expected, expected.number != state.position {
      throw PositionConflict(expected: expected, actual: Position(state.position))
    }
    let context = try context(by: envelope.actor, at: envelope.at, in: state)
    let receipt = try append(try envelope.decide(state, context), context, envelope.id, on: &state)
    envelope.inspect?(state)
    return receipt
  }

  /// The context in which the next command is decided.
  func context(
    by actor: Account.ID?, at: Instant?, in state: BookState
  ) throws(Rejection) -> Context {
    try Context(state, actor: actor, at: at, clock: clock, zones: zones)
  }

  /// Adds the events of a decided command to the group.
  ///
  /// - Returns: The receipt that the command gets if the group reaches the disk.
  /// - Throws: ``Full``; then the state is as before.
  mutating func append(
    _ events: [Event], _ context: Context, _ id: Key?, on state: inout BookState
  ) throws(Full) -> Receipt<Void> {
    let savepoint = savepoint
    for (index, event) in events.enumerated() {
      let head = EntryHead(position: state.position + 1, after: index, of: context, id: id)
      add(Entry(head, event), to: &state)
    }
    guard hasRoom(since: savepoint) else {
      state.rollBack(&rollback, leaving: savepoint.noted)
      throw Full()
    }
    let count = events.count
    return Receipt(
      answer: (),
      position: count == 0 ? state.position : state.position - Int64(count) + 1,
      count: count, isRepeated: false)
  }

  /// Adds the entries of several commands that have already been applied to the state.
  ///
  /// - Throws: ``Full``; then the state is as before those commands.
  mutating func appendApplied(_ entries: [Entry], in state: inout BookState) throws(Full) {
    let savepoint = savepoint
    for entry in entries { draft.add(entry) }
    self.entries += entries
    guard hasRoom(since: savepoint) else {
      rebuild(&state)
      throw Full()
    }
  }

  /// Rebuilds the state after the group's entries, when a refused command has left changes in it.
  mutating func rebuild(_ state: inout BookState) {
    guard var origin else { preconditionFailure("batches are decided on a copy of the state") }
    for entry in entries[origin.count...] { origin.state.apply(entry) }
    origin.count = entries.count
    state = origin.state
    self.origin = origin
  }

  /// The extent of the group at a moment, to cut back to.
  private struct Savepoint {
    var draft: Draft.Savepoint
    var noted: Int
  }

  /// Keeps the receipt of a command that came as a JSON line and whose entries are in the group.
  mutating func keep(_ receipt: ReceiptKeeper.NewReceipt) { receipts.append(receipt) }

  private var savepoint: Savepoint { Savepoint(draft: draft.savepoint, noted: rollback.count) }

  private mutating func add(_ entry: Entry, to state: inout BookState) {
    draft.add(entry)
    entries.append(entry)
    state.apply(entry, noting: &rollback)
  }

  /// Whether there is room for the entries that were added since a savepoint. If so, notes their keys; otherwise
  /// removes them.
  private mutating func hasRoom(since savepoint: Savepoint) -> Bool {
    let count = draft.count - savepoint.draft.count
    guard draft.byteCount <= Self.byteCount || savepoint.draft.count == 0 || count == 0 else {
      draft.rollBack(to: savepoint.draft)
      entries.removeLast(count)
      return false
    }
    for place in savepoint.draft.count..<draft.count {
      if let id = entries[place].head.key { usedKeys[id] = place }
    }
    return true
  }

  /// The first receipt of a command that is already in this group: the command is decided again in
  /// the state that it met there. If that state is not at hand, the command goes into the next
  /// group and is answered from the disk.
  private mutating func repeated(
    _ envelope: CommandEnvelope, _ key: Key, _ place: Int, on state: inout BookState
  ) throws -> Receipt<Void> {
    guard isNoted else { throw Full() }
    state.rollBack(&rollback, leaving: place)
    defer { for entry in entries[place...] { state.apply(entry, noting: &rollback) } }
    return try envelope.receipt(of: key, on: entries[place], in: state, zones: zones)
  }

  /// Undoes all changes to the state, because nobody may see them before they are on disk.
  mutating func rollBack(from state: inout BookState) {
    precondition(isNoted, "changes decided on the book's own state are noted")
    state.rollBack(&rollback)
  }

  /// Applies everything again, now that it is on disk.
  func publish(to state: inout BookState) {
    for entry in entries { state.apply(entry) }
  }
}
