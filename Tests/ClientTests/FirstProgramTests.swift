import Daybook
import DaybookStore
import Foundation
import Testing

/// What a program writes in its first hour with Daybook as a dependency.
@Suite(.tags(.unit)) struct FirstProgramTests {
  @Test func `a day is logged, queried and audited`() throws {
    let clock = try SetClock("2026-03-04T09:00:00Z")
    let book = Book.inMemory(clock: clock.bookClock)
    let ada = try book.record(
      CreateAccount(name: "Ada", timeZone: "Europe/London", dayStartHour: 4))
    let read = try book.record(
      CreateHabit(
        name: "Read", emoji: "📖", unit: "pages", type: .counter, target: 20, reminders: []),
      by: ada)
    try book.record(LogHabit(read, value: 25, note: "Emma"), by: ada)
    try clock.set("2026-03-05T09:00:00Z")
    try book.record(LogHabit(read, value: 5), by: ada)
    try book.record(SkipDay(read, day: "2026-03-03"), by: ada)

    let view = book.view()
    let card = try #require(try view.today(of: ada).first)
    #expect(card.habit.name == "Read")
    #expect(card.judged?.mark == .pending)
    #expect(card.target.amount == 20)
    #expect(try view.streak(of: read).current?.length == 1)
    #expect(try view.streaks(of: ada).map(\.habit.name) == ["Read"])
    #expect(
      try view.heatmap(of: read, year: 2026).contains { $0.day == "2026-03-04" && $0.level == 4 })

    let audit = try view.audit(of: read)
    let day = try #require(audit.days.first { $0.judged.day == "2026-03-04" })
    #expect(day.judged.mark == .full)
    #expect(day.evidence.map(\.event.name) == ["HabitLogged"])
    #expect(audit.breaks.isEmpty)

    let then = try book.view(asOf: try #require(Instant("2026-03-04T10:00:00Z")))
    #expect(try then.streak(of: read).longest?.length == 1)
    #expect(try book.view(on: "2026-03-04").streak(of: read).current?.length == 1)
    #expect(try book.view(rule: .daybook).streak(of: read).longest?.length == 1)
    #expect(view.state.habits[read]?.key == view.state.habits.elements.first?.key)
  }

  @Test func `commands are recorded once, together, or refused with a code`() throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let id = Key()
    let first = try book.recordWithReceipt(CreateHabit(name: "Read"), by: ada, id: id)
    let again = try book.recordWithReceipt(CreateHabit(name: "Read"), by: ada, id: id)
    #expect(again.isRepeated && first.answer == again.answer && first.position == again.position)

    let both = try book.transaction { batch in
      let swim = try batch.record(CreateHabit(name: "Swim"), by: ada)
      try batch.record(LogHabit(swim), by: ada)
      return swim
    }
    #expect(book.read { $0.habits[both]?.name } == "Swim")

    do {
      try book.record(CreateHabit(name: ""), by: ada)
      Issue.record("an empty name was taken")
    } catch let rejection as Rejection {
      #expect(rejection.code == "empty_name" && rejection.kind == .invalid)
      #expect(rejection.field == "name" && !rejection.description.isEmpty)
    }
    #expect(throws: PositionConflict.self) {
      try book.recordWithReceipt(ArchiveHabit(both), by: ada, expecting: Position(1))
    }
    try book.importing { importer in
      for name in ["Walk", "Sing"] { try importer.record(CreateHabit(name: name), by: ada) }
    }
    #expect(book.read { $0.habits.elements.count } == 4)
  }

  @Test func `an update changes only the fields it sets`() throws {
    let book = Book.inMemory()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let read = try book.record(CreateHabit(name: "Read", question: "Did you?"), by: ada)
    try book.record(
      UpdateHabit(read) {
        $0.name = "Read more"
        $0.schedule = .daily
      }, by: ada)
    try book.record(UpdateProfile { $0.theme = .honey }, by: ada)
    let habit = try #require(book.read { $0.habits[read] })
    #expect(habit.name == "Read more" && habit.description.question == "Did you?")
  }

  @Test func `keys, instants and days convert from Foundation values and from literals`() throws {
    let uuid = UUID()
    #expect(Key(uuid).description == uuid.uuidString.lowercased())
    #expect(Key("nothing") == nil)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    #expect(Date(Instant(date)) == date)
    let day: Day = "2026-02-28"
    #expect(day.advanced(by: 1) == "2026-03-01" && day.weekday == 5)
    #expect(Amount("2.5") == 2.5)
  }
}
