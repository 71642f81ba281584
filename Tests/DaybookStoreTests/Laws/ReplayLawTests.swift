import Avro
import Daybook
import DaybookStore
import Journal
import PropertyTesting
import Testing

/// The fast ways of replaying batch logs before applying them. With small batches, so that small histories have
/// several, they must give the same state as applying entry by entry.
@Suite(.tags(.law)) struct ReplayLawTests {
  @Test func `law 1: batched logs give the same state as single ones (ES-2)`() throws {
    let histories = Generator.zip(.histories(), Generator<Int>.integer(in: 1...7))
    let report = check("laid by", histories, cases: 16) { pair, statistics in
      let (history, room) = pair
      let entries = try Self.play(history).entries()
      var state = BookState()
      var replay = StateReplay(room: 4 * room)
      for entry in entries {
        state.apply(entry)
        replay.apply(entry)
      }
      replay.finish()
      statistics.cover("many entries", atLeast: 20, entries.count > 20)
      try expect(replay.state.isSame(as: state), "another state")
      try expectEqual(replay.state.digest, state.digest)
    }
    #expect(report.passed, "\(report)")
  }

  /// Plays a history in which some commands are undone at once.
  private static func play(_ history: History) throws -> BookLedger {
    var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
    for step in history.steps {
      _ = try ledger.play(step)
      if step.wait % 3 == 0 { try ledger.undoLast() }
    }
    return ledger
  }

  @Test func `law 7: the streaks of all habits at once equal those of each (MO-5)`() throws {
    let histories = Generator.zip(.histories(), Generator<Int>.integer(in: 1...7))
    let report = check("all streaks at once", histories, cases: 16) { pair, statistics in
      let (history, batchCount) = pair
      let ledger = try Self.play(history)
      let entries = try ledger.entries()
      var state = BookState()
      var replay = StreakReplay(batchCount: batchCount)
      for entry in entries {
        state.apply(entry)
        replay.apply(entry)
      }
      let query = Query(asOf: state.at, zones: SystemTimeZones.shared)
      let expected = try state.streaks(query)
      let found = try replay.summaries(query)
      statistics.cover("a streak", atLeast: 30, expected.contains { $0.summary.longest != nil })
      try expectEqual(found.map(\.summary), expected.map(\.summary))
      let parts = try ledger.book.reader.replayInParts(
        threads: batchCount, smallestPartByteCount: 1
      ) { StreakReplay(after: $0, batchCount: batchCount) }
      statistics.cover("several parts", atLeast: 20, parts.count > 1)
      var whole = parts[0]
      for part in parts.dropFirst() { whole.append(part) }
      try expectEqual(try whole.summaries(query).map(\.summary), expected.map(\.summary))
      try expectEqual(
        try ledger.book.reader.streakSummaries(query).map(\.summary), expected.map(\.summary))
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `days and values of any size are kept (HH-8, HH-9)`() throws {
    let first = Day("0001-01-01")
    let last = Day("9999-12-31")
    let (middle, most) = (Day("2026-03-01"), Amount.last)
    var replay = StreakReplay(batchCount: 2)
    var state = BookState()
    let book = try Book(at: "book", storage: MemoryStorage())
    let ada = try book.record(CreateAccount(timeZone: "UTC"), at: Instant("2026-03-01T12:00:00Z"))
    let habit = try book.record(
      CreateHabit(name: "Save", type: .counter, target: Target(most)), by: ada)
    try book.reader.replay(into: &replay)
    try book.reader.replay(into: &state)
    for (position, day) in [middle, first, last, middle, first].enumerated() {
      let head = EntryHead(
        position: Int64(position) + 3, at: state.at, actor: ada, key: nil)
      let logged = HabitLogged(habit: habit, day: day, value: position == 3 ? .one : most)
      replay.apply(logged, head)
      state.apply(logged, head)
    }
    let query = Query(asOf: state.at, zones: SystemTimeZones.shared)
    #expect(try replay.summaries(query).map(\.summary) == state.streaks(query).map(\.summary))
    #expect(try replay.summaries(query).first?.summary.completion.full == 2)
  }
}
