package import Avro
package import Daybook

/// `household_history`: what happened in a household and to what belongs to it, newest first (MC-11).
package struct HouseholdHistoryQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "household_history", "What happened in a household, newest first: when, what, by whom.",
    answer: "a list of entries", asker: .account, .past, isByMembers: true)
  package static let defaults = HouseholdHistoryQuestion(.first)

  package var household: Household.ID
  /// The most entries to return, 1 or more; nil for all.
  package var limit: Int?

  package init(_ household: Household.ID, limit: Int? = nil) {
    self.household = household
    self.limit = limit
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "limit", &limit, [.bounds(["minimum": 1]), .doc("how many entries at most; all without it")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    if let limit, limit < 1 { throw Rejection.invalidField("limit", "\(limit) is less than 1") }
    // The text of a grocery line is in earlier entries, so all are read, however few are returned.
    let all = try view.history(of: household, for: member)
    return Answer(
      entries: Array(all.prefix(limit ?? .max)), memory: GroceryTexts(all.reversed()),
      state: view.state)
  }

  /// What happened in a household, one row for each entry.
  package struct Answer: QuestionAnswer, Listing {
    /// The entries, newest first.
    package let entries: [Entry]
    let memory: GroceryTexts
    let state: BookState

    /// How many entries there are.
    package var stepCount: Int { entries.count }

    /// The current name of an entry's subject; for entries about joining and leaving, the person's.
    package func name(of entry: Entry) -> String {
      if case .householdJoined(let event) = entry.event { return name(of: event.member) }
      if case .householdLeft(let event) = entry.event { return name(of: event.member) }
      let subject = state.subject(of: entry.event)
      if let meal = subject as? Meal { return state.title(of: meal) }
      if let list = subject as? GroceryList, let line = memory.lines[entry.head.position] {
        return "\(list.displayName): \(line)"
      }
      return subject?.displayName ?? ""
    }

    /// An account's name.
    package func name(of account: Account.ID?) -> String {
      account.flatMap { state.viewer($0)?.displayName } ?? ""
    }

    /// Writes one row for each entry.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for entry in entries[steps] {
        rows.object { row in
          row.member("position", entry.head.position)
          row.member("at", entry.head.at)
          row.member("actor", entry.head.actor.flatMap { state.accounts[$0]?.key })
          row.member("event", entry.event.name)
          row.member("id", state.subject(of: entry.event)?.key)
          row.member("name", name(of: entry))
        }
      }
    }
  }
}
