import Calendar
package import Avro

extension BookState {
  /// The event's row of `calendar_events`. Times of the first occurrence; `recurrence` and `overrides` tell of
  /// the others, as iCalendar has them.
  package func calendarEventRow(_ event: CalendarEvent) -> JSON {
    let content = event.content
    let main = content.main
    return [
      "id": .key(event.key), "household_id": .key(households[event.household]?.key),
      "google_event_id": .text(event.isImported ? main?.uid : nil),
      "title": .text(main?.summary), "description": .text(main?.description),
      "location": .text(main?.location), "start_time": .instant(content.starts),
      "end_time": .instant(content.ends), "all_day": .bool(main?.start.isDate ?? false),
      "time_zone": .text(main?.start.zone),
      "status": .text(main?.status?.rawValue.lowercased()),
      "sequence": .number(Int(main?.sequence ?? 0)),
      "recurrence": .array(main.map { $0.recurrenceLines.map { .string($0) } } ?? []),
      "overrides": .array(content.series.overrides.map { $0.overrideRow }),
      "created_by": .key(accounts[event.creator]?.key), "synced_at": .instant(event.synced),
      "created_at": .instant(event.created), "updated_at": .instant(event.updated),
    ]
  }

  var calendarEventRows: [JSON] { shown(calendarEvents).map { calendarEventRow($0) } }
}

extension ColumnCommand where Answer == CalendarEvent.ID {
  /// The event's row, or that it is gone.
  package func row(of answer: CalendarEvent.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.calendarEventRow($0) }
  }
}

extension ImportCalendar {
  /// What came of the events, by their keys, and what of the file was not understood.
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
  /// How it repeats, in the lines of an iCalendar file.
  fileprivate var recurrenceLines: [String] {
    rules.map { "RRULE:\($0)" } + dates.map { "RDATE\($0.property)" }
      + exceptions.map { "EXDATE\($0.property)" }
  }

  /// A single time that is otherwise.
  fileprivate var overrideRow: JSON {
    let times = [("start", Optional(start)), ("recurrence_id", recurrenceID)].map { name, time in
      JSON.Member(name, .text(time?.property))
    }
    let end: String? =
      switch extent {
      case .unsaid: nil
      case .until(let time): time.property
      case .lasting(let duration): duration.text
      }
    return .object(
      times + [
        JSON.Member("end", .text(end)), JSON.Member("title", .text(summary)),
        JSON.Member("description", .text(description)), JSON.Member("location", .text(location)),
        JSON.Member("status", .text(status?.rawValue.lowercased())),
        JSON.Member("this_and_future", .bool(isThisAndFuture)),
      ])
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
  /// As it stands behind the name of a property: `;TZID=Europe/Berlin:20260301T120000`.
  fileprivate var property: String { ICalendarWriter.parameters(of: self) + ":" + text }
}
