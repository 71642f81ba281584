import ArgumentParser
import Daybook
import DaybookStore

extension HouseholdCalendar {
  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateCalendarEvent.self]
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an event to the calendar.",
      discussion: """
        daybook calendar add Dentist "fri 15:00" --end 15:45 --location "12 High St"
        daybook calendar add Holidays "in 2 weeks" --end "in 3 weeks"
        daybook calendar add Choir "mon 18:00" --end 19:30 --repeat weekly
        """)
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What it is.")
    var title: String
    @Argument(help: "When it begins: \(MomentWords.help); without a time it is all day.")
    var start: String
    @OptionGroup var more: Details
    @OptionGroup var key: KeyOption

    func run() throws {
      let key = try key.given()
      try change.run { context in
        let start = try context.calendarMoment(self.start, "START")
        var command = CreateCalendarEvent(
          in: context.household, key: key, title: self.title, start: start,
          end: try self.more.end.map { try context.calendarEnd($0, after: start) })
        command.content.description = self.more.description
        command.content.location = self.more.location
        command.content.timeZone = self.more.zone
        if case .set(let rules) = try self.more.rules(from: start) { command.content.rules = rules }
        return command
      } words: { number, state in
        state.calendarEvents[number]?.words ?? ""
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateCalendarEvent.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change an event: its title, its time, or how it repeats.",
      discussion: """
        A new start without a new end keeps the length. A new start or repetition discards the \
        changes to single occurrences.
        """)
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "The event: a prefix of its title, or its key.")
    var event: String
    @Option(help: "What it is.")
    var title: String?
    @Option(help: "When it begins: \(MomentWords.help).")
    var start: String?
    @OptionGroup var more: Details

    func run() throws {
      try change.run { context in
        let found = try context.calendarEvent(self.event)
        let start = try self.start.map { try context.calendarMoment($0, "--start") }
        let end = try self.more.end.map {
          try context.calendarEnd($0, after: start ?? found.event.start)
        }
        let rules = try self.more.rules(from: start ?? found.event.start)
        return UpdateCalendarEvent(found.number) { draft in
          if let title { draft.title = title }
          if let start { draft.start = start }
          if let end { draft.end = end }
          if let text = self.more.description { draft.description = text.isEmpty ? nil : text }
          if let text = self.more.location { draft.location = text.isEmpty ? nil : text }
          if let zone = self.more.zone { draft.timeZone = zone }
          if case .set(let rules) = rules { draft.rules = rules }
        }
      } words: { number, state in
        state.calendarEvents[number]?.words ?? ""
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteCalendarEvent.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete an event with all its occurrences; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "The event: a prefix of its title, or its key.")
    var event: String

    func run() throws {
      try change.run { context in
        DeleteCalendarEvent(try context.calendarEvent(event).number)
      } words: { number, state in
        "\(state.calendarEvents[number]?.displayName ?? "") is off the calendar."
      }
    }
  }

  /// The details of an event besides its title and its start.
  struct Details: ParsableArguments {
    @Option(help: "When it ends: 16:00, \"fri 16:00\"; for an all-day event, its last day.")
    var end: String?
    @Option(help: "How it repeats: \(RepeatArgument.help).")
    var `repeat`: String?
    @Option(help: "Where it is.")
    var location: String?
    @Option(help: "More about it.")
    var description: String?
    @Option(help: "The IANA time zone in which it is (default: yours).")
    var zone: String?

    /// The recurrence of an event that begins at `start`.
    func rules(from start: CalendarMoment) throws -> FieldEdit<[RecurrenceRule]> {
      let date: Day? =
        switch start {
        case .day(let day): day
        case .local(let local): local.day
        case .instant: nil
        }
      return switch RepeatArgument.rule(self.repeat, from: date) {
      case .keep: .keep
      case .set(nil): .set([])
      case .set(let text?): .set([try CalendarDraft.rule(text)])
      }
    }
  }
}

extension HouseholdCommandContext {
  /// Parses the start of an event.
  func calendarMoment(_ text: String, _ option: String) throws -> CalendarMoment {
    guard let owner = state.accounts[account] else { throw Rejection.accountNotFound }
    return switch try MomentArgument.moment(text, option, for: owner, query) {
    case .day(let day): .day(day)
    case .local(let local): .local(local)
    case .instant(let instant): .instant(instant)
    }
  }

  /// Parses the end of an event. A bare time is on the day of the start, or on the next day if it would be
  /// earlier; a day is the last day of the event, while the domain expects the first day after it.
  func calendarEnd(_ text: String, after start: CalendarMoment) throws -> CalendarMoment {
    if case .local(let begins) = start, let time = TimeWords.time(text) {
      let end = LocalDateTime(day: begins.day, time: time)
      return .local(
        end < begins ? LocalDateTime(day: begins.day.advanced(by: 1), time: time) : end)
    }
    guard case .day(let last) = try calendarMoment(text, "--end") else {
      return try calendarMoment(text, "--end")
    }
    return .day(last.advanced(by: 1))
  }
}

extension CalendarEvent {
  /// The start of the first occurrence.
  fileprivate var start: CalendarMoment {
    guard let main = content.main else { return .day(.first) }
    return main.start.isDate ? .day(main.start.local.day) : .local(main.start.local)
  }

  /// The event on one line, with its first occurrence.
  fileprivate var words: String {
    guard let main = content.main else { return "" }
    let time = main.start.local.description.dropFirst(11).prefix(5)
    var words = [displayName, "\(main.start.local.day.weekdayName) \(main.start.local.day)"]
    if !main.start.isDate { words[1] += " \(time)" }
    words += main.rules.map { "\($0)" }
    if let place = main.location, !place.isEmpty { words.append(place.onOneLine) }
    return words.joined(separator: ", ") + "."
  }
}
