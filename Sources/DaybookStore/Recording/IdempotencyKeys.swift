import Avro
import Daybook
import Journal
import Synchronization

/// Finds where the idempotency keys of a book were used.
///
/// A filter tells at once that most keys were never used. The others are looked up in the indexes
/// of the sealed segments (``KeyIndex``), and in memory for what comes after those; a segment
/// without an index is read. So a book finds every key that it ever accepted, in a time that does
/// not grow with the book, and no lookup needs the turn.
final class IdempotencyKeys: Sendable {
  private struct Memory: Sendable {
    var filter: KeyFilter
    /// The keys of the segments not known to have an index, ascending.
    var recents: [RecentKeys]
    var revision = Revision()
  }

  /// How much was recorded at a moment, for a caller who looks up a key and asks again later.
  struct Revision: Equatable, Sendable {
    fileprivate var insertions = 0
    fileprivate var forgettings = 0
  }

  private struct CachedIndex: Sendable {
    var identity: FileIdentity
    var header: SegmentHeader
    var index: KeyIndex
  }

  private let memory: Mutex<Memory>
  private let indexes = Mutex<[SegmentName: CachedIndex]>([:])

  /// Starts with the keys found when the book was opened.
  init(_ filter: KeyFilter, _ recents: [RecentKeys]) {
    memory = Mutex(Memory(filter: filter, recents: recents))
  }

  /// An entry that carries a key.
  struct Found: Sendable {
    var entry: Entry
    /// The segment that holds the entry, if the log is kept in segments.
    var segment: SegmentName?
    /// The entry after it in its segment, if that was read.
    var following = NextEntry.unknown
  }

  /// The entry after another in its segment.
  enum NextEntry: Sendable {
    case unknown
    case nothing
    case entry(Entry)
  }

  /// The current moment.
  var revision: Revision { memory.withLock { $0.revision } }

  /// Whether a key may have been used.
  func mayHold(_ key: Key) -> Bool { memory.withLock { $0.filter.mayContain(key) } }

  /// Whether a key that was not found at an earlier moment is certainly still unused. It needs no
  /// disk access.
  func stillLacks(_ key: Key, since former: Revision) -> Bool {
    memory.withLock { memory in
      guard memory.revision != former else { return true }
      guard memory.revision.forgettings == former.forgettings else {
        return !memory.filter.mayContain(key)
      }
      return memory.recents.allSatisfy { $0.entry(of: key) == nil }
    }
  }

  /// The first entry that carries a key; nil when the key was never used. A log without files has
  /// all of its keys in memory.
  ///
  /// - Throws: ``JournalError``.
  func find(_ key: Key, in journal: Journal?) throws(JournalError) -> Found? {
    guard mayHold(key) else { return nil }
    guard let journal else {
      return memory.withLock { memory in
        memory.recents.lazy.compactMap { $0.entry(of: key) }.first.map { Found(entry: $0) }
      }
    }
    for name in try journal.segments() {
      let recent = memory.withLock { memory -> Entry?? in
        memory.recents.first { $0.segment == name }.map { $0.entry(of: key) }
      }
      if let recent {
        if let recent { return Found(entry: recent, segment: name) }
      } else if let found = try find(key, in: name, of: journal) {
        return found
      }
    }
    return nil
  }

  private func find(
    _ key: Key, in name: SegmentName, of journal: Journal
  ) throws(JournalError) -> Found? {
    var search = KeySearch(key: key)
    var bridge = SchemaBridge()
    func scan(_ header: SegmentHeader, _ block: borrowing Block) throws(JournalError) {
      let (count, first) = (block.count, block.first.number)
      _ = try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try search.applyEntries(count, in: bytes, from: first, startingAt: 0, until: .last)
      }
    }
    if let (header, index) = index(of: name, in: journal),
      let places = try? index.places(of: key.searchHash)
    {
      for place in places where !search.hasFound {
        try journal.readBlocks(under: header, from: place) { header, block throws(JournalError) in
          try scan(header, block)
          // The next entry may be in the next block.
          return search.hasFound && !search.isComplete
        }
      }
    } else {
      try journal.readBlocks(of: name) { header, block throws(JournalError) in
        try scan(header, block)
        return !search.isComplete
      }
    }
    return search.found(in: name)
  }

  /// The index of a sealed segment and the segment's header, if it has an index. The files are
  /// opened once, and again when an erasure replaced them.
  private func index(
    of name: SegmentName, in journal: Journal
  ) -> (header: SegmentHeader, index: KeyIndex)? {
    let identity = try? journal.storage.identity(of: journal.path(of: name))
    if let identity, let kept = indexes.withLock({ $0[name] }), kept.identity == identity {
      return (kept.header, kept.index)
    }
    guard let header = try? journal.header(of: name), let index = KeyIndex(of: header, in: journal)
    else { return nil }
    if let identity {
      indexes.withLock { $0[name] = CachedIndex(identity: identity, header: header, index: index) }
    }
    return (header, index)
  }

  // MARK: Changes

  /// Notes the keys of entries that are on disk, or will be before anybody looks for them.
  ///
  /// - Parameters:
  ///   - entries: The entries that have keys.
  ///   - segment: The segment that holds them.
  func insert(_ entries: [Entry], in segment: SegmentName) {
    memory.withLock { memory in
      // A segment without keys is noted, too, so that it is known to have none.
      if memory.recents.last?.segment != segment {
        memory.recents.append(RecentKeys(of: segment))
      }
      guard !entries.isEmpty else { return }
      for entry in entries {
        if let key = entry.head.key { memory.filter.insert(key) }
        memory.recents[memory.recents.count - 1].insert(entry)
      }
      memory.revision.insertions += 1
    }
  }

  /// Replaces the entries that carry keys by the same ones, after an erasure blanked them.
  func replace(_ recents: [RecentKeys]) {
    memory.withLock { memory in
      memory.recents = recents
      memory.revision.forgettings += 1
    }
  }

  /// Removes the keys of a segment that was to follow a position and was given up.
  func forget(after head: Int64) {
    memory.withLock { memory in
      memory.recents.removeAll { $0.segment.first.number > head }
      memory.revision.forgettings += 1
    }
  }

  /// Removes the keys that the indexes of sealed segments hold.
  func forgetIndexed(_ sealed: [SegmentName], in journal: Journal) {
    let indexed = Set(sealed.filter { index(of: $0, in: journal) != nil })
    memory.withLock { memory in
      let count = memory.recents.count
      memory.recents.removeAll { indexed.contains($0.segment) }
      if memory.recents.count != count { memory.revision.forgettings += 1 }
    }
  }
}

/// Searches for the entry that carries a key, and the entry after it.
private struct KeySearch: Projection {
  let key: Key
  private var found: Entry?
  private var next: Entry?
  // Checked at each entry, because the result itself is large.
  private(set) var hasFound = false
  private(set) var isComplete = false

  init(key: Key) { self.key = key }

  /// The result, once the segment was read up to the following entry.
  func found(in segment: SegmentName) -> IdempotencyKeys.Found? {
    found.map {
      IdempotencyKeys.Found(
        entry: $0, segment: segment, following: next.map { .entry($0) } ?? .nothing)
    }
  }

  mutating func apply(_ entry: Entry) {
    if hasFound {
      if !isComplete { next = entry }
      isComplete = true
    } else if entry.head.key == key {
      found = entry
      hasFound = true
    }
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if hasFound || head.key == key { apply(Entry(head, .habitLogged(logged))) }
  }

  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }
}
