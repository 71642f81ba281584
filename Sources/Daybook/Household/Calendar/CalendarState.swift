public import Values
public import Calendar

/// An event in a household's calendar (MC-10), with all its occurrences.
public struct CalendarEvent: Entity, Hashable {
  /// The number of a calendar event in its book.
  public typealias ID = EntityNumber<CalendarEvent>
  /// "calendar-event-number".
  @inlinable
  public static var entityName: StaticString { "calendar-event-number" }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// The account that created it.
  public internal(set) var creator: Account.ID
  /// The content of the event.
  public internal(set) var content: CalendarContent
  /// The source of the event.
  public internal(set) var source: LogSource
  /// When a file last changed it; nothing when none did, or when a member deleted it.
  public internal(set) var synced: Instant?
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false

  /// Whether it comes from an iCalendar file, which identifies it by its UID.
  public var isImported: Bool { source == .import }
  /// Whether it was cancelled: it is kept so that an older file does not bring it back, but no longer takes place.
  public var isCancelled: Bool { content.main?.status == .cancelled }
  /// Whether a member deleted it, rather than a file that no longer had it.
  var isDeletedByMember: Bool { isDeleted && synced == nil }
  /// The name that people see.
  public var displayName: String { content.main?.summary ?? "" }
  /// The account that created it; the event belongs to the household.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension CalendarEvent: HouseholdEntity {
  static var kind: EntityKind { .calendarEvent }
  static var table: WritableKeyPath<BookState, Table<CalendarEvent>> { \.calendarEvents }
  static var column: StaticString { "event" }
  static var countField: StaticString { "calendar_events" }
  static var notFound: Rejection { .calendarEventNotFound }

  mutating func erase(at instant: Instant) { content = content.erased }

  static func creation(of lost: LostEntity) -> Event {
    .calendarEventCreated(
      CalendarEventCreated(of: lost) { event in
        event.household = lost.household
        event.content = .placeholder(uid: "\(lost.key)@daybook", title: lost.name, at: lost.at)
      })
  }
}

extension CalendarEventCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> CalendarEvent {
    CalendarEvent(
      key: key, household: household, creator: owner, content: content,
      source: source, synced: source == .import ? head.at : nil, created: begun(head),
      updated: head.at)
  }
}

extension CalendarEventChanged: SetEvent {
  var changed: CalendarEvent.ID { event }
  func change(_ found: inout CalendarEvent, _ head: EntryHead) {
    found.content = content
    if source == .import { found.synced = head.at }
    found.updated = head.at
  }
  init(_ id: CalendarEvent.ID, as found: CalendarEvent) {
    self.init(event: id, content: found.content)
  }
}

extension CalendarEventDeleted: SetEvent {
  var changed: CalendarEvent.ID { event }
  func change(_ found: inout CalendarEvent, _ head: EntryHead) {
    found.isDeleted = true
    found.synced = source == .import ? head.at : nil
    found.updated = head.at
  }
  /// Copies the source: an imported event counts as deleted by a file, so that the next import brings it back.
  init(_ id: CalendarEvent.ID, as found: CalendarEvent) {
    self.init(event: id, source: found.source)
  }
}

extension CalendarEventRestored: EditEvent, SetEvent {
  var changed: CalendarEvent.ID { event }
  func edit(_ found: inout CalendarEvent) {
    found.isDeleted = false
    found.synced = synced
  }
  init(_ id: CalendarEvent.ID, as found: CalendarEvent) {
    self.init(event: id, synced: found.synced)
  }
}
