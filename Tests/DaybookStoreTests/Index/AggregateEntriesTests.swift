import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// The entries of an aggregate equal those in a replay of everything, whatever state the indexes are in.
@Suite(.tags(.law)) struct AggregateEntriesTests {
  @Test func `the entries of any aggregates are found, up to an instant and a position`() throws {
    let world = try HiveBook()
    try #require(try world.indexFiles.count >= 3)
    let whole = try world.lists()
    let state = world.book.read { $0 }
    let everything = Array(whole.keys).sorted()
    let ends = whole.values.flatMap { $0 }.map(\.head).sorted { $0.position < $1.position }
    for (number, head) in ends.enumerated() where number % 40 == 0 || number == ends.count - 1 {
      for wanted in [everything, [.hive(world.hive), .habit(world.read)], [.account(world.cy)]] {
        let until = try AggregateEntries(of: wanted, until: head.at, in: world.reader)
        let expected = try world.lists(until: head.at).filter { wanted.contains($0.key) }
        #expect(until.lists.filter { !$0.value.isEmpty } == expected)
        let through = try AggregateEntries(of: wanted, through: head.position, in: world.reader)
        let prefix = try world.lists(through: head.position).filter { wanted.contains($0.key) }
        #expect(through.lists.filter { !$0.value.isEmpty } == prefix)
      }
    }
    let all = try AggregateEntries(of: everything, in: world.reader)
    #expect(all.merged(everything).map(\.head.position) == Array(1...state.position))
    #expect(all.lastAt == state.at)
  }

  @Test func `every kind of entity is found in a sealed book, with only its own entries`() throws {
    let book = try EveryEvent.book()
    try book.seal()
    var lists: [Aggregate: [Entry]] = [:]
    var aggregates = AggregateReader()
    var all = Everything()
    try book.reader.replay(into: &all)
    for entry in all.entries {
      lists[aggregates.aggregate(of: entry.event), default: []].append(entry)
    }
    #expect(Set(lists.keys.map(\.kind)) == Set(EntityKind.allCases))
    for (aggregate, entries) in lists {
      let found = try AggregateEntries(of: [aggregate], in: book.reader)
      #expect(found.lists == [aggregate: entries], "\(aggregate)")
    }
  }

  private struct Everything: Projection {
    var entries: [Entry] = []
    mutating func apply(_ entry: Entry) { entries.append(entry) }
  }

  @Test func `owners' entries are found with those of their habits`() throws {
    let world = try HiveBook()
    let found = try AggregateEntries(
      of: [Aggregate.habit(world.read)], withOwners: true, in: world.reader)
    let whole = try world.lists()
    #expect(
      found.lists == whole.filter { [.habit(world.read), .account(world.ada)].contains($0.key) })
  }

  @Test func `a feed, awards and an audit match those of a full replay (HH-24)`() throws {
    let world = try HiveBook()
    let lists = try world.lists()
    let view = try world.view()
    for viewer in [world.ada, world.bob, world.cy] {
      let expected = Feed(of: viewer, view.state).page(lists, limit: 30).json.encoded
      #expect(try view.feed(of: viewer, limit: 30).json.encoded == expected)
      let awards = Awards(of: viewer, in: view.state).list(lists, view.query)
      #expect(try view.awards(of: viewer) == awards)
      #expect(awards.count >= 4)
    }
    let audit = try view.audit(of: world.hive, for: world.bob)
    #expect(audit.days.count >= 40 && audit.longest > 3)
    #expect(throws: Rejection.notMember) { try view.audit(of: world.hive, for: world.cy) }
  }

  @Test func `a view of an earlier state shows nothing recorded later`() throws {
    let world = try HiveBook()
    let whole = try world.view()
    let middle = whole.state.position / 2
    var prefix = BookState()
    try world.book.reader.replay(into: &prefix, through: middle)
    // The replay ends with a block, and the view with its state.
    let view = BookView(prefix, Query(asOf: prefix.at, zones: StateLedger.zones), world.reader)
    let lines = try view.feed(of: world.ada, limit: 1000).lines
    #expect(lines.allSatisfy { $0.activity.position <= prefix.position })
    let later = try whole.feed(of: world.ada, before: prefix.position + 1, limit: 1000).lines
    #expect(lines.map(\.activity) == later.map(\.activity))
  }

  @Test func `a page reads only its own postings, and no sealed segment`() throws {
    let world = try HiveBook()
    try world.book.seal()
    let watch = WatchedStorage(base: world.storage)
    let reader = BookReader(at: "book", storage: watch, zones: StateLedger.zones)
    let state = world.book.read { $0 }
    let view = BookView(state, Query(asOf: state.at, zones: StateLedger.zones), reader)
    #expect(try view.feed(of: world.ada).lines.count == 20)
    for name in try reader.journal.segments().dropLast() {
      // The header, which is read to check that the index belongs to it.
      #expect(watch.readCount(of: reader.journal.path(of: name)) == 1)
    }
  }
}

/// Damage to the indexes, none of which is needed for an answer.
@Suite(.tags(.damage)) struct AggregateEntriesDamageTests {
  @Test func `a missing or damaged index changes no page`() throws {
    let world = try HiveBook()
    let files = try world.indexFiles
    try #require(files.count >= 3)
    func answers() throws -> [String] {
      let view = try world.view()
      return [
        try view.feed(of: world.bob, limit: 50).json.encoded,
        try view.awards(of: world.ada).map { $0.json(of: world.ada, in: view.state).encoded }
          .joined(),
        try view.audit(of: world.hive, for: world.ada).json(in: view.state).encoded,
      ]
    }
    let expected = try answers()
    for (place, file) in files.enumerated() {
      let original = try world.storage.bytes(file)
      try world.storage.remove(file)
      #expect(try answers() == expected, "absent: \(file)")
      let other = files[(place + 1) % files.count]
      for bytes in [[], Array(original.dropLast(20)), try world.storage.bytes(other)] {
        try world.storage.replace(file, with: bytes)
        #expect(try answers() == expected, "\(bytes.count) bytes: \(file)")
      }
      // One bit of some bytes, a different one each time.
      for index in stride(from: place, to: original.count, by: try scaledStep(5 * 97)) {
        var bytes = original
        bytes[index] ^= 1 << UInt8(index % 8)
        try world.storage.replace(file, with: bytes)
        #expect(try answers() == expected, "byte \(index) of \(file)")
      }
      try world.storage.replace(file, with: original)
    }
  }
}
