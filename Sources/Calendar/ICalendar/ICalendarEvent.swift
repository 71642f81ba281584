extension ICalendar {
  /// A VEVENT (RFC 5545, 3.6.1): a single or recurring event, or the override of one occurrence.
  public struct Event: Hashable, Sendable {
    /// The identifier that is stable across versions and calendars (UID).
    public var uid: String
    /// Its title (SUMMARY).
    public var summary: String?
    /// Further text about the event (DESCRIPTION).
    public var description: String?
    /// The place (LOCATION).
    public var location: String?
    /// The start of the first occurrence (DTSTART).
    public var start: Time
    /// The length of the event.
    public var extent: Extent
    /// Whether the event will take place (STATUS).
    public var status: Status?
    /// The version number; the later version has the higher one (SEQUENCE).
    public var sequence: Int32
    /// The time of the last change to the content (LAST-MODIFIED).
    public var lastModified: Instant?
    /// The time at which this version was written (DTSTAMP).
    public var stamp: Instant?
    /// The rules by which the event repeats (RRULE).
    public var rules: [RecurrenceRule]
    /// Additional occurrences (RDATE).
    public var dates: [Date]
    /// Excluded occurrences (EXDATE); a date excludes the whole day.
    public var exceptions: [Time]
    /// The occurrence of the series that this event overrides, by its original start (RECURRENCE-ID).
    public var recurrenceID: Time?
    /// Whether the override also applies to all later occurrences (RANGE=THISANDFUTURE).
    public var isThisAndFuture: Bool

    public init(
      uid: String, summary: String? = nil, description: String? = nil, location: String? = nil,
      start: Time, extent: Extent = .unsaid, status: Status? = nil, sequence: Int32 = 0,
      lastModified: Instant? = nil, stamp: Instant? = nil, rules: [RecurrenceRule] = [],
      dates: [Date] = [], exceptions: [Time] = [], recurrenceID: Time? = nil,
      isThisAndFuture: Bool = false
    ) {
      self.uid = uid
      self.summary = summary
      self.description = description
      self.location = location
      self.start = start
      self.extent = extent
      self.status = status
      self.sequence = sequence
      self.lastModified = lastModified
      self.stamp = stamp
      self.rules = rules
      self.dates = dates
      self.exceptions = exceptions
      self.recurrenceID = recurrenceID
      self.isThisAndFuture = isThisAndFuture
    }
  }

  /// The length of an event.
  public enum Extent: Hashable, Sendable {
    /// No length is given: a date lasts the whole day, a time has no length.
    case unsaid
    /// The event ends before this time (DTEND). All occurrences of a series have exactly the length of the
    /// first.
    case until(Time)
    /// The event lasts this long (DURATION).
    case lasting(Duration)
  }

  /// Whether an event will take place (STATUS).
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// The event is tentative.
    case tentative = "TENTATIVE"
    /// The event is definite.
    case confirmed = "CONFIRMED"
    /// The event was cancelled.
    case cancelled = "CANCELLED"
  }

  /// An additional occurrence of an event (RDATE), possibly with its own length (a PERIOD).
  public struct Date: Hashable, Sendable {
    /// The start of the occurrence.
    public var start: Time
    /// The length; `unsaid` means the event's own length.
    public var extent: Extent

    public init(_ start: Time, extent: Extent = .unsaid) {
      self.start = start
      self.extent = extent
    }
  }

  /// All events with one UID: the master and its overrides.
  public struct Series: Hashable, Sendable {
    /// The UID.
    public var uid: String
    /// The event itself; `nil` when only overrides are known.
    public var master: Event?
    /// The overrides, at most one for each occurrence.
    public var overrides: [Event]

    public init(uid: String, master: Event?, overrides: [Event] = []) {
      self.uid = uid
      self.master = master
      self.overrides = overrides
    }
  }

  /// One occurrence of an event.
  public struct Occurrence: Hashable, Sendable {
    /// The event as it is for this occurrence.
    public var event: Event
    /// The start of the occurrence.
    public var start: Time
    /// The end of the occurrence: the first moment, or day, after it.
    public var end: Time
    /// The original start, which identifies the occurrence within the series.
    public var recurrenceID: Time
  }
}

extension ICalendar.Event {
  /// Whether another version of the event replaces this one (RFC 5546, 2.1.5).
  func isReplaced(by other: ICalendar.Event) -> Bool {
    if sequence != other.sequence { return sequence < other.sequence }
    let mine = lastModified ?? stamp ?? .first
    let its = other.lastModified ?? other.stamp ?? .first
    return mine <= its
  }
}
