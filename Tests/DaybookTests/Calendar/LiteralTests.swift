import Daybook
import Testing

/// Values and commands as literals in a program.
@Suite(.tags(.unit)) struct LiteralTests {
  @Test func `amounts, targets and days have literals`() {
    #expect((30 as Amount).description == "30")
    #expect((6.25 as Amount).thousandths == 6250)
    #expect((0.1 as Amount).thousandths == 100)
    #expect((2.5 as Target) == Target(2.5, .atLeast))
    #expect(("2026-03-01" as Day) == Day(year: 2026, month: 3, day: 1))
    #expect(("2026-03-01" as DayChoice) == .day("2026-03-01"))
  }

  @Test func `a habit with a target is a counter, and one without is a checkbox`() {
    let read = CreateHabit(name: "Read", emoji: "📖", target: 30, reminders: [])
    #expect(read.content.target == 30)
    #expect(read.content.type == .counter)
    #expect(CreateHabit(name: "Read").content.type == .checkbox)
    #expect(LogHabit(.first, value: 6.25, day: "2026-03-01").day == .day("2026-03-01"))
  }
}
