package import Avro
package import Daybook

/// `heatmap`: a year of a habit in cells of one day (HH-13).
package struct HeatmapQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "heatmap", "A year of a habit, a cell a day.", answer: "habit, days", asker: .anybody, .all,
    isOfHabit: true)
  package static let defaults = HeatmapQuestion(.first)

  package var habit: Habit.ID
  /// The calendar year, 1…9999; nil for the last twelve months.
  package var year: Int?

  package init(_ habit: Habit.ID, year: Int? = nil) {
    self.habit = habit
    self.year = year
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column("year", &year, [.bounds(["minimum": 1, "maximum": 9999])])
  }

  /// - Throws: ``Rejection``: the habit does not exist or is another account's, or the year is not from 1 to 9999.
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
    let cells = history.heatmap(year: year)
    let judged = view.query.rule.judgement(of: history).days
    let marks = Dictionary(uniqueKeysWithValues: judged.map { ($0.day, $0.mark) })
    return Heatmap(habit: habit, today: day, cells: cells, marks: cells.map { marks[$0.day] })
  }
}

/// A year of a habit; the cells after the day in question are blank.
package struct Heatmap: QuestionAnswer {
  package let habit: Habit
  /// The day in question.
  package let today: Day
  /// One cell for each day, oldest first.
  package let cells: [HeatCell]
  /// The mark of each cell's day; nil before the habit began, and for future days.
  package let marks: [Mark?]

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("habit", habit.key)
      json.member("days", zip(cells, marks)) { json, day in
        let mark = JSON.Member("mark", day.1.map { .string($0.rawValue) } ?? .null)
        json.value(.object((day.0.json.members ?? []) + [mark]))
      }
    }
  }
}
