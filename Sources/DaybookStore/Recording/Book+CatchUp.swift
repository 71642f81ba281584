import Avro
import Daybook
public import Journal
import Synchronization

// What other books recorded into the same log. Of files there is one book at a time, so there it is nothing.
extension Book {
  /// Takes up what other books recorded into the same log, so that ``read(_:)`` shows it.
  ///
  /// - Throws: ``JournalError`` when the log cannot be read.
  public func catchUp() throws(JournalError) {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    try takeUp()
  }

  /// The position of the last entry that the state shows.
  var position: Int64 { state.withLock { $0.position } }

  /// Whether no other book recorded anything that the state does not show: then it tells who may see what. Of files
  /// there is no other, and the disk is not waited for to say so.
  var isUpToDate: Bool {
    guard files == nil else { return true }
    guard let head = try? log.head().number else { return false }
    return head <= position
  }

  /// Takes up what other books recorded; the caller has the turn.
  func takeUp() throws(JournalError) {
    guard try log.head().number > position else { return }
    var ahead = Ahead(state: read { $0 })
    try reader.replay(into: &ahead, from: ahead.state.position + 1)
    keys.insert(ahead.keyed, in: files?.segment ?? .first)
    // What was kept of entries with keys may be blank in the log by now.
    if ahead.erases, files == nil { try rereadKeys() }
    let state = ahead.state
    self.state.withLock { $0 = state }
  }

  /// Keeps of the entries with keys what the log says of them now, after an erasure; the log is not kept in files.
  func rereadKeys() throws(JournalError) {
    var keyed = Keyed(recents: [RecentKeys(of: .first)])
    try reader.replay(into: &keyed)
    keys.replace(keyed.recents)
  }
}

/// A state that goes on, and what else a book must know of the entries.
private struct Ahead: Projection {
  var state: BookState
  /// The entries on which keys stand.
  var keyed: [Entry] = []
  /// Whether an account was erased.
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

/// Collects the entries on which keys stand.
private struct Keyed: Projection {
  var recents: [RecentKeys]

  mutating func apply(_ entry: Entry) { recents.insert(entry) }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if head.key != nil { recents.insert(Entry(head, .habitLogged(logged))) }
  }
}
