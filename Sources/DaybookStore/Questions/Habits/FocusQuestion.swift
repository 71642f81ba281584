package import Avro
package import Daybook

/// `focus`: the one habit to attend to now, and the habits that had the focus before (DG-2).
package struct FocusQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "focus", "The one habit to attend to now, and which habits had the focus when.",
    answer: "current_habit, history", asker: .account, .past, isOfPerson: true)
  package static let defaults = FocusQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection/accountNotFound``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> FocusHistory {
    let number = try needed(asker)
    guard let account = view.state.accounts[number] else { throw Rejection.accountNotFound }
    return FocusHistory(
      current: view.state.currentHabit(of: number), isChosen: account.focusHabit != nil,
      spans: account.focus, account: number, state: view.state)
  }
}

/// The habit that an account attends to, and those it attended to before.
package struct FocusHistory: QuestionAnswer {
  /// The habit in focus; the newest habit where none was chosen; nil where there are no habits.
  package let current: Habit?
  /// Whether a habit was chosen.
  package let isChosen: Bool
  /// Which habit had the focus when, oldest first; habits deleted since are included.
  package let spans: [Account.FocusSpan]
  fileprivate let account: Account.ID
  fileprivate let state: BookState

  /// The name of a span's habit.
  package func name(of span: Account.FocusSpan) -> String {
    state.habits[span.habit]?.description.name ?? ""
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("current_habit")
      if let current { json.value(state.habitRow(current)) } else { json.null() }
      json.member("history", state.focusRows(of: account)) { $0.value($1) }
    }
  }
}
