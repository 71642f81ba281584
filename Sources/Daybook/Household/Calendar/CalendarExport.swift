extension State {
  /// What a member can take along of a household's calendar: its events, the meals that are planned, and the open
  /// tasks that are due (MC-10).
  ///
  /// - Parameters:
  ///   - household: The household.
  ///   - viewer: Who asks.
  /// - Returns: Nothing of it unless the viewer is a member.
  public func iCalendar(of household: Household.ID, for viewer: Account.ID) -> ICalendar {
    guard let found = self.household(household, for: viewer) else { return ICalendar() }
    var calendar = ICalendar(name: found.name)
    for (_, event) in belongings(.calendarEvent, in: calendarEvents, of: household) {
      calendar.add(event.content)
    }
    for (_, meal) in belongings(.meal, in: meals, of: household) {
      var event = ICalendar.Event(
        uid: "\(meal.key)@daybook", summary: title(of: meal), start: .date(meal.content.date))
      event.lastModified = meal.updated
      calendar.series.append(ICalendar.Series(uid: event.uid, master: event))
    }
    for (_, chore) in belongings(.chore, in: chores, of: household) where !chore.isComplete {
      guard let day = chore.content.dueDate else { continue }
      let start = chore.content.dueTime.map { LocalDateTime(day: day, time: $0) }
      var event = ICalendar.Event(
        uid: "\(chore.key)@daybook", summary: chore.content.title,
        description: chore.content.description, start: start.map { .floating($0) } ?? .date(day))
      event.lastModified = chore.updated
      calendar.series.append(ICalendar.Series(uid: event.uid, master: event))
    }
    return calendar
  }
}

extension ICalendar {
  /// Adds an event. Where two events mean different zones by one name, the second gets another name.
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
  /// Calls a zone otherwise wherever a time is in it.
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
