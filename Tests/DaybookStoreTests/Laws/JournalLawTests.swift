import Avro
import Daybook
import DaybookStore
import Journal
import PropertyTesting
import Testing

/// Laws between a book, its journal and its past (laws 1, 2 and 8), over random histories of every command, recorded
/// into real books with small segments.
@Suite(.tags(.law)) struct JournalLawTests {
  @Test func `law 1: replay is deterministic (ES-2)`() throws {
    let histories = Generator.zip(
      .histories(), Generator<Int>.integer(in: 1...9).array(count: 1...4))
    let report = check("replay is a function", histories, cases: 25) { pair, statistics in
      let (history, groups) = pair
      let ledger = try Self.play(history)
      let live = ledger.state
      statistics.cover("several segments", atLeast: 20, try ledger.segmentCount > 2)
      statistics.cover("several commits", atLeast: 60, ledger.states.count > 4)
      let replayed = try ledger.book.reader.state()
      try expect(replayed.isSame(as: live), "the journal differs from the book")
      try expectEqual(replayed.digest, live.digest)
      let collected = try ledger.entries()
      let regrouped = try Self.regroup(collected, groups)
      var wrapped = EveryEntry()
      try regrouped.replay(into: &wrapped)
      try expectEqual(wrapped.entries, collected, "regrouped entries")
      try expect(wrapped.state.isSame(as: live), "wrapped logs make another state")
      try expect(try regrouped.state().isSame(as: live), "other blocks make another state")
      var state = BookState()
      var boundaries = ledger.states[...]
      for entry in collected {
        state.apply(entry)
        guard let next = boundaries.first, next.position == entry.head.position else { continue }
        try expect(state.isSame(as: next), "prefix \(entry.head.position)")
        boundaries.removeFirst()
      }
      try expect(boundaries.isEmpty, "commits that are not in the journal")
      if let half = ledger.states.someElement {
        var resumed = half
        try ledger.book.reader.replay(into: &resumed, from: half.position + 1)
        try expect(resumed.isSame(as: live), "a replay resumed after \(half.position)")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 2: the state as of an instant is a prefix (ES-4)`() throws {
    let histories = Generator.zip(.histories(), .histories(1...8))
    let report = check("as-of is a prefix", histories, cases: 7) { pair, statistics in
      let (history, sequel) = pair
      var ledger = try Self.play(history)
      let (entries, end) = (try ledger.entries(), ledger.state.at)
      let early = ledger.states
      var instants = Set(early.suffix(6).map(\.at))
      for instant in instants { instants.insert(instant.advanced(byMilliseconds: -1)) }
      let isCrowded = zip(early, early.dropFirst()).contains { $0.at == $1.at }
      statistics.cover("several entries at one instant", atLeast: 5, isCrowded)
      try Self.play(sequel.steps, on: &ledger)
      // Entries at the last instant itself belong to it.
      for instant in instants where instant < end {
        var prefix = BookState()
        for entry in entries where entry.head.at <= instant { prefix.apply(entry) }
        let found = try ledger.book.reader.state(asOf: instant)
        try expect(found.isSame(as: prefix), "as of \(instant)")
        try expectEqual(found.digest, prefix.digest, "as of \(instant)")
        if let known = early.last(where: { $0.at <= instant }) {
          try expect(found.isSame(as: known), "the book as of \(instant) differs")
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 8: refused and repeated commands change nothing (HH-26, ES-6)`() throws {
    let report = check("nothing changes", .histories(), cases: 25) {
      (history: History, statistics) in
      var ledger = try Self.play(history)
      statistics.cover("refused", atLeast: 50, ledger.refusals > 0)
      statistics.cover("keyed", atLeast: 25, ledger.keyed.count > 1)
      try ledger.repeatAll("at once")
      try ledger.reopen()
      try ledger.repeatAll("after reopening")
      try expectEqual(ledger.complaints, [])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a replay begins at the requested entry, also within a block`() throws {
    let history = try #require(try Generator<History>.histories(30...40).samples(1, seed: 8).first)
    let ledger = try Self.play(history)
    let regrouped = try Self.regroup(try ledger.entries(), [9])
    var every = EveryEntry()
    try regrouped.replay(into: &every, from: 5)
    #expect(every.entries.first?.head.position == 5)
  }

  // MARK: Tools

  static func play(
    _ history: History, snapshots: SnapshotSpacing = .standard
  ) throws -> BookLedger {
    var ledger = try BookLedger(
      HandClock(Menu.beginnings[history.beginning]), snapshots: snapshots)
    try play(history.steps, on: &ledger)
    return ledger
  }

  static func play(_ steps: [Step], on ledger: inout BookLedger) throws {
    for step in steps { _ = try ledger.play(step) }
  }

  /// A second journal of the same entries, in commits of other sizes.
  static func regroup(_ entries: [Entry], _ sizes: [Int]) throws -> BookReader {
    let reader = BookReader(at: "other", storage: MemoryStorage(), zones: StateLedger.zones)
    let schema = Entry.schema.json.encoded
    try reader.journal.create(book: Menu.key(8, 1).description, schemaText: schema)
    let lock = try JournalWriter.takeLock(of: reader.journal)
    let writer = try JournalWriter(
      reader.journal, after: try reader.journal.readBlocks { _, _ in true }, lock: lock,
      schemaText: schema, segmentByteCount: 1)
    var rest = entries[...]
    var turn = 0
    while !rest.isEmpty {
      let group = rest.prefix(sizes[turn % sizes.count])
      var bytes = BinaryWriter()
      for entry in group { entry.write(to: &bytes) }
      try writer.append(count: group.count, entries: bytes.bytes)
      rest = rest.dropFirst(group.count)
      turn += 1
    }
    return reader
  }
}

/// Requires that hives were shared, and advanced.
func cover(hivesOf state: BookState, _ statistics: inout Statistics) {
  let hives = state.hives.elements
  statistics.cover("a shared hive", atLeast: 15, hives.contains { $0.members.count > 1 })
  // Few histories get so far; those of HiveModelTests do.
  statistics.cover("a day advanced", atLeast: 0, hives.contains { !$0.advanced.isEmpty })
  statistics.cover("a break", atLeast: 0, hives.contains { $0.recordedBreak != nil })
  statistics.cover(
    "a linked habit", atLeast: 3, hives.contains { $0.members.contains { $0.habit != nil } })
}

/// Keeps every entry, and a state to which each log is applied wrapped, the slow way.
struct EveryEntry: Projection {
  var entries: [Entry] = []
  var state = BookState()

  mutating func apply(_ entry: Entry) {
    entries.append(entry)
    state.apply(entry)
  }
}

extension BookLedger {
  var segmentCount: Int { get throws { try book.reader.journal.segments().count } }

  func entries() throws -> [Entry] {
    var every = EveryEntry()
    try book.reader.replay(into: &every)
    return every.entries
  }
}

extension [BookState] {
  /// One a good way through.
  fileprivate var someElement: BookState? {
    isEmpty ? nil : self[count * 7 / 10]
  }
}
