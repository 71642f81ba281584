import Avro
import Daybook
import Journal
import PropertyTesting
import Synchronization
import Testing

@testable import DaybookStore

/// What an open book keeps for feeds and awards gives the same answers as its entries, and reads only new ones (HH-24,
/// DG-6).
@Suite(.tags(.law)) struct KeptActivityTests {
  @Test func `kept feeds and awards equal fresh ones, at any moment and in any order`() throws {
    let histories = Generator.zip(.histories(), Generator<Int>.integer(in: 0...999_999))
    let report = check("kept feeds and awards", histories, cases: 25) { pair, statistics in
      let (history, seed) = pair
      let ledger = try JournalLawTests.play(history)
      guard !ledger.states.isEmpty else { return }
      var random = BenchNumbers(seed)
      var awardCount = 0
      var reader = ledger.book.reader
      // So little that something is forgotten again and again, or nothing at all.
      reader.activities = KeptActivities(keeping: random.below(2) == 0 ? 20 : 100_000)
      for _ in 0..<12 {
        let state = ledger.states[random.below(ledger.states.count)]
        awardCount += try Self.compare(state, reader, random.below(60), random.below(4) == 0)
      }
      statistics.cover("with awards", atLeast: 10, awardCount > 0)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `they equal fresh ones for the members of a hive, as the book grows`() throws {
    let world = try HiveBook(days: 45)
    var states: [BookState] = [world.book.read { $0 }]
    var prefixes = Prefixes()
    try world.book.reader.replay(into: &prefixes)
    states += prefixes.states
    var random = BenchNumbers(41)
    var awardCount = 0
    for round in 0..<30 {
      let state = states[random.below(states.count)]
      awardCount += try Self.compare(state, world.book.reader, random.below(40), false)
      guard round % 10 == 9 else { continue }
      // Something is undone, and somebody leaves.
      _ = try world.book.record(LogHabit(world.read), by: world.ada)
      states.append(world.book.read { $0 })
      _ = try world.book.record(ClearLog(world.read), by: world.ada)
      states.append(world.book.read { $0 })
    }
    _ = try world.book.record(LeaveHive(world.hive), by: world.bob)
    awardCount += try Self.compare(world.book.read { $0 }, world.book.reader, 0, false)
    #expect(awardCount > 100)
  }

  @Test func `after an erasure nothing is kept, and later answers are right`() throws {
    let world = try HiveBook(days: 20)
    let reader = world.book.reader
    _ = try Self.compare(world.book.read { $0 }, reader, 0, false)
    #expect(reader.activities.entryCounts.allSatisfy { $0 > 0 })
    try world.book.erase(world.bob)
    #expect(reader.activities.entryCounts == [0, 0, 0, 0])
    _ = try Self.compare(world.book.read { $0 }, reader, 3, false)
  }

  @Test func `supposed entries are not kept`() throws {
    let world = try HiveBook(days: 10)
    let view = BookView(
      world.book.read { $0 }, Query(asOf: world.book.read { $0.at }, zones: StateLedger.zones),
      world.book.reader)
    let before = try view.feed(of: world.ada, limit: 100).json.encoded
    let supposed = try view.supposing { batch in
      let swim = try batch.record(CreateHabit(name: "Swim"), by: world.ada)
      _ = try batch.record(LogHabit(swim), by: world.ada)
    }.after
    let after = try supposed.feed(of: world.ada, limit: 100).json
    #expect(after.encoded.contains("Swim"))
    #expect(
      after.encoded
        == Feed(of: world.ada, supposed.state).page(
          try supposed.lists(of: Feed(of: world.ada, supposed.state).aggregates), limit: 100
        ).json.encoded)
    #expect(try view.feed(of: world.ada, limit: 100).json.encoded == before)
  }

  /// Compares the feed and the awards of all accounts with those of a reader that keeps nothing.
  ///
  /// - Returns: The number of awards.
  private static func compare(
    _ state: BookState, _ reader: BookReader, _ hours: Int, _ isAboutDay: Bool
  ) throws -> Int {
    let asOf = state.at.advanced(byMilliseconds: Int64(hours) * 3_600_000)
    let day = isAboutDay ? Day(utc: state.at) : nil
    let query = Query(asOf: asOf, on: day, zones: StateLedger.zones)
    let kept = BookView(state, query, reader)
    // A reader without an open book keeps nothing.
    let fresh = BookView(
      state, query,
      BookReader(
        at: reader.journal.directory, storage: reader.journal.storage, zones: reader.zones))
    var awardCount = 0
    for number in state.accounts.elements.indices {
      guard let account = Account.ID(number + 1) else { continue }
      for limit in [1, 3, 1000] {
        for before in [Int64.max, state.position / 2 + 1] {
          let page = try kept.feed(of: account, before: before, limit: limit).json.encoded
          let expected = Feed(of: account, state)
          let lists = try fresh.lists(of: expected.aggregates)
          try expectEqual(
            page,
            expected.page(lists, on: day, before: before, limit: limit).json.encoded,
            "feed of \(account) at \(state.position)")
        }
      }
      let awards = Awards(of: account, in: state)
      let expected = awards.list(try fresh.lists(of: awards.aggregates), query)
      try expectEqual(
        "\(try kept.awards(of: account))", "\(expected)",
        "awards of \(account) at \(state.position)")
      awardCount += expected.count
    }
    return awardCount
  }

  private struct Prefixes: Projection {
    var state = BookState()
    var states: [BookState] = []
    mutating func apply(_ entry: Entry) {
      state.apply(entry)
      states.append(state)
    }
  }
}

/// Random numbers from a seed.
private struct BenchNumbers {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(seed) &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, bound)
  }
}

