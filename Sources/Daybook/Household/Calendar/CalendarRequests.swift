public import Avro

extension Request {
  /// The commands about a household's calendar, by name.
  static let calendarTypes: [String: any RequestBody.Type] = [
    "create_calendar_event": CreateCalendarEvent.self,
    "update_calendar_event": UpdateCalendarEvent.self,
    "delete_calendar_event": DeleteCalendarEvent.self, "import_calendar": ImportCalendar.self,
  ]
}

extension CreateCalendarEvent: RequestBody {
  /// `household`, `key`, `title`, `description`, `location`, `start_time`, `end_time`, `time_zone`, `recurrence`.
  ///
  /// A time is a date (all day), a time on the wall such as `2026-03-01T18:30`, or an instant.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(
      in: household, key: try reader.optionalKey("key"), title: try reader.text("title"),
      start: try reader.required("start_time", CalendarMoment.words, CalendarMoment.init),
      end: try reader.optional("end_time", CalendarMoment.words, CalendarMoment.init))
    description = try reader.optionalText("description")
    location = try reader.optionalText("location")
    timeZone = try reader.optionalText("time_zone")
    rules = try reader.recurrence().applied(to: [])
  }

  /// The event's row.
  public func row(of answer: CalendarEvent.ID, in state: State) -> JSON {
    state.calendarEventRow(answer)
  }
}

extension UpdateCalendarEvent: RequestBody {
  /// `event`, and of `title`, `description`, `location`, `start_time`, `end_time`, `time_zone`, `recurrence` those
  /// that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.calendarEvent())
    title = try reader.textEdit("title")
    description = try reader.clearableEdit("description")
    location = try reader.clearableEdit("location")
    start = try reader.edit("start_time", CalendarMoment.words, CalendarMoment.init)
    end = try reader.edit("end_time", "\(CalendarMoment.words), or null") { json in
      if case .null = json { return .some(nil) }
      return CalendarMoment(json).map { .some($0) }
    }
    timeZone = try reader.optionalText("time_zone")
    rules = try reader.recurrence()
  }

  /// The event's row.
  public func row(of answer: CalendarEvent.ID, in state: State) -> JSON {
    state.calendarEventRow(answer)
  }
}

extension DeleteCalendarEvent: RequestBody {
  /// `event`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.calendarEvent()) }

  /// The key of what is gone.
  public func row(of answer: CalendarEvent.ID, in state: State) -> JSON {
    ["id": .key(state.calendarEvents[answer]?.key), "deleted": true]
  }
}

extension ImportCalendar: RequestBody {
  /// `household`, `ics`: the text of the file, `delete_missing` (false).
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(
      Array(try reader.text("ics").utf8), into: household,
      deletingMissing: try reader.optional("delete_missing", "true or false") { $0.boolean }
        ?? false)
  }

  /// What came of the events, by their keys, and what of the file was not understood.
  public func row(of answer: CalendarImport, in state: State) -> JSON {
    let keys = { (numbers: [CalendarEvent.ID]) -> JSON in
      .array(numbers.map { .key(state.calendarEvents[$0]?.key) })
    }
    return [
      "created": keys(answer.created), "changed": keys(answer.changed),
      "deleted": keys(answer.deleted), "unchanged": .number(answer.unchangedCount),
      "kept_deleted": .number(answer.keptDeletedCount), "own": .number(answer.ownCount),
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
  public func aggregate(of answer: CalendarImport) -> Aggregate? { .household(household) }
}

extension RequestReader {
  fileprivate mutating func calendarEvent() throws -> CalendarEvent.ID {
    try thing("event", in: state.calendarEvents, missing: .calendarEventNotFound)
  }

  /// How an event repeats: a rule as RRULE has it, several of them, or null for not at all.
  fileprivate mutating func recurrence() throws(Rejection) -> Edit<[RecurrenceRule]> {
    let texts = try edit("recurrence", "a recurrence rule such as FREQ=WEEKLY, or null") {
      json -> [String]? in
      if case .null = json { return [] }
      if let text = json.text { return [text] }
      guard let elements = json.elements else { return nil }
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    }
    guard case .set(let found) = texts else { return .keep }
    var rules: [RecurrenceRule] = []
    for text in found {
      do throws(RecurrenceError) {
        let rule = try RecurrenceRule(
          parsing: text.hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text)
        guard !rule.isTooOften else {
          throw RecurrenceError(.tooFine, text, "it repeats too often for a calendar", nil)
        }
        rules.append(rule)
      } catch {
        throw Rejection.invalidField("recurrence", error.words)
      }
    }
    return .set(rules)
  }
}

extension CalendarMoment {
  static let words = "a date, a time such as 2026-03-01T18:30, or an instant"

  init?(_ json: JSON) {
    guard let text = json.text else { return nil }
    self.init(text)
  }

  /// Reads `2026-03-01`, `2026-03-01T18:30` or `2026-03-01T18:30:00Z`.
  public init?(_ text: String) {
    if let day = Day(text) {
      self = .day(day)
    } else if let instant = Instant(text) {
      self = .instant(instant)
    } else if text.contains("-"), let local = LocalDateTime(text) {
      self = .local(local)
    } else {
      return nil
    }
  }
}
