import Daybook
import DaybookStore
import Testing

/// A book behind a service: lines of JSON in, lines of JSON out.
@Suite(.tags(.unit)) struct ServiceTests {
  @Test func `a caller's lines are recorded under the caller's account`() throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let ben = try book.record(CreateAccount(name: "Ben", timeZone: "Europe/London"))
    let key = Key()
    let made = try book.record(
      line: Array(#"{"do":"create_habit","name":"Read","key":"\#(key)"}"#.utf8),
      from: .account(ada))
    #expect(made.isAccepted)
    let refused = try book.record(line: Array("{".utf8), from: .account(ada))
    #expect(!refused.isAccepted && String(decoding: refused.text, as: UTF8.self).contains("error"))

    var answers: [RequestOutcome] = []
    try book.record(lines: [Array("{}".utf8)], from: .account(ben)) { answers += $0 }
    #expect(answers.map(\.isAccepted) == [false])

    var questions = QuestionLines(book.reader)
    let own = try questions.answer(line: Array(#"{"ask":"streaks"}"#.utf8), from: .account(ada))
    #expect(String(decoding: own.text, as: UTF8.self).contains("Read"))
    let other = try questions.answer(line: Array(#"{"ask":"streaks"}"#.utf8), from: .account(ben))
    #expect(!String(decoding: other.text, as: UTF8.self).contains("Read"))
  }

  @Test func `a custom projection is filled by replay`() throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    for day: Day in ["2026-01-01", "2026-01-02"] {
      try book.record(LogHabit(read, day: .day(day)), by: ada)
    }
    var counts = LogCounts()
    try book.reader.replay(into: &counts)
    #expect(counts.logs == [read: 2])
  }
}

/// The number of logs for each habit.
private struct LogCounts: Projection {
  var logs: [Habit.ID: Int] = [:]

  mutating func apply(_ entry: Entry) {
    if case .habitLogged(let logged) = entry.event { logs[logged.habit, default: 0] += 1 }
  }
}
