import Kitchen
import Values
public import Calendar

extension BookState {
  /// The data that a person can export as a calendar: a household's events, planned meals, and open tasks with a due
  /// day (MC-10). It holds only what all members may see, unless the viewer's own tasks are requested.
  ///
  /// - Parameters:
  ///   - household: The household, if one is exported.
  ///   - viewer: The account that exports.
  ///   - withTasks: Whether to include the viewer's own open tasks with a due time.
  /// - Returns: The calendar, without the household's part unless the viewer is a member.
  public func iCalendar(
    of household: Household.ID?, for viewer: Account.ID, withTasks: Bool = false
  ) -> ICalendar {
    var calendar = ICalendar()
    var own: [ICalendar.Event] = []
    if let household, let found = self.household(household, for: viewer) {
      calendar.name = found.name
      own = mealEvents(of: household) + householdTaskEvents(of: household)
    }
    if withTasks { own += taskEvents(of: viewer) }
    // A UID stands for one thing: if a file brought in a copy of a meal or task, the original is exported.
    var uids = Set(own.map(\.uid))
    if calendar.name != nil, let household {
      for (_, event) in householdEntities(.calendarEvent, in: calendarEvents, of: household)
      where uids.insert(event.content.series.uid).inserted {
        calendar.add(event.content)
      }
    }
    calendar.series += own.map { ICalendar.Series(uid: $0.uid, master: $0) }
    return calendar
  }

  private func mealEvents(of household: Household.ID) -> [ICalendar.Event] {
    householdEntities(.meal, in: meals, of: household).map { _, meal in
      let type = meal.content.mealType.map { "\($0): " } ?? ""
      let servings = meal.content.servings.map { ", for \($0.kitchenForm)" } ?? ""
      var event = ICalendar.Event(
        uid: meal.key.uid, summary: type + title(of: meal) + servings,
        start: .date(meal.content.date))
      event.lastModified = meal.updated
      return event
    }
  }

  private func householdTaskEvents(of household: Household.ID) -> [ICalendar.Event] {
    householdEntities(.householdTask, in: householdTasks, of: household).compactMap {
      _, householdTask in
      guard !householdTask.isComplete, let day = householdTask.content.dueDate else { return nil }
      let start = householdTask.content.dueTime.map { LocalDateTime(day: day, time: $0) }
      var event = ICalendar.Event(
        uid: householdTask.key.uid, summary: householdTask.content.title,
        description: householdTask.content.description,
        start: start.map { .floating($0) } ?? .date(day))
      event.lastModified = householdTask.updated
      return event
    }
  }

  private func taskEvents(of viewer: Account.ID) -> [ICalendar.Event] {
    tasks(of: viewer).compactMap { _, task in
      guard !task.isDone, let due = task.due else { return nil }
      var event = ICalendar.Event(
        uid: task.key.uid, summary: task.title, description: task.description,
        start: .zoned(WallClock.utc(of: due), zone: "UTC"))
      event.lastModified = task.updated
      return event
    }
  }

  /// Whether a UID is that of a meal or a task of this book, from an earlier export.
  func isOwn(uid: String) -> Bool {
    guard let key = Key(uid: uid) else { return false }
    return meals.number(of: key) != nil || householdTasks.number(of: key) != nil
      || tasks.number(of: key) != nil
  }
}

extension Key {
  private static let uidEnd = "@daybook"

  /// The UID of an entity of the book in an iCalendar file.
  var uid: String { "\(self)\(Self.uidEnd)" }

  /// Reads the key of an entity of a book from its UID.
  fileprivate init?(uid: String) {
    guard uid.hasSuffix(Self.uidEnd) else { return nil }
    self.init(String(uid.dropLast(Self.uidEnd.count)))
  }
}

extension ICalendar {
  /// Adds an event. If two events have different zones with the same name, the second one's is renamed.
  fileprivate mutating func add(_ content: CalendarContent) {
    var content = content
    for zone in content.zones {
      var name = zone.name
      var number = 1
      while let other = zoneRules[name], other != zone.rules {
        number += 1
        name = "\(zone.name) (\(number))"
      }
      zoneRules[name] = zone.rules
      if name != zone.name { content.rename(zone.name, to: name) }
    }
    series.append(content.series)
  }
}

extension CalendarContent {
  /// Renames a zone in all times.
  fileprivate mutating func rename(_ zone: String, to name: String) {
    let renamed = { (time: ICalendar.Time) -> ICalendar.Time in
      time.zone == zone ? .zoned(time.local, zone: name) : time
    }
    let extended = { (extent: ICalendar.Extent) -> ICalendar.Extent in
      if case .until(let end) = extent { .until(renamed(end)) } else { extent }
    }
    for index in components.indices {
      var event = components[index]
      event.start = renamed(event.start)
      event.extent = extended(event.extent)
      event.exceptions = event.exceptions.map(renamed)
      event.dates = event.dates.map {
        ICalendar.Date(renamed($0.start), extent: extended($0.extent))
      }
      event.recurrenceID = event.recurrenceID.map(renamed)
      components[index] = event
    }
  }
}
