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
  ///   - at: The book's clock; the machine's, but never before the last entry, unless given.
  /// - Returns: How many segments were rewritten; a log that is kept in no files is one piece.
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection`` of an instant before the last entry, or ``JournalError``.
  @discardableResult
  public func erase(
    _ account: Account.ID, by actor: Account.ID? = nil, at: Instant? = nil
  ) throws -> Int {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    defer { reader.pasts.forget() }
    if let files { return try erase(account, by: actor, at: at, from: files) }
    while true {
      do { return try eraseInPlace(account, by: actor, at: at) } catch is PositionConflict {
        // Others recorded meanwhile.
      }
    }
  }

  /// Rewrites the segments that say something of the account.
  private func erase(
    _ account: Account.ID, by actor: Account.ID?, at: Instant?, from files: FileLog
  ) throws -> Int {
    let before = read { $0 }
    guard let found = before.accounts[account] else { throw Rejection.accountNotFound }
    try files.closeSegment()
    _ = try files.maintainAll()
    var commit = ErasureCommit(
      of: account, in: before, at: try clock.instant(at, after: before.at, isFirst: false),
      reader.zones)
    var erasure = try Erasure(of: account, in: commit.after, reader.journal, lock: files.lock())
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
    commit.add(.accountErased(event), by: actor ?? account)
    do throws(AppendError) {
      try log.append(
        count: commit.entries.count, entries: commit.bytes, expecting: Position(before.position))
    } catch { throw error.cause }
    show(commit)
    defer { reader.recent.forget() }
    if let kept {
      try kept.forget { () throws(JournalError) in try erasure.finish(rewritings) }
    } else {
      try erasure.finish(rewritings)
    }
    // Indexes and snapshots are made anew, without what was blanked.
    _ = try files.maintainAll()
    return rewritings.count
  }

  /// Blanks the blocks that say something of the account, in a log that is kept in no files.
  private func eraseInPlace(
    _ account: Account.ID, by actor: Account.ID?, at: Instant?
  ) throws -> Int {
    try takeUp()
    let before = read { $0 }
    guard let found = before.accounts[account] else { throw Rejection.accountNotFound }
    var commit = ErasureCommit(
      of: account, in: before, at: try clock.instant(at, after: before.at, isFirst: false),
      reader.zones)
    let blocks = try ErasedBlocks(of: account, in: commit.after, log).blocks
    if found.isErased && blocks.isEmpty { return 0 }
    commit.add(.accountErased(AccountErased(account: account, segments: [])), by: actor ?? account)
    do throws(AppendError) {
      try log.replace(
        blocks, appending: commit.entries.count, entries: commit.bytes,
        expecting: Position(before.position))
    } catch { throw error.cause }
    show(commit)
    try rereadKeys()
    return blocks.isEmpty ? 0 : 1
  }

  private func show(_ commit: ErasureCommit) {
    state.withLock { state in for entry in commit.entries { state.apply(entry) } }
    log.signal?.advance(to: position)
  }
}

/// The entries by which an account leaves its hives and households, and is erased.
private struct ErasureCommit {
  private(set) var entries: [Entry] = []
  /// The state that the entries leave.
  private(set) var after: BookState
  private var writer = BinaryWriter()
  private let instant: Instant

  var bytes: [UInt8] { writer.bytes }

  init(of account: Account.ID, in before: BookState, at instant: Instant, _ zones: any TimeZones) {
    after = before
    self.instant = instant
    // Hives and households go on without it; what they are called is theirs.
    let departures =
      before.hiveDepartures(of: account, at: instant, in: zones)
      + before.householdDepartures(of: account)
    for event in departures { add(event, by: account) }
  }

  mutating func add(_ event: Event, by actor: Account.ID) {
    let head = EntryHead(
      position: after.position + 1, at: instant, actor: actor, key: nil,
      step: Int32(clamping: entries.count + 1))
    let entry = Entry(head, event)
    entry.write(to: &writer)
    entries.append(entry)
    after.apply(entry)
  }
}
