package import Avro
package import Daybook

/// `due`: the notifications that fall due in a span of time: reminders, hives at risk, hives that
/// advanced, milestones (HH-25).
///
/// What falls due by the clock is judged by what the book knew at that moment, so a span gives what
/// its parts give. Each notification has an id that never changes, so that nothing is sent twice.
package struct DueQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "due",
    "What to notify people about: reminders, hives at risk, hives that advanced, milestones.",
    answer: "a list of notifications", asker: .anybody, [])
  package static let defaults = DueQuestion(after: .first)

  /// The start of the span; what falls due exactly then is excluded.
  package var from: Instant
  /// The end of the span, included; `nil` means the present.
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
          "up to this time, included, at most \(Limit.spanDays.maximum) days later; now unless "
            + "given"
        )
      ])
  }

  package func checkAhead(of now: Instant) throws(Rejection) {
    if let to { try Limit.checkAhead(to, of: now, "to") }
  }

  /// - Throws: ``Rejection`` when the span ends before it begins, is too long for one query, or has
  ///   too many of a person's reminders; or ``JournalError``.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> DueList {
    let end = to ?? view.query.asOf
    guard from <= end else { throw Rejection.invalidField("to", "\(end) is before \(from)") }
    try Limit.checkSpan(from: from, to: end, "to")
    let found = try view.reader.due(after: from, through: end, for: asker)
    return DueList(notifications: found.notifications, state: found.state)
  }
}

/// The notifications, in the order of time.
package struct DueList: Listing, QuestionAnswer {
  package let notifications: [DueNotification]
  /// The state at the end of the span.
  fileprivate let state: BookState

  /// How many there are.
  package var stepCount: Int { notifications.count }

  /// The name of the person to notify.
  package func name(of notification: DueNotification) -> String {
    state.accounts[notification.account]?.displayName ?? ""
  }

  /// Writes one row for each notification.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for notification in notifications[steps] { rows.value(notification.json(in: state)) }
  }
}
