import Avro
import Daybook
import Journal

/// The entries that touch some aggregates of a book, and no others. A view of one habit, a feed and
/// a list of awards are made of them.
///
/// Sealed segments are looked up in their indexes. Later entries are read, or were already read if
/// the book is open (``RecentEntries``). From the first missing or damaged index on, the segments
/// themselves are read, and the answer is the same.
struct AggregateEntries {
  /// The entries of each aggregate that has any, oldest first.
  let lists: [Aggregate: [Entry]]
  /// When the last of the book's entries within the limits was recorded.
  let lastAt: Instant

  /// Finds the entries of some aggregates.
  ///
  /// - Parameters:
  ///   - wanted: The aggregates.
  ///   - withOwners: Whether to include the entries of the aggregates' owners.
  ///   - instant: Only entries recorded until this instant.
  ///   - former: Only entries after this position. Not together with owners, because their creation
  ///     may come before it.
  ///   - position: Only entries up to this position.
  ///   - mayScan: Whether entries without an index may be scanned, where many are new since the
  ///     last look, instead of being kept by aggregate. It suits a caller that looks again and
  ///     again while others record, and for which nobody waits.
  ///   - reader: The book.
  /// - Throws: ``JournalError``.
  init(
    of wanted: some Sequence<Aggregate>, withOwners: Bool = false, until instant: Instant = .last,
    after former: Int64 = 0, through position: Int64 = .max, mayScan: Bool = false,
    in reader: BookReader
  ) throws {
    let selection = EntrySelection(
      wanted: Set(wanted), withOwners: withOwners, until: instant, after: former,
      through: position, mayScan: mayScan)
    let (indexes, counts) = try reader.openIndexes()
    if let found = try? Self.select(for: selection, in: indexes, after: counts, reader) {
      self = found
    } else {
      // When an index turns out to be damaged, the segments themselves are read.
      self = try Self.select(for: selection, in: [], after: AggregateReader(), reader)
    }
  }

  private init(lists: [Aggregate: [Entry]], lastAt: Instant) {
    self.lists = lists
    self.lastAt = lastAt
  }

  /// The entries of some of the aggregates, merged by position.
  func merged(_ aggregates: some Sequence<Aggregate>) -> [Entry] {
    aggregates.flatMap { lists[$0] ?? [] }.sorted { $0.head.position < $1.head.position }
  }

  private static func select(
    for selection: EntrySelection, in indexes: [SegmentIndex], after counts: AggregateReader,
    _ reader: BookReader
  ) throws -> AggregateEntries {
    let sealedAt = indexes.last?.lastAt ?? .first
    var unsealed = UnindexedEntries(
      selection: selection, start: indexes.last?.last.next.number ?? 1, counts: counts, reader)
    let decompressor = try ZstandardDecompressor()
    var lists = try sealedLists(selection.wanted, selection, indexes, reader, decompressor)
    if sealedAt <= selection.until {
      lists.merge(
        try unsealed.lists(of: selection.wanted).mapValues(selection.following),
        uniquingKeysWith: +)
    }
    if selection.withOwners {
      let owners = Set(lists.values.compactMap(\.first?.owner)).subtracting(selection.wanted)
      lists.merge(
        try sealedLists(owners, selection, indexes, reader, decompressor), uniquingKeysWith: +)
      if sealedAt <= selection.until {
        lists.merge(try unsealed.lists(of: owners), uniquingKeysWith: +)
      }
    }
    let last = lists.values.compactMap(\.last?.head.at).max() ?? .first
    return AggregateEntries(lists: lists, lastAt: max(unsealed.at, min(sealedAt, last)))
  }

  private static func sealedLists(
    _ wanted: Set<Aggregate>, _ selection: EntrySelection, _ indexes: [SegmentIndex],
    _ reader: BookReader,
    _ decompressor: ZstandardDecompressor
  ) throws -> [Aggregate: [Entry]] {
    let ordered = wanted.sorted()
    var lists: [Aggregate: [Entry]] = [:]
    let meter = reader.journal.meter
    meter?.begin("Reading", indexes.count)
    defer { meter?.end() }
    for index in indexes
    where index.first.number <= selection.through && index.last.number > selection.after {
      defer { meter?.advance(by: 1) }
      try index.forEachList(
        of: ordered, reader.journal.storage, decompressor, while: selection.includes
      ) { aggregate, entries in
        lists[aggregate, default: []] += selection.following(entries)
      }
    }
    return lists
  }
}

