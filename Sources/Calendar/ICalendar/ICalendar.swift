/// The content of iCalendar text (RFC 5545): events grouped into series, and the time zones that the text
/// defines.
///
/// ``read(_:zones:)`` parses the bytes of an `.ics` file, and ``write(stamp:zones:)`` writes them.
public struct ICalendar: Hashable, Sendable {
  /// The calendar's name (X-WR-CALNAME).
  public var name: String?
  /// The events by UID, in the order in which the UIDs first appear.
  public var series: [Series]
  /// The time zones that only the text defines, by the names that its events use.
  public var zoneRules: [String: ZoneRules]

  public init(
    name: String? = nil, series: [Series] = [], zoneRules: [String: ZoneRules] = [:]
  ) {
    self.name = name
    self.series = series
    self.zoneRules = zoneRules
  }

  /// All occurrences between two instants, ordered by their start.
  ///
  /// - Parameters:
  ///   - start: Excludes what ends at this instant or earlier; an occurrence without length at this instant
  ///     is included.
  ///   - end: Excludes what begins at this instant or later.
  ///   - zone: The zone in which dates and floating times are interpreted.
  ///   - zones: Provides time zones; those that the calendar defines need not be among them.
  /// - Returns: The occurrences, without duplicates.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones
  ) -> [Occurrence] {
    var budget = ExpansionBudget.unlimited
    return occurrences(from: start, until: end, seenFrom: zone, zones: zones, within: &budget)
      .occurrences
  }

  /// The same as ``occurrences(from:until:seenFrom:zones:)``, for a calendar that may be foreign. The budget
  /// limits the work, and the result says whether there may be more.
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

  /// The given time zones together with those that the calendar defines; they cover every zone of its times.
  public func timeZones(beside others: any TimeZones) -> any TimeZones {
    var compiled = CompiledZones(others)
    return compiled.zones(zoneRules)
  }
}

extension ICalendar {
  /// The result of reading iCalendar text.
  public struct Reading: Hashable, Sendable {
    /// The part of the text that was understood.
    public var calendar = ICalendar()
    /// Everything that was not understood or breaks the rules, in the order of the text. Of a long list only
    /// the first are here, and the last entry counts the rest.
    public var problems: [Problem] = []
    /// The number of components of each kind that is not read (VTODO, VJOURNAL, VALARM, …).
    public var notImported: [String: Int] = [:]
    /// Whether the text ended early.
    public var isCutOff = false

    /// Whether the text contains no calendar.
    public var isEmpty = true
    /// The number of events left out.
    public var leftOutCount = 0

    /// Whether every event of the text was read.
    public var isWhole: Bool { !isEmpty && !isCutOff && leftOutCount == 0 }
  }

  /// A defect in iCalendar text, and how it was handled.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The number, from 1, of the line where the property or component begins.
    public var line: Int
    /// What is wrong.
    public var message: String
    /// How the defect was handled.
    public var outcome: Outcome

    /// How a defect was handled.
    public enum Outcome: String, Hashable, Sendable {
      /// The whole event was left out.
      case eventLeftOut = "the event is left out"
      /// The property or line was ignored.
      case ignored = "ignored"
      /// The value was read as what it most likely means; the message says how.
      case repaired = "repaired"
    }

    /// `line 12: DTSTART is missing; the event is left out`.
    public var description: String { "line \(line): \(message); \(outcome.rawValue)" }
  }
}
