import Avro
import Daybook
import Journal
import Synchronization

/// Where the idempotency keys of a book were used.
///
/// A filter says of most keys at once that they never were. The others are looked for in the indexes of the sealed
/// segments (``KeyIndex``), and in memory for what comes after those; a segment that has no index is read. So a book
/// finds every key that it ever took, in the same time however long it is, and nobody waits for the turn to write.
final class IdempotencyKeys: Sendable {
  private struct Memory: Sendable {
    var filter: KeyFilter
    /// Of the segments that are not known to have an index, ascending.
    var recents: [RecentKeys]
    var moment = Moment()
  }

  /// How much was used up to now, for one who looked and asks again.
  struct Moment: Equatable, Sendable {
    fileprivate var insertions = 0
    fileprivate var forgettings = 0
  }

  private struct Kept: Sendable {
    var identity: FileIdentity
    var header: SegmentHeader
    var index: KeyIndex
  }

  private let memory: Mutex<Memory>
  private let indexes = Mutex<[SegmentName: Kept]>([:])

  /// Begins with what opening a book came to.
  init(_ filter: KeyFilter, _ recents: [RecentKeys]) {
    memory = Mutex(Memory(filter: filter, recents: recents))
  }

  /// An entry on which a key stands.
  struct Found: Sendable {
    var entry: Entry
    /// The segment that it is in, if the log is kept in segments.
    var segment: SegmentName?
    /// What follows it in its segment, if that was read.
    var following = Following.unknown
  }

  /// What follows an entry in its segment.
  enum Following: Sendable {
    case unknown
    case nothing
    case entry(Entry)
  }

  /// How much is used now.
  var moment: Moment { memory.withLock { $0.moment } }

  /// Whether a key may have been used.
  func mayHold(_ key: Key) -> Bool { memory.withLock { $0.filter.mayContain(key) } }

  /// Whether a key that was looked for in vain at a moment is surely not used by now: it takes no disk.
  func holdsNot(_ key: Key, lookedForAt former: Moment) -> Bool {
    memory.withLock { memory in
      guard memory.moment != former else { return true }
      guard memory.moment.forgettings == former.forgettings else {
        return !memory.filter.mayContain(key)
      }
      return memory.recents.allSatisfy { $0.entry(of: key) == nil }
    }
  }

  /// The first entry on which a key stands; nothing when it was never used. What is kept in no files is all in memory.
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
    func look(_ header: SegmentHeader, _ block: borrowing Block) throws(JournalError) {
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
          try look(header, block)
          // The next entry may stand in the next block.
          return search.hasFound && !search.isComplete
        }
      }
    } else {
      try journal.readBlocks(of: name) { header, block throws(JournalError) in
        try look(header, block)
        return !search.isComplete
      }
    }
    return search.found(in: name)
  }

  /// The index of a sealed segment and the segment's header, if it has one. The files are opened once, and again when
  /// an erasure replaced them.
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
      indexes.withLock { $0[name] = Kept(identity: identity, header: header, index: index) }
    }
    return (header, index)
  }

  // MARK: What changes

  /// Takes note of the keys of entries that are on disk now, or will be before anybody looks for them.
  ///
  /// - Parameters:
  ///   - entries: Those that have keys.
  ///   - segment: The segment that the entries are in.
  func insert(_ entries: [Entry], in segment: SegmentName) {
    memory.withLock { memory in
      // Also of a segment without keys it is known then that it has none.
      if memory.recents.last?.segment != segment {
        memory.recents.append(RecentKeys(of: segment))
      }
      guard !entries.isEmpty else { return }
      for entry in entries {
        if let key = entry.head.key { memory.filter.insert(key) }
        memory.recents[memory.recents.count - 1].insert(entry)
      }
      memory.moment.insertions += 1
    }
  }

  /// Keeps other entries on which keys stand: the same ones, after an erasure blanked what they say.
  func replace(_ recents: [RecentKeys]) {
    memory.withLock { memory in
      memory.recents = recents
      memory.moment.forgettings += 1
    }
  }

  /// Forgets the keys of a segment that was to come after a position, and was given up.
  func forget(after head: Int64) {
    memory.withLock { memory in
      memory.recents.removeAll { $0.segment.first.number > head }
      memory.moment.forgettings += 1
    }
  }

  /// Forgets what the indexes of sealed segments say.
  func forgetIndexed(_ sealed: [SegmentName], in journal: Journal) {
    let indexed = Set(sealed.filter { index(of: $0, in: journal) != nil })
    memory.withLock { memory in
      let count = memory.recents.count
      memory.recents.removeAll { indexed.contains($0.segment) }
      if memory.recents.count != count { memory.moment.forgettings += 1 }
    }
  }
}

/// Looks for the entry on which a key stands, and the one after it.
private struct KeySearch: Projection {
  let key: Key
  private var found: Entry?
  private var next: Entry?
  // Asked at each entry: what was found is large to look at.
  private(set) var hasFound = false
  private(set) var isComplete = false

  init(key: Key) { self.key = key }

  /// What was found, once the segment was read as far as the entry after that.
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
