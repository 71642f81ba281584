import Avro
public import Daybook
public import DaybookStore

extension BookReader {
  /// Asks every question of a state: each gives an answer or a rejection, in valid JSON.
  public func checkViews(of state: BookState, _ queries: Query...) {
    checkJSON(state.dump)
    let asOf = queries.map(\.asOf).max() ?? state.at
    let habits = state.habits.elements.filter { $0.dayCount(asOf: asOf) < Self.largestDayCount }
    for query in queries {
      for habit in habits {
        guard let view = try? state.view(of: habit, query) else { continue }
        checkAudit(of: view, in: state)
      }
      guard habits.count == state.habits.elements.count else { continue }
      for report in (try? state.streaks(query)) ?? [] { checkJSON(report.json) }
      for card in (try? state.today(query)) ?? [] { checkJSON(card.json) }
    }
  }

  /// Answers about years of days would take the fuzzer seconds.
  private static let largestDayCount = 60

  private func checkAudit(of view: HabitView, in state: BookState) {
    guard let number = state.habits.number(of: view.habit.key) else { return }
    var trail = AuditTrail(habit: number, owner: view.habit.owner)
    succeed("a book is replayed") { _ = try replay(into: &trail) }
    checkJSON(Audit(view, trail).json(in: state))
    for period in Period.allCases { checkJSON(StatisticsReport(view, by: period).json) }
    for cell in view.history.heatmap().suffix(7) { checkJSON(cell.json) }
    _ = view.history.heatmap(year: view.day.parts.year)
    checkJSON(.array(trail.items.map { $0.historyJSON(in: state) }))
    hold(
      view.judgement.current?.length ?? 0 <= view.judgement.longest?.length ?? 0,
      "the current streak is no longer than the longest")
  }
}

extension Habit {
  /// The approximate number of days that a judgement of the habit covers.
  fileprivate func dayCount(asOf: Instant) -> Int {
    let today = Day(clampingNumber: Int(asOf.milliseconds / 86_400_000))
    let records = days.records.map(\.day)
    let all = [createdOn, today] + [records.min(), records.max()].compactMap { $0 }
    return (all.min() ?? today).distance(to: all.max() ?? today)
  }
}
