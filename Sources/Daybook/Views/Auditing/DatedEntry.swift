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

  /// Whether it was recorded when the day was over.
  public var isLate: Bool { latenessMilliseconds > 0 }
}
