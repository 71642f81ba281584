import Avro
import Daybook
public import Journal
import Synchronization

// What other books recorded into the same log. A log in files has one book at a time, so there this
// does nothing.
extension Book {
  /// Applies what other books recorded into the same log, so that ``read(_:)`` shows it.
  ///
  /// - Throws: ``JournalError`` when the log cannot be read.
  public func catchUp() throws(JournalError) {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    try applyNewEntries()
  }

  /// The position of the last entry in the state.
  var position: Int64 { state.withLock { $0.position } }

  /// Whether the state holds everything that other books recorded, so that it can decide who may
  /// see what. A log in files has no other books, and answers without waiting for the disk.
  var isUpToDate: Bool {
    guard files == nil else { return true }
    guard let head = try? log.head().number else { return false }
    return head <= position
  }

  /// Applies what other books recorded; the caller holds the turn.
  func applyNewEntries() throws(JournalError) {
    guard try log.head().number > position else { return }
    var caughtUp = CaughtUpState(state: read { $0 })
    try reader.replay(into: &caughtUp, from: caughtUp.state.position + 1)
    keys.insert(caughtUp.keyed, in: files?.segment ?? .first)
    // An erasure may have blanked entries with keys that are kept here.
    if caughtUp.erases, files == nil { try rereadKeys() }
    let state = caughtUp.state
    self.state.withLock { $0 = state }
  }

  /// Rereads the entries with keys after an erasure, when the log is not kept in files.
  func rereadKeys() throws(JournalError) {
    var keyed = KeyedEntries(recents: [RecentKeys(of: .first)])
    try reader.replay(into: &keyed)
    keys.replace(keyed.recents)
  }
}

/// A state that is brought forward, with what else a book must know of the entries.
private struct CaughtUpState: Projection {
  var state: BookState
  /// The entries that carry keys.
  var keyed: [Entry] = []
  /// Whether an erasure of an account was among the entries.
  var erases = false

  mutating func apply(_ entry: Entry) {
    if entry.head.key != nil { keyed.append(entry) }
    if case .accountErased = entry.event { erases = true }
    state.apply(entry)
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.key != nil { keyed.append(Entry(head, .habitLogged(logged))) }
    state.apply(logged, head)
  }
}

/// Collects the entries that carry keys.
private struct KeyedEntries: Projection {
  var recents: [RecentKeys]

  mutating func apply(_ entry: Entry) { recents.insert(entry) }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.key != nil { recents.insert(Entry(head, .habitLogged(logged))) }
  }
}
