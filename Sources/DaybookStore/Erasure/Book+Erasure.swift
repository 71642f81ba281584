import Avro
public import Daybook
import Journal
import Synchronization

extension Book {
  /// Erases an account (ES-6): what its entries say about a person (names, notes, what habits and goals are
  /// called, by what they are recognised, where they are reached, whom they know) is blanked in the journal itself,
  /// and its habits and goals are deleted. It leaves its hives before: one that it leads goes to the member who
  /// has been there longest, or is deleted. What happened when stays,
  /// and every head that was noted before stays proven: a verification says which entries were blanked.
  ///
  /// Others wait meanwhile. A crash leaves the account erased or not; an erasure that was recorded is finished
  /// when the book is opened again. Backups, exports and copies are no part of the book: see to them as well.
  ///
  /// - Parameters:
  ///   - account: The account. One that was erased before is looked through again.
  ///   - actor: Who asks.
  /// - Returns: How many segments were rewritten.
  /// - Throws: ``Rejection/accountNotFound``, or ``JournalError``.
  @discardableResult
  public func erase(_ account: Account.ID, by actor: Account.ID? = nil) throws -> Int {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    let before = read { $0 }
    guard let found = before.accounts[account] else { throw Rejection.accountNotFound }
    try writing.journal.closeSegment()
    _ = try maintenance.run(before: writing.journal.segment)
    let instant = max(now, before.at)
    var after = before
    var entries = BinaryWriter()
    func add(_ event: Event, by actor: Account.ID) -> Entry {
      let entry = Entry(
        EntryHead(position: after.position + 1, at: instant, actor: actor, key: nil), event)
      entry.write(to: &entries)
      after.apply(entry)
      return entry
    }
    // Hives and households go on without it; what they are called is theirs.
    let departures =
      before.hiveDepartures(of: account, at: instant, in: reader.zones)
      + before.householdDepartures(of: account)
    var commit = departures.map { add($0, by: account) }
    var erasure = try Erasure(of: account, in: after, reader.journal, lock: writing.journal.lock)
    let rewritings = try erasure.prepare()
    if found.isErased && rewritings.isEmpty { return 0 }
    let event = AccountErased(
      account: account,
      segments: rewritings.map { rewriting in
        RewrittenSegment(
          first: rewriting.segment.first.number,
          fileBefore: rewriting.fileBefore.description,
          fileAfter: rewriting.fileAfter.description,
          entriesBefore: rewriting.entriesBefore.description,
          entriesAfter: rewriting.entriesAfter.description)
      })
    commit.append(add(.accountErased(event), by: actor ?? account))
    try writing.journal.append(count: commit.count, entries: entries.bytes)
    state.withLock { state in for entry in commit { state.apply(entry) } }
    signal.advance(to: after.position)
    try erasure.finish(rewritings)
    // Indexes and snapshots are made anew, without what was blanked.
    _ = try maintenance.run(before: writing.journal.segment)
    return rewritings.count
  }
}
