package import Avro
package import Daybook

/// `awards`: what was earned: streaks, logs, perfect weeks and months, comebacks (DG-6).
package struct AwardsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "awards", "What was earned: streaks, logs, perfect weeks and months, comebacks.",
    answer: "a list of awards", asker: .account, .days, isOfPerson: true)
  package static let defaults = AwardsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection/actorMissing``, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> AwardList {
    let account = try needed(asker)
    return AwardList(awards: try view.awards(of: account), account: account, state: view.state)
  }
}

/// The awards of an account, in the order in which they were earned.
package struct AwardList: Listing, QuestionAnswer {
  package let awards: [Award]
  /// The account that has them.
  package let account: Account.ID
  fileprivate let state: BookState

  /// How many there are.
  package var stepCount: Int { awards.count }

  /// Writes one row for each award.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for award in awards[steps] { rows.value(award.json(of: account, in: state)) }
  }
}
