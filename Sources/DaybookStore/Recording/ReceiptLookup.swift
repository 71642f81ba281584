package import Daybook
package import Journal

/// Finds what a command was answered the first time, by its idempotency key. It needs no turn to write: what a book
/// once answered never changes.
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
    return try first.told {
      try envelope.receipt(of: id, on: first.entry, in: $0, zones: reader.zones)
    }
  }

  /// The first entry of the command whose key it is; nothing when the key was never used.
  ///
  /// - Throws: ``JournalError``.
  func first(under id: Key) throws -> FirstUse? {
    try keys.find(id, in: reader.files?.journal).map { FirstUse($0, reader) }
  }

  /// What a line was answered when it was carried out, if that was kept.
  func kept(of line: AskedLine, _ first: FirstUse) -> KeptReceipt? {
    first.isOfIndexedDay ? nil : kept?.receipt(of: line, on: first.found)
  }

  /// What a command was answered when its key was first used, if it was.
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

/// The command under which an idempotency key was first used.
struct FirstUse {
  /// Its first entry.
  var entry: Entry { found.entry }
  fileprivate let found: IdempotencyKeys.Found
  private let reader: BookReader

  fileprivate init(_ found: IdempotencyKeys.Found, _ reader: BookReader) {
    self.found = found
    self.reader = reader
  }

  /// Whether the command was about a day of a habit, and nothing else, and its segment is sealed: then what it met is
  /// soon found.
  fileprivate var isOfIndexedDay: Bool {
    guard entry.event.loggedHabit != nil else { return false }
    return switch found.following {
    case .unknown: false
    case .nothing: true
    case .entry(let next): !next.mayFollow(entry)
    }
  }

  /// Tells what the command came to, from the state that it met.
  ///
  /// That state is made of what the command touches, where that is known and soon found. What does not come to the
  /// same entry in it is told from the whole state, for another command may have been asked.
  ///
  /// - Parameter tell: Decides the command again in a state.
  /// - Returns: What `tell` returns.
  /// - Throws: what `tell` throws of the whole state, or ``JournalError``.
  func told<Told>(_ tell: (BookState) throws -> Told) throws -> Told {
    if let part = try? partBefore(), let told = try? tell(part) { return told }
    return try tell(reader.state(before: entry.head.position, until: entry.head.at))
  }

  /// A habit and its owner as the log of a day met them; nothing of other commands, and where the log went on to
  /// a hive that the habit is linked to.
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
  /// The habit of which a day was logged, cleared or skipped.
  var loggedHabit: Habit.ID? {
    guard case .day(let habit, _, _) = dayBearing else { return nil }
    return habit
  }
}

extension Entry {
  /// Whether the entry may be of the same command as the one before it, that of a day of a habit.
  fileprivate func mayFollow(_ first: Entry) -> Bool {
    CommandBounds.mayBeTogether(first, self) && event.loggedHabit == nil
  }
}

extension BookReader {
  /// The state that an entry met.
  ///
  /// - Parameters:
  ///   - position: Where the entry stands.
  ///   - last: When it was recorded: nothing later is read.
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
  /// The position of the command under which an idempotency key was used; nothing when none was.
  ///
  /// - Throws: ``JournalError``.
  package func position(of id: Key) throws(JournalError) -> Int64? {
    try keys.find(id, in: reader.files?.journal)?.entry.head.position
  }
}
