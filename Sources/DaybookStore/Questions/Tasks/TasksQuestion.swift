package import Avro
package import Daybook

/// `tasks`: the asker's tasks, bucket by bucket, each followed by its parts (DM-1).
package struct TasksQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "tasks", "The asker's tasks in their five buckets, each followed by its subtasks.",
    answer: "a list of buckets", asker: .account, .days, isOfPerson: true)
  package static let defaults = TasksQuestion()

  /// The tasks to include.
  package var filter: TaskFilter

  /// Asks for all open tasks, or for those of a filter.
  package init(_ filter: TaskFilter = TaskFilter()) { self.filter = filter }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try filter.visitColumns(&visitor)
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/labelNotFound``, and ``Rejection/notOwner`` for another's label.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let number = try needed(asker)
    let account = try view.account(number)
    for label in filter.labels {
      guard let label = view.state.labels[label], !label.isDeleted else {
        throw Rejection.labelNotFound
      }
      guard label.owner == number else { throw Rejection.notOwner }
    }
    let list = try view.state.taskList(of: number, filter, view.query)
    return Answer(list: list, account: account, state: view.state)
  }

  /// The tasks that were asked for, bucket by bucket.
  package struct Answer: QuestionAnswer {
    /// The tasks, with the tasks that they are parts of.
    package let list: TaskList
    /// The account that has them.
    package let account: Account
    let state: BookState

    /// Writes the answer.
    package func write(to json: inout JSONWriter) {
      json.array { json in
        for section in list.sections {
          json.object { json in
            json.member("bucket_key", section.bucket.rawValue)
            json.member("tasks", section.lines) { $0.value(row(of: $1)) }
          }
        }
      }
    }

    /// The task's row as in `tasks`, with what the list adds.
    private func row(of line: TaskList.Line) -> JSON {
      .object(
        (line.task.row(in: state).members ?? []) + [
          .init("labels", .array(line.labels.map { .string($0.name) })),
          .init("depth", .number(line.depth)), .init("overdue", .bool(line.isOverdue)),
          .init("match", .bool(line.isMatch)),
        ])
    }
  }
}
