public import Avro
public import Daybook

/// `pantry`: what a household keeps at home, by name (MC-9).
public struct PantryQuestion: Question, Hashable {
  /// `pantry`.
  public static let form = QuestionForm(
    "pantry", "What a household keeps at home, by name.", answer: "a list of pantry staples",
    asker: .account, .past, isHousehold: true)
  /// Of nothing yet.
  public static let defaults = PantryQuestion(of: .first)

  /// The household.
  public var household: Household.ID

  /// Asks.
  public init(of household: Household.ID) { self.household = household }

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      pantryStaples: view.state.pantryStaples(of: household, for: member).map(\.pantryStaple),
      state: view.state)
  }

  /// What a household keeps at home, a row each.
  public struct Answer: QuestionAnswer, Listing {
    /// The staples, by name.
    public let pantryStaples: [PantryStaple]
    let state: State

    /// How many staples there are.
    public var stepCount: Int { pantryStaples.count }

    /// Writes a row a staple.
    public func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for staple in pantryStaples[steps] { rows.value(state.pantryStapleRow(staple)) }
    }
  }
}
