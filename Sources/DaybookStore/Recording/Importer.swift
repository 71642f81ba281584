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
  public private(set) var state: BookState
  private let book: Book
  private let blockCount: Int
  private let blockByteCount: Int
  private var draft = Draft()
  /// The keys of commands that the journal does not show yet.
  private var keys: Set<Key> = []
  private var hasWritten = false
  /// Why nothing more is written.
  private(set) var failure: (any Error)?

  init(_ book: Book, blockCount: Int = 16_384, blockByteCount: Int = 1 << 20) {
    self.book = book
    self.blockCount = blockCount
    self.blockByteCount = blockByteCount
    state = book.read { $0 }
  }

  /// Decides a command and lines up what it comes to. One whose idempotency key was used before is answered as
  /// then, and records nothing.
  ///
  /// - Returns: The command's answer, which is not on disk before the import ends.
  /// - Throws: ``Rejection``, and then the import may go on; ``JournalError`` when the
  ///   disk refuses, and then it is over.
  @discardableResult
  @inlinable
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    let context = try context(actor, at)
    let decision = try command.decide(state, context)
    try take(decision.events, context, id)
    return decision.answer
  }

  // What a command comes to does not depend on its type, so only the decision is made anew for each.

  @usableFromInline
  func context(_ actor: Account.ID?, _ at: Instant?) throws -> Context {
    if let failure { throw failure }
    return try Context(state, actor: actor, at: at, clock: book.clock, zones: book.reader.zones)
  }

  @usableFromInline
  mutating func take(
    _ events: [Event], _ context: Context, _ id: Key?
  ) throws {
    for (index, event) in events.enumerated() {
      let head = EntryHead(position: state.position + 1, after: index, of: context, id: id)
      let entry = Entry(head, event)
      draft.add(entry)
      state.apply(entry)
    }
    if let id, !events.isEmpty { keys.insert(id) }
    if draft.count >= blockCount || draft.byteCount >= blockByteCount { try write() }
  }

  /// What a command was answered when its key was first used, if it was.
  @usableFromInline
  mutating func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    // Only the journal knows what was answered, so it must show the command first.
    if keys.contains(id) { try publish() }
    return try book.receipts.answer(to: command, by: actor, id: id)
  }

  /// Writes what is lined up as one block.
  private mutating func write() throws {
    guard draft.count > 0 else { return }
    guard let files = book.files else { return try append() }
    try guarded(draft) { try files.write(count: $0.count, entries: $0.bytes) }
    hasWritten = true
    // What is written stands in a segment that gets its name when it is published.
    book.keys.insert(draft.keyed, in: SegmentName(first: try files.head().next))
    draft.removeAll()
  }

  /// Appends what is lined up as a commit like any other.
  private mutating func append() throws {
    let (book, last) = (book, state.position - Int64(draft.count))
    try guarded(draft) { draft in
      do throws(AppendError) { try book.append(draft, after: last) } catch { throw error.cause }
    }
    draft.removeAll()
  }

  /// Returns once everything so far is on disk.
  mutating func publish() throws {
    if let failure { throw failure }
    if hasWritten, let files = book.files {
      try write()
      try guarded(draft) { _ in try files.publish() }
    } else if draft.count > 0 {
      try append()
    }
    hasWritten = false
    keys.removeAll(keepingCapacity: true)
  }

  private mutating func guarded(_ draft: Draft, _ operation: (Draft) throws -> Void) throws {
    do { try operation(draft) } catch {
      failure = error
      throw error
    }
  }
}

extension Book {
  /// Records many commands as fast as the disk takes them, with less than one sync in four megabytes.
  ///
  /// Other writers wait while `body` runs, and so would it if it recorded into the book; readers see the book as
  /// it was. When this returns, all that `body` recorded is on disk. It blocks its thread: let no task call it.
  ///
  /// This is no commit. When `body` throws, the commands before that stay recorded, as if they had been recorded
  /// one by one. When the disk refuses, or the machine stops, the first so many commands are recorded, and those
  /// that were not synced yet are not: none, some sixteen megabytes, or twice that, …. If commands have ids, a
  /// repeated import records the rest. So it is when another book records into the same log meanwhile: then it ends
  /// with ``PositionConflict``.
  ///
  /// - Parameter body: Records into the importer.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, ``PositionConflict``, or ``JournalError``.
  @discardableResult
  public func importing<Result>(_ body: (inout Importer) throws -> Result) throws -> Result {
    try importing({ Importer($0) }, body)
  }

  /// As ``importing(_:)``, with an importer that cuts blocks otherwise.
  func importing<Result>(
    _ makeImporter: (Book) -> Importer, _ body: (inout Importer) throws -> Result
  ) throws -> Result {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    try takeUp()
    defer {
      log.signal?.advance(to: position)
      // Sealing would have wanted the same disk.
      files?.maintain()
    }
    var importer = makeImporter(self)
    let result = Swift.Result { try body(&importer) }
    do {
      try importer.publish()
    } catch {
      // A command that was too large left what was written before it; what the disk refused is given up.
      try? files?.publish()
      catchUp(after: error)
      throw error
    }
    let end = importer.state
    state.withLock { $0 = end }
    return try result.get()
  }

  /// Brings the state up to what is on disk of an import that was cut short. Only when that cannot be read is
  /// the book of no more use.
  private func catchUp(after failure: any Error) {
    do throws(JournalError) {
      guard files != nil else { return try takeUp() }
      let head = try log.head().number
      var resumed = read { $0 }
      keys.forget(after: head)
      guard resumed.position < head else { return }
      try reader.replay(into: &resumed, from: resumed.position + 1, through: head)
      guard resumed.position == head else {
        throw .poisoned(reason: "entries up to \(head) should be there")
      }
      let state = resumed
      self.state.withLock { $0 = state }
    } catch {
      self.failure.withLock { $0 = .poisoned(reason: "\(failure) Then: \(error)") }
    }
  }
}
