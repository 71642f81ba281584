package import Avro
package import Daybook

/// `insights`: how a person is doing overall, and the day's message (HH-14, DG-4).
package struct InsightsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "insights", "Your progress over all: completion, weekdays, months, streaks, what is at risk.",
    answer: "completion, full_days, due_days, weekdays, months, best, current, habits_at_risk, "
      + "hives_at_risk, message, message_key",
    asker: .account, .all, isOfPerson: true)
  package static let defaults = InsightsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// - Throws: ``Rejection``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> InsightsReport {
    let account = try needed(asker)
    return InsightsReport(
      insights: try view.state.insights(of: account, view.query),
      message: try view.state.message(for: account, view.query),
      messageKey: try view.state.messageKey(for: account, view.query))
  }
}

/// How a person is doing, and the message of the day.
package struct InsightsReport: QuestionAnswer {
  /// How the person is doing.
  package let insights: Insights
  /// One sentence, chosen by how much of the day is done.
  package let message: String
  /// The message's name, by which a client finds the sentence in another language.
  package let messageKey: String

  package func write(to json: inout JSONWriter) {
    json.object { json in
      for member in insights.json.members ?? [] { json.member(member) }
      json.member("message", message)
      json.member("message_key", messageKey)
    }
  }
}
