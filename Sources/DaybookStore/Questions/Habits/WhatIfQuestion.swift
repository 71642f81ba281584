package import Avro
package import Daybook

/// `whatif`: what would be otherwise after some commands, of which none is carried out.
package struct WhatIfQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "whatif", "What would be otherwise after some commands: streaks, hive days, awards, reminders.",
    answer: "as_of, entries, habits, hives, awards, reminders_through, reminders",
    asker: .account, .all)
  package static let defaults = WhatIfQuestion([])

  /// No more commands are supposed at once.
  package static let greatestCommandCount = 1000

  /// The commands, in order.
  package var commands: [SupposedCommand]
  /// For how many days ahead reminders are compared: 1…366.
  package var days: Int

  package init(_ commands: [SupposedCommand], days: Int = 7) {
    self.commands = commands
    self.days = days
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "commands", &commands,
      [
        .needed, .bounds(["maxItems": .number(Self.greatestCommandCount)]),
        .doc("in order; each may have an `at` from the last entry's on, to come, too"),
      ])
    try visitor.column(
      "days", &days,
      [.bounds(["minimum": 1, "maximum": 366]), .doc("how far ahead reminders are compared")])
  }

  /// - Throws: ``Rejection/actorMissing``, ``Rejection`` where a command would be refused, for a number out of range or
  ///   a day to come, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Consequences {
    let account = try needed(asker)
    guard (1...366).contains(days) else {
      throw Rejection.invalidField("days", "\(days) is not a number from 1 to 366")
    }
    guard commands.count <= Self.greatestCommandCount else {
      throw Rejection.invalidField(
        "commands", "\(commands.count) are more than \(Self.greatestCommandCount)")
    }
    let supposition = try view.supposing { batch in
      for (index, command) in commands.enumerated() {
        do { try command.record(into: &batch, by: account, knowing: view) } catch let refusal
          as Rejection
        {
          // What is another's is not there, for whom commands are supposed.
          throw refusal.told(to: .account(account)).ofCommand(index + 1, of: commands.count)
        }
      }
    }
    return try supposition.consequences(for: account, daysAhead: days)
  }
}

extension Rejection {
  /// The refusal of one of several commands that are asked about, which says which one it is.
  fileprivate func ofCommand(_ number: Int, of count: Int) -> Rejection {
    Rejection(
      reason, field: "commands", count == 1 ? description : "Command \(number): \(description)")
  }
}
