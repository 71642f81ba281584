extension ICalendar {
  /// The calendar as iCalendar text (RFC 5545); equal calendars give equal text.
  ///
  /// ``read(_:zones:)`` restores the same calendar if UIDs and the occurrences within a series are unique,
  /// texts contain no control characters, and each UNTIL has the form required for its DTSTART.
  ///
  /// - Parameters:
  ///   - stamp: The time of writing, used as the DTSTAMP of events without one.
  ///   - zone: The zone in which dates and floating times are interpreted.
  ///   - zones: Provides the time zones of the events; their rules are written as well.
  ///   - product: The program that writes the text (PRODID).
  /// - Returns: Text whose lines end with CR LF.
  public func write(
    stamp: Instant, seenFrom zone: String = "UTC", zones: any TimeZones,
    product: String = "-//Daybook//Daybook//EN"
  ) -> String {
    var writer = ICalendarWriter()
    writer.begin("VCALENDAR")
    writer.line("VERSION", "2.0")
    writer.line("PRODID", Text.escaped(product))
    writer.line("CALSCALE", "GREGORIAN")
    if let name, !name.isEmpty { writer.line("X-WR-CALNAME", Text.escaped(name)) }
    var compiled = CompiledZones(zones)
    let all = compiled.zones(zoneRules)
    let series = series.map { $0.withDates(seenFrom: zone, zones: all) }
    let events = series.flatMap { ($0.master.map { [$0] } ?? []) + $0.overrides }
    for (name, rules) in zoneRulesToWrite(events, zones).sorted(by: { $0.key < $1.key }) {
      writer.write(rules, name: name)
    }
    for event in events { writer.write(event, stamp: stamp, seenFrom: zone, zones: all) }
    writer.end("VCALENDAR")
    return writer.text
  }

  /// The rules of all zones that the events use, and of those that the calendar defines.
  private func zoneRulesToWrite(
    _ events: [Event], _ zones: any TimeZones
  ) -> [String: ZoneRules] {
    var years: [String: ClosedRange<Int>] = [:]
    for time in events.flatMap(\.times) {
      guard let zone = time.zone, zone != "UTC", zoneRules[zone] == nil else { continue }
      let year = time.local.day.parts.year
      let old = years[zone] ?? year...year
      years[zone] = min(old.lowerBound, year)...max(old.upperBound, year)
    }
    var rules = zoneRules
    for (zone, years) in years { rules[zone] = ZoneRules(of: zone, in: years, zones: zones) }
    return rules
  }
}

extension ICalendar.Event {
  /// The names of the zones of its times.
  package var zoneNames: [String] { times.compactMap(\.zone) }

  /// All times in the series.
  fileprivate var times: [ICalendar.Time] {
    var times = [start] + exceptions + dates.map(\.start)
    for extent in [extent] + dates.map(\.extent) {
      if case .until(let end) = extent { times.append(end) }
    }
    if let recurrenceID { times.append(recurrenceID) }
    return times
  }
}

