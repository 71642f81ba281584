extension ICalendar {
  /// A VEVENT (RFC 5545, 3.6.1): something that takes place once, or as a rule says, or one time of those
  /// otherwise.
  public struct Event: Hashable, Sendable {
    /// What names it over all versions and calendars.
    public var uid: String
    /// Its title (SUMMARY).
    public var summary: String?
    /// More about it.
    public var description: String?
    /// Where it is.
    public var location: String?
    /// When it begins, the first time.
    public var start: Time
    /// How long it goes on.
    public var extent: Extent
    /// Whether it will take place.
    public var status: Status?
    /// Of two versions the later has the higher number (SEQUENCE).
    public var sequence: Int32
    /// When its content last changed (LAST-MODIFIED).
    public var lastModified: Instant?
    /// When this version was written down (DTSTAMP).
    public var stamp: Instant?
    /// How it repeats (RRULE).
    public var rules: [RecurrenceRule]
    /// When else it takes place (RDATE).
    public var dates: [Date]
    /// When it does not (EXDATE): a date takes all of that day away.
    public var exceptions: [Time]
    /// Which time of the series this is, by when it would begin without (RECURRENCE-ID).
    public var recurrenceID: Time?
    /// Whether all later times are as this one too (RANGE=THISANDFUTURE).
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

  /// How long an event goes on.
  public enum Extent: Hashable, Sendable {
    /// Not said: a date is a whole day, a time has no length.
    case unsaid
    /// Until this, which is not in it any more (DTEND). All times of a series take exactly as long as the first.
    case until(Time)
    /// For so long (DURATION).
    case lasting(Duration)
  }

  /// Whether an event will take place (STATUS).
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Perhaps.
    case tentative = "TENTATIVE"
    /// Certainly.
    case confirmed = "CONFIRMED"
    /// Not any more.
    case cancelled = "CANCELLED"
  }

  /// A further time of an event (RDATE), perhaps of a length of its own (a PERIOD).
  public struct Date: Hashable, Sendable {
    /// When it begins.
    public var start: Time
    /// How long it goes on; unsaid is as long as the event itself.
    public var extent: Extent

    public init(_ start: Time, extent: Extent = .unsaid) {
      self.start = start
      self.extent = extent
    }
  }

  /// All events of one UID: what repeats, and the times of it that are otherwise.
  public struct Series: Hashable, Sendable {
    /// What names it.
    public var uid: String
    /// The event itself; `nil` when only single times of it are known.
    public var master: Event?
    /// The times that are otherwise, by which time they are; each time once.
    public var overrides: [Event]

    public init(uid: String, master: Event?, overrides: [Event] = []) {
      self.uid = uid
      self.master = master
      self.overrides = overrides
    }
  }

  /// One time at which an event takes place.
  public struct Occurrence: Hashable, Sendable {
    /// The event, as it is this time.
    public var event: Event
    /// When it begins.
    public var start: Time
    /// When it is over: the first moment, or day, that is not in it any more.
    public var end: Time
    /// Which time of the series it is: when it would begin if nothing had been changed.
    public var recurrenceID: Time
  }
}

extension ICalendar.Event {
  /// Whether another version of the same is to be taken in place of this one (RFC 5546, 2.1.5).
  func isReplaced(by other: ICalendar.Event) -> Bool {
    if sequence != other.sequence { return sequence < other.sequence }
    let mine = lastModified ?? stamp ?? .first
    let its = other.lastModified ?? other.stamp ?? .first
    return mine <= its
  }
}
