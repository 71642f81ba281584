import Avro
public import Daybook
import Journal
import Synchronization

extension Book {
  /// Erases an account (ES-6): what its entries say about the person is blanked in the journal
  /// itself, and its habits and goals are deleted.
  ///
  /// Names, notes, the names of habits and goals, identities, devices and contacts are blanked.
  /// Before that the account leaves its hives: a hive that it leads goes to the member who has been
  /// there longest, or is deleted. The fact and the time of each event stay, and every head noted
  /// before can still be proved: a verification lists the blanked entries.
  ///
  /// Other writers wait meanwhile. After a crash the account is either erased or not; a recorded
  /// erasure is finished when the book is opened again. Backups, exports and copies are not part of
  /// the book and must be erased separately.
  ///
  /// - Parameters:
  ///   - account: The account. If it was erased before, the book is searched again for what is left of it.
  ///   - actor: The account that asks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  /// - Returns: How many segments were rewritten; a log without files counts as one.
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection`` for an instant before the last entry,
  ///   or ``JournalError``.
  @discardableResult
  public func erase(
    _ account: Account.ID, by actor: Account.ID? = nil, at: Instant? = nil
  ) throws -> Int {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    defer { reader.pasts.forget() }
    defer { reader.personalPasts.forget() }
    defer { reader.moments.forget() }
    defer { reader.activities.forget() }
    if let files { return try erase(account, by: actor, at: at, from: files) }
    while true {
      do { return try eraseInPlace(account, by: actor, at: at) } catch is PositionConflict {
        // Other books recorded something meanwhile.
      }
    }
  }

  /// Rewrites the segments with personal data of the account.
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
    // Indexes and snapshots are rebuilt without the blanked data.
    _ = try files.maintainAll()
    return rewritings.count
  }

  /// Blanks the blocks with personal data of the account, in a log without files.
  private func eraseInPlace(
    _ account: Account.ID, by actor: Account.ID?, at: Instant?
  ) throws -> Int {
    try applyNewEntries()
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

/// The entries by which an account leaves its hives and households and is erased.
private struct ErasureCommit {
  private(set) var entries: [Entry] = []
  /// The state after the entries.
  private(set) var after: BookState
  private var writer = BinaryWriter()
  private let instant: Instant

  var bytes: [UInt8] { writer.bytes }

  init(of account: Account.ID, in before: BookState, at instant: Instant, _ zones: any TimeZones) {
    after = before
    self.instant = instant
    // Its hives and households continue without it; their names belong to them.
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
