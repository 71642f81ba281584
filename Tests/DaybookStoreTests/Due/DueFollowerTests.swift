import Daybook
import Journal
import PropertyTesting
import Synchronization
import Testing

@testable import DaybookStore

/// Consecutive spans give the same notifications as one span, and each starts where the last one ended (HH-25).
@Suite(.tags(.law)) struct DueFollowerTests {
  @Test func `consecutive spans give the same notifications as the whole book (HH-25)`() {
    let report = check("due spans", Generator<History>.histories(4...30), cases: 30) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      let start = ledger.state.at
      var follower = DueFollower(
        ledger.book.reader, from: ledger.state, after: start,
        judgesFirst: history.steps.count % 2 == 0)
      var parts: [DueNotification] = []
      for (number, step) in history.steps.enumerated() {
        _ = try ledger.play(step)
        // More may be recorded at the instant of the last entry, so each span ends before that instant.
        let end = ledger.state.at.advanced(byMilliseconds: -1)
        guard number % 3 == 0, end > follower.at else { continue }
        parts += try follower.due(through: end)
      }
      parts += try follower.due(through: ledger.state.at.advanced(byMilliseconds: 1))
      try expectEqual(follower.state.digest, ledger.state.digest)
      let all = try ledger.book.reader.due(after: start, through: follower.at)
      let entries = try ledger.entries()
      try expectEqual(Self.lasting(parts, entries), Self.lasting(all.notifications, entries))
      statistics.cover("told", atLeast: 10, !parts.isEmpty)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `one account's notifications are its share of everybody's (HH-25)`() {
    let report = check("due of one", Generator<History>.histories(4...30), cases: 20) {
      history, statistics in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      let start = ledger.state.at
      for step in history.steps { _ = try ledger.play(step) }
      let end = ledger.state.at.advanced(byMilliseconds: 20 * 86_400_000)
      let reader = ledger.book.reader
      for from in [start, ledger.state.at.advanced(byMilliseconds: -3 * 86_400_000)] {
        let all = try reader.due(after: from, through: end).notifications
        for person in ledger.state.accounts.elements.indices.compactMap({ Account.ID($0 + 1) }) {
          let own = try reader.due(after: from, through: end, for: person).notifications
          try expectEqual(own, all.filter { $0.account == person })
          statistics.cover("told", atLeast: 10, !own.isEmpty)
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the cost for one account depends only on what it owns (HH-25)`()
    throws
  {
    /// The number of clock lookups for one account's month, among this many other accounts.
    func lookCount(others count: Int) throws -> Int {
      let zones = CountingZones()
      let (storage, clock) = (MemoryStorage(), HandClock(try #require(Instant(WriterFixture.now))))
      let book = try Book(at: "book", storage: storage, clock: clock.bookClock)
      let seven = try #require(LocalTime("07:00"))
      let people = try (0...count).map { _ in
        let person = try book.record(CreateAccount(timeZone: "UTC"))
        try book.record(CreateHabit(name: "Read", reminders: [seven]), by: person)
        return person
      }
      let reader = BookReader(on: book.reader.log, zones: zones)
      let start = book.read { $0.at }
      let end = start.advanced(byMilliseconds: 30 * 86_400_000)
      zones.count.withLock { $0 = 0 }
      let told = try reader.due(after: start, through: end, for: people[0]).notifications
      #expect(told.count == 30)
      return zones.count.withLock { $0 }
    }
    let (one, ten) = (try lookCount(others: 10), try lookCount(others: 100))
    #expect(one > 0 && one == ten)
  }

  @Test func `an account with too many reminders is refused, with a shorter span to try (HH-25)`()
    throws
  {
    let clock = HandClock(try #require(Instant(WriterFixture.now)))
    let book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let hourly = (0..<24).compactMap { LocalTime(minutes: $0 * 60) }
    for number in 0..<40 {
      try book.record(CreateHabit(name: "\(number)", reminders: hourly), by: ada)
    }
    let start = book.read { $0.at }
    func told(days: Int64) throws -> Int {
      let end = start.advanced(byMilliseconds: days * 86_400_000)
      return try book.reader.due(after: start, through: end, for: ada).notifications.count
    }
    #expect(try told(days: 10) == 40 * 24 * 10)
    let refusal = #expect(throws: Rejection.self) { try told(days: 3700) }
    #expect(refusal?.field == "to" && refusal?.code == "invalid_field")
  }

  /// Everything except milestones of deleted habits, which are reported until a span ends after the deletion.
  private static func lasting(_ told: [DueNotification], _ entries: [Entry]) -> [String] {
    let deleted = entries.compactMap { entry in
      if case .habitDeleted(let event) = entry.event { event.habit } else { nil }
    }
    let wereErased = entries.contains {
      if case .accountErased = $0.event { true } else { false }
    }
    return told.compactMap { notification in
      guard case .milestone(let habit, _) = notification.content else { return "\(notification)" }
      return wereErased || deleted.contains(habit) ? nil : "\(notification)"
    }
  }

  /// The bytes read by a span with a command that completes no day, in an unsealed book of this many entries.
  private func readByteCount(entries count: Int) throws -> Int {
    let (storage, clock) = (MemoryStorage(), HandClock(try #require(Instant(WriterFixture.now))))
    let watched = WatchedStorage(base: storage)
    let book = try Book(at: "book", storage: watched, clock: clock.bookClock)
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    try book.transaction { batch in
      for number in 0..<count { try batch.record(CreateTask(title: "\(number)"), by: ada) }
    }
    for _ in 0..<20 { try book.record(CreateTask(title: "another"), by: ada) }
    let state = book.read { $0 }
    var follower = DueFollower(book.reader, from: state, after: state.at)
    try book.record(LogHabit(habit), by: ada)
    #expect(try follower.due(through: clock.instant.advanced(byMilliseconds: 1)).isEmpty)

    // The first span is replayed, and the second one finds its place.
    _ = try follower.due(through: clock.instant.advanced(byMilliseconds: 1))

    try book.record(CreateTask(title: "one more"), by: ada)
    try book.record(LogHabit(habit), by: ada)
    let before = watched.readByteCount
    _ = try follower.due(through: clock.instant.advanced(byMilliseconds: 2))
    #expect(follower.state.position == book.read { $0.position })
    return watched.readByteCount - before
  }

  @Test func `a span in a book ten times as large reads no more (HH-25)`() throws {
    let (one, ten) = (try readByteCount(entries: 300), try readByteCount(entries: 3000))
    #expect(one > 0)
    #expect(ten < one + one / 2, "\(one) bytes, then \(ten)")
  }

  /// The bytes read to find missed notifications of a habit with many days, in an open book.
  private func missedByteCount(judgesFirst: Bool) throws -> Int {
    let (storage, clock) = (MemoryStorage(), HandClock(try #require(Instant(WriterFixture.now))))
    let watched = WatchedStorage(base: storage)
    let book = try Book(at: "book", storage: watched, clock: clock.bookClock)
    let ada = try book.record(CreateAccount(timeZone: "UTC"))
    let habit = try book.record(CreateHabit(name: "Read"), by: ada)
    let today = Day(clampingNumber: Int(clock.instant.milliseconds / 86_400_000))
    try book.transaction { batch in
      // The logs are two days apart, so that no streak reaches a milestone.
      for number in 1...1000 {
        let day = today.advanced(by: -2 * number)
        // Text that does not compress.
        let note = (0..<8).map { Key(derivedFrom: ["\(number)", "\($0)"]).description }.joined()
        try batch.record(LogHabit(habit, day: .day(day), note: note), by: ada)
      }
    }
    let state = book.read { $0 }
    for number in 0..<20 { try book.record(CreateTask(title: "\(number)"), by: ada) }
    try book.record(LogHabit(habit), by: ada)
    var follower = DueFollower(book.reader, from: state, after: state.at, judgesFirst: judgesFirst)
    let before = watched.readByteCount
    #expect(try follower.due(through: clock.instant.advanced(byMilliseconds: 1)).isEmpty)
    #expect(follower.state.position == book.read { $0.position })
    return watched.readByteCount - before
  }

  @Test
  func `missed notifications are found without the past of accounts that acted since (HH-25)`()
    throws
  {
    // The segment is replayed; looking the habit up would read it once more.
    let (judged, lookedUp) = (
      try missedByteCount(judgesFirst: true), try missedByteCount(judgesFirst: false)
    )
    #expect(judged > 0)
    #expect(3 * judged < 2 * lookedUp, "\(judged) bytes, and \(lookedUp)")
  }

  @Test func `after a failed read the next span starts where the failed one did`() throws {
    let fixture = try WriterFixture()
    let state = fixture.book.read { $0 }
    for number in (0..<3).reversed() {
      try fixture.book.record(fixture.log(number), by: fixture.ada)
    }
    let end = fixture.clock.instant.advanced(byMilliseconds: 1000)
    var (reads, failures) = (0, 0)
    while true {
      // As if nothing had been read yet.
      fixture.book.reader.recent.forget()
      var follower = DueFollower(fixture.book.reader, from: state, after: state.at)
      fixture.storage.failReads(after: reads)
      let isRefused = (try? follower.due(through: end)) == nil
      fixture.storage.heal()
      guard isRefused else { break }
      #expect(follower.at == state.at && follower.state.position == state.position)
      let told = try follower.due(through: end)
      #expect(told.count == 1, "\(reads) reads")
      #expect(try follower.due(through: end).isEmpty)
      (reads, failures) = (reads + 1, failures + 1)
    }
    #expect(failures > 2)
  }
}

/// Time zones that count their lookups.
private final class CountingZones: TimeZones, Sendable {
  let count = Mutex(0)

  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    count.withLock { $0 += 1 }
    return SystemTimeZones.shared.offsetSeconds(of: timeZone, at: instant)
  }
}
