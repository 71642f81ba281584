import Daybook
import Testing

/// A calendar with these components.
func calendarText(_ parts: String...) -> String { calendarText(parts) }

func calendarText(_ parts: [String]) -> String {
  (["BEGIN:VCALENDAR"] + parts + ["END:VCALENDAR\n"]).joined(separator: "\n")
}

/// A VEVENT with these lines.
func eventText(_ lines: String) -> String { "BEGIN:VEVENT\n\(lines)\nEND:VEVENT" }

/// The only event in the lines, which must have no problem.
func onlyEvent(_ lines: String) -> ICalendar.Event? {
  let reading = ICalendar.read(calendarText(eventText(lines)), zones: TableZones())
  #expect(reading.problems == [])
  #expect(reading.calendar.series.count == 1)
  return reading.calendar.series.first?.master
}

/// A local time.
func wallTime(_ text: String) -> LocalDateTime {
  guard let local = LocalDateTime(text) else {
    Issue.record("not a time: \(text)")
    return LocalDateTime(day: .first)
  }
  return local
}

/// The occurrences seen from UTC, as `start end summary`.
func shownTimes(
  _ parts: String..., from: String = "2026-01-01T00:00:00Z", until: String = "2027-01-01T00:00:00Z"
) -> [String] {
  let reading = ICalendar.read(calendarText(parts), zones: TableZones())
  #expect(reading.problems == [])
  return reading.calendar.occurrences(
    from: moment(from), until: moment(until), seenFrom: "Etc/UTC", zones: TableZones()
  ).map { occurrence in
    let shown = [occurrence.start, occurrence.end].map { time in
      time.isDate
        ? time.local.day.description
        : "\(time.local)".dropLast(3) + (time.zone == "UTC" ? "Z" : "")
    }
    let summary = occurrence.event.summary.map { " \($0)" } ?? ""
    return "\(shown[0]) \(shown[1])\(summary)"
  }
}
