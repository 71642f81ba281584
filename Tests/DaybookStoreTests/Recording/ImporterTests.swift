import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Commands in bulk: the same entries as one by one, in large blocks, with few syncs.
@Suite(.tags(.law), .timeLimit(.minutes(60))) struct ImporterTests {
  @Test func `an import records the same as its commands one by one (ES-1, ES-6)`() {
    let report = check("importing is recording", .histories(), cases: 20) { history, statistics in
      var script = Script(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try script.play(step) }
      let one = try Self.book(script.clock.instant)
      let all = try Self.book(script.clock.instant)
      var codes: [String] = []
      for line in script.lines { codes.append(Self.code { try line.record(one) }) }
      var imported: [String] = []
      try all.importing { importer in
        for line in script.lines {
          imported.append(Self.code { try line.importInto(&importer) })
        }
      }
      let state = all.read { $0 }
      statistics.cover("several entries", atLeast: 30, state.position > 8)
      statistics.cover("refused", atLeast: 30, codes.contains { $0 != "" })
      try expectEqual(imported, codes)
      try expect(state.isSame(as: one.read { $0 }), "another state")
      try expect(try all.reader.state().isSame(as: state), "the journal differs")
      var entries = (Entries(), Entries())
      try one.reader.replay(into: &entries.0)
      try all.reader.replay(into: &entries.1)
      try expectEqual(entries.0.entries, entries.1.entries)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `blocks are large and hold whole commands, and syncs are few`() throws {
    let fixture = try WriterFixture()
    let before = (try fixture.commits().count, fixture.storage.syncCount)
    try fixture.importing(blockCount: 256) { importer in
      for number in 0..<300 { try importer.record(fixture.log(number), by: fixture.ada) }
      for number in 0..<400 {
        // An update with two events is never split.
        let update = UpdateHabit(fixture.habit) {
          $0.name = "Read \(number)"
          $0.target.amount = Amount(number % 5 + 2) ?? .one
        }
        try importer.record(update, by: fixture.ada)
      }
    }
    let blocks = try fixture.commits().dropFirst(before.0)
    #expect(blocks.reduce(0, +) == 300 + 400 * 2)
    // 256, the remaining 44 and 106 updates, 128 updates, …
    #expect(Array(blocks) == [256, 256, 256, 256, 76])
    #expect(fixture.storage.syncCount == before.1 + 1)
    try fixture.expectSameWhenReopened()
    #expect(try fixture.book.reader.journal.segments().map(\.first.number) == [1, 3])
  }

  @Test func `a small import is one commit`() throws {
    let fixture = try WriterFixture()
    let before = try fixture.commits().count
    try fixture.book.importing { importer in
      for number in 0..<10 { try importer.record(fixture.log(number), by: fixture.ada) }
    }
    try fixture.book.importing { _ in }
    #expect(try fixture.commits().dropFirst(before) == [10])
    #expect(try fixture.book.reader.journal.segments().count == 1)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a key used twice in an import is recorded once (ES-6)`() throws {
    let fixture = try WriterFixture()
    try fixture.importing(blockCount: 4) { importer in
      for number in 0..<30 {
        let key = Menu.key(7, number)
        let first = try importer.record(fixture.log(number), by: fixture.ada, id: key)
        let position = importer.state.position
        #expect(try importer.record(fixture.log(number), by: fixture.ada, id: key) == first)
        if number > 9 {
          let early = Menu.key(7, number - 9)
          try importer.record(fixture.log(number - 9), by: fixture.ada, id: early)
        }
        #expect(importer.state.position == position)
        #expect(
          Self.code { try importer.record(fixture.log(50), by: fixture.ada, id: key) }
            == "key_reused")
      }
    }
    #expect(fixture.book.read { $0.position } == 32)
    try fixture.expectSameWhenReopened()
  }

  @Test func `readers see the earlier state until the import is on disk`() throws {
    let fixture = try WriterFixture()
    let habit = try fixture.importing(blockCount: 10) { importer in
      let habit = try importer.record(CreateHabit(name: "Swim"), by: fixture.ada)
      for number in 0..<50 { try importer.record(fixture.log(number), by: fixture.ada) }
      #expect(importer.state.position == 53)
      #expect(try fixture.book.reader.state().position == 2)
      #expect(fixture.book.read { $0.position } == 2)
      return habit
    }
    #expect(fixture.book.read { $0.habits[habit]?.description.name } == "Swim")
  }

  @Test func `commands recorded before the importer throws stay`() throws {
    struct Enough: Error {}
    let fixture = try WriterFixture()
    #expect(throws: Enough.self) {
      try fixture.book.importing { importer in
        try importer.record(fixture.log(1), by: fixture.ada)
        #expect(
          Self.code { try importer.record(fixture.future(), by: fixture.ada) } == "future_day")
        try importer.record(fixture.log(2), by: fixture.ada)
        throw Enough()
      }
    }
    #expect(fixture.book.read { $0.position } == 4)
    try fixture.expectSameWhenReopened()
    #expect(try fixture.book.recordWithReceipt(fixture.log(3), by: fixture.ada).position == 5)
  }

  /// Writes and syncs fail at every place of an import of several segments.
  @Test(arguments: ["full", "broken", "unsynced"])
  func `after a disk failure the book shows what is on disk (ES-1)`(kind: String) throws {
    var seen: Set<Int64> = []
    var call = 0
    while true {
      let fixture = try WriterFixture(segmentByteCount: 4000)
      switch kind {
      case "full": fixture.storage.failWrites(after: call, isFull: true)
      case "broken": fixture.storage.failWrites(after: call, isFull: false)
      default: fixture.storage.failSyncs(after: call)
      }
      do {
        try fixture.importing(blockCount: 100) { importer in
          for number in 0..<1500 { try importer.record(fixture.log(number), by: fixture.ada) }
        }
        break
      } catch is JournalError {}
      fixture.storage.heal()
      let live = fixture.book.read { $0 }
      seen.insert(live.position)
      #expect((live.position - 2) % 100 == 0, "whole blocks, from the first on")
      if kind == "full" {
        #expect(
          try fixture.book.recordWithReceipt(fixture.log(1), by: fixture.ada).position == live
            .position + 1)
      } else {
        #expect(throws: JournalError.self) {
          try fixture.book.record(fixture.log(1), by: fixture.ada)
        }
      }
      try fixture.expectSameWhenReopened()
      call += 1
    }
    #expect(seen.count >= 3, "\(seen)")
  }

  @Test func `a book that cannot read back an import refuses everything`() throws {
    let fixture = try WriterFixture(segmentByteCount: 4000)
    #expect(throws: JournalError.self) {
      try fixture.importing(blockCount: 100) { importer in
        for number in 0..<1500 {
          // By then the first segment is full, and on disk.
          if number == 1200 {
            fixture.storage.failWrites(after: 0, isFull: true)
            fixture.storage.failReads()
          }
          try importer.record(fixture.log(number), by: fixture.ada)
        }
      }
    }
    fixture.storage.heal()
    #expect(fixture.book.read { $0.position } == 2, "the book shows what is on disk")
    let error = #expect(throws: JournalError.self) {
      try fixture.book.record(fixture.log(1), by: fixture.ada)
    }
    #expect(error?.description.contains("open the book again") == true)
    #expect(throws: JournalError.self) {
      try fixture.book.transaction { try $0.record(fixture.log(1), by: fixture.ada) }
    }
    #expect(throws: JournalError.self) {
      try fixture.book.importing { try $0.record(fixture.log(1), by: fixture.ada) }
    }
    #expect(try fixture.book.reader.state().position > 2)
  }

  @Test func `a command too large for a journal ends the import, and earlier ones stay`()
    throws
  {
    let fixture = try WriterFixture()
    let huge = String(repeating: String(repeating: "x", count: 1 << 20), count: 129)
    #expect(throws: JournalError.self) {
      try fixture.importing(blockCount: 10) { importer in
        for number in 0..<25 { try importer.record(fixture.log(number), by: fixture.ada) }
        try importer.record(fixture.log(note: huge), by: fixture.ada)
      }
    }
    #expect(fixture.book.read { $0.position } == 2 + 20)
    #expect(try fixture.book.recordWithReceipt(fixture.log(1), by: fixture.ada).position == 3 + 20)
    try fixture.expectSameWhenReopened()
  }

  // MARK: Tools

  private static func book(_ now: Instant) throws -> Book {
    let storage = MemoryStorage()
    let clock = HandClock(now)
    try Book.create(at: "book", storage: storage, clock: clock.bookClock)
    return try WriterFixture.open(storage, clock)
  }

  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch let rejection as Rejection {
      return rejection.code
    } catch {
      return "\(error)"
    }
  }

  private struct Entries: Projection {
    var entries: [Entry] = []
    mutating func apply(_ entry: Entry) { entries.append(entry) }
  }
}

extension WriterFixture {
  /// An import in small blocks.
  func importing<Result>(
    blockCount: Int, _ body: (inout Importer) throws -> Result
  ) throws -> Result {
    try book.importing({ Importer($0, blockCount: blockCount) }, body)
  }
}

/// Keeps the commands of a history, each with its time.
private struct Script: Ledger {
  struct Line {
    var record: (Book) throws -> Void
    var importInto: (inout Importer) throws -> Void
  }

  private var fixture: StateLedger
  private(set) var lines: [Line] = []

  init(_ clock: HandClock) { fixture = StateLedger(clock: clock) }

  var state: BookState { fixture.state }
  var clock: HandClock { fixture.clock }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    let at = at ?? max(clock.instant, state.at)
    // A command whose key was used before records nothing: the fixture, which knows no keys, differs here.
    lines.append(
      Line(
        record: { try $0.record(command, by: actor, at: at, id: id) },
        importInto: { try $0.record(command, by: actor, at: at, id: id) }))
    try fixture.record(command, by: actor, at: at, id: id)
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    for command in commands { try record(command, by: actor, at: at, id: nil) }
  }
}
