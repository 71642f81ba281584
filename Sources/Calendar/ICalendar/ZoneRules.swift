extension ICalendar {
  /// A time zone as iCalendar text itself describes it (VTIMEZONE, RFC 5545, 3.6.5).
  public struct ZoneRules: Hashable, Sendable {
    /// Its standard and daylight times, in the order of the text.
    public var observances: [Observance]

    public init(observances: [Observance]) {
      self.observances = observances
    }

    /// Takes as little as tells most zones apart: those of a file are asked for with each of its events.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(observances.count)
      guard let first = observances.first, let last = observances.last else { return }
      for observance in [first, last] {
        hasher.combine(observance.start)
        hasher.combine(observance.offsetBefore)
        hasher.combine(observance.offset)
      }
    }

    /// One offset from UTC, and when it begins to hold (STANDARD or DAYLIGHT).
    public struct Observance: Hashable, Sendable {
      /// Whether it is a DAYLIGHT, not a STANDARD.
      public var isDaylight: Bool
      /// When it first begins, on the wall clock as it was before (DTSTART).
      public var start: LocalDateTime
      /// Seconds ahead of UTC until then (TZOFFSETFROM).
      public var offsetBefore: Int
      /// Seconds ahead of UTC from then on (TZOFFSETTO).
      public var offset: Int
      /// How it begins again (RRULE).
      public var rules: [RecurrenceRule]
      /// When else it begins (RDATE).
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

  /// Time zones, those that a calendar describes itself among them. "UTC" is always known.
  package struct Zones: TimeZones {
    private let others: any TimeZones
    private(set) var described: [String: ZoneChanges]

    package init(_ others: any TimeZones, and described: [String: ZoneChanges] = [:]) {
      self.others = others
      self.described = described
    }

    /// Takes a zone in.
    mutating func describe(_ name: String, by changes: ZoneChanges) { described[name] = changes }

    package func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
      if timeZone == "UTC" { return 0 }
      guard let changes = described[timeZone] else {
        return others.offsetSeconds(of: timeZone, at: instant)
      }
      return changes.offsetSeconds(at: instant)
    }
  }

  /// Works out the changes of zones, each zone once however many events are told in it.
  package struct CompiledZones {
    private let others: any TimeZones
    private var compiled: [ZoneRules: ZoneChanges] = [:]
    /// How much was looked at for all zones so far.
    package private(set) var steps = 0

    package init(_ others: any TimeZones) { self.others = others }

    /// The time zones, those of the rules among them.
    package mutating func zones(_ rules: [String: ZoneRules]) -> Zones {
      var zones = Zones(others)
      for (name, zone) in rules { zones.describe(name, by: changes(of: zone)) }
      return zones
    }

    /// The changes of a zone.
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
  /// The instant at which the wall clock of a zone shows a time. A zone that nobody knows counts as UTC.
  package func instant(of local: LocalDateTime, in zone: String) -> Instant {
    WallClock(timeZone: zone, zones: self).instant(of: local)
      ?? Instant(clamping: Int64(local.secondsSince1970) * 1000)
  }

  /// What the wall clock of a zone shows at an instant, to the second. A zone that nobody knows counts as UTC.
  package func local(at instant: Instant, in zone: String) -> LocalDateTime {
    WallClock(timeZone: zone, zones: self).local(of: instant) ?? WallClock.utc(of: instant)
  }
}
