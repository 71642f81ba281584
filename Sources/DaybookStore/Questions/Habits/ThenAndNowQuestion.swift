package import Avro
package import Daybook

/// `then_and_now`: how each day of a habit or hive was judged when it closed, what is known about it now, and the
/// entries in between.
package struct ThenAndNowQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "then_and_now", "What each day counted as at its close, what is known now, and what came late.",
    answer: "habit, name, rule, current, leaned_on, changed, late, days; of a hive: hive, name, "
      + "current, changed, late, days",
    asker: .anybody, .all, isOfHabit: true)
  package static let defaults = ThenAndNowQuestion(habit: nil, hive: nil)

  /// The habit; either this or `hive` is given.
  package var habit: Habit.ID?
  /// The hive; only its members may ask.
  package var hive: Hive.ID?
  /// The first day to include; nil for the first that there is.
  package var from: Day?
  /// The last day to include; nil for the last that there is.
  package var to: Day?
  /// Whether to include only days for which something was recorded late.
  package var isLate: Bool

  private init(
    habit: Habit.ID?, hive: Hive.ID?, from: Day? = nil, to: Day? = nil, isLate: Bool = false
  ) {
    self.habit = habit
    self.hive = hive
    self.from = from
    self.to = to
    self.isLate = isLate
  }

  /// Asks about the subject and the days of an audit.
  package init(_ audit: AuditQuestion, isLate: Bool = false) {
    self.init(
      habit: audit.habit, hive: audit.hive, from: audit.from, to: audit.to, isLate: isLate)
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.doc("this, or a hive")])
    try visitor.column("hive", &hive, [.doc("one of the asker's hives")])
    try visitor.column(
      "from", &from, [.doc("the first day; unless given, the first that there is")])
    try visitor.column("to", &to, [.doc("the last day; unless given, the last that there is")])
    try visitor.column(
      "late", &isLate, [.doc("only days for which something was recorded after they were over")])
  }

  /// - Throws: ``Rejection/habitNotFound`` or ``Rejection/hiveNotFound``,
  ///   ``Rejection/notOwner(of:)`` for another's habit, ``Rejection/notMember`` for a hive without
  ///   the asker, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> ThenAndNowAnswer {
    let days = try AuditQuestion.span(from, to)
    switch (habit, hive) {
    case (let habit?, nil):
      _ = try view.habit(habit, for: asker)
      return .habit(try view.thenAndNow(of: habit, days: days), isLate: isLate, view.state)
    case (nil, let hive?):
      return .hive(
        try view.thenAndNow(of: hive, for: needed(asker), days: days), isLate: isLate, view.state)
    case (nil, nil): throw Rejection.missingField("habit", of: "question")
    case (_?, _?): throw Rejection.invalidField("hive", "give a habit or a hive, not both")
    }
  }
}

/// Then and now for a habit or a hive, with the state in which names and keys are looked up.
package enum ThenAndNowAnswer: QuestionAnswer {
  /// The answer for a habit.
  case habit(ThenAndNow, isLate: Bool, BookState)
  /// The answer for a hive.
  case hive(HiveThenAndNow, isLate: Bool, BookState)

  package func write(to json: inout JSONWriter) {
    switch self {
    case .habit(let found, let isLate, let state):
      json.value(found.json(in: state, lateOnly: isLate))
    case .hive(let found, let isLate, let state):
      json.value(found.json(in: state, lateOnly: isLate))
    }
  }
}