/// The selection of a book's entries.
private struct EntrySelection {
  let wanted: Set<Aggregate>
  let withOwners: Bool
  let until: Instant
  let after: Int64
  let through: Int64
  let mayScan: Bool

  func includes(_ head: EntryHead) -> Bool { head.at <= until && head.position <= through }

  /// The entries of a list, oldest first, that come after the position.
  func following(_ entries: [Entry]) -> [Entry] {
    after == 0 ? entries : Array(entries.drop { $0.head.position <= after })
  }
}

extension BookReader {
  /// The indexes of the sealed segments up to the first missing one, and the counts of what was
  /// created until the last one's end.
  func openIndexes() throws -> (indexes: [SegmentIndex], counts: AggregateReader) {
    var counts = AggregateReader()
    var indexes: [SegmentIndex] = []
    guard files != nil else { return (indexes, counts) }
    for name in try journal.segments().dropLast() {
      guard let index = self.indexes.index(of: name, after: counts, in: journal) else { break }
      indexes.append(index)
      counts = index.countsAfter
    }
    return (indexes, counts)
  }
}

extension Entry {
  /// The owner of what the entry created, as an aggregate.
  fileprivate var owner: Aggregate? {
    guard case .new(_, _, let owner?) = event.subject else { return nil }
    return .account(owner)
  }
}

/// The entries that no index covers.
private struct UnindexedEntries {
  let selection: EntrySelection
  /// The position of the first of them.
  let start: Int64
  /// The counts of what was created before it.
  let counts: AggregateReader
  let reader: BookReader
  /// When the last of them was recorded, among those that were looked at and lie within the limits.
  private(set) var at = Instant.first
  /// The entries that one scan found; used if nothing is cached.
  private var scanned: [Aggregate: [Entry]]?

  init(
    selection: EntrySelection, start: Int64, counts: AggregateReader, _ reader: BookReader
  ) {
    (self.selection, self.start, self.counts, self.reader) = (selection, start, counts, reader)
  }

  /// The entries about some aggregates. The first call is for what is wanted, a second one for the
  /// owners, if these are wanted, too.
  mutating func lists(of wanted: Set<Aggregate>) throws -> [Aggregate: [Entry]] {
    if scanned == nil, reader.files != nil, let head = reader.log.signal?.head,
      !(selection.mayScan && reader.recent.isFarBehind(head, from: start)),
      let found = try reader.recent.entries(
        of: wanted, from: start, after: counts, head: head, since: selection.after,
        through: selection.through, until: selection.until, in: reader.log)
    {
      at = found.at
      return found.lists
    }
    if scanned == nil {
      var scan = AggregateScan(selection: selection, reader: counts)
      try reader.replay(
        into: &scan, from: start, through: selection.through, until: selection.until)
      (scanned, at) = (scan.lists, scan.at)
    }
    return (scanned ?? [:]).filter { wanted.contains($0.key) }
  }
}

/// Collects the wanted entries, and those of all accounts when owners are wanted.
private struct AggregateScan: Projection {
  let selection: EntrySelection
  var reader: AggregateReader
  var lists: [Aggregate: [Entry]] = [:]
  var at = Instant.first

  mutating func apply(_ entry: Entry) {
    // A creation is counted whether it is wanted or not.
    let aggregate = reader.aggregate(of: entry.event)
    guard entry.head.position <= selection.through else { return }
    at = entry.head.at
    guard selection.wanted.contains(aggregate) || selection.withOwners && aggregate.kind == .account
    else {
      return
    }
    lists[aggregate, default: []].append(entry)
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    guard head.position <= selection.through else { return }
    at = head.at
    let habit = Aggregate.habit(logged.habit)
    guard selection.wanted.contains(habit) else { return }
    lists[habit, default: []].append(Entry(head, .habitLogged(logged)))
  }

  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }
}
