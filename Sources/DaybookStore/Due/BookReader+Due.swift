public import Daybook
import Journal

extension BookReader {
  /// The notifications that fall due after one instant, up to and including another (HH-25), in the
  /// order of time: reminders, hives at risk at 20:00 of a member's time, hives that advanced, and
  /// milestones that streaks reached.
  ///
  /// What falls due by the clock is judged by what the book knew at that moment. So the result is a pure function of
  /// the book: the same query gives the same notifications with the same ids. A span gives the same as its parts
  /// together, except for milestones of entities deleted by the end of the span: nobody is notified of those.
  ///
  /// - Returns: The notifications, and the state at the end of the span.
  /// - Throws: ``JournalError``.
  public func due(
    after from: Instant, through to: Instant
  ) throws -> (notifications: [DueNotification], state: BookState) {
    try due(after: from, through: to, for: nil)
  }

  /// The notifications for one person, at a cost that depends on what that person has; for
  /// everybody when `person` is nil.
  ///
  /// - Throws: ``JournalError``, or ``Rejection`` for a person with more times of day in the span
  ///   than one query may examine.
  package func due(
    after from: Instant, through to: Instant, for person: Account.ID?
  ) throws -> (notifications: [DueNotification], state: BookState) {
    var follower = DueFollower(self, from: try state(asOf: from), after: from, for: person)
    return (try follower.due(through: to), follower.state)
  }
}
