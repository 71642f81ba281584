import Values

extension ICalendarReader {
  /// Reads a VEVENT.
  mutating func event(of component: Component) throws(UnreadableEvent) -> ICalendar.Event {
    for name in ["EXRULE", "RSCALE"] {
      if let line = component[name], !line.isBlank {
        throw UnreadableEvent(line: line.number, message: "\(name) is not known")
      }
    }
    for name in Self.onceOnly where component.properties.count(where: { $0.name == name }) > 1 {
      note(component.line, "there is more than one \(name); the first counts", .repaired)
    }
    let recurrenceID = try time("RECURRENCE-ID", of: component)
    var status = status(of: component)
    if isCancellation { status = .cancelled }
    let start: ICalendar.Time
    if let time = try time("DTSTART", of: component) {
      start = time
    } else if status == .cancelled {
      // A cancelled event need not give its time (RFC 5546, 3.2.5).
      start = recurrenceID ?? .date(.first)
    } else {
      throw UnreadableEvent(line: component.line, message: "VEVENT has no DTSTART")
    }
    var event = ICalendar.Event(uid: "", start: start, status: status)
    event.recurrenceID = recurrenceID
    event.summary = text("SUMMARY", of: component, .title)
    event.description = text("DESCRIPTION", of: component, .text)
    event.location = text("LOCATION", of: component, .title)
    event.sequence = sequence(of: component)
    event.lastModified = instant("LAST-MODIFIED", of: component)
    event.stamp = instant("DTSTAMP", of: component)
    readExtent(of: component, into: &event)
    if let line = component["RECURRENCE-ID"], !line.isBlank, let range = line["RANGE"] {
      guard range.uppercased() == "THISANDFUTURE" else {
        throw UnreadableEvent(line: line.number, message: "RANGE=\(range) is not known")
      }
      event.isThisAndFuture = true
    }
    if recurrenceID == nil { try readRecurrence(of: component, into: &event) }
    event.uid = uid(of: component)
    guard Limit.uid.isKept(event.uid) else {
      throw UnreadableEvent(
        line: component["UID"]?.number ?? component.line,
        message: "the UID has more than \(Limit.uid.maximum) characters")
    }
    return event
  }

  private static let onceOnly = [
    "UID", "DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "LOCATION",
    "STATUS", "SEQUENCE", "LAST-MODIFIED", "DTSTAMP",
  ]

  private mutating func readExtent(of component: Component, into event: inout ICalendar.Event) {
    if let line = component["DTEND"] {
      if let end = optional({ (reader) throws(UnreadableEvent) in try reader.time(line) }) {
        event.extent = .until(end)
        matchEnd(end, at: line, of: &event)
      }
      if let line = component["DURATION"] {
        note(line.number, "DURATION stands beside DTEND, which counts", .repaired)
      }
    } else if let line = component["DURATION"] {
      guard let duration = ICalendar.Duration(line.value), duration.days >= 0, duration.seconds >= 0
      else {
        note(line.number, "DURATION:\(line.value) is not the length of an event", .ignored)
        return
      }
      event.extent = .lasting(duration)
      if duration.seconds != 0, case .date(let day) = event.start {
        note(line.number, "a date has a duration in hours; it begins at midnight", .repaired)
        event.start =
          calendarZone.map { .zoned(LocalDateTime(day: day), zone: $0) }
          ?? .floating(LocalDateTime(day: day))
      }
    }
  }

  /// Makes start and end the same kind of value (RFC 5545, 3.8.2.2) and puts them in order.
  private mutating func matchEnd(
    _ end: ICalendar.Time, at line: ContentLine, of event: inout ICalendar.Event
  ) {
    switch (event.start, end) {
    case (.date, .date), (.floating, .floating), (.zoned, .zoned): break
    case (.date(let day), _):
      let local = dateZone.map { end.localBesideDate(seenFrom: $0, zones: zones) } ?? end.local
      if local.second == 0 {
        note(
          line.number, "DTSTART is a date and DTEND a midnight, read as the date \(local.day)",
          .repaired)
        event.extent = .until(.date(local.day))
      } else {
        note(line.number, "DTSTART is a date and DTEND is not; it begins at midnight", .repaired)
        let midnight = LocalDateTime(day: day)
        let zone = end.zone == "UTC" ? dateZone : nil
        event.start = zone.map { .zoned(midnight, zone: $0) } ?? end.at(midnight)
      }
    case (_, .date), (.zoned, .floating):
      note(line.number, "DTEND is not of the kind of DTSTART; it ends in the same zone", .repaired)
      event.extent = .until(event.start.at(end.local))
    case (.floating(let local), .zoned(_, let zone)):
      note(line.number, "DTEND is in a time zone and DTSTART in none; both are in it", .repaired)
      event.start = .zoned(local, zone: zone)
    }
    guard case .until(let end) = event.extent else { return }
    let instants = [event.start, end].map { $0.instant(seenFrom: "UTC", zones: zones) }
    if instants[1] < instants[0] {
      note(line.number, "DTEND is before DTSTART", .ignored)
      event.extent = .unsaid
    } else if event.start.isDate, event.start == end {
      note(line.number, "DTEND is the day of DTSTART; it is a whole day", .repaired)
      event.extent = .unsaid
    }
  }

