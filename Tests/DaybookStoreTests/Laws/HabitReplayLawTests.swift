import Daybook
import PropertyTesting
import Testing

@testable import DaybookStore

/// A replay of a habit equals the heatmaps as of each moment.
@Suite(.tags(.law)) struct HabitReplayLawTests {
  @Test
  func `each step shows what was known then, and nothing changes before the next (ES-2)`()
    throws
  {
    let histories = Generator.zip(.histories(0...25), Generator<Int>.integer(in: 0...99))
    let report = check("replayed", histories, cases: 24) { pair, statistics in
      let (history, choice) = pair
      let ledger = try JournalLawTests.play(history)
      let view = try ledger.book.reader.view(asOf: nil, rule: choice % 3 == 0 ? .loop : .daybook)
      let entries = try ledger.entries()
      for (place, habit) in view.state.habits.elements.enumerated() where !habit.isDeleted {
        guard let number = Habit.ID(place + 1), let end = entries.last?.head.at else { continue }
        let from = entries[choice * (entries.count - 1) / 99].head.at
        let question = ReplayQuestion(
          number, from: choice % 2 == 0 ? nil : from,
          to: end.advanced(byMilliseconds: Int64(choice) * 3_600_000))
        let replay: HabitReplay
        do { replay = try question.answer(from: view, for: nil).replay } catch is Rejection {
          throw Discard("it is not there yet")
        }
        var naive = NaiveReplay(entries, number, view.query, replay.days)
        var cells = replay.cells
        try naive.require(cells, replay.beginning.at, replay.beginning, "at the beginning")
        for (index, step) in replay.steps.enumerated() {
          // Each moment costs a full replay, so only some are compared.
          let isLookedAt = index % max(1, replay.steps.count / 8) == choice % 3
          if isLookedAt {
            let before = step.moment.at.advanced(byMilliseconds: -1)
            try naive.require(cells, before, replay.moment(after: index), "before step \(index)")
          }
          replay.apply(step, into: &cells)
          if isLookedAt {
            try naive.require(cells, step.moment.at, step.moment, "after step \(index)")
          }
        }
        try expectEqual(replay.cells(after: replay.steps.count), cells)
        try naive.require(cells, replay.end, replay.moment(after: .max), "at the end")
        statistics.cover("several steps", atLeast: 20, replay.steps.count > 8)
        statistics.cover(
          "a day changed later", atLeast: 5,
          replay.steps.contains { step in
            step.changes.contains { $0.heat.day < step.moment.today.advanced(by: -1) }
          })
      }
    }
    #expect(report.passed, "\(report)")
  }
}

/// The heatmap at a moment, by a full replay until then.
private struct NaiveReplay {
  let entries: [Entry]
  let number: Habit.ID
  let query: Query
  let days: ClosedRange<Day>

  init(_ entries: [Entry], _ number: Habit.ID, _ query: Query, _ days: ClosedRange<Day>) {
    (self.entries, self.number, self.query, self.days) = (entries, number, query, days)
  }

  mutating func require(
    _ cells: [HabitReplay.Cell], _ at: Instant, _ moment: HabitReplay.Moment, _ when: String
  ) throws {
    var state = BookState()
    for entry in entries where entry.head.at <= at { state.apply(entry) }
    var query = query
    query.asOf = at
    guard let habit = state.habits[number] else {
      return try expect(cells.allSatisfy { $0.mark == nil && $0.heat.value == nil }, when)
    }
    let view = try state.view(of: habit, query)
    try expectEqual(moment.current, view.judgement.current?.length ?? 0, "\(when): current")
    try expectEqual(moment.longest, view.judgement.longest?.length ?? 0, "\(when): longest")
    let marks = Dictionary(uniqueKeysWithValues: view.judgement.days.map { ($0.day, $0.mark) })
    var heat: [Day: HeatCell] = [:]
    for year in days.lowerBound.parts.year...days.upperBound.parts.year {
      for cell in view.history.heatmap(year: year) { heat[cell.day] = cell }
    }
    for cell in cells {
      let day = cell.heat.day
      guard let found = heat[day] else { throw Falsified("\(when): no cell of \(day)") }
      try expectEqual(cell.mark, marks[day], "\(when): \(day)")
      try expectEqual(cell.heat.value, found.value, "\(when): \(day)")
      try expectEqual(cell.heat.level, found.level, "\(when): \(day)")
      if cell.mark != nil { try expectEqual(cell.heat.target, found.target, "\(when): \(day)") }
    }
  }
}
