extension ICalendar {
  /// A time zone as iCalendar text itself describes it (VTIMEZONE, RFC 5545, 3.6.5).
  public struct ZoneRules: Hashable, Sendable {
    /// Its standard and daylight times, in the order of the text.
    public var observances: [Observance]

    /// Makes a zone of its observances.
    public init(observances: [Observance]) {
      self.observances = observances
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

      /// Makes an observance.
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

      /// The instants in seconds at which it begins, up to a day.
      func onsets(to last: Day) -> [Int] {
        let rules = rules.map { rule in
          var rule = rule
          if case .utc(let until) = rule.until {
            let seconds = Int(until.milliseconds / 1000) + offsetBefore
            rule.until = .local(LocalDateTime(clampingSecondsSince1970: seconds))
          }
          return rule
        }
        let recurrence = Recurrence(start: start, rules: rules, dates: dates + [start])
        let last = LocalDateTime(day: last)
        // No zone has changed its clocks so often; who says so shall not fill the memory.
        return recurrence.occurrences().prefix(2000).prefix { $0 <= last }.map {
          $0.secondsSince1970 - offsetBefore
        }
      }
    }
  }

  /// Time zones, those that a calendar describes itself among them. "UTC" is always known.
  struct Zones: TimeZones {
    private let others: any TimeZones
    private var described: [String: [Change]] = [:]

    /// From when on which offset holds, in seconds.
    private struct Change {
      var since: Int
      var offset: Int
    }

    init(_ others: any TimeZones, and rules: [String: ZoneRules] = [:]) {
      self.others = others
      for (name, zone) in rules { describe(name, by: zone) }
    }

    /// Takes a zone in. After the year 2200 it stays as it is then.
    mutating func describe(_ name: String, by rules: ZoneRules) {
      let last = Day(year: 2200, month: 1, day: 1) ?? .last
      var changes = rules.observances.flatMap { observance in
        observance.onsets(to: last).map { Change(since: $0, offset: observance.offset) }
      }
      changes.sort { ($0.since, $0.offset) < ($1.since, $1.offset) }
      if let first = rules.observances.min(by: { $0.start < $1.start }) {
        changes.insert(Change(since: .min, offset: first.offsetBefore), at: 0)
      }
      described[name] = changes
    }

    func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
      if timeZone == "UTC" { return 0 }
      guard let changes = described[timeZone] else {
        return others.offsetSeconds(of: timeZone, at: instant)
      }
      let seconds = Int(DayClock.floorDivide(instant.milliseconds, 1000))
      // The first change that is later, by halving.
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].since <= seconds { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? changes[low - 1].offset : 0
    }
  }
}

extension TimeZones {
  /// The instant at which the wall clock of a zone shows a time. A zone that nobody knows counts as UTC.
  func instant(of local: LocalDateTime, in zone: String) -> Instant {
    WallClock(timeZone: zone, zones: self).instant(of: local)
      ?? Instant(clamping: Int64(local.secondsSince1970) * 1000)
  }

  /// What the wall clock of a zone shows at an instant, to the second. A zone that nobody knows counts as UTC.
  func local(at instant: Instant, in zone: String) -> LocalDateTime {
    WallClock(timeZone: zone, zones: self).local(of: instant) ?? WallClock.utc(of: instant)
  }
}