/// Writes content lines, folded at 75 octets and ended by CR LF (RFC 5545, 3.1).
package struct ICalendarWriter {
  private(set) var text = ""

  mutating func begin(_ component: String) { line("BEGIN", component) }
  package mutating func end(_ component: String) { line("END", component) }

  /// Writes a property. `name` includes its parameters: `DTSTART;VALUE=DATE`.
  mutating func line(_ name: String, _ value: String) {
    var count = 0
    for scalar in "\(name):\(value)".unicodeScalars {
      let length = UTF8.width(scalar)
      if count + length > 75 {
        text += "\r\n "
        count = 1
      }
      text.unicodeScalars.append(scalar)
      count += length
    }
    text += "\r\n"
  }

  /// Writes a time as the value of a property.
  private mutating func line(_ name: String, _ time: ICalendar.Time) {
    line(name + Self.parameters(of: time), time.text)
  }

  package static func parameters(of time: ICalendar.Time) -> String {
    if time.isDate { return ";VALUE=DATE" }
    guard let zone = time.zone, zone != "UTC" else { return "" }
    return ";TZID=\(parameter(zone))"
  }

  /// Encodes a parameter's value: quoted where necessary, with `^` escapes for characters that may not occur
  /// (RFC 6868).
  private static func parameter(_ value: String) -> String {
    var encoded = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "^": encoded += "^^"
      case "\"": encoded += "^'"
      case "\n": encoded += "^n"
      default: if ICalendar.Text.isAllowed(scalar) { encoded.unicodeScalars.append(scalar) }
      }
    }
    let isPlain = !encoded.contains { $0 == ":" || $0 == ";" || $0 == "," }
    return isPlain ? encoded : "\"\(encoded)\""
  }

  /// Writes a VEVENT.
  mutating func write(
    _ event: ICalendar.Event, stamp: Instant, seenFrom zone: String, zones: any TimeZones
  ) {
    begin("VEVENT")
    line("UID", ICalendar.Text.escaped(event.uid))
    line("DTSTAMP", Self.utc(event.stamp ?? stamp))
    if let recurrenceID = event.recurrenceID {
      line("RECURRENCE-ID" + (event.isThisAndFuture ? ";RANGE=THISANDFUTURE" : ""), recurrenceID)
    }
    line("DTSTART", event.start)
    switch event.extent {
    case .unsaid: break
    case .until(let end): line("DTEND", end)
    case .lasting(let duration): line("DURATION", duration.text)
    }
    for rule in event.rules {
      let rule = rule.withUntil(fitting: event.start, seenFrom: zone, zones: zones)
      line("RRULE", rule.description)
    }
    for date in event.dates { write(date) }
    for exception in event.exceptions { line("EXDATE", exception) }
    for (name, text) in [
      ("SUMMARY", event.summary), ("DESCRIPTION", event.description), ("LOCATION", event.location),
    ] {
      if let text, !text.isEmpty { line(name, ICalendar.Text.escaped(text)) }
    }
    if let status = event.status { line("STATUS", status.rawValue) }
    if event.sequence != 0 { line("SEQUENCE", "\(event.sequence)") }
    if let lastModified = event.lastModified { line("LAST-MODIFIED", Self.utc(lastModified)) }
    end("VEVENT")
  }

  private mutating func write(_ date: ICalendar.Date) {
    let length: String
    switch date.extent {
    case .unsaid:
      line("RDATE", date.start)
      return
    case .until(let end): length = end.text
    case .lasting(let duration): length = duration.text
    }
    line("RDATE;VALUE=PERIOD" + Self.parameters(of: date.start), "\(date.start.text)/\(length)")
  }

  private static func utc(_ instant: Instant) -> String {
    WallClock.utc(of: instant).iCalendar + "Z"
  }

  /// Writes a VTIMEZONE.
  mutating func write(_ rules: ICalendar.ZoneRules, name: String) {
    begin("VTIMEZONE")
    line("TZID", ICalendar.Text.escaped(name))
    for observance in rules.observances {
      let kind = observance.isDaylight ? "DAYLIGHT" : "STANDARD"
      begin(kind)
      line("DTSTART", observance.start.iCalendar)
      line("TZOFFSETFROM", Self.offset(observance.offsetBefore))
      line("TZOFFSETTO", Self.offset(observance.offset))
      for rule in observance.rules {
        line("RRULE", rule.withUntilInUTC(before: observance.offsetBefore).description)
      }
      for date in observance.dates { line("RDATE", date.iCalendar) }
      end(kind)
    }
    end("VTIMEZONE")
  }

  private static func offset(_ seconds: Int) -> String {
    let pair = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let size = abs(seconds)
    return (seconds < 0 ? "-" : "+") + pair(size / 3600) + pair(size / 60 % 60)
      + (size % 60 == 0 ? "" : pair(size % 60))
  }
}
