package import Avro
package import Daybook

/// `comparison`: the habits whose streaks differ under another rule, since when and why; and a
/// summary.
package struct ComparisonQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "comparison", "Which streaks differ under another rule, since when and why.",
    answer: "rule, against, habits, current, longest", asker: .anybody, .all)
  package static let defaults = ComparisonQuestion(against: RuleChoice())

  /// The rule to compare with the view's rule.
  package var against: RuleChoice

  package init(against rule: StreakRule) { self.init(against: RuleChoice(rule)) }

  private init(against: RuleChoice) { self.against = against }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "against", &against, [.needed, .doc("the rule that `rule` is compared with")])
  }

  /// - Throws: ``Rejection`` for a rule that does not exist, and for a future day.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> RuleComparison {
    let work = try RuleComparison.Work(
      of: asker, in: view.state, view.query, against: against.rule(in: "against"))
    // Habits differ in length; many pieces even that out. A few habits are compared in one piece.
    let size = max(256, work.count / (8 * activeProcessorCount) + 1)
    let pieces = mapConcurrently((work.count + size - 1) / size) { piece in
      work.compared(piece * size..<min((piece + 1) * size, work.count))
    }
    return work.joined(pieces)
  }
}

extension RuleComparison: QuestionAnswer {}
