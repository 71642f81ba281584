package import Avro
package import Daybook

/// `pantry`: what a household keeps at home, by name (MC-9).
package struct PantryQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "pantry", "What a household keeps at home, by name.", answer: "a list of pantry staples",
    asker: .account, .past, isByMembers: true, isOfPerson: true)
  package static let defaults = PantryQuestion(of: .first)

  package var household: Household.ID

  package init(of household: Household.ID) { self.household = household }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      pantryStaples: view.state.pantryStaples(of: household, for: member).map(\.pantryStaple),
      state: view.state)
  }

  /// What a household keeps at home, one row for each staple.
  package struct Answer: QuestionAnswer, Listing {
    /// The staples, by name.
    package let pantryStaples: [PantryStaple]
    let state: BookState

    /// How many staples there are.
    package var stepCount: Int { pantryStaples.count }

    /// Writes one row for each staple.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for staple in pantryStaples[steps] { rows.value(staple.row(in: state)) }
    }
  }
}
