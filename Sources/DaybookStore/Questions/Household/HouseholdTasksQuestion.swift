package import Avro
package import Daybook

/// `chores`: a household's tasks, with those due first at the top (MC-3).
package struct HouseholdTasksQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "chores", "A household's tasks, what is due first at the top.",
    answer: "a list of household tasks", asker: .account, .past, isByMembers: true,
    isOfPerson: true)
  package static let defaults = HouseholdTasksQuestion(of: .first)

  package var household: Household.ID
  /// The tasks to include.
  package var show: HouseholdTaskFilter

  package init(of household: Household.ID, show: HouseholdTaskFilter = .incomplete) {
    self.household = household
    self.show = show
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "show", &show, [.doc("which tasks; mine are the asker's open ones")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      householdTasks: view.state.householdTasks(of: household, for: member, show)
        .map(\.householdTask), state: view.state)
  }

  /// A household's tasks, a row each.
  package struct Answer: QuestionAnswer, Listing {
    /// The tasks, with those due first at the top.
    package let householdTasks: [HouseholdTask]
    let state: BookState

    /// How many tasks there are.
    package var stepCount: Int { householdTasks.count }

    /// Writes one row for each task.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for task in householdTasks[steps] { rows.value(task.row(in: state)) }
    }
  }
}
