package import Daybook

/// `today`: what is due on the day, what is done, and how the streaks stand (HH-12, MO-4).
package struct TodayQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "today", "What is due on the day, what is done, and how the streaks stand.",
    answer: "a list of cards", asker: .anybody, .all, isOfPerson: true)
  package static let defaults = TodayQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  package func answer(from view: BookView, for asker: Account.ID?) throws -> TodayList {
    try TodayList(of: asker, in: view.state, view.query)
  }
}

/// `streaks`: the current and the longest streak of every habit, with completion and strength.
package struct StreaksQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "streaks", "The current and the longest streak of every habit, completion and strength.",
    answer: "a list of streaks", asker: .anybody, .all, isOfPerson: true)
  package static let defaults = StreaksQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  package func answer(from view: BookView, for asker: Account.ID?) throws -> StreakList {
    try StreakList(of: asker, in: view.state, view.query)
  }
}

extension TodayList: QuestionAnswer {}
extension StreakList: QuestionAnswer {}
