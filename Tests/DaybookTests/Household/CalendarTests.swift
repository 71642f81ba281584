import Avro
import Daybook
import PropertyTesting
import Testing

/// A household's calendar (MC-10).
@Suite(.tags(.unit)) struct CalendarTests {
  private let home = Home.household
  private let first = BookState().calendarEvents.nextNumber

  // MARK: Members' events

  @Test func `a member creates a calendar event, once for a key (MC-10)`() throws {
    var command = CreateCalendarEvent(
      in: home, key: Key(high: 10, low: 1), title: " Tea ",
      start: .local(wallTime("2026-03-02T16:00")), end: .instant(moment("2026-03-02T17:30:00Z")))
    command.content.location = "At Ada's"
    command.content.rules = [try RecurrenceRule(parsing: "FREQ=WEEKLY;COUNT=3")]
    let scenario = try Home.with(2).and(command, by: 2)
    #expect(try scenario.when(command) == [])
    #expect(try scenario.answer(command) == first)
    let row = try #require(rows(scenario).first)
    #expect(row["title"]?.text == "Tea")
    #expect(row["location"]?.text == "At Ada's")
    #expect(row["start_time"]?.text == "2026-03-02T16:00:00Z")
    #expect(row["end_time"]?.text == "2026-03-02T17:30:00Z")
    #expect(row["all_day"]?.boolean == false)
    #expect(row["google_event_id"] == .null && row["synced_at"] == .null)
    #expect(row["recurrence"]?.encoded == #"["RRULE:FREQ=WEEKLY;COUNT=3"]"#)
    #expect(shown(scenario) == ["2026-03-02 Tea", "2026-03-09 Tea", "2026-03-16 Tea"])
  }

  @Test func `an empty text is kept, and differs from none (MC-10)`() throws {
    var command = CreateCalendarEvent(in: home, title: "Walk", start: .day(day("2026-03-04")))
    (command.content.description, command.content.location) = ("", "")
    let scenario = try Home.with().and(command)
    let event = scenario.state.calendarEvents.elements.first?.content.main
    #expect(event?.description == "" && event?.location == "")
  }

  @Test func `a whole-day event ends before its end day`() throws {
    let command = CreateCalendarEvent(
      in: home, title: "Fair", start: .day(day("2026-03-02")), end: .day(day("2026-03-04")))
    let scenario = try Home.with().and(command)
    #expect(rows(scenario).first?["all_day"]?.boolean == true)
    #expect(rows(scenario).first?["start_time"]?.text == "2026-03-02T00:00:00Z")
    #expect(rows(scenario).first?["end_time"]?.text == "2026-03-04T00:00:00Z")
    let found = scenario.state.calendar(
      of: home, for: First.account, on: day("2026-03-03")...day("2026-03-03"), zones: TableZones())
    #expect(found.occurrences.map(\.days) == [day("2026-03-02")...day("2026-03-03")])
  }

  @Test func `an impossible event is refused`() throws {
    let scenario = try Home.with()
    let start = CalendarMoment.local(wallTime("2026-03-02T16:00"))
    func refusal(_ end: CalendarMoment?, _ title: String = "Tea", zone: String? = nil) -> String? {
      var command = CreateCalendarEvent(in: home, title: title, start: start, end: end)
      command.content.timeZone = zone
      do {
        _ = try scenario.when(command)
        return nil
      } catch { return error.code }
    }
    #expect(refusal(nil) == nil)
    #expect(refusal(nil, " ") == "empty_title")
    #expect(refusal(nil, "a\u{1B}b") == "invalid_title")
    #expect(refusal(.local(wallTime("2026-03-02T15:59"))) == "ends_before_start")
    #expect(refusal(.day(day("2026-03-02"))) == "invalid_end_time")
    #expect(refusal(nil, zone: "Mars/Olympus") == Rejection.unknownTimeZone("").code)
  }

  @Test func `moving an event keeps its length and drops changes of single times`() throws {
    let scenario = try imported("\(weekly)\nSUMMARY:Tea", single)
    #expect(shown(scenario) == ["2026-03-02 Tea", "2026-03-10 late", "2026-03-16 Tea"])
    var command = UpdateCalendarEvent(first) { $0.title = "Coffee" }
    let renamed = try scenario.and(command, by: 1)
    #expect(shown(renamed) == ["2026-03-02 Coffee", "2026-03-10 late", "2026-03-16 Coffee"])
    #expect(try renamed.when(command) == [])
    command.patch.set(\.start, .instant(moment("2026-03-03T08:00:00Z")))
    let moved = try renamed.and(command)
    #expect(shown(moved) == ["2026-03-03 Coffee", "2026-03-10 Coffee", "2026-03-17 Coffee"])
    #expect(rows(moved).first?["end_time"]?.text == "2026-03-03T09:00:00Z")
    command.patch.set(\.rules, [])
    #expect(shown(try moved.and(command)) == ["2026-03-03 Coffee"])
    #expect(try shown(moved.and(DeleteCalendarEvent(first))) == [])
  }

  // MARK: Files

  private let weekly =
    "UID:1\nDTSTART:20260302T120000Z\nDTEND:20260302T130000Z\nRRULE:FREQ=WEEKLY;COUNT=3"
  private let single =
    "UID:1\nRECURRENCE-ID:20260309T120000Z\nDTSTART:20260310T180000Z\nSUMMARY:late"

  @Test func `importing a file twice changes nothing the second time (MC-10)`() throws {
    let file = importing(
      "\(weekly)\nDTSTAMP:20260101T000000Z", single, "UID:2\nDTSTART;VALUE=DATE:20260303")
    let scenario = try Home.with(2).and(file)
    #expect(rows(scenario).count == 2)
    #expect(Set(rows(scenario).map { $0["google_event_id"]?.text }) == ["1", "2"])
    #expect(try scenario.when(file, by: 2) == [])
    #expect(try scenario.answer(file, by: 2).unchangedCount == 2)
    // A program that writes the same event again gives it a new stamp.
    let stamped = importing("\(weekly)\nDTSTAMP:20260901T000000Z", single)
    #expect(try scenario.when(stamped) == [])
  }

  @Test func `a whole day in UTC is read in the importer's zone, for all members (MC-10)`() throws {
    let file = importing(
      "UID:1\nDTSTART;VALUE=DATE:20260302\nRRULE:FREQ=DAILY;UNTIL=20260304T230000Z\n"
        + "EXDATE:20260302T230000Z\nSUMMARY:Fair")
    let scenario = try Bees.people(zones: ["Pacific/Honolulu", "Europe/Berlin"])
      .and(CreateHousehold(key: Home.key, name: "Home"))
      .and(AddHouseholdMember(Bees.person(2), to: home)).and(file, by: 2)
    #expect(shown(scenario) == ["2026-03-02 Fair", "2026-03-04 Fair", "2026-03-05 Fair"])
    #expect(
      rows(scenario).first?["recurrence"]?.encoded
        == #"["RRULE:FREQ=DAILY;UNTIL=20260305","EXDATE;VALUE=DATE:20260303"]"#)
    #expect(try scenario.when(file, by: 2) == [])
  }

  @Test(arguments: [
    ("20260302T120000Z", "FREQ=DAILY;COUNT=3;UNTIL=20260401T120000Z"),
    ("20260302T120000Z", "FREQ=WEEKLY;BYMONTHDAY=13"),
    // A whole day has no hour, so that only BYSETPOS remains.
    ("20260302", "FREQ=DAILY;BYHOUR=9;BYSETPOS=1"),
  ])
  func `a nonstandard rule is recorded in its repaired form (MC-10)`(
    start: String, rule: String
  ) throws {
    let scenario = try imported("UID:1\nDTSTART:\(start)\nRRULE:\(rule)")
    let content = try #require(scenario.state.calendarEvents.elements.first?.content)
    var writer = BinaryWriter()
    content.write(to: &writer)
    let bytes = writer.bytes
    var reader = BinaryReader(bytes.span.bytes)
    let again = try CalendarContent(from: &reader)
    #expect(again == content && again.main?.rules.count == 1)
  }

  @Test func `a changed file changes its events, and cancelled times disappear`() throws {
    let scenario = try imported("\(weekly)\nSUMMARY:Tea", single)
    let renamed = importing("\(weekly)\nSUMMARY:Coffee\nSEQUENCE:1", single)
    #expect(try scenario.answer(renamed).changed == [first])
    #expect(
      try shown(scenario.and(renamed)) == [
        "2026-03-02 Coffee", "2026-03-10 late", "2026-03-16 Coffee",
      ])
    // The file contains the whole series: times that it no longer changes follow the series.
    #expect(
      try shown(scenario.and(importing("\(weekly)\nSUMMARY:Tea")))
        == ["2026-03-02 Tea", "2026-03-09 Tea", "2026-03-16 Tea"])
    let cancelled = try scenario.and(importing("\(weekly)\nSTATUS:CANCELLED\nSEQUENCE:1"))
    #expect(shown(cancelled) == [])
    #expect(rows(cancelled).first?["status"]?.text == "cancelled")
    // An older file does not restore it.
    #expect(try cancelled.when(importing("\(weekly)\nSUMMARY:Tea")) == [])
  }

  @Test func `one time of a series may be imported alone, and stays`() throws {
    let scenario = try imported(weekly).and(importing(single))
    #expect(shown(scenario) == ["2026-03-02 ", "2026-03-10 late", "2026-03-16 "])
  }

  @Test func `an event missing from a file is deleted only on request`() throws {
    let scenario = try imported(weekly, "UID:2\nDTSTART:20260303T120000Z\nSUMMARY:two")
      .and(CreateCalendarEvent(in: home, title: "own", start: .day(day("2026-03-04"))))
    #expect(try scenario.when(importing(weekly)) == [])
    var file = importing(weekly)
    file.deletesMissing = true
    let answer = try scenario.answer(file)
    #expect(answer.deleted.map { scenario.state.calendarEvents[$0]?.displayName } == ["two"])
    let after = try scenario.and(file)
    let titles = rows(after).map { $0["title"]?.text }
    #expect(titles.contains("own"))
    #expect(rows(after).count == 2)
    // An incomplete file does not show what is missing.
    file.bytes = Array(file.bytes.dropLast(20))
    #expect(throws: Rejection.damagedCalendar) { try scenario.when(file) }
    // A deleted event returns with a later file, as a new one.
    let back = try after.and(importing("UID:2\nDTSTART:20260303T120000Z\nSUMMARY:two"))
    #expect(rows(back).count == 3)
  }

  @Test func `an event without a UID is recognised by its former UID (MC-10)`() throws {
    let holiday = "DTSTART;VALUE=DATE:20260301\nSUMMARY:Holiday"
    let scenario = try imported("UID:no-uid-e568e09375782857\n\(holiday)")
    let both = try scenario.answer(importing(holiday, "\(holiday)\nLOCATION:Bonn"))
    #expect(both.unchangedCount == 1 && both.created.count == 1)
    #expect(try scenario.answer(importing("\(holiday)\nLOCATION:Bonn")).unchangedCount == 0)
  }

  @Test func `an event deleted by a member stays deleted until a file is newer (MC-10)`() throws {
    let two = "UID:2\nDTSTART:20260303T120000Z\nSUMMARY:two"
    let deleted = try imported(two, "\(weekly)\nSEQUENCE:1").and(DeleteCalendarEvent(first))
    #expect(try deleted.when(importing(two)) == [])
    #expect(try deleted.answer(importing(two)).keptDeleted.map(\.uid) == ["2"])
    let back = try deleted.and(importing("\(two)\nLAST-MODIFIED:20260304T000000Z"))
    #expect(rows(back).count == 2)
    // Deleted again, the last version counts.
    let third = try #require(CalendarEvent.ID(3))
    let again = try back.and(DeleteCalendarEvent(third))
    #expect(try again.when(importing("\(two)\nLAST-MODIFIED:20260304T000000Z")) == [])
    // A newer single time makes a series newer.
    let series = try deleted.and(DeleteCalendarEvent(try #require(CalendarEvent.ID(2))))
    #expect(try series.when(importing("\(weekly)\nSEQUENCE:1", single)) == [])
    #expect(
      try series.when(importing("\(weekly)\nSEQUENCE:1", "\(single)\nSEQUENCE:2")).count == 1)
  }

  @Test func `an import's answer lists the file's problems (MC-10)`() throws {
    let file = importing(weekly, "UID:bad\nDTSTART:never")
    let answer = try Home.with().answer(file)
    #expect(answer.created == [first])
    #expect(answer.problems.map(\.outcome) == [.eventLeftOut])
    #expect(throws: Rejection.noCalendar) {
      try Home.with().when(ImportCalendar(Array("not a calendar".utf8), into: home))
    }
  }

  @Test func `a member's change stays until the file is newer`() throws {
    let scenario = try imported("\(weekly)\nSUMMARY:Tea")
    let update = UpdateCalendarEvent(first) { $0.title = "Ours" }
    let changed = try scenario.and(update)
    #expect(try changed.when(importing("\(weekly)\nSUMMARY:Tea")) == [])
    let newer = importing("\(weekly)\nSUMMARY:Theirs\nSEQUENCE:2")
    #expect(try shown(changed.and(newer)).first == "2026-03-02 Theirs")
  }

  @Test func `two files give the same calendar in either order (MC-10)`() throws {
    let files = Generator.zip(
      Generator<Int>.integer(in: 0...1), Generator<Int>.integer(in: 0...63).array(count: 0...3))
    let pairs = Generator.zip(files, files)
    let start = try Home.with()
    let report = check("either order", pairs, cases: 300) { one, other in
      let (first, second) = (file(one, version: 1), file(other, version: 2))
      let there = try start.and(first).and(second)
      let back = try start.and(second).and(first)
      try expectEqual(shown(there), shown(back))
      for scenario in [there, back] {
        // Either file once more changes nothing.
        try expectEqual(try scenario.when(second), [])
      }
      return true
    }
    #expect(report.passed, "\(report)")
  }

  /// A file with a version of a series, cancelled or not, and some single times in their own versions.
  private func file(_ made: (Int, [Int]), version: Int) -> ImportCalendar {
    var slots: Set<Int> = []
    let singles = made.1.filter { slots.insert($0 % 3).inserted }.map { number in
      let date = 2 + 7 * (number % 3)
      let day = date < 10 ? "0\(date)" : "\(date)"
      // Versions differ from file to file, so that one is always the later.
      return """
        UID:1
        RECURRENCE-ID:202603\(day)T120000Z
        DTSTART:202603\(day)T1\(number % 10)0000Z
        SUMMARY:\(number) of \(version)
        SEQUENCE:\(number / 16 * 2 + version)
        """
    }
    let status = made.0 == 1 ? "\nSTATUS:CANCELLED" : ""
    return importing(["\(weekly)\nSUMMARY:\(version)\nSEQUENCE:\(version * 3)\(status)"] + singles)
  }

  // MARK: Visibility

  @Test func `a calendar is visible to its members only (MC-11)`() throws {
    let scenario = try Home.with(2).and(importing(weekly))
    let week = day("2026-03-02")...day("2026-03-08")
    for (viewer, count) in [(1, 1), (2, 1), (3, 0)] {
      let found = scenario.state.calendar(
        of: home, for: Bees.person(viewer), on: week, zones: TableZones())
      #expect(found.occurrences.count == count)
    }
    #expect(throws: Rejection.householdNotFound) {
      try scenario.when(importing(weekly), by: 3)
    }
    for command in [DeleteCalendarEvent(first)] {
      #expect(throws: Rejection.calendarEventNotFound) {
        try scenario.when(command, by: 3)
      }
    }
    #expect(throws: Rejection.calendarEventNotFound) {
      try scenario.when(UpdateCalendarEvent(first), by: 3)
    }
    #expect(scenario.state.iCalendar(of: home, for: Bees.person(3)) == ICalendar())
  }

  @Test func `events, meals and open tasks are exported as a calendar (MC-10)`() throws {
    let scenario = try imported(weekly, single).householdTask("Bins", due: "2026-03-05", at: 18)
      .householdTask("Done", due: "2026-03-05").householdTask("Some day")
      .and(CompleteHouseholdTask(try #require(HouseholdTask.ID(2))))
      .and(
        PlanMeal(
          in: home,
          MealContent(
            title: "Pizza", date: day("2026-03-06"), mealType: "dinner",
            servings: Rational("3/2"))))
    let calendar = scenario.state.iCalendar(of: home, for: First.account)
    let text = calendar.write(stamp: Scenario.noon, zones: TableZones())
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems == [])
    #expect(reading.calendar.name == "Home")
    let found = reading.calendar.occurrences(
      from: moment("2026-03-02T00:00:00Z"), until: moment("2026-03-09T00:00:00Z"),
      seenFrom: "Etc/UTC", zones: TableZones())
    #expect(found.map { $0.event.summary } == [nil, "Bins", "dinner: Pizza, for 1 ½"])
    // Imported again, it is the same calendar.
    let again = ImportCalendar(Array(text.utf8), into: home, deletingMissing: true)
    let answer = try scenario.answer(again)
    #expect(answer.unchangedCount == 1 && answer.ownCount == 2)
    #expect(try scenario.when(again) == [])
  }

  @Test func `a member's own tasks are exported on request, and join no calendar (MC-11)`() throws {
    let gift = UpsertTask(Key(high: 9, low: 1)) {
      $0.content.title = "Gift"
      $0.content.due = moment("2026-03-05T12:00:00Z")
    }
    let scenario = try Home.with(2).and(gift, by: 2)
    #expect(scenario.state.iCalendar(of: home, for: Bees.person(2)).series == [])
    let taken = scenario.state.iCalendar(of: home, for: Bees.person(2), withTasks: true)
    #expect(taken.series.map { $0.master?.summary } == ["Gift"])
    // An account without a household has them, too.
    #expect(
      scenario.state.iCalendar(of: nil, for: Bees.person(2), withTasks: true).series
        == taken.series)
    #expect(scenario.state.iCalendar(of: home, for: First.account, withTasks: true).series == [])
    let file = ImportCalendar(
      Array(taken.write(stamp: Scenario.noon, zones: TableZones()).utf8), into: home)
    #expect(try scenario.when(file, by: 2) == [])
    #expect(try scenario.answer(file, by: 1).ownCount == 1)
  }

  @Test func `a person's habits are exported on request, as events that repeat (MC-11)`() throws {
    func habit(_ key: UInt64, _ name: String, _ schedule: Schedule, at times: [Int])
      -> CreateHabit
    {
      var command = CreateHabit(key: Key(high: 9, low: key), name: name)
      command.content.schedule = schedule
      command.content.reminders = times.compactMap { LocalTime(minutes: $0) }
      return command
    }
    let mask = try #require(WeekdayMask(bits: 0b101))
    let twice = try #require(Schedule.quota(2, in: 7))
    // Greenwich, where the day begins at 04:00; 2 March 2026 is a Monday.
    let scenario = try Home.with(2).and(habit(1, "Read", .daily, at: []))
      .and(habit(2, "Run", .weekdays(mask), at: [450, 60]))
      .and(habit(3, "Swim", twice, at: []))
    let hour = try #require(scenario.state.accounts[First.account]).dayClock.dayStartHour
    #expect(hour > 1)
    let calendar = scenario.state.iCalendar(of: nil, for: First.account, withHabits: true)
    let text = calendar.write(stamp: Scenario.noon, zones: TableZones())
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems == [])
    let found = reading.calendar.occurrences(
      from: moment("2026-03-02T00:00:00Z"), until: moment("2026-03-06T00:00:00Z"),
      seenFrom: "Etc/UTC", zones: TableZones())
    #expect(
      found.filter { $0.event.summary == "Run" }.map { "\($0.start.local)" } == [
        "2026-03-02T07:30:00", "2026-03-03T01:00:00", "2026-03-04T07:30:00", "2026-03-05T01:00:00",
      ])
    #expect(found.filter { $0.event.summary == "Read" }.count == 4)
    #expect(!found.contains { $0.event.summary == "Swim" })
    // Nobody gets the habits of others, and an import of one's own brings nothing.
    let others = scenario.state.iCalendar(of: home, for: Bees.person(2), withHabits: true)
    #expect(others.series == [])
    let file = ImportCalendar(Array(text.utf8), into: home)
    #expect(try scenario.when(file) == [] && scenario.answer(file).ownCount == 3)
    let archived = try scenario.and(ArchiveHabit(First.habit))
    let left = archived.state.iCalendar(of: nil, for: First.account, withHabits: true)
    #expect(left.series.compactMap { $0.master?.summary } == ["Run", "Run"])
  }

  @Test func `no two components of an export share a UID`() throws {
    let key = Key(high: 9, low: 7)
    // A file from another book uses it first, as the key of a meal of this book.
    let scenario = try imported("UID:\(key)@daybook\nDTSTART:20260303T120000Z\nSUMMARY:copy")
      .and(PlanMeal(in: home, key: key, MealContent(title: "Pizza", date: day("2026-03-06"))))
    let series = scenario.state.iCalendar(of: home, for: First.account).series
    #expect(series.map { $0.master?.summary } == ["Pizza"])
  }

  // MARK: Making

  private func importing(_ events: String...) -> ImportCalendar { importing(events) }

  private func importing(_ events: [String]) -> ImportCalendar {
    ImportCalendar(Array(calendarText(events.map { eventText($0) }).utf8), into: home)
  }

  private func imported(_ events: String...) throws -> Scenario {
    try Home.with().and(importing(events))
  }

  private func rows(_ scenario: Scenario) -> [JSON] {
    scenario.state.tables.first { $0.name == "calendar_events" }?.rows ?? []
  }

  /// The shown part of March, as `first-day title`.
  private func shown(_ scenario: Scenario) -> [String] {
    scenario.state.calendar(
      of: home, for: First.account, on: day("2026-03-01")...day("2026-03-31"), zones: TableZones()
    ).occurrences.map { "\($0.days.lowerBound) \($0.occurrence.event.summary ?? "")" }
  }
}
