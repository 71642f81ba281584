import Avro
public import Daybook
public import Journal

/// Reads a book, as of now or any past moment. It takes no lock and never writes.
public struct BookReader: Sendable {
  /// The log that holds the book.
  public internal(set) var log: any EventLog
  /// The log's files; a book without files refuses every use of them.
  public let journal: Journal
  /// The time zones, used to tell today.
  public let zones: any TimeZones
  /// The indexes already read.
  let indexes = IndexCache()
  /// The entries that no index covers, as an open book keeps them.
  let recent = RecentEntries()
  /// When the entries of accounts were recorded.
  let moments = MomentKeeper()
  /// What feeds and awards are made of, after the last entries.
  var activities = KeptActivities()
  /// The past states that an open book keeps.
  var pasts = PastStates()
  /// The past states of single accounts that an open book keeps.
  var personalPasts = PastStates(keeping: 16)
  /// The number of entries from which on an account's past is read without the rest of the book's.
  var personalPastPosition: Int64 = 50_000

  /// Opens nothing: names the book at a path.
  public init(
    at path: String, storage: any Storage = FileStorage(),
    zones: any TimeZones = SystemTimeZones.shared
  ) {
    self.init(on: FileLog(at: path, storage: storage), zones: zones)
  }

  /// Opens nothing: names the book at a path, and counts what is read of it.
  package init(at path: String, meter: WorkMeter?) {
    self.init(on: FileLog(Journal(directory: path, meter: meter)))
  }

  /// Opens nothing: names the book kept in a log.
  public init(on log: any EventLog, zones: any TimeZones = SystemTimeZones.shared) {
    self.log = log
    self.zones = zones
    journal = (log as? FileLog)?.journal ?? NoFilesStorage.journal
  }

  /// The log as files, if it is kept in files; the files beside the entries make some answers fast.
  var files: FileLog? { log as? FileLog }

  /// The schema that entries are written with, as JSON. A log of your own stores it with what is
  /// appended.
  public static let schemaText = Entry.schema.json.encoded

  /// Applies every entry that was recorded until `last` to a projection, in order.
  ///
  /// - Parameters:
  ///   - projection: Takes the entries.
  ///   - start: The position of the first entry to apply.
  ///   - end: Blocks that begin after this position are left out.
  ///   - last: Entries recorded later are left out.
  /// - Returns: Where the reading ended.
  /// - Throws: ``JournalError`` when the log cannot be read or is damaged.
  @discardableResult
  @inlinable
  public func replay<P: Projection>(
    into projection: inout P, from start: Int64 = 0, through end: Int64 = .max,
    until last: Instant = .last
  ) throws(JournalError) -> LogEnd {
    var bridge = SchemaBridge()
    return try log.read(from: Position(start)) { schemaText, block throws(JournalError) in
      guard block.first.number <= end else { return false }
      return try bridge.apply(
        block, of: schemaText, to: &projection, startingAt: start, until: last)
    }
  }

  /// The state as the book knew it at an instant; by default, as it is now.
  ///
  /// - Throws: as ``replay(into:from:through:until:)`` does.
  public func state(asOf last: Instant = .last) throws(JournalError) -> BookState {
    try stateAndEnd(asOf: last).state
  }

  /// The state as the book knew it at an instant. An open book reads it once for all callers within
  /// some seconds.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - present: The state of the same book, now or lately.
  /// - Returns: The state.
  /// - Throws: as ``replay(into:from:through:until:)`` does.
  package func state(
    asOf instant: Instant, knowing present: BookState
  ) throws(JournalError) -> BookState {
    // The next entry may have the same instant as the last one, but no earlier one.
    guard log.signal != nil, instant < present.at else { return try state(asOf: instant) }
    return try pasts.state(asOf: instant) { () throws(JournalError) in try state(asOf: instant) }
  }

  /// The state as the book knew it at an instant, and where the log ended: possibly in bytes of a
  /// commit that is being written, or that a crash left unfinished.
  ///
  /// - Throws: as ``replay(into:from:through:until:)`` does.
  package func stateAndEnd(
    asOf last: Instant = .last
  ) throws(JournalError) -> (state: BookState, end: LogEnd) {
    var replay = Snapshots(journal: journal).opening(until: last).replay
    #if PLANTED_BUGS
      let skipped: Int64 =
        PlantedBug.snapshotOfWrongPosition.isPlanted && replay.state.position > 0 ? 1 : 0
    #else
      let skipped: Int64 = 0
    #endif
    let end = try self.replay(
      into: &replay, from: replay.state.position + 1 + skipped, until: last)
    replay.finish()
    return (replay.state, end)
  }
}
