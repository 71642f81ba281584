import Values

extension ICalendarReader {
  /// Reads a time property of an event; `nil` when it is absent.
  mutating func time(
    _ name: String, of component: Component
  ) throws(UnreadableEvent) -> ICalendar.Time? {
    guard let line = component[name] else { return nil }
    // An empty value counts as absent, but DTSTART is required.
    if line.isBlank, name != "DTSTART" {
      note(line.number, "\(name) is empty", .ignored)
      return nil
    }
    return try time(line)
  }

  /// Reads the value of a line as a time.
  mutating func time(_ line: ContentLine) throws(UnreadableEvent) -> ICalendar.Time {
    try time(line, value: line.value[...], zone: zone(of: line))
  }

  /// The zone that the times of a line are in.
  mutating func zone(of line: ContentLine) -> String? {
    guard let name = line["TZID"] else { return calendarZone }
    return zone(named: name, in: line) ?? calendarZone
  }

  /// Reads one value of a line as a time.
  mutating func time(
    _ line: ContentLine, value: Substring, zone: String?
  ) throws(UnreadableEvent) -> ICalendar.Time {
    let value = value.filter { $0 != " " }
    guard let time = ICalendar.Time(value, zone: zone) else {
      throw UnreadableEvent(
        line: line.number, message: "\(line.name): \(value) is neither a date nor a time")
    }
    let saysDate = line["VALUE"]?.uppercased() == "DATE"
    if time.isDate, line.name.hasPrefix("DT"), !saysDate {
      note(line.number, "\(line.name) is a date without VALUE=DATE, read as a date", .repaired)
    }
    guard saysDate, !time.isDate else { return time }
    let day = time.local.day
    note(
      line.number, "\(line.name): \(value) is a time with VALUE=DATE, read as the date \(day)",
      .repaired)
    return .date(day)
  }

  /// Reads an optional value; a failure is reported and ignored.
  mutating func optional<Value>(
    _ read: (inout ICalendarReader) throws(UnreadableEvent) -> Value
  ) -> Value? {
    do throws(UnreadableEvent) {
      return try read(&self)
    } catch {
      note(error.line, error.message, .ignored)
      return nil
    }
  }

  /// The zone for a TZID: an IANA name, possibly with a prefix, a Windows name, or a zone that the text
  /// defines. `nil`, and reported once, when it is unknown.
  mutating func zone(named tzid: String, in line: ContentLine) -> String? {
    let name = Self.zoneName(tzid)
    if let known = zoneNames[name] { return known }
    let isName = name.utf8.count <= Limit.zoneName.maximum
    let found = isName ? knownZone(name) ?? describedZone(name) : nil
    if found == nil {
      let instead = calendarZone.map { "read as \($0)" } ?? "its times are read as floating"
      note(line.number, "the time zone \"\(name)\" is not known; \(instead)", .repaired)
    }
    zoneNames[name] = .some(found)
    return found
  }

  /// A TZID without outer spaces and forbidden characters.
  static func zoneName(_ tzid: String) -> String {
    let allowed = tzid.unicodeScalars.filter { ICalendar.Text.isAllowed($0) || $0 == "\n" }
    let trimmed = allowed.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return String(String.UnicodeScalarView(trimmed))
  }

  /// The IANA zone that a name denotes without a definition in the text.
  private func knownZone(_ name: String) -> String? {
    if ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Z"].contains(name) { return "UTC" }
    // "/freeassociation.sourceforge.net/Europe/Berlin" ends with an IANA name.
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    for first in parts.indices where first == 0 || parts.count - first <= 3 {
      let ending = parts[first...].joined(separator: "/")
      if isKnown(ending) { return ending == "Etc/UTC" ? "UTC" : ending }
    }
    guard let zone = WindowsZones.names[name] else { return nil }
    return zone == "Etc/UTC" ? "UTC" : isKnown(zone) ? zone : nil
  }

  private func isKnown(_ zone: String) -> Bool {
    zones.offsetSeconds(of: zone, at: Instant(clamping: 0)) != nil
  }

  /// The zone of a VTIMEZONE: the IANA zone it names (X-LIC-LOCATION), or its own rules.
  private mutating func describedZone(_ name: String) -> String? {
    guard let component = zoneComponents[name] else { return nil }
    if let location = component["X-LIC-LOCATION"], let zone = knownZone(location.value) {
      return zone
    }
    var observances: [ICalendar.ZoneRules.Observance] = []
    for part in component.components {
      guard observances.count < Limit.observances.maximum else {
        note(
          part.line,
          "\"\(name)\" has more than \(Limit.observances.maximum) parts; the first count",
          .ignored)
        break
      }
      let read = optional { (reader) throws(UnreadableEvent) in
        try reader.observance(of: part)
      }
      if let read { observances.append(read) }
    }
    guard !observances.isEmpty else { return nil }
    return keep(ICalendar.ZoneRules(observances: observances), as: name)
  }

  private mutating func observance(
    of component: Component
  ) throws(UnreadableEvent) -> ICalendar.ZoneRules.Observance {
    guard component.name == "STANDARD" || component.name == "DAYLIGHT" else {
      throw UnreadableEvent(
        line: component.line, message: "\(component.name) is not part of a VTIMEZONE")
    }
    guard let line = component["DTSTART"], let start = ICalendar.Time(line.value, zone: nil),
      let before = component["TZOFFSETFROM"].flatMap({ Self.offset($0.value) }),
      let offset = component["TZOFFSETTO"].flatMap({ Self.offset($0.value) })
    else {
      throw UnreadableEvent(
        line: component.line,
        message: "\(component.name) has no DTSTART, TZOFFSETFROM or TZOFFSETTO that can be read")
    }
    var observance = ICalendar.ZoneRules.Observance(
      isDaylight: component.name == "DAYLIGHT", start: start.local, offsetBefore: before,
      offset: offset)
    for line in component.properties {
      switch line.name {
      case "RRULE" where line.isBlank: break
      case "RRULE":
        observance.rules.append(try rule(line, isDate: false))
        try check(observance.rules.count, .calendarRules, line)
      case "RDATE":
        for value in line.value.split(separator: ",") {
          try check(observance.dates.count + 1, .zoneChanges, line)
          guard let time = ICalendar.Time(value, zone: nil) else {
            throw UnreadableEvent(line: line.number, message: "RDATE: \(value) is not a time")
          }
          observance.dates.append(time.local)
        }
      default: break
      }
    }
    return observance
  }

  /// Reads a UTC-OFFSET (RFC 5545, 3.3.14): `+0100`, `-075258`.
  static func offset(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5 || bytes.count == 7,
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[1...].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let pair = { (at: Int) in Int(bytes[at] - 0x30) * 10 + Int(bytes[at + 1] - 0x30) }
    let (hours, minutes, seconds) = (pair(1), pair(3), bytes.count == 7 ? pair(5) : 0)
    guard hours < 24, minutes < 60, seconds < 60 else { return nil }
    let offset = (hours * 60 + minutes) * 60 + seconds
    return bytes[0] == UInt8(ascii: "-") ? -offset : offset
  }
}
