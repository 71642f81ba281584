public import Daybook
public import Journal

extension BookReader {
  /// What falls due after one instant, up to and with another (HH-25): reminders, hives at risk at 20:00 of a
  /// member's time, and hives that advanced. In the order of time.
  ///
  /// It is a pure function of the book: asked again it says the same, with the same ids. A reminder is left out
  /// when its day was done by the end of the span.
  ///
  /// - Throws: ``JournalError``.
  public func due(
    after from: Instant, through to: Instant
  ) throws(JournalError) -> (notifications: [DueNotification], state: State) {
    var pushes = AdvancePushes(from: try state(asOf: from))
    try replay(into: &pushes, from: pushes.state.position + 1, until: to)
    let byClock = pushes.state.dueByClock(after: from, through: to, in: zones)
    let all = (byClock + pushes.pushes).sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    return (all, pushes.state)
  }
}
