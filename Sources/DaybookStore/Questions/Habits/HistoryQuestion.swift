package import Avro
package import Daybook

/// `history`: every entry of a habit, newest first: when, by whom, from where (ES-3).
package struct HistoryQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "history", "Every entry of a habit, newest first: when, by whom, from where.",
    answer: "a list of entries", asker: .anybody, .days, isOfHabit: true)
  package static let defaults = HistoryQuestion(.first)

  package var habit: Habit.ID
  /// The most entries to return; nil for all.
  package var limit: Int?

  package init(_ habit: Habit.ID, limit: Int? = nil) {
    self.habit = habit
    self.limit = limit
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column(
      "limit", &limit, [.bounds(["minimum": 1]), .doc("at most this many; all unless given")])
  }

  /// - Throws: ``Rejection/habitNotFound``, ``Rejection/notOwner(of:)`` for another's habit, ``Rejection`` for a limit
  ///   below 1, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> HistoryList {
    if let limit, limit < 1 { throw Rejection.invalidField("limit", "\(limit) is less than 1") }
    _ = try view.habit(habit, for: asker)
    let trail = try view.recordedTrail(of: habit)
    let items = trail.items.reversed().lazy
      .filter { item in view.query.on.map { item.event.day == $0 } ?? true }
    return HistoryList(Array(items.prefix(limit ?? .max)), in: view.state)
  }
}

extension HistoryList: QuestionAnswer {}
