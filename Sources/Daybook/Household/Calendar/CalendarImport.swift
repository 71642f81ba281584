import Values
package import Calendar
public import Avro

/// Updates a household's calendar from an iCalendar file (MC-10).
///
/// Events are identified by their UID: a file without news changes nothing, and of two versions of an event the later
/// one wins, whichever file comes first. Cancelled events stay known, but no longer take place.
public struct ImportCalendar: ColumnCommand {
  package var household: Household.ID
  /// The bytes of the file.
  package var bytes: [UInt8]
  /// Whether imported events that the file lacks are deleted.
  package var deletesMissing: Bool
  /// The client's name for the event, if the file has only one and it is new; otherwise the key is derived from the
  /// file.
  package var key: Key?

  public init(
    _ bytes: [UInt8], into household: Household.ID, deletingMissing: Bool = false, key: Key? = nil
  ) {
    self.household = household
    self.bytes = bytes
    deletesMissing = deletingMissing
    self.key = key
  }

  package static let form = CommandForm(
    "import_calendar", "Updates a household's calendar from an iCalendar file.",
    answer: "created, changed, deleted, unchanged, kept_deleted, own, problems, not_imported")
  /// The defaults; no file is named yet.
  public static var defaults: ImportCalendar { ImportCalendar([], into: .placeholder) }

  /// `household`, `ics`, `delete_missing`, `key`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    var text = String(decoding: bytes, as: UTF8.self)
    try visitor.column("ics", &text, [.needed, .doc("the text of the file")])
    bytes = Array(text.utf8)
    try visitor.column(
      "delete_missing", &deletesMissing,
      [.doc("whether to delete imported events that are missing from the file")])
    try visitor.column(
      "key", &key,
      [.doc("the key of the new event, if the file has exactly one event and it is new here")])
  }

  /// Decides the command; the answer gives the result for each event.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<CalendarImport> {
    let (_, actor) = try state.ownHousehold(household, context)
    guard bytes.count <= Limit.calendarBytes.maximum else { throw .calendarTooLarge }
    let zone = state.accounts[actor]?.dayClock.timeZone ?? "UTC"
    let reading = ICalendar.read(bytes, seenFrom: zone, zones: context.zones)
    if reading.isEmpty { throw .noCalendar }
    if deletesMissing, !reading.isWhole { throw .damagedCalendar }
    var answer = CalendarImport(problems: reading.problems, notImported: reading.notImported)
    var events: [Event] = []
    var met: Set<String> = []
    var nextNumber = state.calendarEvents.nextNumber
    var compiled = ICalendar.CompiledZones(context.zones)
    // Each event holds the zones of its times, so that it is understandable alone.
    var zonePartCount = 0
    for series in reading.calendar.series {
      // An export of this book has its meals and tasks as events: they exist already, and some may be private.
      let isFirst = met.insert(series.uid).inserted
      if state.isOwn(uid: series.uid) {
        answer.ownCount += 1
        continue
      }
      if let former = state.formerName(
        of: series, rules: reading.calendar.zoneRules, &compiled, seenFrom: zone, in: household)
      {
        met.insert(former)
        answer.unchangedCount += 1
        continue
      }
      let content = CalendarContent(
        series, zoneRules: reading.calendar.zoneRules, &compiled, seenFrom: zone)
      zonePartCount += content.zonePartCount
      guard zonePartCount <= Limit.zoneParts.maximum else { throw .calendarTooLarge }
      if isFirst, let number = state.liveCalendarEvent(series.uid, in: household),
        let old = state.calendarEvents[number]
      {
        let merged = old.content.merged(
          with: content, &compiled, seenFrom: zone)
        if merged == old.content {
          answer.unchangedCount += 1
        } else {
          answer.changed.append(number)
          events.append(
            .calendarEventChanged(
              CalendarEventChanged(event: number, content: merged, source: .import)))
        }
      } else if let old = state.deletedCalendarEvent(series.uid, in: household),
        !series.isNewer(than: old)
      {
        answer.keptDeleted.append(
          CalendarImport.OmittedEvent(uid: series.uid, title: series.title))
      } else {
        let key = reading.calendar.series.count == 1 ? key : nil
        if let key, state.calendarEvents.number(of: key) != nil { throw .keyTaken(key) }
        answer.created.append(nextNumber)
        nextNumber = CalendarEvent.ID(index: nextNumber.index + 1)
        events.append(
          .calendarEventCreated(
            CalendarEventCreated(
              key: key ?? state.newCalendarKey(series.uid, in: household), household: household,
              owner: actor, content: content, source: .import)))
      }
    }
    if deletesMissing {
      let missing = state.calendarEventsByUID(of: household)
        .filter { !met.contains($0.key) && state.calendarEvents[$0.value]?.isImported == true }
        .values.sorted()
      answer.deleted = missing
      events += missing.map {
        .calendarEventDeleted(CalendarEventDeleted(event: $0, source: .import))
      }
    }
    return Decision(events, answer)
  }
}

