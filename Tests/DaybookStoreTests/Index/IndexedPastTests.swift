import Avro
import Daybook
import DaybookStore
import PropertyTesting
import Testing

/// An account's habits of a past moment, found by the indexes alone, equal those of the whole past.
@Suite(.tags(.law)) struct IndexedPastTests {
  @Test func `a past moment read by the indexes answers like the whole past (ES-3, ES-4)`() throws {
    let report = check("by the indexes", .histories(), cases: 15) { history, statistics in
      let ledger = try JournalLawTests.play(history)
      let reader = ledger.book.reader
      var (found, hives) = (0, 0)
      for instant in Set(ledger.states.map(\.at)).sorted().someElements {
        for instant in [instant, instant.advanced(byMilliseconds: -1)] {
          guard let past = try reader.indexedPast(asOf: instant) else { continue }
          let whole = try reader.state(asOf: instant)
          found += try Self.compare(past, whole, reader, instant)
          hives += whole.hives.elements.count
        }
      }
      statistics.cover("habits found", atLeast: 10, found > 0)
      statistics.cover("beside hives", atLeast: 2, hives > 0)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `no past is read by indexes that are absent, or end before it`() throws {
    let ledger = try IndexTests.ledger()
    let reader = ledger.book.reader
    let first = try #require(ledger.states.first).at
    #expect(try reader.indexedPast(asOf: first) != nil)
    #expect(try reader.indexedPast(asOf: ledger.state.at) == nil)
    for file in try ledger.indexFiles { try ledger.storage.remove(file) }
    #expect(try reader.indexedPast(asOf: first) == nil)
  }

  @Test func `a flipped bit in an index changes no past that is read by it`() throws {
    let ledger = try IndexTests.ledger()
    let path = try #require(try ledger.indexFiles.first)
    let original = try ledger.storage.bytes(path)
    let reader = ledger.book.reader
    let instant = try #require(ledger.states.dropFirst(ledger.states.count / 4).first).at
    let whole = try reader.state(asOf: instant)
    #expect(try reader.indexedPast(asOf: instant) != nil)
    for place in try sample(original.indices, every: 5) {
      var bytes = original
      bytes[place] ^= 1 << UInt8(place % 8)
      try ledger.storage.replace(path, with: bytes)
      guard let past = try reader.indexedPast(asOf: instant) else { continue }
      _ = try Self.compare(past, whole, reader, instant)
    }
  }

  @Test(arguments: [100, 101])
  func `more than a hundred habits of an account are not looked up one by one`(_ count: Int) throws
  {
    var ledger = try BookLedger(HandClock(Menu.beginnings[0]))
    try ledger.record(CreateAccount(timeZone: "Europe/London"), by: nil, at: nil, id: nil)
    let account = try #require(Account.ID(1))
    for number in 1...count {
      try ledger.record(CreateHabit(name: "Read \(number)"), by: account, at: nil, id: nil)
    }
    let made = ledger.clock.instant
    ledger.clock.instant = made.advanced(byMilliseconds: 60_000)
    try ledger.record(Pause(first: .first, last: nil), by: account, at: nil, id: nil)
    try ledger.book.seal()
    let past = try #require(try ledger.book.reader.indexedPast(asOf: made))
    let state = try past.state(withHabitsOf: account)
    #expect(state?.habits(of: account).count == (count == 100 ? 100 : nil))
  }

  /// Compares what the indexes tell with the whole past, and counts the habits.
  private static func compare(
    _ past: IndexedPast, _ whole: BookState, _ reader: BookReader, _ instant: Instant
  ) throws -> Int {
    var count = 0
    try expectEqual(Array(past.people.accounts.elements), Array(whole.accounts.elements))
    for hive in whole.hives.elements {
      let account = try unwrap(Account.ID(1))
      try expect(past.mayMeanHive(hive.key.description, for: account), "a hive's key")
    }
    for index in whole.accounts.elements.indices {
      let account = try unwrap(Account.ID(index + 1))
      if !past.mayMeanHive("Read", for: account) {
        try expectEqual(whole.hives(of: account), [])
      }
      let state = try unwrap(past.state(withHabitsOf: account))
      try expectEqual(Array(state.accounts.elements), Array(whole.accounts.elements))
      let habits = whole.habits(of: account)
      try expectEqual(state.habits(of: account), habits)
      let query = Query(asOf: instant, zones: reader.zones)
      let views = (BookView(state, query, reader), BookView(whole, query, reader))
      for habit in habits {
        count += 1
        let number = try unwrap(whole.habits.number(of: habit.key))
        try expectEqual(state.habits.number(of: habit.key), number)
        func same(_ question: some Question) throws {
          try expectEqual(
            try question.answer(from: views.0, for: account).json.encoded,
            try question.answer(from: views.1, for: account).json.encoded)
        }
        try same(AuditQuestion(of: number))
        try same(HeatmapQuestion(number))
        try same(HistoryQuestion(number))
        try same(ThenAndNowQuestion(AuditQuestion(of: number)))
      }
    }
    return count
  }
}

extension [Instant] {
  /// Some of the elements, the first among them.
  fileprivate var someElements: [Instant] {
    let step = Swift.max(1, count / 8)
    return indices.filter { $0 % step == 0 }.map { self[$0] }
  }
}
