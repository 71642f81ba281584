import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// The consequences of a supposition, as a program reads them.
@Suite(.tags(.unit)) struct SuppositionTests {
  private func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

  /// Ada read on the first three days of March, and on the fifth.
  private func book() throws -> (Book, Account.ID, Habit.ID) {
    let noon = try instant("2026-03-05T12:00:00Z")
    let book = try Book(
      at: "book", storage: MemoryStorage(), clock: BookClock(now: { noon }))
    let start = try instant("2026-03-01T08:00:00Z")
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"), at: start)
    let read = try book.record(CreateHabit(name: "Read"), by: ada, at: start)
    for day in ["01", "02", "03", "05"] {
      try book.record(LogHabit(read), by: ada, at: instant("2026-03-\(day)T09:00:00Z"))
    }
    return (book, ada, read)
  }

  @Test func `a supposed view answers for streaks, audits and awards`() throws {
    let (book, ada, read) = try book()
    let supposition = try book.view().supposing { batch in
      try batch.record(LogHabit(read, day: "2026-03-04"), by: ada)
      try batch.record(SkipDay(read), by: ada)
    }
    let streak = try supposition.after.streak(of: read)
    let otherwise = try supposition.consequences(for: ada)
    #expect(streak.current?.length == 4)
    #expect(try supposition.before.streak(of: read).current?.length == 1)
    let change = try #require(otherwise.habits.first)
    #expect(change.before?.current == 1 && change.after?.current == 4)
    #expect(change.before?.endsOn == "2026-03-06" && change.after?.endsOn == "2026-03-06")
    #expect(otherwise.entryCount == 2)
    let audit = try supposition.after.audit(of: read)
    #expect(audit.days.first { $0.judged.day == "2026-03-04" }?.evidence.map(\.position) == [7])
    #expect(book.read { $0.position } == 6)
  }

  @Test func `new habits are audited, too, and suppositions can be stacked`() throws {
    let (book, ada, read) = try book()
    let first = try book.view().supposing { batch in
      let run = try batch.record(CreateHabit(name: "Run"), by: ada)
      try batch.record(LogHabit(run), by: ada)
      try batch.record(CreateHabit(name: "Swim"), by: ada)
    }
    let second = try first.after.supposing {
      try $0.record(LogHabit(read, day: "2026-03-04"), by: ada)
    }
    #expect(second.after.state.position == 10 && second.entries.count == 4)
    let run = try #require(Habit.ID(2))
    let audit = try second.after.audit(of: run)
    #expect(audit.days.first?.evidence.map(\.position) == [8])
    #expect(try second.after.awards(of: ada).contains { $0.cause == .streak(read, 3) })
    #expect(try second.consequences(for: ada).habits.map(\.habit.displayName) == ["Read"])
    #expect(try first.consequences(for: ada).habits.map { $0.before == nil } == [true, true])
  }

  @Test func `a view shows late changes, and the difference between two instants`() throws {
    let (book, ada, read) = try book()
    let start = try instant("2026-03-05T10:00:00Z")
    let end = try instant("2026-03-05T12:00:00Z")
    try book.record(LogHabit(read, day: "2026-03-04"), by: ada, at: end)
    let late = try book.view().thenAndNow(of: read).days.filter(\.isLate)
    let changes = try book.view().difference(from: start, to: end, for: ada).changes
    #expect(late.map(\.day) == ["2026-03-04"])
    #expect(late.first?.changes.map(\.latenessMilliseconds) == [28_800_001])
    #expect(changes.map(\.table) == ["habit_logs"])
    #expect(changes.first?.entries.map(\.head.position) == [7])
  }

  @Test func `a refusal ends the supposition, and records nothing`() throws {
    let (book, ada, read) = try book()
    #expect(throws: Rejection.self) {
      try book.view().supposing { batch in
        try batch.record(LogHabit(read), by: ada)
        try batch.record(LogHabit(read, day: "2026-03-09"), by: ada)
      }
    }
    #expect(book.read { $0.position } == 6)
  }

  @Test func `an undo can be supposed`() throws {
    let (book, ada, _) = try book()
    let question = WhatIfQuestion([SupposedCommand(["do": "undo", "position": 6])])
    let found = try question.answer(from: book.view(), for: ada)
    #expect(found.habits.first?.before?.current == 1)
    #expect(found.habits.first?.after?.current == 0)
  }

  @Test func `at most a thousand commands are supposed at once`() throws {
    let (book, ada, _) = try book()
    let one = SupposedCommand(["do": "user_local_date"])
    for (count, isTaken) in [(1000, true), (1001, false)] {
      let question = WhatIfQuestion(Array(repeating: one, count: count))
      let result = Result { try question.answer(from: book.view(), for: ada) }
      #expect(((try? result.get()) != nil) == isTaken, "\(count): \(result)")
    }
  }
}
