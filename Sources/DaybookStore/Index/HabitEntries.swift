import Avro
import Daybook
import Journal

/// The entries that one habit's days depend on: its own, and its owner's.
struct HabitEntries {
  /// The entries, oldest first.
  let entries: [Entry]
  /// Whose habit it is.
  let owner: Account.ID
  /// When the book's last entry was recorded, of those that were asked about.
  let lastAt: Instant

  /// Finds the entries until an instant. Sealed segments are looked up in their indexes, what comes after
  /// them is read.
  ///
  /// - Throws: ``HabitRejection/habitNotFound`` when there was no such habit yet, or ``JournalError``.
  init(of habit: Habit.ID, until instant: Instant, in reader: BookReader) throws {
    let segments = try reader.journal.segments()
    var counts = AggregateReader()
    var indexes: [SegmentIndex] = []
    for name in segments.dropLast() {
      guard let index = reader.indexes.index(of: name, after: counts, in: reader.journal) else {
        break
      }
      indexes.append(index)
      counts = index.countsAfter
    }
    if let found = try? Self.look(for: habit, until: instant, in: indexes, reader, counts) {
      self = found
    } else {
      // An index that turns out damaged says nothing: then the segments themselves are read.
      self = try Self.look(for: habit, until: instant, in: [], reader, AggregateReader())
    }
  }

  private init(entries: [Entry], owner: Account.ID, lastAt: Instant) {
    self.entries = entries
    self.owner = owner
    self.lastAt = lastAt
  }

  private static func look(
    for habit: Habit.ID, until instant: Instant, in indexes: [SegmentIndex], _ reader: BookReader,
    _ counts: AggregateReader
  ) throws -> HabitEntries {
    var scan = AggregateScan(habit: .habit(habit), reader: counts)
    let lastAt = indexes.last?.lastAt ?? .first
    if lastAt <= instant {
      try reader.replay(
        into: &scan, from: indexes.last?.last.next.number ?? 0, until: instant)
    }
    let decompressor = try ZstandardDecompressor()
    let storage = reader.journal.storage
    var own: [Entry] = []
    for index in indexes {
      own += try index.entries(of: .habit(habit), until: instant, storage, decompressor)
    }
    own += scan.habitEntries
    guard case .habitCreated(let creation) = own.first?.event else {
      throw HabitRejection.habitNotFound
    }
    let owner = Aggregate.account(creation.owner)
    var owners: [Entry] = []
    for index in indexes {
      owners += try index.entries(of: owner, until: instant, storage, decompressor)
    }
    owners += scan.accountEntries.filter { $0.aggregate == owner }.map(\.entry)
    let entries = (own + owners).sorted { $0.head.position < $1.head.position }
    return HabitEntries(
      entries: entries, owner: creation.owner,
      lastAt: max(scan.at, min(lastAt, entries.last?.head.at ?? .first)))
  }
}

/// Keeps the entries of one habit and of all accounts.
private struct AggregateScan: Projection {
  let habit: Aggregate
  var reader: AggregateReader
  var habitEntries: [Entry] = []
  var accountEntries: [(aggregate: Aggregate, entry: Entry)] = []
  var at = Instant.first

  mutating func apply(_ entry: Entry) {
    at = entry.head.at
    let aggregate = reader.aggregate(of: entry.event)
    if aggregate == habit {
      habitEntries.append(entry)
    } else if aggregate.kind == .account {
      accountEntries.append((aggregate, entry))
    }
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    at = head.at
    if logged.habit.number == habit.number {
      habitEntries.append(Entry(head, .habitLogged(logged)))
    }
  }

  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }
}
