public import Avro
public import Daybook

/// `tasks`: the tasks of the one who asks, bucket by bucket, each followed by its parts (DM-1).
public struct TasksQuestion: Question, Hashable {
  /// `tasks`.
  public static let form = QuestionForm(
    "tasks", "One's tasks in their five buckets, each followed by its parts.",
    answer: "a list of buckets", asker: .account, .days)
  /// As it is asked mostly.
  public static let defaults = TasksQuestion()

  /// Which of them.
  public var filter: TaskFilter

  /// Asks; for all that is open, unless told otherwise.
  public init(_ filter: TaskFilter = TaskFilter()) { self.filter = filter }

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try filter.visitColumns(&visitor)
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/labelNotFound``, and ``Rejection/notOwner`` for another's label.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
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
  public struct Answer: QuestionAnswer {
    /// The tasks, with those of which they are parts.
    public let list: TaskList
    /// Whose they are.
    public let account: Account
    let state: State

    /// Writes the answer.
    public func write(to json: inout JSONWriter) {
      json.array { json in
        for section in list.sections {
          json.object { json in
            json.member("bucket_key", section.bucket.rawValue)
            json.member("tasks", section.lines) { $0.value(row(of: $1)) }
          }
        }
      }
    }

    /// The task's row of `tasks`, and what the list adds.
    private func row(of line: TaskList.Line) -> JSON {
      .object(
        (state.taskRow(line.task).members ?? []) + [
          .init("labels", .array(line.labels.map { .string($0.name) })),
          .init("depth", .number(line.depth)), .init("overdue", .bool(line.isOverdue)),
          .init("match", .bool(line.isMatch)),
        ])
    }
  }
}
