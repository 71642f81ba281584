package import Avro
package import Daybook

/// `audit`: explains the streak of a habit or a hive (ES-3).
package struct AuditQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "audit", "Why a streak is what it is: each day, with the entries that made it so.",
    answer: "habit, name, rule, current, longest, days, streaks, breaks; of a hive: hive, name, "
      + "rule, threshold, current, longest, days",
    asker: .anybody, .all, isOfHabit: true)
  package static let defaults = AuditQuestion(habit: nil, hive: nil)

  /// The habit; either this or `hive` is given.
  package var habit: Habit.ID?
  /// The hive; only its members may ask.
  package var hive: Hive.ID?
  /// The first day to include; nil for the first that there is.
  package var from: Day?
  /// The last day to include; nil for the last that there is.
  package var to: Day?

  private init(habit: Habit.ID?, hive: Hive.ID?, from: Day? = nil, to: Day? = nil) {
    self.habit = habit
    self.hive = hive
    self.from = from
    self.to = to
  }

  /// Asks about a habit.
  package init(of habit: Habit.ID, from: Day? = nil, to: Day? = nil) {
    self.init(habit: habit, hive: nil, from: from, to: to)
  }

  /// Asks about a hive.
  package init(of hive: Hive.ID, from: Day? = nil, to: Day? = nil) {
    self.init(habit: nil, hive: hive, from: from, to: to)
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.doc("this, or a hive")])
    try visitor.column("hive", &hive, [.doc("one of the asker's hives")])
    try visitor.column(
      "from", &from, [.doc("the first day; unless given, the first that there is")])
    try visitor.column("to", &to, [.doc("the last day; unless given, the last that there is")])
  }

  /// - Throws: ``Rejection/habitNotFound`` or ``Rejection/hiveNotFound``,
  ///   ``Rejection/notOwner(of:)`` for another's habit, ``Rejection/notMember`` for a hive without
  ///   the asker, or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> AuditAnswer {
    let days = try Self.span(from, to)
    switch (habit, hive) {
    case (let habit?, nil):
      _ = try view.habit(habit, for: asker)
      return .habit(try view.audit(of: habit, days: days), view.state)
    case (nil, let hive?):
      return .hive(try view.audit(of: hive, for: needed(asker), days: days), view.state)
    case (nil, nil): throw Rejection.missingField("habit", of: "question")
    case (_?, _?): throw Rejection.invalidField("hive", "give a habit or a hive, not both")
    }
  }

  /// The days of a range; nil where all are asked for.
  ///
  /// - Throws: ``Rejection`` that names `to`, when it is before `from`.
  static func span(_ from: Day?, _ to: Day?) throws(Rejection) -> ClosedRange<Day>? {
    guard from != nil || to != nil else { return nil }
    let (first, last) = (from ?? .first, to ?? .last)
    guard first <= last else { throw .invalidField("to", "\(last) is before \(first)") }
    return first...last
  }
}

/// The audit of a habit or of a hive, with the state in which names and keys are looked up.
package enum AuditAnswer: QuestionAnswer {
  /// The audit of a habit; it may have very many days.
  case habit(Audit, BookState)
  /// The audit of a hive.
  case hive(HiveAudit, BookState)

  package func write(to json: inout JSONWriter) {
    switch self {
    case .hive(let audit, let state): json.value(audit.json(in: state))
    case .habit:
      var text: [UInt8] = []
      writePieces { text += $0 }
      json.written(text)
    }
  }

  /// Writes the audit, the days of a habit a page at a time.
  ///
  /// - Throws: what `consume` throws.
  package func writePieces<Failure: Error>(
    _ consume: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard case .habit(let audit, let state) = self else {
      return try consume(Array(json.encoded.utf8))
    }
    let before = JSON.object(audit.membersBeforeDays).encoded.dropLast()
    try consume(Array((before + ",\"days\":").utf8))
    try audit.dayList(in: state).writeArray(consume)
    try consume(Array(("," + JSON.object(audit.membersAfterDays).encoded.dropFirst()).utf8))
  }
}

extension JSONWriter {
  /// Writes a member whose value already exists.
  mutating func member(_ member: JSON.Member) {
    name(member.name)
    value(member.value)
  }
}