  private mutating func readRecurrence(
    of component: Component, into event: inout ICalendar.Event
  ) throws(UnreadableEvent) {
    for line in component.properties {
      switch line.name {
      case "RRULE" where line.isBlank:
        note(line.number, "RRULE is empty; no rule is read", .repaired)
      case "RRULE":
        event.rules.append(try rule(line, isDate: event.start.isDate))
        try check(event.rules.count, .calendarRules, line)
      case "EXDATE":
        let zone = zone(of: line)
        for value in line.value.split(separator: ",") {
          event.exceptions.append(try time(line, value: value, zone: zone))
          try check(event.exceptions.count, .calendarDates, line)
        }
      case "RDATE":
        let zone = zone(of: line)
        for value in line.value.split(separator: ",") {
          event.dates.append(try date(line, value: value, zone: zone))
          try check(event.dates.count, .calendarDates, line)
        }
      default: break
      }
    }
  }

  /// Refuses an event with more of something than the limit.
  func check(_ count: Int, _ limit: Limit, _ line: ContentLine) throws(UnreadableEvent) {
    guard count > limit.maximum else { return }
    throw UnreadableEvent(
      line: line.number, message: "\(line.name): only \(limit.maximum) are supported")
  }

  /// Reads an RRULE, tolerating what other programs write.
  mutating func rule(_ line: ContentLine, isDate: Bool) throws(UnreadableEvent) -> RecurrenceRule {
    let rule: RecurrenceRule
    let faults: [RecurrenceError]
    do throws(RecurrenceError) {
      (rule, faults) = try RecurrenceRule.tolerating(line.value)
    } catch {
      throw UnreadableEvent(line: line.number, message: "RRULE: \(error.words)")
    }
    for fault in faults {
      note(line.number, "RRULE: \(fault.words), read as \(rule)", .repaired)
    }
    if rule.isTooOften {
      throw UnreadableEvent(
        line: line.number, message: "RRULE:\(line.value) repeats too often to be shown")
    }
    return isDate ? rule.withoutTimes : rule
  }

  /// Reads one value of an RDATE: a time, or a period.
  private mutating func date(
    _ line: ContentLine, value: Substring, zone: String?
  ) throws(UnreadableEvent) -> ICalendar.Date {
    let halves = value.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      return ICalendar.Date(try time(line, value: value, zone: zone))
    }
    let start = try time(line, value: halves[0], zone: zone)
    if let duration = ICalendar.Duration(halves[1]) {
      guard duration.days >= 0, duration.seconds >= 0 else {
        throw UnreadableEvent(line: line.number, message: "RDATE: \(value) is not a period")
      }
      return ICalendar.Date(start, extent: .lasting(duration))
    }
    return ICalendar.Date(start, extent: .until(try time(line, value: halves[1], zone: zone)))
  }

  private func text(_ name: String, of component: Component) -> String? {
    guard let line = component[name] else { return nil }
    let text = ICalendar.Text.unescaped(line.value)
    return text.isEmpty ? nil : text
  }

  /// Reads a text, cut off at a limit.
  private mutating func text(_ name: String, of component: Component, _ limit: Limit) -> String? {
    guard let text = text(name, of: component), !limit.isKept(text) else {
      return text(name, of: component)
    }
    note(
      component[name]?.number ?? component.line,
      "\(name) has more than \(limit.maximum) characters; the first are kept", .repaired)
    return limit.cut(text)
  }

  private mutating func status(of component: Component) -> ICalendar.Status? {
    guard let line = component["STATUS"] else { return nil }
    // American programs spell it with one L.
    let written = line.value.uppercased()
    let name = written == "CANCELED" ? "CANCELLED" : written
    if let status = ICalendar.Status(rawValue: name) { return status }
    note(line.number, "STATUS:\(line.value) is not known", .ignored)
    return nil
  }

  private mutating func sequence(of component: Component) -> Int32 {
    guard let line = component["SEQUENCE"] else { return 0 }
    if let number = Int32(line.value), number >= 0 { return number }
    note(line.number, "SEQUENCE:\(line.value) is not a number", .ignored)
    return 0
  }

  /// Reads an instant that does not affect occurrences.
  private mutating func instant(_ name: String, of component: Component) -> Instant? {
    guard let line = component[name],
      let time = optional({ (reader) throws(UnreadableEvent) in try reader.time(line) })
    else { return nil }
    return time.instant(seenFrom: calendarZone ?? "UTC", zones: zones)
  }

  /// The event's UID, or one derived from its content, so that the same event gets the same one again.
  private mutating func uid(of component: Component) -> String {
    if let uid = text("UID", of: component) { return uid }
    note(
      component.line,
      "VEVENT has no UID; its content identifies it, so a change makes another event",
      .repaired)
    return ICalendar.ContentName.name(of: component)
  }
}

extension RecurrenceRule {
  /// Whether the rule repeats more than a hundred times a day. A household calendar needs no seconds, and a
  /// year of them would exhaust memory.
  package var isTooOften: Bool {
    let hours = frequency == .hourly ? 24 : max(1, hours.count)
    return frequency < .hourly || hours * max(1, minutes.count) * max(1, seconds.count) > 100
  }
}
