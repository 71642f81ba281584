package import Avro
package import Daybook

/// `household`: the asker's households, with their members (MC-1).
package struct HouseholdQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "household", "The households of the asker, and who is in them.",
    answer: "a list of households", asker: .account, .past, isByMembers: true, isOfPerson: true)
  package static let defaults = HouseholdQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// Answers.
  ///
  /// - Throws: ``Rejection``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let own = view.state.households(of: try needed(asker))
    return Answer(households: own.compactMap { view.state.households[$0] }, state: view.state)
  }

  /// An account's households, a row each.
  package struct Answer: QuestionAnswer, Listing {
    /// The households in the order of their creation.
    package let households: [Household]
    let state: BookState

    /// How many households there are.
    package var stepCount: Int { households.count }

    /// The names of a household's members, in the order in which they joined.
    package func memberNames(of household: Household) -> [String] {
      household.activeMembers.compactMap { state.accounts[$0.account]?.displayName }
    }

    /// Writes one row for each household.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for household in households[steps] {
        rows.value(
          .object(
            (state.householdRow(household).members ?? []) + [
              .init("members", .array(state.memberRows(household)))
            ]))
      }
    }
  }
}
