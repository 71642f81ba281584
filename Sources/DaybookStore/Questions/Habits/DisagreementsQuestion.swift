package import Avro
package import Daybook

/// `disagreements`: every habit and day on which two streak rules disagree.
package struct DisagreementsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "disagreements", "Every habit and day on which two streak rules disagree.",
    answer: "a list of habits, each with the days that differ", asker: .anybody, .all)
  package static let defaults = DisagreementsQuestion(against: RuleChoice())

  /// The rule to compare with the view's rule.
  package var against: RuleChoice

  package init(against rule: StreakRule) { self.init(against: RuleChoice(rule)) }

  private init(against: RuleChoice) { self.against = against }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "against", &against,
      [
        .needed, .doc("the rule that `rule` is compared with"),
      ])
  }

  /// - Throws: ``Rejection`` for a rule that does not exist, and for a future day.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> DisagreementList {
    try DisagreementList(
      of: asker, in: view.state, view.query, against: against.rule(in: "against"))
  }
}

extension DisagreementList: QuestionAnswer {}
