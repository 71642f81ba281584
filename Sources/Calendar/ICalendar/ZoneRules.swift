extension ICalendar {
  /// A time zone that iCalendar text defines (VTIMEZONE, RFC 5545, 3.6.5).
  public struct ZoneRules: Hashable, Sendable {
    /// Its standard and daylight observances, in the order of the text.
    public var observances: [Observance]

    public init(observances: [Observance]) {
      self.observances = observances
    }

    /// Hashes only the parts that distinguish most zones, because the zones of a file are looked up for each
    /// of its events.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(observances.count)
      guard let first = observances.first, let last = observances.last else { return }
      for observance in [first, last] {
        hasher.combine(observance.start)
        hasher.combine(observance.offsetBefore)
        hasher.combine(observance.offset)
      }
    }

    /// One offset from UTC, and when it begins (STANDARD or DAYLIGHT).
    public struct Observance: Hashable, Sendable {
      /// Whether this is a DAYLIGHT observance, not a STANDARD one.
      public var isDaylight: Bool
      /// The first onset, on the wall clock before the change (DTSTART).
      public var start: LocalDateTime
      /// The offset before the onset, in seconds ahead of UTC (TZOFFSETFROM).
      public var offsetBefore: Int
      /// The offset after the onset, in seconds ahead of UTC (TZOFFSETTO).
      public var offset: Int
      /// The rules for further onsets (RRULE).
      public var rules: [RecurrenceRule]
      /// Further onsets (RDATE).
      public var dates: [LocalDateTime]

      public init(
        isDaylight: Bool, start: LocalDateTime, offsetBefore: Int, offset: Int,
        rules: [RecurrenceRule] = [], dates: [LocalDateTime] = []
      ) {
        self.isDaylight = isDaylight
        self.start = start
        self.offsetBefore = offsetBefore
        self.offset = offset
        self.rules = rules
        self.dates = dates
      }
    }
  }

  /// Time zones, including those that a calendar defines. "UTC" is always known.
  package struct Zones: TimeZones {
    private let others: any TimeZones
    private(set) var described: [String: ZoneChanges]

    package init(_ others: any TimeZones, and described: [String: ZoneChanges] = [:]) {
      self.others = others
      self.described = described
    }

    /// Adds a zone.
    mutating func describe(_ name: String, by changes: ZoneChanges) { described[name] = changes }

    package func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
      if timeZone == "UTC" { return 0 }
      guard let changes = described[timeZone] else {
        return others.offsetSeconds(of: timeZone, at: instant)
      }
      return changes.offsetSeconds(at: instant)
    }
  }

  /// Computes the clock changes of zones, once for each zone, however many events use it.
  package struct CompiledZones {
    private let others: any TimeZones
    private var compiled: [ZoneRules: ZoneChanges] = [:]
    /// The number of steps taken for all zones so far.
    package private(set) var steps = 0

    package init(_ others: any TimeZones) { self.others = others }

    /// The time zones, including those that the rules define.
    package mutating func zones(_ rules: [String: ZoneRules]) -> Zones {
      var zones = Zones(others)
      for (name, zone) in rules { zones.describe(name, by: changes(of: zone)) }
      return zones
    }

    /// The clock changes of a zone.
    mutating func changes(of rules: ZoneRules) -> ZoneChanges {
      if let known = compiled[rules] { return known }
      let changes = ZoneChanges(rules)
      steps += changes.steps
      compiled[rules] = changes
      return changes
    }
  }
}

extension TimeZones {
  /// The instant at which the wall clock of a zone shows a time. An unknown zone counts as UTC.
  package func instant(of local: LocalDateTime, in zone: String) -> Instant {
    WallClock(timeZone: zone, zones: self).instant(of: local)
      ?? Instant(clamping: Int64(local.secondsSince1970) * 1000)
  }

  /// The wall-clock time of a zone at an instant, to the second. An unknown zone counts as UTC.
  package func local(at instant: Instant, in zone: String) -> LocalDateTime {
    WallClock(timeZone: zone, zones: self).local(of: instant) ?? WallClock.utc(of: instant)
  }
}
