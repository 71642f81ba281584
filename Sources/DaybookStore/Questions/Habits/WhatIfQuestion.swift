package import Avro
package import Daybook

/// `whatif`: what some commands would change; none of them is carried out.
package struct WhatIfQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "whatif", "What would change after some commands: streaks, hive days, awards, reminders.",
    answer: "as_of, entries, habits, marks, hives, awards, reminders_through, reminders",
    asker: .account, .all)
  package static let defaults = WhatIfQuestion([])

  /// The most commands in one question.
  package static let greatestCommandCount = 1000

  /// The commands, in order.
  package var commands: [SupposedCommand]
  /// The number of days ahead for which reminders are compared: 1…366.
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
        .doc("in order; each may have an `at` from the last entry's on, even in the future"),
      ])
    try visitor.column(
      "days", &days,
      [.bounds(["minimum": 1, "maximum": 366]), .doc("how far ahead reminders are compared")])
  }

  /// - Throws: ``Rejection/actorMissing``, ``Rejection`` for a command that would be refused, a
  ///   number out of range or a future day, or ``JournalError``.
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
          // The account for whom commands are supposed must not learn of others' entities.
          throw refusal.asSeen(by: .account(account)).ofCommand(index + 1, of: commands.count)
        }
      }
    }
    return try supposition.consequences(for: account, daysAhead: days)
  }
}

extension Rejection {
  /// The refusal with the number of the command, if there are several.
  fileprivate func ofCommand(_ number: Int, of count: Int) -> Rejection {
    Rejection(
      reason, field: "commands", count == 1 ? description : "Command \(number): \(description)")
  }
}
