import Values

extension ICalendar {
  /// Reads the bytes of an `.ics` file; no input makes it fail.
  ///
  /// An event is left out unless everything that decides its occurrences (DTSTART, RRULE, RDATE, EXDATE,
  /// RECURRENCE-ID) is understood. Anything else that is not understood is ignored. Omissions, ignored parts
  /// and repairs are all reported.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - zone: The zone in which dates are interpreted, unless the text names one (X-WR-TIMEZONE). If neither
  ///     does, an instant where a date is required stays an instant.
  ///   - zones: Provides the IANA time zones, which take precedence over the file's own definitions.
  /// - Returns: What was understood, and what was not.
  public static func read(
    _ bytes: [UInt8], seenFrom zone: String? = nil, zones: any TimeZones
  ) -> Reading {
    var reader = ICalendarReader(zones: zones, zone: zone)
    reader.read(bytes)
    return reader.reading
  }

  /// Reads iCalendar text.
  public static func read(
    _ text: String, seenFrom zone: String? = nil, zones: any TimeZones
  ) -> Reading {
    read(Array(text.utf8), seenFrom: zone, zones: zones)
  }
}

/// Builds a calendar from components, and lists their defects.
struct ICalendarReader {
  private(set) var reading = ICalendar.Reading()
  private var problems = ICalendar.ProblemList()
  /// All zones known so far, including those that the text defines.
  private(set) var zones: ICalendar.Zones
  /// The budget left for finding outdated overrides.
  private var budget = ICalendar.ExpansionBudget.question
  /// The VTIMEZONE components of the current calendar, by TZID; of duplicates, the first.
  var zoneComponents: [String: Component] = [:]
  /// The zone that each name in the current calendar stands for; `nil` for an unknown zone.
  var zoneNames: [String: String?] = [:]
  /// The zone of times without a TZID (X-WR-TIMEZONE).
  var calendarZone: String?
  /// The zone in which dates are interpreted, unless the current calendar names one.
  private let zone: String?
  /// The zone in which the dates of the current calendar are interpreted, if known.
  var dateZone: String? { calendarZone ?? zone }
  /// Whether the current calendar cancels its events (METHOD:CANCEL).
  var isCancellation = false
  /// The indices of the series, by UID.
  private var places: [String: Int] = [:]
  /// The zones in which the dates of each series are interpreted, by index.
  private var dateZones: [String?] = []
  /// The line of each series' master, by index.
  private var masterLines: [Int: Int] = [:]
  /// The index of each override within its series, and the line it came from.
  private var overridePlaces: [Slot: (place: Int, line: Int)] = [:]

  /// Identifies an override.
  private struct Slot: Hashable {
    var uid: String
    var recurrenceID: ICalendar.Time
  }

  init(zones: any TimeZones, zone: String?) {
    self.zones = ICalendar.Zones(zones)
    self.zone = zone
  }

  mutating func read(_ bytes: [UInt8]) {
    readText(bytes)
    reading.problems = problems.shown
    reading.leftOutCount = problems.leftOutCount
  }

