public import Avro
public import Daybook

/// `chores`: a household's tasks, what is due first at the top (MC-3).
public struct ChoresQuestion: Question, Hashable {
  /// `chores`.
  public static let form = QuestionForm(
    "chores", "A household's tasks, what is due first at the top.",
    answer: "a list of household tasks", asker: .account, .past, isHousehold: true)
  /// Of nothing yet.
  public static let defaults = ChoresQuestion(of: .first)

  /// The household.
  public var household: Household.ID
  /// Which of its tasks.
  public var show: HouseholdTaskFilter

  /// Asks.
  public init(of household: Household.ID, show: HouseholdTaskFilter = .incomplete) {
    self.household = household
    self.show = show
  }

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "show", &show, [.doc("which of them; mine are the open ones of the one who asks")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      householdTasks: view.state.householdTasks(of: household, for: member, show)
        .map(\.householdTask), state: view.state)
  }

  /// A household's tasks, a row each.
  public struct Answer: QuestionAnswer, Listing {
    /// The tasks, what is due first at the top.
    public let householdTasks: [HouseholdTask]
    let state: State

    /// How many tasks there are.
    public var stepCount: Int { householdTasks.count }

    /// Writes a row a task.
    public func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for task in householdTasks[steps] { rows.value(state.householdTaskRow(task)) }
    }
  }
}
