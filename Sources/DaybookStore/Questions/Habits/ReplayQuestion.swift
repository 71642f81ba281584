package import Avro
package import Daybook

/// `replay`: shows step by step how the heatmap (the comb) of a habit developed (ES-2).
package struct ReplayQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "replay",
    "How the comb of a habit came to be: what was known of its days, and what each moment changed.",
    answer: "habit, name, rule, from, to, today, current, longest, days, steps", asker: .anybody,
    .rule)
  package static let defaults = ReplayQuestion(.first)

  package var habit: Habit.ID
  /// The instant as of which it begins; nil for the creation of the habit.
  package var from: Instant?
  /// The instant as of which it ends; `nil` means the present.
  package var to: Instant?
  /// The calendar year to show, 1…9999; nil for the last twelve months and all other days that a step
  /// of the replay changed.
  package var year: Int?

  package init(
    _ habit: Habit.ID, from: Instant? = nil, to: Instant? = nil, year: Int? = nil
  ) {
    (self.habit, self.from, self.to, self.year) = (habit, from, to, year)
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.column(
      "from", &from, [.doc("as known at this time; unless given, when the habit was created")])
    try visitor.column("to", &to, [.doc("as known at this time; now unless given")])
    try visitor.column("year", &year, [.bounds(["minimum": 1, "maximum": 9999])])
  }

  /// - Throws: ``Rejection/habitNotFound``, also for a habit that did not exist yet at the end;
  ///   ``Rejection/notOwner(of:)`` for another's habit; ``Rejection`` for an invalid year or
  ///   invalid times, and for more steps than a replay can hold; or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> ReplayAnswer {
    _ = try view.habit(habit, for: asker)
    let end = to ?? view.query.asOf
    if let from, from > end { throw Rejection.invalidField("to", "\(end) is before \(from)") }
    let found = try HabitEntries(of: habit, until: end, in: view.reader)
    return ReplayAnswer(
      replay: try HabitReplay(
        of: habit, ownedBy: found.owner, found.entries, from: from, to: end, year: year, view.query),
      state: view.state)
  }
}

/// A replay, with the state in which keys are looked up.
package struct ReplayAnswer: PiecewiseAnswer {
  package let replay: HabitReplay
  fileprivate let state: BookState

  /// The replay after a number of steps, as a heatmap.
  package func heatmap(
    after count: Int, _ cells: [HabitReplay.Cell]
  ) -> Heatmap {
    Heatmap(
      habit: replay.habit, today: replay.moment(after: count).today, cells: cells.map(\.heat),
      marks: cells.map(\.mark))
  }

  /// Writes the replay, a hundred steps at a time.
  ///
  /// - Throws: what `consume` throws.
  package func writePieces<Failure: Error>(
    _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try consume(Array((head.encoded.dropLast() + ",\"steps\":[").utf8))
    var rows = JSONWriter()
    for (index, step) in replay.steps.enumerated() {
      write(step, to: &rows)
      if index % 100 == 99 {
        try consume(rows.bytes)
        rows.removeAll()
        if index + 1 < replay.steps.count { try consume([0x2C]) }
      }
    }
    try consume(rows.bytes)
    try consume(Array("]}".utf8))
  }

  private var head: JSON {
    JSON(written: { json in
      json.object { json in
        json.member("habit", replay.habit.key)
        json.member("name", replay.habit.name)
        json.name("rule")
        json.object { json in
          json.member("id", replay.rule.id)
          json.member("version", replay.rule.version)
        }
        json.member("from", replay.beginning.at)
        json.member("to", replay.end)
        write(replay.beginning, to: &json)
        json.member("days", replay.cells) { json, cell in write(cell, to: &json) }
      }
    })
  }

  private func write(_ moment: HabitReplay.Moment, to json: inout JSONWriter) {
    json.member("today", moment.today)
    json.member("current", moment.current)
    json.member("longest", moment.longest)
  }

  private func write(_ step: HabitReplay.Step, to json: inout JSONWriter) {
    json.object { json in
      json.member("at", step.moment.at)
      write(step.moment, to: &json)
      json.member("entries", step.entries) { json, item in json.value(item.json(in: state)) }
      json.member("days", step.changes) { json, cell in write(cell, to: &json) }
    }
  }

  private func write(_ cell: HabitReplay.Cell, to json: inout JSONWriter) {
    json.object { json in
      json.member("day", cell.heat.day)
      json.member("value", cell.heat.value)
      json.member("target", cell.mark == nil ? nil : cell.heat.target)
      json.member("level", cell.heat.level)
      json.member("mark", cell.mark?.rawValue)
    }
  }
}
