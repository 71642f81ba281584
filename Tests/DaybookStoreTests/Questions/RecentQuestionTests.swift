import Daybook
import Testing

@testable import DaybookStore

@Suite(.tags(.unit)) struct RecentQuestionTests {
  @Test(arguments: Array(1...45) + [1000])
  func `an account's last commands are found among many others`(limit: Int) throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let ben = try book.record(CreateAccount(name: "Ben", timeZone: "UTC"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let run = try book.record(CreateHabit(name: "Run"), by: ben)
    for back in 1...40 {
      try book.record(LogHabit(read, day: .day(Day(clampingNumber: 20_000 - back))), by: ada)
    }
    // Further back than the first and second windows that are searched.
    for back in 1...700 {
      try book.record(LogHabit(run, day: .day(Day(clampingNumber: 20_000 - back))), by: ben)
    }
    let answer = try RecentQuestion(limit: limit).answer(from: book.view(), for: ada)
    let all = try book.reader.entries(from: 1, through: book.read { $0.position })
      .filter { $0.head.actor == ada }
    #expect(all.count == 41)
    #expect(
      answer.entries.map(\.head.position) == all.suffix(limit).reversed().map(\.head.position))
  }

  @Test func `a command that cannot be undone is listed as one row, marked as such`()
    throws
  {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let tile = try #require(StarterTile.allCases.first)
    let onboarded = try book.recordWithReceipt(
      CompleteOnboarding(habits: [.init(tile)]) { $0.theme = .night }, by: ada)
    #expect(onboarded.count == 3, "a profile, a habit, and the end of the onboarding")
    try book.record(CreateHabit(name: "Read"), by: ada)
    let answer = try RecentQuestion().answer(from: book.view(), for: ada)
    #expect(answer.entries.map(\.head.position) == [onboarded.lastPosition + 1, 2])
    #expect(answer.entries.map(answer.isUndoable) == [true, false])
    for position in onboarded.position...onboarded.lastPosition {
      let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
      let refusal = #expect(throws: Rejection.self) {
        try book.record(Undo(position, past), by: ada)
      }
      #expect(refusal?.code == "not_undoable")
    }
  }
}
