import Calendar

/// An entry about a day, and how long after the day's close it was recorded.
public struct DatedEntry: Sendable, Hashable {
  /// The entry.
  public let item: AuditTrail.Item
  /// How many milliseconds after the day's last moment it was recorded; 0 up to that moment.
  public let latenessMilliseconds: Int64

  /// Measures from the last moment of the day, by the clock that closed it.
  init(_ item: AuditTrail.Item, closed: Instant) {
    self.item = item
    latenessMilliseconds = max(0, item.at.milliseconds - closed.milliseconds)
  }

  /// How many seconds after the day's end it was recorded, begun ones for whole; 0 up to the day's last moment.
  package var lateSeconds: Int64 { begun(1000) }

  /// How much time after the day's end, which is a millisecond after its last moment, in begun units.
  ///
  /// - Parameter milliseconds: How long a unit is.
  /// - Returns: How many; one at least of what is late.
  package func begun(_ milliseconds: Int64) -> Int64 {
    isLate ? max(1, (latenessMilliseconds - 1 + milliseconds - 1) / milliseconds) : 0
  }

  /// Whether it was recorded when the day was over.
  public var isLate: Bool { latenessMilliseconds > 0 }
}
