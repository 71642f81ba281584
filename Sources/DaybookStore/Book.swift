import Avro
public import Daybook
public import Journal
import Synchronization

/// A book that is open for writing: commands in, entries into the journal, state kept up to date.
///
/// One writer at a time, in all processes; a second gets ``JournalError/locked(path:holder:)``. Calls from
/// several threads wait for one another. Readers need no book: see ``BookReader``.
public final class Book: Sendable {
  /// Reads the same book, for past moments.
  public let reader: BookReader
  private let clock: BookClock
  private let contents: Mutex<Contents>
  private let maintenance: Maintenance

  /// What the one lock guards.
  private struct Contents {
    var state: State
    var filter: KeyFilter
    let writer: Writer
  }

  /// The journal's writer, held where only the lock's holder uses it.
  private struct Writer: @unchecked Sendable {
    // Safe to send: it is touched only inside `contents.withLock`.
    let journal: JournalWriter
  }

  /// What was cut off the end of the journal when the book was opened: what a crash left of a commit that
  /// was never acknowledged.
  public let recovered: TornTail?

  /// Opens the book at a path for writing, and makes it when nothing is there.
  ///
  /// - Throws: ``JournalError``.
  public convenience init(
    at path: String, storage: any Storage = FileStorage(), clock: BookClock = .system,
    zones: any TimeZones = SystemTimeZones.shared
  ) throws(JournalError) {
    let reader = BookReader(at: path, storage: storage, zones: zones)
    if try !reader.journal.exists() {
      try Book.create(at: path, storage: storage, clock: clock)
    }
    try self.init(opening: reader, clock: clock)
  }

  /// Opens an existing book for writing.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - clock: The time, and fresh keys.
  ///   - segmentByteCount: How large the active segment grows.
  ///   - sealing: When a full segment is sealed.
  ///   - spacing: How far apart snapshots are kept.
  /// - Throws: ``JournalError``.
  public init(
    opening reader: BookReader, clock: BookClock = .system,
    segmentByteCount: Int = JournalWriter.segmentByteCount, sealing: SealingTime = .inBackground,
    snapshots spacing: SnapshotSpacing = .standard
  ) throws(JournalError) {
    self.reader = reader
    self.clock = clock
    let lock = try JournalWriter.takeLock(of: reader.journal)
    let snapshots = Snapshots(journal: reader.journal)
    var opening = snapshots.opening()
    let start = Position(opening.replay.state.position)
    let end = try reader.replay(into: &opening, from: start.next.number)
    let state = opening.finish()
    let writer = try JournalWriter(
      reader.journal, after: end, lock: lock, schemaText: BookReader.schemaText,
      segmentByteCount: segmentByteCount)
    recovered = writer.recovered
    contents = Mutex(
      Contents(state: state, filter: opening.filter, writer: Writer(journal: writer)))
    maintenance = Maintenance(reader, lock: lock, sealing, spacing)
    let isOneUnread = snapshots.positions.last.map { $0 > start } ?? false
    maintenance.begin(before: writer.segment, isThorough: isOneUnread)
  }

  deinit { maintenance.finish() }

  /// Makes an empty book.
  ///
  /// - Throws: ``JournalError/alreadyABook(path:)`` when there is one, or ``JournalError/storage(_:)``.
  public static func create(
    at path: String, storage: any Storage = FileStorage(), clock: BookClock = .system
  ) throws(JournalError) {
    try Journal(directory: path, storage: storage).create(
      book: clock.freshKey().description, schemaText: BookReader.schemaText)
  }

  /// Closes the active segment, and seals every segment that is closed. A book does that by itself when a
  /// segment is full; this is for before an archive, or a long rest.
  ///
  /// - Returns: What was sealed.
  /// - Throws: ``JournalError``; then nothing is lost, and sealing may be tried again.
  @discardableResult
  public func seal() throws -> [SegmentName] {
    let active = try contents.withLock { contents throws in
      try contents.writer.journal.closeSegment()
      return contents.writer.journal.segment
    }
    return try maintenance.run(before: active)
  }

  /// The time now, by the book's clock.
  var now: Instant { clock.now() }

