package import Avro
package import Daybook

/// `labels`: the asker's labels, and how many open tasks have each (DM-4).
package struct LabelsQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "labels", "The asker's labels, and how many open tasks have each.", answer: "a list of labels",
    asker: .account, .past, isOfPerson: true)
  package static let defaults = LabelsQuestion()

  package init() {}

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// Answers.
  ///
  /// - Throws: ``Rejection``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let number = try needed(asker)
    _ = try view.account(number)
    var counts: [TaskLabel.ID: Int] = [:]
    for (_, task) in view.state.tasks(of: number) where !task.isDone {
      for label in task.currentLabels { counts[label, default: 0] += 1 }
    }
    let lines = view.state.labels(of: number).map {
      Answer.Line(label: $0.label, openTaskCount: counts[$0.number] ?? 0)
    }
    return Answer(lines: lines, state: view.state)
  }

  /// An account's labels, a row each.
  package struct Answer: QuestionAnswer, Listing {
    /// A label and its use.
    package struct Line: Sendable {
      package let label: TaskLabel
      /// How many open tasks have it.
      package let openTaskCount: Int
    }

    /// The labels in the order of their creation.
    package let lines: [Line]
    let state: BookState

    /// How many labels there are.
    package var stepCount: Int { lines.count }

    /// Writes one row for each label.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for line in lines[steps] {
        rows.value(
          .object(
            (line.label.row(in: state).members ?? []) + [
              .init("open_tasks", .number(line.openTaskCount))
            ]))
      }
    }
  }
}
