import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// An audit's former mark of a day is the book's answer right after the day closed.
@Suite(.tags(.law)) struct ThenAndNowLawTests {
  @Test(arguments: ["daybook", "loop", "honest"])
  func `a day's former mark is what the book showed right after its close`(
    _ name: String
  ) throws {
    let rule = try #require(StreakRule.shipped(named: name))
    let report = check("then of \(name)", Generator<History>.histories(4...28), cases: 10) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      let asOf = max(ledger.clock.instant, ledger.state.at)
      let view = BookView(
        ledger.state, Query(asOf: asOf, rule: rule, zones: StateLedger.zones), ledger.book.reader)
      for (index, habit) in view.state.habits.elements.enumerated() where !habit.isDeleted {
        guard let number = Habit.ID(index + 1) else { continue }
        let found = try view.thenAndNow(of: number)
        for told in found.days.suffix(25) {
          let closed = try Self.close(of: told.day, of: habit.owner, ledger, asOf)
          try expectEqual(told.closed, closed, "\(told.day)")
          let then = try Self.judged(told.day, number, rule, at: closed, ledger)
          try expectEqual(told.then, then, "\(told.day) at \(closed)")
          statistics.cover("changed", atLeast: 1, told.isChanged)
          statistics.cover("late", atLeast: 1, told.isLate)
        }
        let days = Set(found.days.map(\.day))
        let missing = found.view.judgement.days.map(\.day).filter {
          $0 < found.view.history.openFrom && $0 <= found.view.day && !days.contains($0)
        }
        try expectEqual(missing, [])
      }
    }
    #expect(report.passed, "\(report)")
  }

  /// The first instant after which the day is over for its owner. Candidates are the ends of the day by any clock,
  /// and the entries.
  private static func close(
    of day: Day, of owner: Account.ID, _ ledger: BookLedger, _ asOf: Instant
  ) throws -> Instant {
    let account = try #require(ledger.state.accounts[owner])
    let clocks = ledger.states.compactMap { $0.accounts[owner]?.dayClock } + [account.dayClock]
    var candidates = Set(ledger.states.map(\.at))
    for clock in clocks {
      if let end = end(of: day, clock) { candidates.insert(end) }
    }
    let first = try #require(ledger.states.first { $0.accounts[owner] != nil })
    for instant in candidates.sorted() {
      let state = ledger.states.last { $0.at <= instant } ?? first
      let seen = state.accounts[owner] ?? first.accounts[owner]
      let after = instant.advanced(byMilliseconds: 1)
      if let seen, end(of: day, seen.dayClock).map({ $0 < after }) ?? false { return instant }
    }
    return asOf
  }

  /// The last moment of a day, also where clocks skip its end: tried in steps of a quarter of an hour.
  private static func end(of day: Day, _ clock: DayClock) -> Instant? {
    guard var end = clock.end(of: day, in: StateLedger.zones) else { return nil }
    while let next = clock.day(of: end.advanced(byMilliseconds: 1), in: StateLedger.zones),
      next <= day
    {
      end = end.advanced(byMilliseconds: 900_000)
    }
    return end
  }

  private static func judged(
    _ day: Day, _ number: Habit.ID, _ rule: StreakRule, at closed: Instant, _ ledger: BookLedger
  ) throws -> JudgedDay? {
    guard let state = ledger.states.last(where: { $0.at <= closed }),
      let habit = state.habits[number]
    else { return nil }
    let query = Query(
      asOf: closed.advanced(byMilliseconds: 1), rule: rule, zones: StateLedger.zones)
    return try state.view(of: habit, query).judgement[day]
  }

  @Test func `every day that a new clock ends closes with the change`() throws {
    let clock = HandClock(try #require(Instant("2026-02-20T06:10:00Z")))
    let book = Book.inMemory(clock: clock.bookClock, zones: StateLedger.zones)
    let ada = try book.record(CreateAccount(timeZone: "Pacific/Honolulu"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    // It is the 19th there until 14:00, and suddenly the 21st.
    clock.instant = try #require(Instant("2026-02-20T10:01:00Z"))
    let east = UpdateProfile {
      $0.timeZone = "Pacific/Kiritimati"
      $0.dayStartHour = 0
    }
    try book.record(east, by: ada)
    clock.instant = try #require(Instant("2026-02-24T00:00:00Z"))
    let told = try book.view().thenAndNow(of: habit).days
    #expect(
      told.map { "\($0.day) \($0.closed)" } == [
        "2026-02-19 2026-02-20T10:01:00Z", "2026-02-20 2026-02-20T10:01:00Z",
        "2026-02-21 2026-02-21T09:59:59.999Z", "2026-02-22 2026-02-22T09:59:59.999Z",
        "2026-02-23 2026-02-23T09:59:59.999Z",
      ])
  }

  @Test func `a hive day's former mark is what the book showed right after it closed for all`() {
    let report = check("then of hives", Generator<History>.histories(10...40), cases: 15) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      let asOf = max(ledger.clock.instant, ledger.state.at)
      let view = BookView(
        ledger.state, Query(asOf: asOf, zones: StateLedger.zones), ledger.book.reader)
      for (index, hive) in view.state.hives.elements.enumerated() where !hive.isDeleted {
        guard let number = Hive.ID(index + 1), let member = hive.activeMembers.first else {
          continue
        }
        let found = try view.thenAndNow(of: number, for: member.account)
        for told in found.days {
          let state = try #require(ledger.states.last { $0.at <= told.closed })
          let then = try #require(state.hives[number])
          let after = told.closed.advanced(byMilliseconds: 1)
          let open = state.firstOpenDay(of: then, at: after, in: StateLedger.zones)
          try expect(open > told.day, "\(told.day) is not closed at \(told.closed)")
          try expectEqual(told.then, then.day(told.day, firstOpen: open))
          statistics.cover("a day together", atLeast: 1, told.now.verdict == .advanced)
        }
        let open = view.state.firstOpenDay(of: hive, at: asOf, in: StateLedger.zones)
        try expectEqual(
          found.days.last?.day, found.audit.days.last { $0.judged.day < open }?.judged.day)
      }
    }
    #expect(report.passed, "\(report)")
  }
}
