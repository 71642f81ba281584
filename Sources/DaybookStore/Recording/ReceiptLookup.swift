package import Daybook
package import Journal

/// Finds the first answer of a command by its idempotency key. It does not need the turn: an answer
/// once given never changes.
struct ReceiptLookup {
  let keys: IdempotencyKeys
  let kept: ReceiptKeeper?
  let reader: BookReader

  /// The first receipt of a command, if its key was used.
  ///
  /// - Throws: ``Rejection/keyReused(_:)`` when the key was used by another command or account, or
  ///   ``JournalError``.
  func receipt(of envelope: CommandEnvelope) throws -> Receipt<Void>? {
    guard let id = envelope.id, let first = try first(under: id) else { return nil }
    return try first.inStateBefore {
      try envelope.receipt(of: id, on: first.entry, in: $0, zones: reader.zones)
    }
  }

  /// The first entry of the command with a key; nil when the key was never used.
  ///
  /// - Throws: ``JournalError``.
  func first(under id: Key) throws -> FirstUse? {
    try keys.find(id, in: reader.files?.journal).map { FirstUse($0, reader) }
  }

  /// The kept answer of a line that was carried out, if there is one.
  func kept(of line: SentLine, _ first: FirstUse) -> KeptReceipt? {
    first.isOfIndexedDay ? nil : kept?.receipt(of: line, on: first.found)
  }

  /// The first answer of a command whose key was used before; nil when the key is new.
  ///
  /// - Throws: as ``receipt(of:)`` does.
  func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    let slot = AnswerSlot<C.Answer>()
    let envelope = CommandEnvelope(by: actor, id: id) { slot.keep(try command.decide($0, $1)) }
    return try receipt(of: envelope).map { slot.receipt($0).answer }
  }
}

/// The command that first used an idempotency key.
struct FirstUse {
  /// Its first entry.
  var entry: Entry { found.entry }
  fileprivate let found: IdempotencyKeys.Found
  private let reader: BookReader

  fileprivate init(_ found: IdempotencyKeys.Found, _ reader: BookReader) {
    self.found = found
    self.reader = reader
  }

  /// Whether the command was about one day of a habit and nothing else, and its segment is sealed.
  /// Then the state that it met is quickly found.
  fileprivate var isOfIndexedDay: Bool {
    guard entry.event.loggedHabit != nil else { return false }
    return switch found.following {
    case .unknown: false
    case .nothing: true
    case .entry(let next): !next.mayFollow(entry)
    }
  }

  /// Computes the command's outcome from the state that it met.
  ///
  /// If the entities that the command touches are known and quickly found, a partial state of just those is tried
  /// first. If deciding in it does not give the same entry, a different command may have been recorded, and the whole
  /// state is used.
  ///
  /// - Parameter decide: Decides the command again in a state.
  /// - Returns: What `decide` returns.
  /// - Throws: what `decide` throws in the whole state, or ``JournalError``.
  func inStateBefore<Outcome>(_ decide: (BookState) throws -> Outcome) throws -> Outcome {
    if let part = try? partBefore(), let outcome = try? decide(part) { return outcome }
    return try decide(reader.state(before: entry.head.position, until: entry.head.at))
  }

  /// The habit and its owner as the log of a day met them. Nil for other commands, and where the
  /// log led to further entries in a hive linked to the habit.
  private func partBefore() throws -> BookState? {
    guard let habit = entry.event.loggedHabit, isOfIndexedDay else { return nil }
    let found = try AggregateEntries(
      of: [.habit(habit)], withOwners: true, until: entry.head.at,
      through: entry.head.position - 1, in: reader)
    guard case .habitCreated(let creation) = found.lists[.habit(habit)]?.first?.event else {
      return nil
    }
    return BookState(
      of: habit, ownedBy: creation.owner,
      found.merged([.habit(habit), .account(creation.owner)]))
  }
}

extension Event {
  /// The habit whose day was logged, cleared or skipped.
  var loggedHabit: Habit.ID? {
    guard case .day(let habit, _, _) = dayEffect else { return nil }
    return habit
  }
}

extension Entry {
  /// Whether an entry may belong to the same command as the one before it, which is about a day of
  /// a habit.
  fileprivate func mayFollow(_ first: Entry) -> Bool {
    CommandBounds.mayBeTogether(first, self) && event.loggedHabit == nil
  }
}

extension BookReader {
  /// The state before an entry.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - last: When it was recorded; nothing later is read.
  /// - Returns: The state before the entry.
  /// - Throws: ``JournalError``.
  func state(
    before position: Int64, until last: Instant = .last
  ) throws(JournalError) -> BookState {
    let opening = Snapshots(journal: journal).opening(before: position)
    var before = StateBefore(position: position, replay: opening.replay)
    let start = before.replay.state.position + 1
    try replay(into: &before, from: start, through: position, until: last)
    before.replay.finish()
    return before.replay.state
  }
}

private struct StateBefore: Projection {
  let position: Int64
  var replay: StateReplay

  mutating func apply(_ entry: Entry) {
    if entry.head.position < position { replay.apply(entry) }
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.position < position { replay.apply(logged, head) }
  }
}

extension Book {
  /// The position of the command that used an idempotency key; nil when none did.
  ///
  /// - Throws: ``JournalError``.
  package func position(of id: Key) throws(JournalError) -> Int64? {
    try keys.find(id, in: reader.files?.journal)?.entry.head.position
  }
}
