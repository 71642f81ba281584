public import Daybook
import Journal

extension BookReader {
  /// What falls due after one instant, up to and with another (HH-25): reminders, hives at risk at 20:00 of a
  /// member's time, hives that advanced, and milestones that streaks reached. In the order of time.
  ///
  /// What falls due by the clock is judged by what the book knew at that moment. So it is a pure function of the
  /// book: asked again it says the same, with the same ids; and one span says what its parts say, but for milestones
  /// of what is deleted by the span's end, of which nobody is told.
  ///
  /// - Returns: The notifications, and the state at the end of the span.
  /// - Throws: ``JournalError``.
  public func due(
    after from: Instant, through to: Instant
  ) throws -> (notifications: [DueNotification], state: BookState) {
    try due(after: from, through: to, for: nil)
  }

  /// What falls due for one person alone, at the cost of what they have; for everybody without one.
  ///
  /// - Throws: ``JournalError``, or ``Rejection`` for a person who has more times of day in the span than are looked at in
  ///   one question.
  package func due(
    after from: Instant, through to: Instant, for person: Account.ID?
  ) throws -> (notifications: [DueNotification], state: BookState) {
    var follower = DueFollower(self, from: try state(asOf: from), after: from, for: person)
    return (try follower.due(through: to), follower.state)
  }
}
