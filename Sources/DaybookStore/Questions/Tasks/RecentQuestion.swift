package import Avro
package import Daybook

/// `recent`: what one did last, newest first, and which of it an undo takes back. A command is one row, with its first
/// entry.
package struct RecentQuestion: Question, Hashable {
  /// `recent`.
  package static let form = QuestionForm(
    "recent",
    "What one did last, newest first, and whether it is what `daybook undo` takes back, unless it is undone or changed since.",
    answer: "a list of position, at, event, id, name, day, undoable", asker: .account, .past)
  /// The last ten.
  package static let defaults = RecentQuestion()

  /// How many at most.
  package var limit = 10

  package init(limit: Int = 10) { self.limit = limit }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "limit", &limit, [.bounds(Limit.feedLines.countBounds), .doc("at most so many")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection`` for a limit that is none, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let number = try needed(asker)
    _ = try view.account(number)
    try Limit.feedLines.checkCount(limit, "limit")
    var reach: Int64 = 64
    while true {
      let first = max(1, view.state.position - reach + 1)
      var recent = RecentCommands(of: number, in: view.state, limit: limit)
      try view.reader.replay(into: &recent, from: first, through: view.state.position)
      // The first that was read may be a part of a command that begins before.
      if first == 1 || recent.commands.count > limit {
        let last = Array(recent.commands.suffix(limit).reversed())
        return Answer(last, asker: number, view: view)
      }
      reach *= 8
    }
  }

  /// One's last commands, a row for the first entry of each.
  package struct Answer: QuestionAnswer, Listing {
    /// The first entry of each, newest first.
    package let entries: [Entry]
    /// The positions of the first entries of commands that an undo takes back.
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

    /// Whether an undo takes it back, unless it is undone already or something else came in between.
    package func isUndoable(_ entry: Entry) -> Bool {
      undoable.contains(entry.head.position) && isSeen(entry)
    }

    /// Whether what an entry is about is the asker's to see still: nobody takes back what was done where they do not belong
    /// any more.
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

    /// What an entry is about, where it is the asker's own: what others share may be theirs alone by now.
    private func subject(of entry: Entry) -> (any Entity)? {
      guard let subject = view.state.subject(of: entry.event) else { return nil }
      if let home = subject.home {
        return view.state.household(home, for: asker) == nil ? nil : subject
      }
      return subject.ownedBy == asker ? subject : nil
    }

    /// Writes a row an entry.
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

/// One of the last commands of an account.
private struct RecentCommand {
  /// The entry with which it begins.
  let first: Entry
  /// Whether an undo takes back all its entries.
  var isUndoable: Bool
}

/// An account's last commands, oldest first.
///
/// Nothing is kept of other accounts, however far back this account's last command is.
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
    // One more than is asked for tells that there are more; half of them at a time are let go.
    if commands.count > 2 * (limit + 1) { commands.removeFirst(limit + 1) }
  }
}
