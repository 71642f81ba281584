import Calendar
package import Avro

/// An event's row of `calendar_events`. Its times are those of the first occurrence; `recurrence` and `overrides`
/// describe the others, in iCalendar's terms.
struct CalendarEventRow: RowForm {
  let event: CalendarEvent
  let household: Key?
  let creator: Key?

  private var main: ICalendar.Event? { event.content.main }

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == CalendarEventRow {
    visitor.column("id", as: CalendarEvent.ID.self) { $0.event.key }
    visitor.column("household_id", as: Household.ID?.self) { $0.household }
    visitor.column("google_event_id", "the UID in the file that it came from") {
      $0.event.isImported ? $0.main?.uid : nil
    }
    visitor.column("title") { $0.main?.summary }
    visitor.column("description") { $0.main?.description }
    visitor.column("location") { $0.main?.location }
    visitor.column("start_time") { $0.event.content.starts }
    visitor.column("end_time") { $0.event.content.ends }
    visitor.column("all_day") { $0.main?.start.isDate ?? false }
    visitor.column("time_zone") { $0.main?.start.zone }
    visitor.column("status", schema: ICalendar.Event.statusSchema, "") {
      $0.main?.status?.rawValue.lowercased()
    }
    visitor.column("sequence") { Int($0.main?.sequence ?? 0) }
    visitor.column("recurrence", "lines of an iCalendar file (RFC 5545)") {
      $0.main?.recurrenceLines ?? []
    }
    visitor.column("overrides", rows: "occurrences that differ from the series") {
      $0.event.content.series.overrides.map { OverrideRow(event: $0) }
    }
    visitor.column("created_by", as: Account.ID?.self) { $0.creator }
    visitor.column("synced_at") { $0.event.synced }
    visitor.column("created_at") { $0.event.created }
    visitor.column("updated_at") { $0.event.updated }
  }
}

/// A changed single occurrence; times are as in an iCalendar file.
private struct OverrideRow: RowForm {
  let event: ICalendar.Event

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == OverrideRow {
    visitor.column("start", as: String?.self) { $0.event.start.property }
    visitor.column("recurrence_id") { $0.event.recurrenceID?.property }
    visitor.column("end", "a time, or how long it lasts") { row -> String? in
      switch row.event.extent {
      case .unsaid: nil
      case .until(let time): time.property
      case .lasting(let duration): duration.text
      }
    }
    visitor.column("title") { $0.event.summary }
    visitor.column("description") { $0.event.description }
    visitor.column("location") { $0.event.location }
    visitor.column("status", schema: ICalendar.Event.statusSchema, "") {
      $0.event.status?.rawValue.lowercased()
    }
    visitor.column("this_and_future") { $0.event.isThisAndFuture }
  }
}

extension BookState {
  /// The event's row of `calendar_events`.
  package func calendarEventRow(_ event: CalendarEvent) -> JSON { row(event).json }

  private func row(_ event: CalendarEvent) -> CalendarEventRow {
    CalendarEventRow(
      event: event, household: households[event.household]?.key,
      creator: accounts[event.creator]?.key)
  }

  var calendarEventRows: [CalendarEventRow] { shown(calendarEvents).map { row($0) } }
}

extension CalendarEvent: RowEntity {
  package func row(in state: BookState) -> JSON { state.calendarEventRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("calendar_events", CalendarEventRow.self, state.calendarEventRows)]
  }
}

extension ImportCalendar {
  /// The events by result, with their keys, and the parts of the file that were not understood.
  package func row(of answer: CalendarImport, in state: BookState) -> JSON {
    let keys = { (numbers: [CalendarEvent.ID]) -> JSON in
      .array(numbers.map { .key(state.calendarEvents[$0]?.key) })
    }
    return [
      "created": keys(answer.created), "changed": keys(answer.changed),
      "deleted": keys(answer.deleted), "unchanged": .number(answer.unchangedCount),
      "kept_deleted": .number(answer.keptDeleted.count), "own": .number(answer.ownCount),
      "kept_deleted_events": .array(
        answer.keptDeleted.map { ["uid": .string($0.uid), "title": .text($0.title)] }),
      "problems": .array(
        answer.problems.map {
          [
            "line": .number($0.line), "message": .string($0.message),
            "outcome": .string($0.outcome.rawValue),
          ]
        }),
      "not_imported": .object(
        answer.notImported.sorted { $0.key < $1.key }.map {
          JSON.Member($0.key, .number($0.value))
        }),
    ]
  }

  /// The household.
  package func aggregate(of answer: CalendarImport) -> Aggregate? { .household(household) }
}

extension ICalendar.Event {
  /// The recurrence, as lines of an iCalendar file.
  fileprivate var recurrenceLines: [String] {
    rules.map { "RRULE:\($0)" } + dates.map { "RDATE\($0.property)" }
      + exceptions.map { "EXDATE\($0.property)" }
  }

  /// One of the statuses, in lower case, or null.
  fileprivate static var statusSchema: JSON {
    ["enum": .array(ICalendar.Status.allCases.map { .string($0.rawValue.lowercased()) } + [.null])]
  }
}

extension ICalendar.Date {
  fileprivate var property: String {
    switch extent {
    case .unsaid: start.property
    case .until(let end): ";VALUE=PERIOD\(start.property)/\(end.text)"
    case .lasting(let duration): ";VALUE=PERIOD\(start.property)/\(duration.text)"
    }
  }
}

extension ICalendar.Time {
  /// The text after the name of a property: `;TZID=Europe/Berlin:20260301T120000`.
  fileprivate var property: String { ICalendarWriter.parameters(of: self) + ":" + text }
}