/// The result of importing an iCalendar file.
public struct CalendarImport: Hashable, Sendable {
  /// The events that are new.
  package var created: [CalendarEvent.ID] = []
  /// The events that changed.
  package var changed: [CalendarEvent.ID] = []
  /// The events that the file lacked, deleted by request.
  package var deleted: [CalendarEvent.ID] = []
  /// The number of events that did not change.
  package var unchangedCount = 0
  /// Events that a member deleted, and that stay deleted: the file has no later version.
  package var keptDeleted: [OmittedEvent] = []
  /// The number of skipped meals and tasks of this book.
  package var ownCount = 0
  /// The parts of the file that were not understood, or break the rules.
  package var problems: [ICalendar.Problem]
  /// The number of components of each kind that is not read.
  package var notImported: [String: Int]

  /// Whether the file held nothing that was in the calendar now or before.
  package var tookNothing: Bool {
    created.isEmpty && changed.isEmpty && deleted.isEmpty && keptDeleted.isEmpty
      && unchangedCount == 0 && ownCount == 0
  }

  /// An event of the file that was not imported.
  package struct OmittedEvent: Hashable, Sendable {
    package var uid: String
    /// Its title, if it has one.
    package var title: String?
  }
}

extension ICalendar.Series {
  fileprivate var title: String? { (master ?? overrides.first)?.summary }
}

extension BookState {
  /// A household's calendar events by their UIDs.
  func calendarEventsByUID(of household: Household.ID) -> [String: CalendarEvent.ID] {
    let known = householdEntities(.calendarEvent, in: calendarEvents, of: household)
    return Dictionary(known.map { ($0.thing.content.series.uid, $0.number) }) { first, _ in first }
  }

  /// The event with a UID in a household's calendar, if it is not deleted.
  func liveCalendarEvent(
    _ uid: String, in household: Household.ID
  ) -> CalendarEvent.ID? {
    calendarEvents(of: uid, in: household).first
  }

  /// The former UID of an event without a UID, if it is in the household's calendar unchanged under the name that such
  /// events had before.
  fileprivate func formerName(
    of series: ICalendar.Series, rules: [String: ICalendar.ZoneRules],
    _ compiled: inout ICalendar.CompiledZones, seenFrom zone: String, in household: Household.ID
  ) -> String? {
    guard let former = ICalendar.ContentName.former(of: series),
      liveCalendarEvent(series.uid, in: household) == nil,
      let old = liveCalendarEvent(former, in: household).flatMap({ calendarEvents[$0] })
    else { return nil }
    let content = CalendarContent(
      series.named(former), zoneRules: rules, &compiled, seenFrom: zone)
    return content.series == old.content.series ? former : nil
  }

  /// The event with a UID that a member deleted from a household's calendar, if it was the last one.
  package func deletedCalendarEvent(
    _ uid: String, in household: Household.ID
  ) -> ICalendar.Series? {
    let last = indexes.households.calendarEvents(of: uid, in: household).last
    guard let event = last.flatMap({ calendarEvents[$0] }), event.isDeletedByMember else {
      return nil
    }
    return event.content.series
  }

  /// The key of an imported event: the same UID in the same household gives the same key, unless an event with that key
  /// was deleted.
  fileprivate func newCalendarKey(_ uid: String, in household: Household.ID) -> Key {
    let home = households[household]?.key.description ?? ""
    var former = 0
    while true {
      let key = Key(derivedFrom: ["calendar", home, uid, "\(former)"])
      if calendarEvents.number(of: key) == nil { return key }
      former += 1
    }
  }
}

extension CalendarContent {
  /// The content after merging a file's version of it.
  fileprivate func merged(
    with file: CalendarContent, _ compiled: inout ICalendar.CompiledZones, seenFrom zone: String
  ) -> CalendarContent {
    let rules = zoneRules.merging(file.zoneRules) { _, new in new }
    let series = series.merged(with: file.series, zones: compiled.zones(rules))
    // The first occurrence was computed when it was recorded, in the recording member's zone.
    if series == self.series, rules == zoneRules { return self }
    return CalendarContent(series, zoneRules: rules, &compiled, seenFrom: zone)
  }

  /// The number of parts of its own time zones.
  fileprivate var zonePartCount: Int {
    zones.reduce(0) { $1.rules.observances.reduce($0) { $0 + 1 + $1.dates.count } }
  }
}

extension BookState {
  /// The event of a UID in a household's calendar, if there is one.
  package func calendarEvent(_ uid: String, in household: Household.ID) -> CalendarEvent.ID? {
    households[household]?.isDeleted == false ? liveCalendarEvent(uid, in: household) : nil
  }

  /// All events with a UID in a household's calendar: nearly always one, unless a deleted one was restored beside
  /// another.
  package func calendarEvents(
    of uid: String, in household: Household.ID
  ) -> [CalendarEvent.ID] {
    indexes.households.calendarEvents(of: uid, in: household).filter {
      calendarEvents[$0]?.isDeleted == false
    }
  }
}
