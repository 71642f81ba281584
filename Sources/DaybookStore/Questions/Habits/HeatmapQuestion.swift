package import Avro
package import Daybook

/// `heatmap`: a year of a habit, a cell a day (HH-13).
package struct HeatmapQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "heatmap", "A year of a habit, a cell a day.", answer: "habit, days", asker: .anybody, .all)
  package static let defaults = HeatmapQuestion(.first)

  /// The habit.
  package var habit: Habit.ID
  /// The calendar year, 1…9999; the last twelve months without one.
  package var year: Int?

  /// Asks.
  package init(_ habit: Habit.ID, year: Int? = nil) {
    self.habit = habit
    self.year = year
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column("year", &year, [.bounds(["minimum": 1, "maximum": 9999])])
  }

  /// - Throws: ``Rejection/habitNotFound`` for another's habit, and for a year that is none.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Heatmap {
    if let year, !(1...9999).contains(year) {
      throw Rejection.invalidField("year", "\(year) is not a year from 1 to 9999")
    }
    let habit = try view.habit(habit, for: asker)
    var (history, day) = try view.state.history(of: habit, view.query)
    if view.query.on != nil {
      history.records.removeAll { $0.day > day }
      history.today = day
    }
    return Heatmap(habit: habit, cells: history.heatmap(year: year))
  }
}

/// A year of a habit; the cells after the day that is asked about are left blank.
package struct Heatmap: QuestionAnswer {
  /// The habit.
  package let habit: Habit
  /// A cell a day, oldest first.
  package let cells: [HeatCell]

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("habit", habit.key)
      json.member("days", cells) { $0.value($1.json) }
    }
  }
}
