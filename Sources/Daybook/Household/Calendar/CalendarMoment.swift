public import Calendar
public import Avro

/// The start or end of a calendar event, as a person gives it.
public enum CalendarMoment: Hashable, Sendable {
  /// A whole day.
  case day(Day)
  /// A local time on the wall clock.
  case local(LocalDateTime)
  /// An instant.
  case instant(Instant)
}

extension CalendarMoment: TextForm {
  /// "a date, a time such as 2026-03-01T18:30, or an instant".
  public static var jsonWords: String { "a date, a time such as 2026-03-01T18:30, or an instant" }
  /// A text that begins with a date.
  public static var jsonSchema: JSON {
    ["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}"]
  }
  /// Two days.
  public static var examples: (CalendarMoment, CalendarMoment) {
    (.day(Day.examples.0), .day(Day.examples.1))
  }
  /// Reads a date, a time or an instant.
  public init?(formText: String) { self.init(formText) }
  /// The text in the form in which it is read.
  public var formText: String {
    switch self {
    case .day(let day): day.description
    case .local(let local): local.description
    case .instant(let instant): instant.description
    }
  }

  /// Reads `2026-03-01`, `2026-03-01T18:30` or `2026-03-01T18:30:00Z`.
  public init?(_ text: String) {
    if let day = Day(text) {
      self = .day(day)
    } else if let instant = Instant(text) {
      self = .instant(instant)
    } else if text.contains("-"), let local = LocalDateTime(text) {
      self = .local(local)
    } else {
      return nil
    }
  }
}
