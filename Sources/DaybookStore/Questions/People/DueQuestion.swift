package import Avro
package import Daybook

/// `due`: what people are to be told in a span of time: reminders, hives at risk, hives that advanced, milestones
/// (HH-25).
///
/// What falls due by the clock is judged by what the book knew at that moment, so that one span says what its parts
/// say. Each has an id that never changes, so that nothing is sent twice.
package struct DueQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "due", "What people are to be told: reminders, hives at risk, hives that advanced, milestones.",
    answer: "a list of notifications", asker: .anybody, [])
  package static let defaults = DueQuestion(after: .first)

  /// What falls due after it is told,
  package var from: Instant
  /// up to and with this; now without it.
  package var to: Instant?

  package init(after from: Instant, through to: Instant? = nil) {
    self.from = from
    self.to = to
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("from", &from, [.needed, .doc("after this time")])
    try visitor.column(
      "to", &to,
      [
        .doc(
          "up to this time, included, at most \(Limit.spanDays.maximum) days later; now without it")
      ])
  }

  package func checkAhead(of now: Instant) throws(Rejection) {
    if let to { try Limit.checkAhead(to, of: now, "to") }
  }

  /// - Throws: ``Rejection`` when the span ends before it begins, is longer than is asked about at once, or has more of a
  ///   person's reminders than are looked at in one question; or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> DueList {
    let end = to ?? view.query.asOf
    guard from <= end else { throw Rejection.invalidField("to", "\(end) is before \(from)") }
    try Limit.checkSpan(from: from, to: end, "to")
    let found = try view.reader.due(after: from, through: end, for: asker)
    return DueList(notifications: found.notifications, state: found.state)
  }
}

/// What people are to be told, in the order of time.
package struct DueList: Listing, QuestionAnswer {
  package let notifications: [DueNotification]
  /// What held at the end of the span.
  fileprivate let state: BookState

  /// How many there are.
  package var stepCount: Int { notifications.count }

  /// What the one is called who is to be told.
  package func name(of notification: DueNotification) -> String {
    state.accounts[notification.account]?.displayName ?? ""
  }

  /// Writes a row a notification.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for notification in notifications[steps] { rows.value(notification.json(in: state)) }
  }
}