  /// Reads the state as it is now.
  public func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    try body(contents.withLock { $0.state })
  }

  /// Decides a command, appends what it comes to, and returns the answer once that is on disk.
  ///
  /// - Parameters:
  ///   - command: What is asked.
  ///   - actor: Who asks.
  ///   - at: The book's clock; the machine's, but never before the last entry, unless given.
  ///   - id: An idempotency key: repeated, it returns the first receipt and appends nothing.
  /// - Returns: The command's answer.
  /// - Throws: the command's ``Rejection``, ``BookError``, or ``JournalError``; then nothing changed.
  @discardableResult
  public func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    try commit(command, by: actor, at: at, id: id).answer
  }

  /// As ``record(_:by:at:id:)``, and returns where the entries are.
  ///
  /// - Throws: the command's ``Rejection``, ``BookError``, or ``JournalError``; then nothing changed.
  public func commit<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> Receipt<C.Answer> {
    try contents.withLock { contents throws in
      let recall = Recall(filter: contents.filter, reader: reader)
      if let id, let receipt = try recall.receipt(of: command, by: actor, id: id) { return receipt }
      let context = try context(in: contents.state, actor: actor, at: at)
      let decision = try command.decide(contents.state, context)
      let entries = decision.entries(after: contents.state, context, id: id)
      let first = try append(entries, to: &contents)
      // Applied in place, not to a copy: a book may hold millions of days.
      for entry in entries { contents.state.apply(entry) }
      return Receipt(
        answer: decision.answer, position: first ?? contents.state.position, count: entries.count,
        isRepeated: false)
    }
  }

  private func context(
    in state: State, actor: Account.ID?, at: Instant?
  ) throws(BookError) -> Context {
    try Context(state, actor: actor, at: at, clock: clock, zones: reader.zones)
  }

  /// Decides several commands as one commit: all of them are recorded, or none.
  ///
  /// Others wait while `body` runs, and so would it if it called the book: it has the state in its batch.
  ///
  /// - Parameter body: Records into the batch; what it throws, nothing of the batch is kept.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, or ``JournalError``.
  @discardableResult
  public func commit<Result>(_ body: (inout Batch) throws -> Result) throws -> Result {
    try contents.withLock { contents throws in
      let recall = Recall(filter: contents.filter, reader: reader)
      var batch = Batch(contents.state, clock: clock, zones: reader.zones, recall)
      let result = try body(&batch)
      _ = try append(batch.entries, to: &contents)
      contents.state = batch.state
      return result
    }
  }

  private func append(
    _ entries: [Entry], to contents: inout Contents
  ) throws(JournalError) -> Int64? {
    guard !entries.isEmpty else { return nil }
    var bytes = BinaryWriter()
    for entry in entries { entry.write(to: &bytes) }
    let segment = contents.writer.journal.segment
    let first = try contents.writer.journal.append(count: entries.count, entries: bytes.bytes)
    if contents.writer.journal.segment != segment {
      maintenance.begin(before: contents.writer.journal.segment)
    }
    for entry in entries {
      if let key = entry.head.key { contents.filter.insert(key) }
    }
    return first.number
  }
}

/// What came of a command.
public struct Receipt<Answer: Sendable>: Sendable {
  /// The command's answer.
  public let answer: Answer
  /// The position of the commit's first entry; the book's last one when nothing was appended.
  public let position: Int64
  /// How many entries the commit has; 0 when there was nothing to do.
  public let count: Int
  /// Whether the idempotency key had been used before, and this is the first receipt.
  public let isRepeated: Bool
}

/// Commands decided one after another, each in the state that the ones before it leave; appended together.
public struct Batch {
  /// The state after the commands so far.
  public private(set) var state: State
  private(set) var entries: [Entry] = []
  private let clock: BookClock
  private let zones: any TimeZones
  private let recall: Recall
  private var keys: Set<Key> = []

  init(_ state: State, clock: BookClock, zones: any TimeZones, _ recall: Recall) {
    self.state = state
    self.clock = clock
    self.zones = zones
    self.recall = recall
  }

  /// Decides a command. One whose idempotency key was used before the batch is answered as then.
  ///
  /// - Throws: the command's ``Rejection`` or ``BookError``.
  @discardableResult
  public mutating func record<C: Command>(
    _ command: C, by actor: Account.ID? = nil, at: Instant? = nil, id: Key? = nil
  ) throws -> C.Answer {
    if let id {
      if let receipt = try recall.receipt(of: command, by: actor, id: id) { return receipt.answer }
      guard !keys.contains(id) else { throw BookError.keyReused(id) }
    }
    let context = try Context(state, actor: actor, at: at, clock: clock, zones: zones)
    let decision = try command.decide(state, context)
    if let id, !decision.events.isEmpty { keys.insert(id) }
    for entry in decision.entries(after: state, context, id: id) {
      entries.append(entry)
      state.apply(entry)
    }
    return decision.answer
  }

  /// Takes an entry as it is, from another book; its position is the next one here.
  ///
  /// - Throws: ``BookError/clockBackwards(given:last:)``.
  mutating func take(_ entry: Entry) throws(BookError) {
    guard entry.head.at >= state.at || state.position == 0 else {
      throw .clockBackwards(given: entry.head.at, last: state.at)
    }
    var entry = entry
    entry.head.position = state.position + 1
    entries.append(entry)
    state.apply(entry)
  }
}

extension Context {
  /// The context of a command that is recorded next: never before the last entry.
  fileprivate init(
    _ state: State, actor: Account.ID?, at: Instant?, clock: BookClock, zones: any TimeZones
  ) throws(BookError) {
    if let at, at < state.at, state.position > 0 {
      throw .clockBackwards(given: at, last: state.at)
    }
    self.init(
      actor: actor, at: at ?? max(clock.now(), state.at), freshKey: clock.freshKey(), zones: zones)
  }
}

extension Decision {
  /// The decision's events as the entries that follow a state; the key stands on the first.
  fileprivate func entries(after state: State, _ context: Context, id: Key?) -> [Entry] {
    events.enumerated().map { index, event in
      Entry(
        EntryHead(
          position: state.position + Int64(index) + 1, at: context.at, actor: context.actor,
          key: index == 0 ? id : nil),
        event)
    }
  }
}
