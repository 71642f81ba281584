import Calendar

/// An entry about a day, with its lateness after the day's close.
public struct DatedEntry: Sendable, Hashable {
  /// The entry.
  public let item: AuditTrail.Item
  /// The number of milliseconds after the day's last moment at which it was recorded; 0 up to that moment.
  public let latenessMilliseconds: Int64

  /// Measures from the last moment of the day, by the clock that closed the day.
  init(_ item: AuditTrail.Item, closed: Instant) {
    self.item = item
    latenessMilliseconds = max(0, item.at.milliseconds - closed.milliseconds)
  }

  /// The number of seconds after the day's end, rounded up; 0 up to the day's last moment.
  package var lateSeconds: Int64 { begun(1000) }

  /// The time after the day's end, which is a millisecond after its last moment, in units that are rounded up.
  ///
  /// - Parameter milliseconds: The length of a unit.
  /// - Returns: The number of units; at least one for a late entry.
  package func begun(_ milliseconds: Int64) -> Int64 {
    isLate ? max(1, (latenessMilliseconds - 1 + milliseconds - 1) / milliseconds) : 0
  }

  /// Whether it was recorded after the day was over.
  public var isLate: Bool { latenessMilliseconds > 0 }
}
