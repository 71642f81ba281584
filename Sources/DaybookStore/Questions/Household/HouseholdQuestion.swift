public import Avro
public import Daybook

/// `household`: the households of the one who asks, with their members (MC-1).
public struct HouseholdQuestion: Question, Hashable {
  /// `household`.
  public static let form = QuestionForm(
    "household", "The households that one is in, and who is in them.",
    answer: "a list of households", asker: .account, .past, isHousehold: true)
  /// As it is asked mostly.
  public static let defaults = HouseholdQuestion()

  /// Asks.
  public init() {}

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// Answers.
  ///
  /// - Throws: ``Rejection``.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let own = view.state.households(of: try needed(asker))
    return Answer(households: own.compactMap { view.state.households[$0] }, state: view.state)
  }

  /// An account's households, a row each.
  public struct Answer: QuestionAnswer, Listing {
    /// The households in the order of their creation.
    public let households: [Household]
    let state: State

    /// How many households there are.
    public var stepCount: Int { households.count }

    /// What the members of a household are called, in the order in which they came.
    public func memberNames(of household: Household) -> [String] {
      household.activeMembers.compactMap { state.accounts[$0.account]?.displayName }
    }

    /// Writes a row a household.
    public func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
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
