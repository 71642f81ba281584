import Avro
import Daybook
import PropertyTesting
import Testing

@testable import DaybookStore

/// A batch delays applying its logs, and nothing else can see that.
@Suite(.tags(.unit)) struct BatchTests {
  private let fixture = try? WriterFixture()

  @Test func `a batch sees its own logs, and so do its later commands`() throws {
    let fixture = try #require(fixture)
    let (habit, today) = (fixture.habit, fixture.clock.today)
    try fixture.book.transaction { batch in
      for number in 0..<3 { try batch.record(fixture.log(number), by: fixture.ada) }
      #expect(batch.state.habits[habit]?.days.records.map(\.day.number).count == 3)
      #expect(batch.state.position == 5)
      try batch.record(fixture.log(3), by: fixture.ada)
      #expect(batch.state.position == 6)
      #expect(batch.state.habits[habit]?.days[today.advanced(by: -3)] != nil)
      try batch.record(ClearLog(habit, day: .day(today)), by: fixture.ada)
      try batch.record(fixture.log(4), by: fixture.ada)
      // An empty day stays empty, which only the state shows.
      try batch.record(ClearLog(habit, day: .day(today)), by: fixture.ada)
      try batch.record(ClearLog(habit, day: .day(today.advanced(by: -4))), by: fixture.ada)
      #expect(batch.state.position == 9)
    }
    #expect(fixture.book.read { $0.habits[habit]?.days.records.map { $0 }.count } == 3)
    #expect(try fixture.commits().last == 7)
    try fixture.expectSameWhenReopened()
  }

  @Test func `copies of a batch continue independently`() throws {
    let fixture = try #require(fixture)
    func days(_ batch: Batch) -> Int? { batch.state.habits[fixture.habit]?.days.records.count }
    try fixture.book.transaction { batch in
      try batch.record(fixture.log(0), by: fixture.ada)
      var left = batch
      var right = batch
      try left.record(fixture.log(1), by: fixture.ada)
      #expect(days(batch) == 1)
      try right.record(fixture.log(1), by: fixture.ada)
      try right.record(fixture.log(2), by: fixture.ada)
      #expect([days(batch), days(left), days(right)] == [1, 2, 3])
      try left.record(ClearLog(fixture.habit, day: .day(fixture.clock.today)), by: fixture.ada)
      try right.record(fixture.log(3), by: fixture.ada)
      #expect([days(batch), days(left), days(right)] == [1, 1, 4])
      batch = right
    }
    #expect(try fixture.commits().last == 4)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a future day that the batch has logged may be logged again`()
    throws
  {
    let fixture = try #require(fixture)
    let tomorrow = fixture.clock.today.advanced(by: 1)
    var anywhere = LogHabit(fixture.habit, day: .day(tomorrow))
    anywhere.isOfAnyZone = true
    try fixture.book.transaction { batch in
      try batch.record(fixture.log(0), by: fixture.ada)
      #expect(throws: Rejection.self) {
        try batch.record(LogHabit(fixture.habit, day: .day(tomorrow)), by: fixture.ada)
      }
      // At half past ten it is tomorrow already where days begin first.
      let late = fixture.clock.instant.advanced(byMilliseconds: 10 * 3_600_000)
      try batch.record(anywhere, by: fixture.ada, at: late)
      try batch.record(
        LogHabit(fixture.habit, day: .day(tomorrow), note: "Again."), by: fixture.ada, at: late)
    }
    #expect(fixture.book.read { $0.habits[fixture.habit]?.days.note(on: tomorrow) } == "Again.")
    #expect(try fixture.commits().last == 3)
    try fixture.expectSameWhenReopened()
  }

  @Test func `logs under an idempotency key get their first answer, even after other logs`()
    throws
  {
    let fixture = try #require(fixture)
    let id = Menu.key(7, 1)
    for _ in 0..<2 {
      try fixture.book.transaction { batch in
        try batch.record(fixture.log(1), by: fixture.ada)
        try batch.record(fixture.log(2), by: fixture.ada, id: id)
        try batch.record(fixture.log(3), by: fixture.ada)
      }
    }
    #expect(try fixture.commits().suffix(2) == [3, 2])
    try fixture.expectSameWhenReopened()
  }

  @Test func `logs are complete beyond the size of the waiting list`() throws {
    let fixture = try #require(fixture)
    let count = 9000
    try fixture.book.transaction { batch in
      for number in 0..<count { try batch.record(fixture.log(number % 40), by: fixture.ada) }
    }
    #expect(fixture.book.read { $0.position } == Int64(count) + 2)
    #expect(fixture.book.read { $0.habits[fixture.habit]?.days.records.count } == 40)
    try fixture.expectSameWhenReopened()
  }

  @Test func `all commands of a batch have one time, unless one states another`() throws {
    let fixture = try #require(fixture)
    let start = fixture.clock.instant
    var times: [Instant] = []
    try fixture.book.transaction { batch in
      func note(_ number: Int, at: Instant? = nil) throws {
        try batch.record(fixture.log(number), by: fixture.ada, at: at)
        times.append(batch.state.at)
        fixture.clock.instant = fixture.clock.instant.advanced(byMilliseconds: 1000)
      }
      try note(1)
      try note(2)
      try note(3, at: start.advanced(byMilliseconds: 500))
      // Never before the last entry.
      try note(4)
      try batch.record(CreateHabit(name: "Run"), by: fixture.ada)
      times.append(batch.state.at)
    }
    #expect(times.map { $0.milliseconds - start.milliseconds } == [0, 0, 500, 500, 500])
    try fixture.book.transaction { batch in try batch.record(fixture.log(5), by: fixture.ada) }
    #expect(fixture.book.read { $0.at } == start.advanced(byMilliseconds: 4000))
  }

  @Test func `a batch checks the actor of each command anew`() throws {
    let fixture = try #require(fixture)
    // It is tomorrow already where Bob is.
    fixture.clock.instant = fixture.clock.instant.advanced(byMilliseconds: 6 * 3_600_000)
    let bob = try fixture.book.record(CreateAccount(timeZone: "Pacific/Auckland"))
    let nobody = try #require(Account.ID(99))
    func code(_ batch: inout Batch, _ actor: Account.ID?) -> String? {
      do {
        try batch.record(LogHabit(fixture.habit), by: actor)
        return nil
      } catch { return (error as? Rejection)?.code }
    }
    try fixture.book.transaction { batch in
      let codes = [fixture.ada, bob, nobody, nil, fixture.ada].map { code(&batch, $0) }
      #expect(codes == [nil, "not_owner", "account_not_found", "actor_missing", nil])
      let other = try batch.record(CreateHabit(name: "Swim"), by: bob)
      let days = try [
        batch.record(LogHabit(fixture.habit), by: fixture.ada),
        batch.record(LogHabit(other), by: bob),
        batch.record(LogHabit(fixture.habit), by: fixture.ada),
      ]
      let today = fixture.clock.today
      #expect(days == [today, today.advanced(by: 1), today])
    }
    try fixture.expectSameWhenReopened()
  }

  @Test func `a full disk leaves the state as it was before the waiting logs`() throws {
    let fixture = try #require(fixture)
    fixture.storage.failWrites(after: 0, isFull: true)
    #expect(throws: (any Error).self) {
      try fixture.book.transaction { batch in
        for number in 0..<3 { try batch.record(fixture.log(number), by: fixture.ada) }
      }
    }
    #expect(fixture.book.read { $0.habits[fixture.habit]?.days.records.count } == 0)
    fixture.storage.heal()
    try fixture.book.transaction { batch in try batch.record(fixture.log(0), by: fixture.ada) }
    #expect(fixture.book.read { $0.position } == 3)
    try fixture.expectSameWhenReopened()
  }

  @Test func `a state held from before a batch does not change`() throws {
    let fixture = try #require(fixture)
    try fixture.book.transaction { batch in try batch.record(fixture.log(1), by: fixture.ada) }
    let held = fixture.book.read { $0 }
    let digest = held.digest
    try fixture.book.transaction { batch in try batch.record(fixture.log(0), by: fixture.ada) }
    #expect(held.digest == digest)
    #expect(fixture.book.read { $0.digest } != digest)
  }
}

