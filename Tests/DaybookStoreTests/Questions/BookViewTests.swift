import Daybook
import DaybookStore
import Testing

/// An embedder's questions to a view, one name for each.
@Suite(.tags(.unit)) struct BookViewTests {
  @Test func `a view answers today, streaks, a heatmap and an audit`() throws {
    let clock = HandClock(Menu.beginnings[0])
    let book = Book.inMemory(clock: clock.bookClock)
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "UTC"))
    let read = try book.record(CreateHabit(name: "Read", target: 30), by: ada)
    try book.record(LogHabit(read, value: 30), by: ada)
    let bob = try book.record(CreateAccount(name: "Bob", timeZone: "UTC"))
    try book.record(CreateHabit(name: "Run"), by: bob)

    let view = book.view()
    #expect(try view.today(of: ada).map(\.habit.description.name) == ["Read"])
    #expect(try view.today().map(\.habit.description.name) == ["Read", "Run"])
    #expect(try view.streaks(of: ada).map(\.summary.current?.length) == [1])
    #expect(try view.streak(of: read).current?.length == 1)
    #expect(try view.heatmap(of: read).last { $0.value != nil }?.value == 30)
    #expect(try view.audit(of: read).days.count == 1)
    #expect(throws: Rejection.self) { try view.heatmap(of: read, year: 0) }
  }
}
