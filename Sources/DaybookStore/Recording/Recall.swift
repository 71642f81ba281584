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
  /// - Throws: ``BookError/keyReused(_:)`` when the key was used by another command or account, or
  ///   ``JournalError``.
  func receipt(of ask: Ask) throws -> Receipt<Void>? {
    guard let id = ask.id, let (first, before) = try first(under: id) else { return nil }
    return try ask.receipt(of: id, on: first, in: before, zones: reader.zones)
  }

  /// The first entry of the command whose key it is, and the state that it met; nothing when the key was never used.
  ///
  /// - Throws: ``JournalError``.
  func first(under id: Key) throws -> (entry: Entry, before: State)? {
    guard filter.mayContain(id) else { return nil }
    var search = KeySearch(key: id)
    try reader.replay(into: &search)
    guard let first = search.found else { return nil }
    return (first, try reader.state(before: first.head))
  }

  /// What a command was answered when its key was first used, if it was.
  ///
  /// - Throws: as ``receipt(of:)`` does.
  func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    let slot = AnswerSlot<C.Answer>()
    let ask = Ask(by: actor, id: id) { slot.keep(try command.decide($0, $1)) }
    return try receipt(of: ask).map { slot.receipt($0).answer }
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
