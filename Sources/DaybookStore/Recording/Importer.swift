public import Daybook
import Journal
import Synchronization

/// Records many commands at the speed of the disk's stream: each decided in the state that the ones before it
/// leave, written in blocks of thousands, synced once in several megabytes.
///
/// A block holds whole commands, so each is recorded whole or not at all. An import as a whole may be recorded in
/// part: see ``Book/importing(_:)``.
public struct Importer: ~Copyable {
  /// The state after the commands so far.
  public private(set) var state: State
  private var draft = Draft()
  private var draftKeys: Set<Key> = []
  private let book: Book
  /// Why nothing more is written.
  private(set) var failure: JournalError?

  /// A block of so many entries or bytes is written.
  private static let blockCount = 16_384
  private static let blockByteCount = 1 << 20
  /// So many bytes are synced at once.
  private static let syncByteCount = 8 << 20

  init(_ book: Book) {
    self.book = book
    state = book.read { $0 }
  }

  /// Decides a command and lines up what it comes to. One whose idempotency key was used before is answered as
  /// then, and records nothing.
  ///
  /// - Returns: The command's answer, which is not on disk before the import ends.
  /// - Throws: the command's rejection or ``BookError``, and then the import may go on; ``JournalError`` when the
  ///   disk refuses, and then it is over.
  @discardableResult
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let failure { throw failure }
    let ask = Ask(command: command, actor: actor, at: at, id: id)
    if let id, let receipt = try receipt(of: ask, id) { return receipt.answer }
    let context = try Context(state, ask, clock: book.clock, zones: book.reader.zones)
    let decision = try command.decide(state, context)
    var key = id
    for event in decision.events {
      let head = EntryHead(
        position: state.position + 1, at: context.at, actor: actor, key: key.take())
      let entry = Entry(head, event)
      draft.add(entry)
      state.apply(entry)
    }
    if let id, !decision.events.isEmpty { draftKeys.insert(id) }
    if draft.count >= Self.blockCount || draft.byteCount >= Self.blockByteCount { try write() }
    return decision.answer
  }

  private mutating func receipt<C: Command>(
    of ask: Ask<C>, _ id: Key
  ) throws -> Receipt<C.Answer>? {
    if draftKeys.contains(id) { try write() }
    return try Recall(filter: book.writing.filter, reader: book.reader).receipt(of: ask)
  }

  /// Writes what is lined up as one block.
  private mutating func write() throws(JournalError) {
    guard draft.count > 0 else { return }
    let writer = book.writing.journal
    do throws(JournalError) {
      try writer.write(count: draft.count, entries: draft.bytes)
      if writer.unsyncedByteCount >= Self.syncByteCount { try writer.synchronize() }
    } catch {
      failure = error
      throw error
    }
    // Now the journal answers for these keys.
    for key in draft.keys { book.writing.filter.insert(key) }
    draft.removeAll()
    draftKeys.removeAll(keepingCapacity: true)
  }

  /// Returns once everything is on disk.
  mutating func finish() throws(JournalError) {
    if let failure { throw failure }
    try write()
    do throws(JournalError) {
      try book.writing.journal.synchronize()
    } catch {
      failure = error
      throw error
    }
  }
}

extension Book {
  /// Records many commands as fast as the disk takes them, with at most one sync in four megabytes.
  ///
  /// Other writers wait while `body` runs, and so would it if it recorded into the book; readers see the book as
  /// it was. When this returns, all that `body` recorded is on disk. It blocks its thread: let no task call it.
  ///
  /// This is no commit. When `body` throws, the commands before that stay recorded, as if they had been recorded
  /// one by one. When the disk refuses, or the machine stops, a part of them is recorded: the first so many,
  /// which are the ones that had been synced, and perhaps some after those. Ids tell a repeated import which.
  ///
  /// - Parameter body: Records into the importer.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, or ``JournalError``.
  @discardableResult
  public func importing<Result>(_ body: (inout Importer) throws -> Result) throws -> Result {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    if let failure = writing.failure { throw failure }
    let segment = writing.journal.segment
    // Sealing would want the same disk.
    defer {
      signal.advance(to: writing.journal.head.number)
      if writing.journal.segment != segment { maintenance.begin(before: writing.journal.segment) }
    }
    var importer = Importer(self)
    let result = Swift.Result { try body(&importer) }
    do throws(JournalError) {
      try importer.finish()
    } catch {
      // A commit that was too large left what was written before it; what the disk refused it has taken back.
      try? writing.journal.synchronize()
      catchUp(after: error)
      throw error
    }
    let end = importer.state
    state.withLock { $0 = end }
    return try result.get()
  }

  /// Brings the state up to what is on disk of an import that was cut short. Only when that cannot be read is
  /// the book of no more use.
  private func catchUp(after failure: JournalError) {
    let head = writing.journal.head.number
    var resumed = read { $0 }
    guard resumed.position < head else { return }
    do throws(JournalError) {
      try reader.replay(into: &resumed, from: resumed.position + 1, through: head)
      guard resumed.position == head else {
        throw .poisoned(reason: "entries up to \(head) should be there")
      }
      state.withLock { $0 = resumed }
    } catch {
      writing.failure = .poisoned(reason: "\(failure) Then: \(error)")
    }
  }
}
