import Avro
import Calendar
import Wire

/// A month of the household's calendar: as a sheet, and as a list of what takes place (MC-10).
struct CalendarScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let visit = home.visit
    let asked = visit.request.query["month"].flatMap { Day("\($0)-01") }
    let month = Self.start(of: asked ?? home.day("day") ?? visit.today)
    let end = Self.start(of: month.advanced(by: 31)).advanced(by: -1)
    let (monday, sunday) = (
      month.advanced(by: -month.weekday), end.advanced(by: 6 - end.weekday)
    )
    let answer = try await home.ask(
      "calendar", [("from", monday.description), ("to", sunday.description)])
    let all = (answer["occurrences"]?.elements ?? []).map { Occurrence($0, home) }
    let listed = all.filter { $0.days.overlaps(month...end) }
    let chosen = home.day("day") ?? ((month...end).contains(visit.today) ? visit.today : month)
    let agenda = Dictionary(grouping: listed) { max($0.days.lowerBound, month) }
    func link(_ day: Day) -> String {
      home.link("calendar", [("month", String(day.description.prefix(7)))])
    }
    return Content(
      "calendar", home.say("room.calendar"),
      [
        "month_said": visit.language.month(month),
        "month_before": link(Self.start(of: month.advanced(by: -1))),
        "month_after": link(end.advanced(by: 1)),
        "this_month": (month...end).contains(visit.today)
          ? Nothing() : home.link("calendar") as Any,
        "weekdays": visit.language.weekdays,
        "weeks": stride(from: 0, through: monday.distance(to: sunday), by: 7).map { start in
          let days = (start..<start + 7).map { monday.advanced(by: $0) }
          return ["cells": days.map { cell($0, month...end, all, home) }] as Fields
        },
        "agenda": agenda.sorted { $0.key < $1.key }.map { day, events -> Fields in
          [
            "id": day.description, "day_said": home.language.shown(day),
            "today": day == visit.today, "events": events.map(\.fields),
          ]
        },
        "any": !listed.isEmpty, "cut_off": !(answer["cut_off"]?.elements ?? []).isEmpty,
        "zone": visit.clock.timeZone, "new_event": Occurrence.blank(on: chosen),
        "repeats": choices(
          ["", "FREQ=DAILY", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY"],
          named: { home.say("repeat.\($0.isEmpty ? "never" : String($0.dropFirst(5)))") },
          choosing: ""),
        "import_back": home.path("calendar"),
      ])
  }

  private static func start(of day: Day) -> Day { day.advanced(by: 1 - day.parts.day) }

  private func cell(
    _ day: Day, _ month: ClosedRange<Day>, _ all: [Occurrence], _ home: HouseholdVisit
  ) -> Fields {
    let events = all.filter { $0.days.contains(day) }
    return [
      "number": String(day.parts.day), "today": day == home.visit.today,
      "outside": !month.contains(day),
      "link": events.isEmpty || !month.contains(day)
        ? Nothing()
        : "#d-\(max(events[0].days.lowerBound, month.lowerBound))" as Any,
      "said": home.language.shown(day) + ": "
        + home.language.words.count("events", events.count),
      "events": events.prefix(3).map(\.fields), "any": !events.isEmpty,
      "more": events.count > 3 ? "+\(events.count - 3)" : Nothing() as Any,
    ]
  }
}

/// A time at which an event takes place.
struct Occurrence {
  private let row: JSON
  private let home: HouseholdVisit
  /// The days that it touches, in the person's zone.
  let days: ClosedRange<Day>

  init(_ row: JSON, _ home: HouseholdVisit) {
    self.row = row
    self.home = home
    let first = row["first_day"]?.day ?? home.visit.today
    days = first...max(first, row["last_day"]?.day ?? first)
  }

  /// The values of a form for a new event.
  static func blank(on day: Day) -> Fields {
    [
      "changes": false, "single": true, "event_title": "", "place_text": "", "about_text": "",
      "own_first_day": day.description, "own_last_day": "", "own_start": "", "own_end": "",
    ]
  }

  var fields: Fields {
    let isAllDay = row["all_day"]?.boolean == true
    let (start, end) = (row["start_time"]?.instant, row["end_time"]?.instant)
    return [
      "id": row["event"]?.text ?? "", "name": row["title"]?.text ?? home.say("calendar.untitled"),
      "event_title": row["title"]?.text ?? "",
      "when": when, "all_day": isAllDay,
      "clock": isAllDay ? Nothing() : start.map(clock) as Any,
      "place": row["location"]?.shown ?? Nothing(), "place_text": row["location"]?.text ?? "",
      "about": row["description"]?.shown ?? Nothing(),
      "about_text": row["description"]?.text ?? "",
      "cancelled": row["status"]?.text == "cancelled",
      "tentative": row["status"]?.text == "tentative",
      "recurring": row["is_recurring"]?.boolean == true,
      "single": row["is_recurring"]?.boolean != true,
      "changes": true, "put_back_link": PutBack.offered(to: row["event"], home.visit),
      // As the form takes it: the last day, and not the first one after it.
      "own_first_day": days.lowerBound.description,
      "own_last_day": days.upperBound == days.lowerBound ? "" : days.upperBound.description,
      "own_start": isAllDay ? "" : start.map(clock) ?? "",
      "own_end": isAllDay || start == end ? "" : end.map(clock) ?? "",
    ]
  }

  private func clock(_ instant: Instant) -> String {
    home.language.clock(instant, in: home.visit.clock.timeZone)
  }

  /// Its time of day, or its days.
  private var when: String {
    let isLong = days.lowerBound != days.upperBound
    guard row["all_day"]?.boolean != true, let start = row["start_time"]?.instant else {
      return isLong ? home.shown(days) : home.say("calendar.all_day")
    }
    guard let end = row["end_time"]?.instant, end > start else { return clock(start) }
    guard isLong else { return "\(clock(start))–\(clock(end))" }
    let (first, last) = (
      home.language.shortDay(days.lowerBound), home.language.shortDay(days.upperBound)
    )
    return "\(first) \(clock(start)) – \(last) \(clock(end))"
  }
}

/// What a calendar file changed, and what of it was not understood.
struct ImportedCalendar {
  /// What the page shows after such a command.
  ///
  /// - Parameters:
  ///   - row: The answer to the command.
  ///   - back: The address of the calendar.
  ///   - visit: The visit.
  /// - Returns: The content.
  static func content(_ row: JSON, back: String, _ visit: Visit) -> Content {
    let words = visit.language.words
    let counted = ["created", "changed", "deleted"].map { name in
      words.count("imported.\(name)", row[name]?.elements?.count ?? 0)
    }
    let left = (row["not_imported"]?.members ?? []).map { "\($0.value.integer ?? 0) \($0.name)" }
    return Content(
      "imported", visit.say("imported.title"),
      [
        "counts": counted + [words.count("imported.unchanged", row["unchanged"]?.integer ?? 0)],
        "has_kept": !(row["kept_deleted_events"]?.elements ?? []).isEmpty,
        "has_problems": !(row["problems"]?.elements ?? []).isEmpty,
        "kept": (row["kept_deleted_events"]?.elements ?? []).map {
          $0["title"]?.text ?? $0["uid"]?.text ?? ""
        },
        "left": left.isEmpty ? Nothing() : left.joined(separator: ", ") as Any,
        "problems": (row["problems"]?.elements ?? []).prefix(100).map { problem -> Fields in
          [
            "where": visit.say("imported.line", ["number": String(problem["line"]?.integer ?? 0)]),
            "message": problem["message"]?.text ?? "",
          ]
        },
        "calendar_link": back,
      ])
  }
}
