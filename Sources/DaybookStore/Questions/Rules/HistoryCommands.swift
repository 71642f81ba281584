import Avro
package import Daybook

/// A habit's history as commands for `daybook apply`, which recreate it in an empty book.
///
/// Days are those of UTC. A journey west at the end of the history leads to Honolulu.
package struct HistoryCommands {
  private var commands: [(at: Instant, JSON)] = []
  private static let account = "00000000-0000-4000-8000-00000000000a"
  private static let habit = "00000000-0000-4000-8000-000000000001"

  /// The instant as of which the book has the given history.
  package private(set) var asOf: Instant

  package init(_ history: HabitHistory) {
    let isWest = history.openFrom > history.today
    asOf = Self.instant(history.today, hour: isWest ? 30 : 23)
    begin(history)
    for version in history.versions.dropFirst() {
      add(
        Self.instant(version.since, hour: 1), "update_habit",
        [.init("habit", .string(Self.habit))] + Self.members(of: version))
    }
    for (index, span) in history.paused.enumerated() {
      add(
        Self.instant(history.created, hour: 0, minute: 3 + index), "pause",
        [
          .init("from", .string("\(span.first)")),
          .init("to", span.last.map { .string("\($0)") } ?? .null),
        ])
    }
    for record in history.records { add(record) }
    if isWest {
      add(
        Self.instant(history.today, hour: 29), "update_profile",
        [.init("timezone", "Pacific/Honolulu")])
    }
    commands = commands.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    .map(\.element)
  }

  /// One line of JSON for each command, in order.
  package var lines: [String] { commands.map(\.1.encoded) }

  private mutating func begin(_ history: HabitHistory) {
    let at = Self.instant(history.created, hour: 0, minute: 1)
    commands.append(
      (
        at,
        [
          "do": "create_account", "key": .string(Self.account), "display_name": "Ada",
          "timezone": "UTC", "day_start_hour": 0, "at": .string("\(at)"),
        ]
      ))
    add(
      Self.instant(history.created, hour: 0, minute: 2), "create_habit",
      [
        .init("key", .string(Self.habit)), .init("name", "Habit"),
        .init("type", .string(history.type.rawValue)),
      ] + Self.members(of: history.versions[0]))
  }

  private mutating func add(_ record: HabitHistory.DayRecord) {
    let late = Int(record.hoursLate)
    let at =
      late == 0
      ? Self.instant(record.day, hour: 12)
      : Self.instant(record.day, hour: 23 + late, minute: 30)
    let members: [JSON.Member] = [
      .init("habit", .string(Self.habit)), .init("day", .string("\(record.day)")),
    ]
    guard let value = record.value else { return add(at, "skip_day", members) }
    add(at, "log_habit", members + [.init("value", .number("\(value)"))])
  }

  private mutating func add(_ at: Instant, _ name: String, _ members: [JSON.Member]) {
    let head: [JSON.Member] = [.init("do", .string(name)), .init("as", .string(Self.account))]
    commands.append((at, .object(head + members + [.init("at", .string("\(at)"))])))
  }

  private static func members(of version: HabitHistory.Version) -> [JSON.Member] {
    let schedule: JSON.Member =
      switch version.schedule {
      case .weekdays(let mask): .init("schedule_weekmask", .number(mask.bits))
      case .quota(let times, let days):
        .init("schedule_quota", ["times": .number(times), "days": .number(days)])
      }
    return [
      schedule, .init("target_per_day", .number("\(version.target.amount)")),
      .init("target_bound", .string(version.target.bound.rawValue)),
    ]
  }

  private static func instant(_ day: Day, hour: Int, minute: Int = 0) -> Instant {
    let minutes = Int64(hour * 60 + minute)
    return Instant(clamping: Int64(day.number) * 86_400_000 + minutes * 60_000)
  }
}