  private mutating func readText(_ bytes: [UInt8]) {
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      note(1, "the text is UTF-16; iCalendar text is UTF-8", .ignored)
      return
    }
    var builder = ComponentBuilder()
    for raw in ContentLine.unfold(bytes) {
      guard let line = ContentLine(raw) else {
        let text = String(decoding: raw.bytes.prefix(40), as: UTF8.self)
        note(raw.number, "\"\(text)\" is not a content line", .ignored)
        continue
      }
      if String(validating: raw.bytes, as: UTF8.self) == nil {
        note(raw.number, "\(line.name) is not UTF-8 text; its odd bytes became \u{FFFD}", .repaired)
      }
      builder.add(line)
    }
    builder.finish()
    problems.add(builder.problems)
    reading.isCutOff = builder.isCutOff
    reading.isEmpty = builder.components.isEmpty
    if reading.isEmpty { note(1, "there is no calendar in the text", .ignored) }
    for component in builder.components { readTop(component) }
    for place in reading.calendar.series.indices { finishSeries(at: place) }
  }

  /// Converts times to dates where RFC 5545 requires dates. If two overrides then have the same day, the
  /// later version stays.
  private mutating func setDates(at place: Int) {
    let series = reading.calendar.series[place]
    guard let zone = dateZones[place], series.master?.start.isDate == true else { return }
    let dated = series.withDates(seenFrom: zone, zones: zones)
    guard dated != series else { return }
    let lines = series.overrides.map { event in
      event.recurrenceID.flatMap {
        overridePlaces.removeValue(forKey: Slot(uid: event.uid, recurrenceID: $0))?.line
      }
    }
    reading.calendar.series[place] = dated
    reading.calendar.series[place].overrides = []
    for (event, line) in zip(dated.overrides, lines) { add(event, from: line ?? 0) }
  }

  /// Removes outdated overrides, and sorts the rest.
  private mutating func finishSeries(at place: Int) {
    setDates(at: place)
    let series = reading.calendar.series[place]
    var outdated: Set<ICalendar.Time> = []
    for event in series.outdatedOverrides(zones: zones, within: &budget) {
      guard let recurrenceID = event.recurrenceID else { continue }
      let slot = Slot(uid: event.uid, recurrenceID: recurrenceID)
      note(
        overridePlaces[slot]?.line ?? 0,
        "RECURRENCE-ID names \(recurrenceID.text), which its newer series no longer has",
        .ignored)
      outdated.insert(recurrenceID)
    }
    if !outdated.isEmpty {
      reading.calendar.series[place].overrides.removeAll {
        $0.recurrenceID.map(outdated.contains) ?? false
      }
    }
    reading.calendar.series[place].sortOverrides(zones: zones)
  }

  private mutating func readTop(_ component: Component) {
    if component.name == "VCALENDAR" {
      readCalendar(component)
    } else {
      let outside = Component(name: "VCALENDAR", line: component.line, components: [component])
      if component.name == "VEVENT" {
        note(component.line, "VEVENT stands outside of a VCALENDAR; it is read anyway", .repaired)
      }
      readCalendar(outside)
    }
  }

  private mutating func readCalendar(_ calendar: Component) {
    zoneComponents = [:]
    zoneNames = [:]
    for zone in calendar.components where zone.name == "VTIMEZONE" {
      let name = Self.zoneName(zone["TZID"].map { ICalendar.Text.unescaped($0.value) } ?? "")
      if name.isEmpty { note(zone.line, "VTIMEZONE has no TZID", .ignored) }
      if zoneComponents[name] == nil { zoneComponents[name] = zone }
    }
    if let version = calendar["VERSION"], version.value == "1.0" {
      note(version.number, "this is vCalendar 1.0, read as if it were iCalendar 2.0", .repaired)
    }
    if let scale = calendar["CALSCALE"], scale.value.uppercased() != "GREGORIAN" {
      note(scale.number, "CALSCALE:\(scale.value) is not known, read as GREGORIAN", .repaired)
    }
    isCancellation = calendar["METHOD"]?.value.uppercased() == "CANCEL"
    calendarZone = nil
    if let line = calendar["X-WR-TIMEZONE"], !line.value.isEmpty {
      calendarZone = zone(named: ICalendar.Text.unescaped(line.value), in: line)
    }
    if reading.calendar.name == nil, let name = calendar["X-WR-CALNAME"], !name.value.isEmpty {
      reading.calendar.name = ICalendar.Text.unescaped(name.value)
    }
    for component in calendar.components { readPart(component) }
  }

  private mutating func readPart(_ component: Component) {
    for inner in component.components where component.name != "VTIMEZONE" {
      reading.notImported[inner.name, default: 0] += 1
    }
    switch component.name {
    case "VTIMEZONE": break
    case "VEVENT":
      do {
        add(try event(of: component), from: component.line)
      } catch {
        note(error.line, error.message, .eventLeftOut)
      }
    default: reading.notImported[component.name, default: 0] += 1
    }
  }

  /// Adds an event to its series; of two versions, the newer one stays.
  private mutating func add(_ event: ICalendar.Event, from line: Int) {
    let place = places[event.uid] ?? reading.calendar.series.count
    if places[event.uid] == nil {
      places[event.uid] = place
      reading.calendar.series.append(ICalendar.Series(uid: event.uid, master: nil))
      dateZones.append(dateZone)
    }
    guard let recurrenceID = event.recurrenceID else {
      let old = reading.calendar.series[place].master
      if old.map({ $0.isReplaced(by: event) }) ?? true {
        noteReplaced(masterLines[place], by: line)
        reading.calendar.series[place].master = event
        masterLines[place] = line
      } else {
        noteReplaced(line, by: masterLines[place] ?? line)
      }
      return
    }
    let slot = Slot(uid: event.uid, recurrenceID: recurrenceID)
    if let (old, oldLine) = overridePlaces[slot] {
      if reading.calendar.series[place].overrides[old].isReplaced(by: event) {
        noteReplaced(oldLine, by: line)
        reading.calendar.series[place].overrides[old] = event
        overridePlaces[slot] = (old, line)
      } else {
        noteReplaced(line, by: oldLine)
      }
    } else if reading.calendar.series[place].overrides.count >= Limit.singleTimes.maximum {
      note(
        line, "more than \(Limit.singleTimes.maximum) occurrences of a series differ from it",
        .eventLeftOut)
    } else {
      overridePlaces[slot] = (reading.calendar.series[place].overrides.count, line)
      reading.calendar.series[place].overrides.append(event)
    }
  }

  /// Notes that an event is ignored in favour of another version.
  private mutating func noteReplaced(_ line: Int?, by other: Int) {
    guard let line else { return }
    note(line, "VEVENT comes again on line \(other), and that version is taken", .ignored)
  }

  mutating func note(_ line: Int, _ message: String, _ outcome: ICalendar.Problem.Outcome) {
    problems.note(line, message, outcome)
  }

  /// Stores the rules of a zone that is defined only by the text.
  ///
  /// - Returns: The name under which they are kept. It differs from `name` if another calendar in the text
  ///   uses that name for another zone. `nil` when the limit of defined zones is reached.
  mutating func keep(_ rules: ICalendar.ZoneRules, as name: String) -> String? {
    var unique = name
    var number = 1
    while let other = reading.calendar.zoneRules[unique], other != rules {
      number += 1
      unique = "\(name) (\(number))"
    }
    if reading.calendar.zoneRules[unique] != nil { return unique }
    guard reading.calendar.zoneRules.count < Limit.describedZones.maximum else { return nil }
    reading.calendar.zoneRules[unique] = rules
    let changes = ICalendar.ZoneChanges(rules)
    if changes.isCutOff {
      note(
        zoneComponents[name]?.line ?? 1,
        "the clocks of \"\(name)\" change more often than \(Limit.zoneChanges.maximum) times; the first count",
        .repaired)
    }
    zones.describe(unique, by: changes)
    return unique
  }
}

/// Why an event cannot be read.
struct UnreadableEvent: Error {
  var line: Int
  var message: String
}

extension ICalendar.Series {
  /// Sorts the overrides by the times of their occurrences.
  package mutating func sortOverrides(zones: any TimeZones) {
    let keyed = overrides.map { event in
      let time = event.recurrenceID ?? event.start
      return (event, instant: time.instant(seenFrom: "UTC", zones: zones), text: time.text)
    }
    overrides = keyed.sorted { ($0.instant, $0.text) < ($1.instant, $1.text) }.map(\.0)
  }
}