/// A keeper's counts: what it applies and what it keeps.
@Suite(.tags(.unit)) struct FoldKeeperTests {
  private static let applied = Mutex<[Account.ID: Int]>([:])

  /// Counts the entries applied to it.
  private struct CountingFold: Projection, Sendable {
    let account: Account.ID
    var count = 0
    mutating func apply(_ entry: Entry) {
      count += 1
      FoldKeeperTests.applied.withLock { $0[account, default: 0] += 1 }
    }
  }

  private struct World {
    let book: Book
    let ada: Account.ID
    let read: Habit.ID
    let clock: HandClock

    init(days: Int) throws {
      clock = HandClock(try #require(Instant("2024-03-02T08:00:00Z")))
      let storage = MemoryStorage()
      try Book.create(at: "book", storage: storage, clock: clock.bookClock)
      book = try Book(
        opening: BookReader(at: "book", storage: storage, zones: StateLedger.zones),
        clock: clock.bookClock, segmentByteCount: Book.segmentByteCount(holding: 300),
        sealing: .atOnce)
      ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
      read = try book.record(CreateHabit(name: "Read"), by: ada)
      for _ in 0..<days { try log() }
    }

    func log() throws {
      _ = try book.record(LogHabit(read), by: ada)
      clock.instant = clock.instant.advanced(byMilliseconds: 86_400_000)
    }

    var view: BookView {
      BookView(
        book.read { $0 }, Query(asOf: clock.instant, zones: StateLedger.zones), book.reader)
    }
  }

  @Test func `a question after a new entry applies that entry alone, however long the book is`()
    throws
  {
    for days in [70, 700] {
      let world = try World(days: days)
      let other = try world.book.record(CreateAccount(name: "Bob", timeZone: "UTC"))
      let keeper = FoldKeeper<Account.ID, CountingFold>()
      func applied() throws -> Int {
        let before = Self.applied.withLock { $0[other] ?? 0 }
        _ = try keeper.folds(
          [
            .init(
              id: world.ada, aggregates: [.habit(world.read), .account(world.ada)],
              start: CountingFold(account: other))
          ], in: world.view)
        return Self.applied.withLock { $0[other] ?? 0 } - before
      }
      #expect(try applied() == days + 2)
      #expect(try applied() == 0)
      try world.log()
      #expect(try applied() == 1, "after \(days) days")
    }
  }

  @Test func `what nobody asked for longest is forgotten first, and the limit is kept`()
    throws
  {
    let world = try World(days: 40)
    var habits = [world.read]
    for name in ["Swim", "Walk", "Think"] {
      let habit = try world.book.record(CreateHabit(name: name), by: world.ada)
      for value in 1...20 {
        _ = try world.book.record(
          LogHabit(habit, value: try #require(Amount(value))), by: world.ada)
      }
      habits.append(habit)
    }
    let keeper = FoldKeeper<Habit.ID, CountingFold>(keeping: 70)
    func ask(_ habit: Habit.ID) throws -> Int? {
      try keeper.folds(
        [
          .init(id: habit, aggregates: [.habit(habit)], start: CountingFold(account: world.ada))
        ], in: world.view)[habit]?.count
    }
    for _ in 0..<3 {
      #expect(try habits.map { try ask($0) } == [41, 21, 21, 21])
      #expect(keeper.entryCount <= 70)
    }
    // One that is asked for again and again stays.
    _ = try ask(habits[1])
    let before = Self.applied.withLock { $0[world.ada] ?? 0 }
    for habit in habits.dropFirst(2) {
      _ = try ask(habits[1])
      _ = try ask(habit)
    }
    let all = Self.applied.withLock { $0[world.ada] ?? 0 } - before
    #expect(all <= 42)
    _ = try ask(habits[1])
    #expect(Self.applied.withLock { $0[world.ada] ?? 0 } - before == all)
  }
}
