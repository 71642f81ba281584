package import Avro
package import Daybook

/// `stats`: completion, streaks, and totals by day, week, month or year (DG-5, HH-14).
package struct StatsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "stats", "Completion, streaks, and totals by day, week, month or year.",
    answer: "a list of habits in figures", asker: .anybody, .all,
    isOfHabit: true, isOfPerson: true)
  package static let defaults = StatsQuestion()

  /// The habit; nil for all of the asker's.
  package var habit: Habit.ID?
  /// The length of the periods for which totals are computed.
  package var period: Period
  /// How many periods, up to the day in question: 1…3700.
  package var count: Int

  package init(_ habit: Habit.ID? = nil, by period: Period = .month, last count: Int = 12) {
    self.habit = habit
    self.period = period
    self.count = count
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.doc("unless given, all of the asker's")])
    try visitor.column("by", &period, [.doc("weeks begin on Monday")])
    try visitor.column(
      "last", &count,
      [.bounds(Limit.spanDays.countBounds), .doc("how many periods, up to the day")])
  }

  /// - Throws: ``Rejection/habitNotFound``, ``Rejection/notOwner(of:)`` for another's habit, and
  ///   ``Rejection`` for a future day or a number of periods outside 1…3700.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> StatisticsList {
    try Limit.spanDays.checkCount(count, "last")
    if let habit { _ = try view.habit(habit, for: asker) }
    return try StatisticsList(
      of: habit, asker, in: view.state, view.query, by: period, count: count)
  }
}

extension StatisticsList: QuestionAnswer {}