/// Commands may be recorded one by one or as a batch.
@Suite(.tags(.law)) struct BatchLawTests {
  @Test func `a batch has the same result as its commands one by one`() {
    let cases = Generator.zip(
      Generator<History>.histories(5...40), Generator<Int>.integer(in: 0...3).array(count: 60...60))
    let report = check("batches", cases, cases: 60) { both, statistics in
      let (history, looks) = both
      let clock = HandClock(Menu.beginnings[history.beginning])
      let single = Book.inMemory(clock: clock.bookClock, zones: StateLedger.zones)
      // The time is the same, and new keys are drawn in the same order.
      let keys = HandClock(clock.instant)
      let book = Book.inMemory(
        clock: BookClock(now: { clock.instant }, freshKey: { keys.freshKey() }),
        zones: StateLedger.zones)
      try book.transaction { batch in
        var ledger = BatchLedger(batch: batch, single: single, clock: clock)
        for (place, step) in history.steps.enumerated() {
          // An id used earlier in the same batch is refused there.
          var step = step
          step.id = nil
          _ = try ledger.play(step)
          // Now and then the state is read, or a copy is kept.
          switch looks[place % looks.count] {
          case 0: try expect(ledger.batch.state.isSame(as: ledger.state), "another state")
          case 1: ledger.kept = ledger.batch
          default: break
          }
        }
        batch = ledger.batch
      }
      let (state, other) = (single.read { $0 }, book.read { $0 })
      try expect(other.isSame(as: state), "another state at the end")
      try expectEqual(other.digest, state.digest)
      statistics.cover("many entries", atLeast: 20, state.position > 10)
    }
    #expect(report.passed, "\(report)")
  }
}

/// Records into a batch and into a book one by one; both must give the same answers.
private struct BatchLedger: Ledger {
  var batch: Batch
  let single: Book
  let clock: HandClock
  /// A copy that is not continued.
  var kept: Batch?

  var state: BookState { single.read { $0 } }

  mutating func record<C: Command>(
    _ command: C, by actor: Account.ID?, at: Instant?, id: Key?
  ) throws {
    let time = time(at)
    let expected = try Self.code { try single.record(command, by: actor, at: at) }
    let code = try Self.code {
      // Logs have their own fast path.
      if let log = command as? LogHabit {
        try batch.record(log, by: actor, at: time)
      } else {
        try batch.record(command, by: actor, at: time)
      }
    }
    try expectEqual(code, expected)
  }

  mutating func record(_ commands: [LogHabit], by actor: Account.ID?, at: Instant?) throws {
    var copy = batch
    let time = time(at)
    let expected = try Self.code {
      try single.transaction { batch in
        for command in commands { try batch.record(command, by: actor, at: at, id: nil) }
      }
    }
    let code = try Self.code {
      for command in commands { try copy.record(command, by: actor, at: time) }
    }
    try expectEqual(code, expected)
    if code == nil { batch = copy }
  }

  /// The time of a command: the clock advances, but not within a batch.
  private func time(_ at: Instant?) -> Instant { at ?? max(clock.instant, state.at) }

  /// The code of the refusal, if there was one.
  private static func code(_ body: () throws -> Void) throws -> String? {
    do { try body() } catch let rejection as Rejection { return rejection.code }
    return nil
  }
}
