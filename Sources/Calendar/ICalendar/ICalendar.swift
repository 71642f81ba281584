/// What iCalendar text says (RFC 5545): events by what they are an instance of, and time zones of its own.
///
/// ``read(_:zones:)`` makes one from the bytes of an `.ics` file, ``write(stamp:zones:)`` the bytes again.
public struct ICalendar: Hashable, Sendable {
  /// What the calendar is called (X-WR-CALNAME).
  public var name: String?
  /// Its events by UID, in the order in which the UIDs come first.
  public var series: [Series]
  /// The time zones that only the text itself knows, by the names that its events give them.
  public var zoneRules: [String: ZoneRules]

  public init(
    name: String? = nil, series: [Series] = [], zoneRules: [String: ZoneRules] = [:]
  ) {
    self.name = name
    self.series = series
    self.zoneRules = zoneRules
  }

  /// All that happens between two instants, in the order of its beginning.
  ///
  /// - Parameters:
  ///   - start: What ends at this instant or before it is not in, but for what has no length and is at it.
  ///   - end: What begins at this instant or after it is not in.
  ///   - zone: Where dates and floating times are looked at from.
  ///   - zones: Knows time zones; those of the calendar itself need not be among them.
  /// - Returns: Each time once.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones
  ) -> [Occurrence] {
    var budget = ExpansionBudget.unlimited
    return occurrences(from: start, until: end, seenFrom: zone, zones: zones, within: &budget)
      .occurrences
  }

  /// As ``occurrences(from:until:seenFrom:zones:)``, of a calendar that may be a stranger's: no more of it is looked
  /// at than a budget allows, and the answer says whether there may be more.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones,
    within budget: inout ExpansionBudget
  ) -> Expansion {
    let zones = timeZones(beside: zones)
    var found = Expansion()
    for series in series {
      let more = series.occurrences(
        from: start, until: end, seenFrom: zone, zones: zones, within: &budget)
      found.occurrences += more.occurrences
      found.isCutOff = found.isCutOff || more.isCutOff
    }
    found.occurrences = found.occurrences.inOrder(seenFrom: zone, zones: zones)
    return found
  }

  /// Time zones, those that the calendar describes itself among them: they know every zone of its times.
  public func timeZones(beside others: any TimeZones) -> any TimeZones {
    var compiled = CompiledZones(others)
    return compiled.zones(zoneRules)
  }
}

extension ICalendar {
  /// What was found when iCalendar text was read.
  public struct Reading: Hashable, Sendable {
    /// What the text says, as far as it was understood.
    public var calendar = ICalendar()
    /// What was not understood or is against the rules, in the order of the text. Of very many the first are here,
    /// and the last says how many more there are.
    public var problems: [Problem] = []
    /// How many components there were of the kinds that are not read (VTODO, VJOURNAL, VALARM, …).
    public var notImported: [String: Int] = [:]
    /// Whether the text was cut off before its end.
    public var isCutOff = false

    /// Whether there is no calendar in the text.
    public var isEmpty = true
    /// How many events were left out.
    public var leftOutCount = 0

    /// Whether each event of the text is among those that were read.
    public var isWhole: Bool { !isEmpty && !isCutOff && leftOutCount == 0 }
  }

  /// Something in iCalendar text that is not as it should be, and what was made of it.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The line of the text, from 1, at which the property or component begins.
    public var line: Int
    /// What is wrong.
    public var message: String
    /// What was done with it.
    public var outcome: Outcome

    /// What was done with something wrong.
    public enum Outcome: String, Hashable, Sendable {
      /// The whole event is missing from what was read.
      case eventLeftOut = "the event is left out"
      /// The property or line is as if it were not there.
      case ignored = "ignored"
      /// It was read as what it most likely means, which the message says.
      case repaired = "repaired"
    }

    /// `line 12: DTSTART is missing; the event is left out`.
    public var description: String { "line \(line): \(message); \(outcome.rawValue)" }
  }
}
