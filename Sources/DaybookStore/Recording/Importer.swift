public import Daybook
import Journal
import Synchronization

/// Records many commands at the speed of sequential disk writes. Each is decided in the state after the commands before
/// it. A block holds thousands of them, and a sync covers several megabytes.
///
/// A block holds whole commands, so each command is recorded whole or not at all. The import itself
/// may end up partly recorded: see ``Book/importing(_:)``.
public struct Importer: ~Copyable {
  /// The state after the commands so far.
  public private(set) var state: BookState
  private let book: Book
  private let blockCount: Int
  private let blockByteCount: Int
  private var draft = Draft()
  /// The keys of commands that are not in the journal yet.
  private var keys: Set<Key> = []
  private var hasWritten = false
  /// The error after which nothing more is written.
  private(set) var failure: (any Error)?

  init(_ book: Book, blockCount: Int = 16_384, blockByteCount: Int = 1 << 20) {
    self.book = book
    self.blockCount = blockCount
    self.blockByteCount = blockByteCount
    state = book.read { $0 }
  }

  /// Decides a command and queues its events for the next block. If the idempotency key was used
  /// before, it returns the first answer and records nothing.
  ///
  /// - Returns: The command's answer. The command is on disk only when the import ends.
  /// - Throws: ``Rejection``, after which the import may continue; ``JournalError`` when the disk
  ///   refuses, which ends the import.
  @discardableResult
  @inlinable
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let id, let answer = try answer(to: command, by: actor, id: id) { return answer }
    let context = try context(actor, at)
    let decision = try command.decide(state, context)
    try append(decision.events, context, id)
    return decision.answer
  }

  // The rest does not depend on the command's type, so only the decision is compiled for each type.

  @usableFromInline
  func context(_ actor: Account.ID?, _ at: Instant?) throws -> Context {
    if let failure { throw failure }
    return try Context(state, actor: actor, at: at, clock: book.clock, zones: book.reader.zones)
  }

  @usableFromInline
  mutating func append(
    _ events: [Event], _ context: Context, _ id: Key?
  ) throws {
    for (index, event) in events.enumerated() {
      let head = EntryHead(position: state.position + 1, after: index, of: context, id: id)
      let entry = Entry(head, event)
      draft.add(entry)
      state.apply(entry)
    }
    if let id, !events.isEmpty { keys.insert(id) }
    if draft.count >= blockCount || draft.byteCount >= blockByteCount { try appendBlock() }
  }

  /// The first answer of a command whose key was used before; nil when the key is new.
  @usableFromInline
  mutating func answer<C: Command>(
    to command: C, by actor: Account.ID?, id: Key
  ) throws -> C.Answer? {
    // Only the journal knows the first answer, so it must hold the command first.
    if keys.contains(id) { try publish() }
    return try book.receipts.answer(to: command, by: actor, id: id)
  }

  /// Writes the queued entries as one block.
  private mutating func appendBlock() throws {
    guard draft.count > 0 else { return }
    guard let files = book.files else { return try appendCommit() }
    try guarded(draft) { try files.write(count: $0.count, entries: $0.bytes) }
    hasWritten = true
    // The block belongs to a segment that gets its name when it is published.
    book.keys.insert(draft.keyed, in: SegmentName(first: try files.head().next))
    draft.removeAll()
  }

  /// Appends the queued entries as an ordinary commit.
  private mutating func appendCommit() throws {
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
      try appendBlock()
      try guarded(draft) { _ in try files.publish() }
    } else if draft.count > 0 {
      try appendCommit()
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
  /// Other writers wait while `body` runs. `body` must not record into the book, or it would wait
  /// for itself. Readers see the book as it was. When this returns, all that `body` recorded is on
  /// disk. It blocks its thread, so no task should call it.
  ///
  /// An import is not one commit. When `body` throws, the commands before that stay recorded, as if
  /// they had been recorded one by one. When the disk refuses or the machine stops, a prefix of the
  /// commands stays recorded, up to the last sync: nothing, some sixteen megabytes, or twice that,
  /// …. If the commands have ids, repeating the import records the rest. The same holds when
  /// another book records into the same log meanwhile: the import then ends with
  /// ``PositionConflict``.
  ///
  /// - Parameter body: Records into the importer.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, ``PositionConflict``, or ``JournalError``.
  @discardableResult
  public func importing<Result>(_ body: (inout Importer) throws -> Result) throws -> Result {
    try importing({ Importer($0) }, body)
  }

  /// Imports as ``importing(_:)`` does, with an importer that cuts blocks differently.
  func importing<Result>(
    _ makeImporter: (Book) -> Importer, _ body: (inout Importer) throws -> Result
  ) throws -> Result {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    try applyNewEntries()
    defer {
      log.signal?.advance(to: position)
      // Sealing would have competed for the disk during the import.
      files?.maintain()
    }
    var importer = makeImporter(self)
    let result = Swift.Result { try body(&importer) }
    do {
      try importer.publish()
    } catch {
      // When a command was too large, the blocks written before it are published; when the disk
      // refused, they are given up.
      try? files?.publish()
      replayImport(after: error)
      throw error
    }
    let end = importer.state
    state.withLock { $0 = end }
    return try result.get()
  }

  /// Brings the state up to what an interrupted import left on disk. If that cannot be read, the
  /// book can no longer be used.
  private func replayImport(after failure: any Error) {
    do throws(JournalError) {
      guard files != nil else { return try applyNewEntries() }
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
