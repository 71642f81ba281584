import Daybook
import Journal

/// Finds what a command was answered the first time, by its idempotency key.
///
/// The filter says at once that a key was never used; when it may have been, the journal is read. So a
/// book answers for every key that it ever took, and holds none of them in memory.
struct Recall {
  let filter: KeyFilter
  let reader: BookReader

  /// The first receipt of a command, if its key was used.
  ///
  /// The command is decided again in the state that it met the first time, which gives the same answer,
  /// for deciding is pure.
  ///
  /// - Throws: ``BookError/keyReused(_:)`` when the key was used by another command or account.
  func receipt<C: Command>(
    of command: C, by actor: Account.ID?, id: Key
  ) throws -> Receipt<C.Answer>? {
    guard filter.mayContain(id) else { return nil }
    var search = KeySearch(key: id)
    try reader.replay(into: &search)
    guard let first = search.found else { return nil }
    let before = try reader.state(before: first.head)
    let context = Context(
      actor: first.head.actor, at: first.head.at, freshKey: first.event.createdKey ?? id,
      zones: reader.zones)
    guard actor == first.head.actor, let decision = try? command.decide(before, context),
      decision.events.first == first.event
    else { throw BookError.keyReused(id) }
    return Receipt(
      answer: decision.answer, position: first.head.position, count: decision.events.count,
      isRepeated: true)
  }
}

private struct KeySearch: Projection {
  let key: Key
  var found: Entry?

  mutating func apply(_ entry: Entry) {
    if entry.head.key == key, found == nil { found = entry }
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.key == key { apply(Entry(head, .habitLogged(logged))) }
  }
}

extension BookReader {
  /// The state that an entry met.
  fileprivate func state(before head: EntryHead) throws(JournalError) -> State {
    let opening = Snapshots(journal: journal).opening(before: head.position)
    var before = StateBefore(position: head.position, replay: opening.replay)
    let start = before.replay.state.position + 1
    try replay(into: &before, from: start, through: head.position, until: head.at)
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

extension Event {
  /// The key of what the event creates, if it creates something.
  fileprivate var createdKey: Key? {
    switch self {
    case .accountCreated(let event): event.key
    case .habitCreated(let event): event.key
    case .goalCreated(let event): event.key
    default: nil
    }
  }
}
