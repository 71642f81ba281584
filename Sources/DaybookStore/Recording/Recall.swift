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
  func receipt<C: Command>(of ask: Ask<C>) throws -> Receipt<C.Answer>? {
    guard let id = ask.id, filter.mayContain(id) else { return nil }
    var search = KeySearch(key: id)
    try reader.replay(into: &search)
    guard let first = search.found else { return nil }
    var before = StateBefore(position: first.head.position)
    try reader.replay(into: &before, until: first.head.at)
    return try ask.receipt(of: id, on: first, in: before.state, zones: reader.zones)
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

private struct StateBefore: Projection {
  let position: Int64
  var state = State()

  mutating func apply(_ entry: Entry) {
    if entry.head.position < position { state.apply(entry) }
  }
}
