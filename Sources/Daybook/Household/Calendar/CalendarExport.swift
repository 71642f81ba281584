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
  ///   - withHabits: Whether to include the viewer's own habits on the weekdays on which they are due, at the times of
  ///     their reminders. A habit with a quota is due on no certain day, and is left out.
  /// - Returns: The calendar, without the household's part unless the viewer is a member.
  public func iCalendar(
    of household: Household.ID?, for viewer: Account.ID, withTasks: Bool = false,
    withHabits: Bool = false
  ) -> ICalendar {
    var calendar = ICalendar()
    var own: [ICalendar.Event] = []
    if let household, let found = self.household(household, for: viewer) {
      calendar.name = found.name
      own = mealEvents(of: household) + householdTaskEvents(of: household)
    }
    if withTasks { own += taskEvents(of: viewer) }
    if withHabits, let account = accounts[viewer] {
      let dayStart = account.dayClock.dayStartHour
      own += habits(of: viewer).flatMap { $0.calendarEvents(dayStartHour: dayStart) }
    }
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

  /// Whether a UID is that of a meal, a task or a habit of this book, from an earlier export.
  func isOwn(uid: String) -> Bool {
    guard let key = Key(uid: uid) else { return false }
    return habits.number(of: key) != nil || meals.number(of: key) != nil
      || householdTasks.number(of: key) != nil
      || tasks.number(of: key) != nil
  }
}

extension Habit {
  /// The habit as calendar events that repeat: one for each reminder; a whole day without reminders.
  ///
  /// - Parameter hour: The hour at which the owner's day begins. A reminder before it belongs to the day before.
  /// - Returns: The events; none for an archived habit, and for one with a quota.
  fileprivate func calendarEvents(dayStartHour hour: Int) -> [ICalendar.Event] {
    guard !isArchived, case .weekdays(let mask) = version.schedule else { return [] }
    // A series begins with its first occurrence (RFC 5545, 3.8.5.3).
    let first = (0..<7).lazy.map { version.since.advanced(by: $0) }.first { mask.contains($0) }
    guard let first else { return [] }
    let times: [LocalTime?] = reminders.isEmpty ? [nil] : reminders
    return times.compactMap { time in
      let delay = time.map { $0.minutes < hour * 60 ? 1 : 0 } ?? 0
      let day = first.advanced(by: delay)
      guard let rule = mask.recurrenceRule(delayedBy: delay) else { return nil }
      return ICalendar.Event(
        uid: key.uid(at: time), summary: name,
        description: description.question.isEmpty ? nil : description.question,
        start: time.map { .floating(LocalDateTime(day: day, time: $0)) } ?? .date(day),
        lastModified: updated, rules: [rule])
    }
  }
}

extension WeekdayMask {
  /// The rule of a series on the weekdays of the mask, or so many days after each of them.
  fileprivate func recurrenceRule(delayedBy delay: Int) -> RecurrenceRule? {
    if self == .everyDay { return try? RecurrenceRule(parsing: "FREQ=DAILY") }
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    let days = names.indices.filter { bits >> UInt8($0) & 1 == 1 }
      .map { names[($0 + delay) % names.count] }
    return try? RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=" + days.joined(separator: ","))
  }
}

extension Key {
  private static let uidEnd = "@daybook"

  /// The UID of an entity of the book in an iCalendar file.
  var uid: String { "\(self)\(Self.uidEnd)" }

  /// The UID of one of several events of an entity, by its time of day.
  fileprivate func uid(at time: LocalTime?) -> String {
    time.map { "\(self)-\($0.minutes)\(Self.uidEnd)" } ?? uid
  }

  /// Reads the key of an entity of a book from its UID.
  fileprivate init?(uid: String) {
    guard uid.hasSuffix(Self.uidEnd) else { return nil }
    let name = uid.dropLast(Self.uidEnd.count)
    let textCount = 36
    let isWhole = name.count == textCount || name.dropFirst(textCount).hasPrefix("-")
    guard isWhole else { return nil }
    self.init(String(name.prefix(textCount)))
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
