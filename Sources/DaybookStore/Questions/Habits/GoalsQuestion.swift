package import Avro
package import Daybook

/// `goals`: the goals, each with the habits that serve it (MO-2).
package struct GoalsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "goals", "The goals, each with the habits that serve it.",
    answer: "a list of rows of `goals`, each with `habits`", asker: .anybody, .past,
    isOfPerson: true)
  package static let defaults = GoalsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// The goals of the asker; all goals without one.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> GoalList {
    GoalList(of: asker, in: view.state)
  }
}

/// The goals of an account, or all goals, in the order in which they were set.
package struct GoalList: Listing, QuestionAnswer {
  private let state: BookState
  private let goals: [(number: Goal.ID, goal: Goal)]

  init(of account: Account.ID?, in state: BookState) {
    self.state = state
    goals = state.goals(of: account)
  }

  /// How many goals there are.
  package var stepCount: Int { goals.count }

  /// The goals, each with the habits that serve it in the order of their creation.
  package var all: [(goal: Goal, habits: [Habit])] {
    goals.map { ($0.goal, state.habits(serving: $0.number)) }
  }

  /// Writes one row for each goal.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for (number, goal) in goals[steps] {
      rows.object { row in
        for member in goal.row(in: state).members ?? [] { row.member(member) }
        row.member("habits", state.habits(serving: number)) { json, habit in
          json.string(habit.key.description)
        }
      }
    }
  }
}
