package import Avro
package import Daybook

/// `metrics`: usage figures of the whole book, which identify nobody (HH-27).
package struct MetricsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "metrics", "How the whole book is used: activation, retention, hives, invites, reminders.",
    answer: "accounts, activation, active_accounts, in_hive, invites_per_account, d7_retention, "
      + "d30_retention, logs_per_account_and_day, reminder_opt_in",
    asker: .nobody, .past)
  package static let defaults = MetricsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  package func answer(from view: BookView, for asker: Account.ID?) throws -> Metrics {
    view.state.metrics(view.query)
  }
}

extension Metrics: QuestionAnswer {
  /// Writes one object.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      for figure in figures {
        json.name(figure.name)
        json.value(figure.value.json)
      }
    }
  }
}
