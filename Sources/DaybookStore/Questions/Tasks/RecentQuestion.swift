package import Avro
package import Daybook

/// `recent`: the asker's last commands, newest first, and which of them can be undone. Each command
/// is one row, with its first entry.
package struct RecentQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "recent",
    "The asker's last commands, newest first, and whether each can be undone, unless it was "
      + "undone or changed since.",
    answer: "a list of position, at, event, id, name, day, undoable", asker: .account, .past)
  /// The last ten commands.
  package static let defaults = RecentQuestion()

  /// The most commands to return.
  package var limit = 10

  package init(limit: Int = 10) { self.limit = limit }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "limit", &limit, [.bounds(Limit.feedLines.countBounds), .doc("at most this many")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection`` for an invalid limit, or
  ///   ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let number = try needed(asker)
    _ = try view.account(number)
    try Limit.feedLines.checkCount(limit, "limit")
    var reach: Int64 = 64
    while true {
      let first = max(1, view.state.position - reach + 1)
      var recent = RecentCommands(of: number, in: view.state, limit: limit)
      try view.reader.replay(into: &recent, from: first, through: view.state.position)
      // The first entry read may be part of a command that begins earlier.
      if first == 1 || recent.commands.count > limit {
        let last = Array(recent.commands.suffix(limit).reversed())
        return Answer(last, asker: number, view: view)
      }
      reach *= 8
    }
  }

  /// The asker's last commands, one row for the first entry of each.
  package struct Answer: QuestionAnswer, Listing {
    /// The first entry of each command, newest first.
    package let entries: [Entry]
    /// The positions of the first entries of commands that can be undone.
    private let undoable: Set<Int64>
    private let asker: Account.ID
    private let view: BookView

    fileprivate init(_ commands: [RecentCommand], asker: Account.ID, view: BookView) {
      entries = commands.map(\.first)
      undoable = Set(commands.filter(\.isUndoable).map(\.first.head.position))
      (self.asker, self.view) = (asker, view)
    }

    /// How many there are.
    package var stepCount: Int { entries.count }

    /// Whether the command can be undone, unless it already was or a later entry prevents it.
    package func isUndoable(_ entry: Entry) -> Bool {
      undoable.contains(entry.head.position) && isSeen(entry)
    }

    /// Whether the asker still sees the entry's subject: nobody can undo a command in a group that they have left.
    private func isSeen(_ entry: Entry) -> Bool {
      switch view.state.subject(of: entry.event) {
      case let hive as Hive: hive.member(asker) != nil
      case let household as Household: household.hasMember(asker)
      case let thing?: thing.home.map { view.state.household($0, for: asker) != nil } ?? true
      case nil: true
      }
    }

    /// What an entry did, in words.
    package func words(of entry: Entry) -> String {
      view.state.summary(of: entry.event, for: asker, view.query)
    }

    /// The entry's subject, if it is the asker's own; a shared subject may belong only to others by
    /// now.
    private func subject(of entry: Entry) -> (any Entity)? {
      guard let subject = view.state.subject(of: entry.event) else { return nil }
      if let home = subject.home {
        return view.state.household(home, for: asker) == nil ? nil : subject
      }
      return subject.ownedBy == asker ? subject : nil
    }

    /// Writes one row for each entry.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for entry in entries[steps] {
        let subject = subject(of: entry)
        rows.object { row in
          row.member("position", entry.head.position)
          row.member("at", entry.head.at)
          row.member("event", entry.event.name)
          row.member("id", subject?.key)
          row.member("name", subject?.displayName)
          row.member("day", entry.event.day)
          row.member("undoable", isUndoable(entry))
        }
      }
    }
  }
}

/// One of an account's last commands.
private struct RecentCommand {
  /// Its first entry.
  let first: Entry
  /// Whether all of its entries can be undone.
  var isUndoable: Bool
}

/// An account's last commands, oldest first. Nothing is kept of others' entries, however far back
/// the last commands are.
private struct RecentCommands: Projection {
  private(set) var commands: [RecentCommand] = []
  private var bounds: CommandBounds
  private let account: Account.ID
  private let last: Int64
  private let limit: Int

  init(of account: Account.ID, in state: BookState, limit: Int) {
    bounds = CommandBounds(state)
    (self.account, self.last, self.limit) = (account, state.position, limit)
  }

  mutating func apply(_ entry: Entry) {
    guard entry.head.actor == account, entry.head.position <= last else { return }
    let isFirst = bounds.begins(entry)
    if !isFirst, let place = commands.indices.last {
      let first = commands[place].first.event
      if !entry.event.isUndoable(after: first) { commands[place].isUndoable = false }
      return
    }
    commands.append(
      RecentCommand(first: entry, isUndoable: entry.event.isUndoable(after: entry.event)))
    // One more than asked for shows that there are more; half of them are dropped at a time.
    if commands.count > 2 * (limit + 1) { commands.removeFirst(limit + 1) }
  }
}
