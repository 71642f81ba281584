package import Daybook

/// `habits`: each habit's name, schedule and target, with all its versions.
package struct HabitsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "habits", "What each habit is called and asks, with every version that it had.",
    answer: "a list of rows of `habits`", asker: .anybody, .days, isOfPerson: true)
  package static let defaults = HabitsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// The habits that had been created by the day: the asker's, or all if there is no asker.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> HabitList {
    HabitList(of: asker, in: view.state, on: view.query.on)
  }
}

extension HabitList: QuestionAnswer {}
