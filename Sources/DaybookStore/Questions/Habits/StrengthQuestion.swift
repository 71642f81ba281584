package import Avro
package import Daybook

/// `strength`: how strong a habit was after each of its last days, by Loop Habit Tracker's formula.
package struct StrengthQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "strength", "How strong a habit was after each of its last days.", answer: "habit, days",
    asker: .anybody, .days, isOfHabit: true)
  package static let defaults = StrengthQuestion(.first)

  package var habit: Habit.ID
  /// How many days, up to the day in question: 1…3700.
  package var count: Int

  package init(_ habit: Habit.ID, last count: Int = 90) {
    self.habit = habit
    self.count = count
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column(
      "last", &count,
      [.bounds(Limit.spanDays.countBounds), .doc("how many days, up to the day")])
  }

  /// - Throws: ``Rejection/habitNotFound``, ``Rejection/notOwner(of:)`` for another's habit, and
  ///   ``Rejection`` for a future day or a number of days outside 1…3700.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> StrengthCourse {
    try Limit.spanDays.checkCount(count, "last")
    let habit = try view.habit(habit, for: asker)
    let (history, day) = try view.state.history(of: habit, view.query)
    return StrengthCourse(
      habit: habit, days: history.strengths.filter { $0.day <= day }.suffix(count))
  }
}

/// The strength of a habit after each of some days, oldest first; days before its first one are left out.
package struct StrengthCourse: QuestionAnswer {
  package let habit: Habit
  package let days: [Strength]

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("habit", habit.key)
      json.member("days", days) { json, point in
        json.object { json in
          json.member("day", point.day)
          json.member("strength", share: point.score)
        }
      }
    }
  }
}
