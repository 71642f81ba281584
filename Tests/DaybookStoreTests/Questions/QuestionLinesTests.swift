import Daybook
import Journal
import Testing

@testable import DaybookStore

/// Questions asked one after another while the book grows.
@Suite(.tags(.unit)) struct QuestionLinesTests {
  @Test(arguments: [false, true])
  func `each question is answered from the book's current state`(isInMemory: Bool) throws {
    let clock = HandClock(Menu.beginnings[0])
    let book =
      isInMemory
      ? Book.inMemory(clock: clock.bookClock)
      : try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    var questions = QuestionLines(book.reader)
    func isUpToDate() throws -> Bool {
      try questions.state().digest == book.read { $0.digest }
    }
    #expect(try isUpToDate())
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    #expect(try isUpToDate())
    for day in 1...20 {
      clock.instant = clock.instant.advanced(byMilliseconds: 86_400_000)
      try book.record(LogHabit(read, note: "Page \(day)"), by: ada)
      if day % 7 == 0, !isInMemory { try book.seal() }
      #expect(try isUpToDate())
    }
    try book.erase(ada)
    #expect(try isUpToDate())
  }

  @Test(arguments: [20, 200])
  func `a further question does not read earlier bytes again`(count: Int) throws {
    let files = MemoryStorage()
    let clock = HandClock(Menu.beginnings[0])
    let book = try Book(at: "book", storage: files, clock: clock.bookClock)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    for number in 0..<count {
      try book.record(CreateTask(title: "Task \(number)"), by: ada)
    }
    // The book's own reads, for its indexes, are not counted.
    let storage = WatchedStorage(base: files)
    var questions = QuestionLines(BookReader(at: "book", storage: storage))
    // The second question finds the place from which it follows.
    _ = try (questions.state(), questions.state())
    let before = storage.readByteCount
    let answer = try questions.answer(line: Array(#"{"ask":"accounts"}"#.utf8))
    #expect(answer.isAccepted)
    #expect(storage.readByteCount - before <= 64)
  }
}
