import Daybook
import DaybookSamples
import DaybookStore

extension Bench {
  /// Measures one person's wait in an open, sealed book, each time for another person: for the consequences
  /// of a skip and a late log, for the changes in a month of the book, and for a habit then and now.
  func auditing(_ path: String) throws -> [Figure] {
    let reader = try book(path)
    do { try Book(opening: reader).seal() }
    var view = try reader.view()
    let opening = try Self.seconds { view = try reader.view() }
    let query = Query(asOf: view.state.at, zones: reader.zones)
    view = BookView(view.state, query, reader)
    let (people, habits) = (view.state.accounts.elements, view.state.habits)
    let month: Int64 = 30 * 86_400_000
    let begin = habits.elements.map(\.created.milliseconds).max() ?? 0
    let length = max(1, view.state.at.milliseconds - begin - month)
    var random = BenchRandom()
    var (suppositions, differences, audits): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<300 {
      guard let person = Account.ID(random.next(people.count) + 1),
        let habit = view.state.shownHabits(of: person).first,
        let found = view.state.habits[habit]
      else { continue }
      let today = try view.query.today(of: people[person.index])
      let commands = [
        SupposedCommand(SkipDay(habit), in: view.state),
        SupposedCommand(
          LogHabit(habit, day: .day(max(found.createdOn, today.advanced(by: -3)))), in: view.state),
      ]
      suppositions.append(
        try Self.seconds { _ = try WhatIfQuestion(commands).answer(from: view, for: person) })
      let start = Instant(clamping: begin + Int64(random.next(Int(length))))
      let end = start.advanced(byMilliseconds: month)
      differences.append(
        try Self.seconds {
          _ = try DifferenceQuestion(from: start, to: end).answer(from: view, for: person)
        })
      audits.append(try Self.seconds { _ = try view.thenAndNow(of: habit) })
    }
    return [
      ("entries", Double(view.state.position)), ("open_milliseconds", opening * 1000),
    ] + Self.spread("whatif_milliseconds", suppositions)
      + Self.spread("diff_milliseconds", differences)
      + Self.spread("then_and_now_milliseconds", audits)
  }
}
