package import Avro
package import Daybook

/// `diff`: the rows that were added, removed and changed between two instants, with the entries
/// that caused it.
package struct DifferenceQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "diff", "Which rows were added, deleted or changed between two instants, and by which entries.",
    answer: "a list of table, change, before, after, columns, entries", asker: .anybody, [])
  package static let defaults = DifferenceQuestion(from: .first)

  /// The earlier instant: the rows before are as of this instant.
  package var from: Instant
  /// The later instant; `nil` means the present.
  package var to: Instant?
  /// The habit whose rows are compared; nil for all rows.
  package var habit: Habit.ID?

  package init(from: Instant, to: Instant? = nil, habit: Habit.ID? = nil) {
    self.from = from
    self.to = to
    self.habit = habit
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("from", &from, [.needed, .doc("as the book knew it then")])
    try visitor.column("to", &to, [.doc("and as it knew it then; now unless given")])
    try visitor.column(
      "habit", &habit, [.doc("only its rows; unless given, all rows of the asker")])
  }

  /// - Throws: ``Rejection/habitNotFound``, ``Rejection/notOwner(of:)`` for another's habit, ``Rejection`` when `to` is
  ///   before `from`, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> DifferenceList {
    let end = to ?? max(view.query.asOf, from)
    return DifferenceList(
      changes: try view.difference(from: from, to: end, for: asker, habit: habit).changes,
      state: view.state)
  }
}

/// The rows that differ, each with the entries that caused it.
package struct DifferenceList: Listing, QuestionAnswer {
  /// The rows.
  package let changes: [RowDifference.Change]
  /// The state in which actors are looked up.
  package let state: BookState

  /// How many there are.
  package var stepCount: Int { changes.count }

  /// Writes one row for each change.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for change in changes[steps] {
      rows.object { row in
        row.member("table", change.table)
        row.member("change", change.word)
        row.member("before", change.before ?? .null)
        row.member("after", change.after ?? .null)
        row.member("columns", change.changedColumns) { $0.string($1) }
        row.member("entries", change.entries) { json, entry in
          json.object { json in
            json.member("position", entry.head.position)
            json.member("at", entry.head.at)
            json.member("actor", entry.head.actor.flatMap { state.accounts[$0]?.key })
            json.member("event", entry.event.name)
            json.member("source", entry.event.source?.rawValue)
          }
        }
      }
    }
  }
}

extension RowDifference.Change {
  /// What happened to the row: "came", "went" or "changed".
  package var word: String { before == nil ? "came" : after == nil ? "went" : "changed" }
}

extension JSONWriter {
  /// Writes a member whose value already exists.
  fileprivate mutating func member(_ name: String, _ value: JSON) {
    self.name(name)
    self.value(value)
  }
}
