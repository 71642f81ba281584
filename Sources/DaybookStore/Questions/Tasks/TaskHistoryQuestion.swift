package import Avro
package import Daybook

/// `task_history`: the entries of a task, oldest first, with the positions for undoing them.
package struct TaskHistoryQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "task_history", "What happened to a task, oldest first, with the positions that an undo takes.",
    answer: "a list of entries", asker: .account, .past)
  package static let defaults = TaskHistoryQuestion(.first)

  package var task: TaskItem.ID

  package init(_ task: TaskItem.ID) { self.task = task }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("task", &task, [.needed])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/taskNotFound``, ``Rejection/notOwner`` for another's, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let number = try needed(asker)
    let account = try view.account(number)
    guard let found = view.state.tasks[task], !found.isDeleted else {
      throw Rejection.taskNotFound
    }
    guard found.owner == number else { throw Rejection.notOwner }
    return Answer(
      entries: try view.reader.entries(of: task, knowing: view.state), account: account,
      view: view)
  }

  /// The entries of a task, a row each.
  package struct Answer: QuestionAnswer, Listing {
    /// The entries, oldest first.
    package let entries: [Entry]
    /// The task's owner.
    package let account: Account
    let view: BookView

    /// How many entries there are.
    package var stepCount: Int { entries.count }

    /// What an entry did, as a sentence without a full stop.
    package func words(of entry: Entry) -> String {
      view.state.words(of: entry.event, for: account, view.query)
    }

    /// Writes one row for each entry.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for entry in entries[steps] {
        rows.object { row in
          row.member("position", entry.head.position)
          row.member("at", entry.head.at)
          row.member("actor", entry.head.actor.flatMap { view.state.accounts[$0]?.key })
          row.member("event", entry.event.name)
          row.member("words", words(of: entry))
        }
      }
    }
  }
}
