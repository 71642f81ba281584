import Avro
import Foundation
import Testing

/// The program's output about a household's calendar (MC-10).
@Suite(.tags(.program)) struct CalendarCommandTests {
  private static let choir = """
    BEGIN:VEVENT
    UID:choir@school.example
    SUMMARY:Choir
    LOCATION:Hall
    DTSTART;TZID=Europe/London:20260302T160000
    DTEND;TZID=Europe/London:20260302T170000
    RRULE:FREQ=WEEKLY;COUNT=2
    END:VEVENT
    """
  private static let trip = """
    BEGIN:VEVENT
    UID:trip@school.example
    SUMMARY:Trip
    DTSTART;VALUE=DATE:20260303
    DTEND;VALUE=DATE:20260305
    END:VEVENT
    """

  private func home(_ file: String...) throws -> Program {
    let daybook = try AdasBook().daybook
    try daybook(
      "apply", "--as", "Ada",
      input: #"{"do":"create_household","name":"Home","at":"2026-03-01T09:00:00Z"}"#)
    try write(file, "school.ics", daybook)
    return daybook
  }

  private func write(_ events: [String], _ name: String, _ daybook: Program) throws {
    let lines = ["BEGIN:VCALENDAR"] + events + ["END:VCALENDAR", ""]
    try Data(lines.joined(separator: "\r\n").utf8)
      .write(to: URL(fileURLWithPath: daybook.path(name)))
  }

  @Test func `an iCalendar file is imported, listed and exported (MC-10)`() throws {
    let daybook = try home(Self.choir, Self.trip, "BEGIN:VTODO\nEND:VTODO")
    let at = ["--at", "2026-03-01T10:00:00Z"]
    let head = try daybook("head").output
    #expect(
      try daybook.run(["import", "ics", "school.ics", "--dry-run"] + at).output
        == "Would import the calendar: 2 new, 0 changed, 0 as before. Not imported: 1 VTODO.\n")
    let tried = try daybook.run(["import", "ics", "school.ics", "--dry-run", "--json"] + at).json()
    #expect(tried["dry_run"] == true && tried["ok"]?["created"]?.elements?.count == 2)
    #expect(try daybook("head").output == head)
    #expect(
      try daybook.run(["import", "ics", "school.ics"] + at).output
        == "Imported the calendar: 2 new, 0 changed, 0 as before. Not imported: 1 VTODO.\n")
    #expect(
      try daybook.run(["import", "ics", "school.ics"] + at).output
        == "Imported the calendar: 0 new, 0 changed, 2 as before. Not imported: 1 VTODO.\n")
    #expect(
      try daybook("calendar", "--from", "2026-03-02", "--to", "2026-03-09").output == """
        day             time         what   where
        Mon 2026-03-02  16:00–17:00  Choir  Hall
        Tue 2026-03-03  all day      Trip   
        Wed 2026-03-04  all day      Trip   
        Mon 2026-03-09  16:00–17:00  Choir  Hall

        """)
    // An event that started earlier is included from the first requested day.
    let middle = try daybook("calendar", "--from", "2026-03-04", "--to", "2026-03-04").lines
    #expect(middle.count == 2 && middle.last?.hasPrefix("Wed 2026-03-04") == true)
    let rows = try daybook("calendar", "--from", "2026-03-03", "--to", "2026-03-03", "--json")
      .json()
    #expect(rows["occurrences"]?.elements?.count == 1 && rows["cut_off"] == [])
    #expect(rows["occurrences"]?.elements?.first?["start_time"]?.text == "2026-03-03")
    #expect(rows["occurrences"]?.elements?.first?["end_time"]?.text == "2026-03-05")
    let before = try daybook("calendar", "--from", "2026-03-02", "--as-of", "2026-03-01T09:30:00Z")
    #expect(before.output.hasPrefix("Nothing from 2026-03-02 to 2026-03-08."))
    let exported = try daybook("export", "--format", "ics").output
    #expect(exported.hasPrefix("BEGIN:VCALENDAR\r\n") && exported.contains("SUMMARY:Choir\r\n"))
    #expect(
      try daybook("export", "--format", "ics", "--output", "home.ics").output
        == "Wrote 2 events to home.ics.\n")
    let again = try daybook("import", "ics", "home.ics", "--at", "2026-03-01T10:00:00Z", "--json")
    #expect(try again.json()["ok"]?["unchanged"]?.integer == 2)
  }

  @Test func `an account's own tasks are exported on request, and never imported (MC-10, MC-11)`()
    throws
  {
    let daybook = try home(Self.choir)
    let at = ["--at", "2026-03-01T10:00:00Z"]
    _ = try daybook.run(["plan", "add", "Pizza", "2026-03-05", "--text", "--meal", "dinner"] + at)
    _ = try daybook.run(["task", "add", "Gift", "--due", "2026-03-04"] + at)
    let plain = try daybook("export", "--format", "ics").output
    #expect(plain.contains("SUMMARY:dinner: Pizza\r\n") && !plain.contains("Gift"))
    let whole = try daybook("export", "--format", "ics", "--tasks", "--output", "own.ics")
    #expect(whole.output == "Wrote 2 events to own.ics.\n")
    #expect(
      try daybook.run(["import", "ics", "own.ics"] + at).output
        == "Imported the calendar: 0 new, 0 changed, 0 as before. 2 of this book's own left out.\n")
    #expect(try daybook("export", "--tasks").status != 0)
    // An account without a household still has its tasks.
    _ = try daybook.run(["household", "leave", "--yes"] + at)
    let alone = try daybook("export", "--format", "ics", "--tasks").output
    #expect(alone.contains("SUMMARY:Gift\r\n") && !alone.contains("Pizza"))
    let refused = try daybook("export", "--format", "ics")
    #expect(refused.status == 1 && refused.error.contains("--tasks"))
  }

  @Test func `an import that takes nothing fails, and names each event's problem (MC-10)`() throws {
    let daybook = try home("BEGIN:VEVENT\r\nUID:bad\r\nEND:VEVENT")
    let at = ["--at", "2026-03-01T10:00:00Z"]
    let bad = try daybook.run(["import", "ics", "school.ics"] + at)
    #expect(bad.status == 1)
    #expect(bad.error == "line 2: VEVENT has no DTSTART; the event is left out\n")
    #expect(bad.output == "Nothing was imported. 1 problem with the file, listed above.\n")
    #expect(try daybook.run(["import", "ics", "school.ics", "--json"] + at).status == 1)
    try write([Self.trip], "school.ics", daybook)
    #expect(try daybook.run(["import", "ics", "school.ics"] + at).status == 0)
    let key = try daybook("calendar", "--from", "2026-03-03", "--json").json()["occurrences"]?
      .elements?.first
    #expect(key?["uid"] == "trip@school.example")
    _ = try daybook(
      "apply", "--as", "Ada",
      input: #"{"do":"delete_calendar_event","event":"\#(key?["event"]?.text ?? "")","#
        + #""at":"2026-03-01T10:00:00Z"}"#)
    let kept = try daybook.run(["import", "ics", "school.ics"] + at)
    #expect(kept.error == "\"Trip\" was deleted here before, and stays deleted.\n")
    #expect(
      kept.output
        == "Imported the calendar: 0 new, 0 changed, 0 as before. 1 deleted here before, and "
        + "still deleted.\n"
    )
  }

  @Test func `an import lists the file's problems, and deletes missing events on request`() throws {
    let daybook = try home(Self.choir, Self.trip, "BEGIN:VEVENT\r\nUID:bad\r\nEND:VEVENT")
    let at = ["--at", "2026-03-01T10:00:00Z"]
    let first = try daybook.run(["import", "ics", "school.ics"] + at)
    #expect(first.error == "line 16: VEVENT has no DTSTART; the event is left out\n")
    #expect(first.output.hasSuffix("1 problem with the file, listed above.\n"))
    let refused = try daybook.run(["import", "ics", "school.ics", "--delete-missing"] + at)
    #expect(refused.status == 1 && refused.error.contains("delete_missing"))
    try write([Self.trip], "less.ics", daybook)
    #expect(
      try daybook.run(["import", "ics", "less.ics", "--delete-missing"] + at).output
        == "Imported the calendar: 0 new, 0 changed, 1 as before, 1 deleted.\n")
    let missing = try daybook.run(["import", "ics", "none.ics"] + at)
    #expect(missing.status != 0 && missing.error.contains("none.ics"))
    let none = try AdasBook().daybook("calendar")
    #expect(none.status == 1 && none.error.contains("no household"))
  }
}
