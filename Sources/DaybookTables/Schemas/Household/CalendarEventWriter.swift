import Avro
import Calendar
import Daybook
import DaybookStore
import Values

/// Carries out members' writes to their calendars. An event with a Google event id is imported as from a calendar
/// file, so that the id recognises it again (MC-10).
struct CalendarEventWriter: TableWriter {
  private let own = EntityWriter(
    "calendar_events", "event", CreateCalendarEvent.self, UpdateCalendarEvent.self,
    DeleteCalendarEvent.self, in: \.calendarEvents, fields: Self.fields)

  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    let row = Self.dated(row, write)
    guard let uid = row.text("google_event_id") else {
      return try own.insert(row, given: given.union(["all_day"]), &write)
    }
    guard let household = try? write.soleHousehold(row.key("household_id")) else {
      throw TableError.rowSecurity("calendar_events")
    }
    let key = given.contains("id") ? row.key("id") : nil
    // An imported file does not restore an event that a member deleted, but writing its row does.
    let former = write.batch.state.deletedCalendarEvent(uid, in: household)
    let versions = former.map { ($0.master.map { [$0] } ?? []) + $0.overrides } ?? []
    let file = Self.file(row, uid, after: versions.map(\.sequence).max())
    try write.record(ImportCalendar(Array(file.utf8), into: household, key: key))
    guard let number = write.batch.state.calendarEvent(uid, in: household) else {
      throw TableError.checkFailed("google_event_id", of: "calendar_events")
    }
    return [(write.batch.state.calendarEvents[number]?.key).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    var changes = changes
    if changes.sets("google_event_id") {
      throw TableError.checkFailed("google_event_id", of: "calendar_events")
    }
    // The times are written together with the column that says whether they are days.
    if ["start_time", "end_time", "all_day"].contains(where: changes.sets) {
      for column in ["start_time", "end_time", "all_day"] where !changes.sets(column) {
        changes[column] = row[column]
      }
    }
    try own.update(row, to: Self.dated(changes, write), &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try own.delete(row, &write)
  }

  /// The dates of an all-day event as midnights in UTC; apps send the start of a day there, or in their person's
  /// zone. An end within a day means the end of that day.
  private static func dated(_ columns: RowColumns, _ write: TableWrite) -> RowColumns {
    guard columns.flag("all_day") == true, let start = columns.instant("start_time"),
      let account = write.batch.state.accounts[write.viewer]
    else { return columns }
    let zone = isMidnight(start) ? "UTC" : account.dayClock.timeZone
    let (clock, zones) = (DayClock(timeZone: zone, dayStartHour: 0), write.view.reader.zones)
    var dated = columns
    if let first = clock.day(of: start, in: zones) { dated["start_time"] = midnight(first) }
    if let end = columns.instant("end_time"), !isMidnight(end),
      let last = clock.day(of: end.advanced(byMilliseconds: -1), in: zones)
    {
      dated["end_time"] = midnight(last.advanced(by: 1))
    }
    return dated
  }

  private static func isMidnight(_ instant: Instant) -> Bool {
    instant.milliseconds % 86_400_000 == 0
  }

  private static func midnight(_ day: Day) -> TableValue {
    .timestamp(Instant(clamping: Int64(day.number) * 86_400_000))
  }

  private static let fields: @Sendable (RowWrite) -> [JSON.Member] = { row in
    var columns = row.columns
    let isAllDay = columns.flag("all_day") == true
    for column in ["start_time", "end_time"] where isAllDay {
      if let instant = columns.instant(column) { columns[column] = .date(day(of: instant)) }
    }
    if isAllDay, let start = columns.day("start_time"), let end = columns.day("end_time"),
      end <= start
    {
      columns["end_time"] = .null
    }
    return columns.fields(["title", "description", "location", "start_time", "end_time"])
  }

  /// The event as a calendar file, in the version after another.
  private static func file(_ row: RowColumns, _ uid: String, after version: Int32?) -> String {
    let isAllDay = row.flag("all_day") == true
    let time = { (name: String, instant: Instant) -> String in
      isAllDay
        ? "\(name);VALUE=DATE:\(Self.digits(Self.day(of: instant).description))"
        : "\(name):\(Self.digits(String(instant.description.prefix(19))))Z"
    }
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Daybook//", "BEGIN:VEVENT"]
    lines.append("UID:\(escaped(uid))")
    if let version { lines.append("SEQUENCE:\(Int64(version) + 1)") }
    if let start = row.instant("start_time") {
      lines.append(time("DTSTART", start))
      if let end = row.instant("end_time"), start < end,
        !isAllDay || day(of: start) < day(of: end)
      {
        lines.append(time("DTEND", end))
      }
    }
    for (name, column) in [
      ("SUMMARY", "title"), ("DESCRIPTION", "description"), ("LOCATION", "location"),
    ] {
      if let text = row.text(column) { lines.append("\(name):\(escaped(text))") }
    }
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  /// A text escaped as in RFC 5545, section 3.3.11.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\", ";", ",": escaped += "\\\(character)"
      case "\n", "\r\n": escaped += "\\n"
      case "\r": break
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A date or a time without the separators between its digits.
  private static func digits(_ text: String) -> String { text.filter { $0 != "-" && $0 != ":" } }

  /// The day of an instant in UTC.
  private static func day(of instant: Instant) -> Day {
    Day(utc: instant)
  }
}
