import Calendar
import Daybook
import Values

extension AppTable {
  /// The events of households' calendars (MC-10).
  static var calendarEvents: AppTable {
    let fields: [Field<NumberedEntity<CalendarEvent>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("google_event_id") { $0.isImported ? $0.content.main?.uid : nil },
      Field("title", isNullable: false) { $0.content.main?.summary },
      Field("description") { $0.content.main?.description },
      Field("location") { $0.content.main?.location },
      Field("start_time") { $0.content.rowTime($0.content.starts) },
      Field("end_time", isNullable: true) { $0.content.rowTime($0.content.ends) },
      Field("all_day", .always(.bool(false))) { $0.content.main?.start.isDate ?? false },
      .account("created_by", .caller, .once) { $0.creator },
      Field("synced_at", .null, .server) { $0.synced },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      "calendar_events", fields, of: .calendarEvent, in: \.calendarEvents,
      recognitionKeys: [["household_id", "google_event_id"], ["google_event_id"]],
      writer: CalendarEventWriter(),
      narrowed: { view, bounds in view.byUID(bounds) })
  }
}

extension AccountView {
  /// Turns conditions on Google's event ids into conditions on keys, so that the book need not scan all events.
  fileprivate func byUID(_ bounds: ScanBounds) -> ScanBounds {
    guard let names = bounds.equal["google_event_id"] else { return bounds }
    var keys: Set<TableValue> = []
    for household in households(bounds, "household_id") {
      for case .text(let uid) in names {
        for number in state.calendarEvents(of: uid, in: household.number) {
          if let event = state.calendarEvents[number] { keys.insert(.uuid(event.key)) }
        }
      }
    }
    var bounds = bounds
    bounds.equal["id"] = bounds.equal["id"]?.intersection(keys) ?? keys
    return bounds
  }
}

extension CalendarContent {
  /// The time as the column shows it; for an all-day event, midnight in UTC, whatever the zone of its people.
  fileprivate func rowTime(_ instant: Instant) -> Instant {
    guard let start = main?.start, start.isDate else { return instant }
    // A day on which clocks change is an hour longer or shorter.
    let hours = Double(instant.milliseconds - starts.milliseconds) / 3_600_000
    let days = Int64((hours / 24).rounded())
    return Instant(clamping: (Int64(start.local.day.number) + days) * 86_400_000)
  }
}
