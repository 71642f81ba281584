import Avro
import Daybook
import Journal

/// The entries that touch some of a book's things, and no others: what a view of one habit, a feed or a list of
/// awards is made of.
///
/// Sealed segments are looked up in their indexes. What comes after them is read, or was read before, where a book is open
/// (``RecentEntries``). An index that is absent or
/// damaged says nothing: then the segments from there on are read instead, and the answer is the same.
struct AggregateEntries {
  /// The entries of each aggregate that has any, oldest first.
  let lists: [Aggregate: [Entry]]
  /// When the book's last entry was recorded, of those that were asked about.
  let lastAt: Instant

  /// Finds the entries of some aggregates.
  ///
  /// - Parameters:
  ///   - wanted: Whose entries.
  ///   - withOwners: Whether the entries of those are wanted, too, to whom the aggregates belong.
  ///   - instant: Until when.
  ///   - former: After which position; not together with owners, whose creation may stand before it.
  ///   - position: Up to which entry.
  ///   - mayScan: Whether what no index has may be read through, where much of it came since the last look, instead of being
  ///     kept by what it is about: for one who looks again and again while others record, and is waited for by nobody.
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
    if let found = try? Self.look(for: selection, in: indexes, after: counts, reader) {
      self = found
    } else {
      // An index that turns out damaged says nothing: then the segments themselves are read.
      self = try Self.look(for: selection, in: [], after: AggregateReader(), reader)
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

  private static func look(
    for selection: EntrySelection, in indexes: [SegmentIndex], after counts: AggregateReader,
    _ reader: BookReader
  ) throws -> AggregateEntries {
    let sealedAt = indexes.last?.lastAt ?? .first
    var unsealed = Unsealed(
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

/// Which entries of a book are wanted.
private struct EntrySelection {
  let wanted: Set<Aggregate>
  let withOwners: Bool
  let until: Instant
  let after: Int64
  let through: Int64
  let mayScan: Bool

  func includes(_ head: EntryHead) -> Bool { head.at <= until && head.position <= through }

  /// Those of a list, oldest first, that come after the position.
  func following(_ entries: [Entry]) -> [Entry] {
    after == 0 ? entries : Array(entries.drop { $0.head.position <= after })
  }
}

extension BookReader {
  /// The indexes of the sealed segments, as far as there are some without a gap, and what was created until
  /// their end.
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
  /// Whose it is what the entry created, as an aggregate.
  fileprivate var owner: Aggregate? {
    guard case .new(_, _, let owner?) = event.subject else { return nil }
    return .account(owner)
  }
}

/// The entries that no index has.
private struct Unsealed {
  let selection: EntrySelection
  /// The position of the first of them.
  let start: Int64
  /// What was created before it.
  let counts: AggregateReader
  let reader: BookReader
  /// When the last of them was recorded, of those that were asked about and looked at.
  private(set) var at = Instant.first
  /// What one pass over them found, where nothing is kept.
  private var scanned: [Aggregate: [Entry]]?

  init(
    selection: EntrySelection, start: Int64, counts: AggregateReader, _ reader: BookReader
  ) {
    (self.selection, self.start, self.counts, self.reader) = (selection, start, counts, reader)
  }

  /// Those about some things: about what is wanted first, then about its owners, if these are wanted, too.
  mutating func lists(of wanted: Set<Aggregate>) throws -> [Aggregate: [Entry]] {
    if scanned == nil, reader.files != nil, let head = reader.log.signal?.head,
      !(selection.mayScan && reader.recent.isFarBehind(head, from: start)),
      let found = try reader.recent.entries(
        of: wanted, from: start, after: counts, head: head, through: selection.through,
        until: selection.until, in: reader.log)
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

/// Keeps the entries that are wanted; of all accounts, when owners are.
private struct AggregateScan: Projection {
  let selection: EntrySelection
  var reader: AggregateReader
  var lists: [Aggregate: [Entry]] = [:]
  var at = Instant.first

  mutating func apply(_ entry: Entry) {
    // A creation is counted, wanted or not.
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
