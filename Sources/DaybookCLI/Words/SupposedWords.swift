import ArgumentParser
import Daybook
import DaybookStore
import Foundation

/// Parses a supposed command: `skip today`, `log Read 2026-03-04`, `pause 2026-04-01..2026-04-10`.
///
/// Habits, days, amounts and schedules are written as for the commands of those names.
struct SupposedWords {
  static let help = """
    log HABIT [VALUE] [DAY]; skip [HABIT] [DAY], without a habit all that are due; clear HABIT [DAY]; \
    pause [DAY[..DAY]]; resume; zone ZONE; day-start HOUR; schedule HABIT SCHEDULE; target HABIT NUMBER; \
    archive, restore or delete HABIT; hive HIVE [VALUE] [DAY], which logs your day in a hive
    """

  /// The account that the commands belong to.
  let account: Account.ID
  /// The query that days are relative to.
  let query: Query
  /// The state after the previous commands.
  let state: BookState

  /// The commands that a text denotes.
  ///
  /// - Throws: `ValidationError` for an unknown text, `CommandFailure` for something that does not exist.
  func commands(_ text: String) throws -> [any RequestBody] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let rest = Array(words.dropFirst())
    switch words.first?.lowercased() {
    case "log":
      let (found, said) = try habit(rest, logged)
      return [try Log.command(said.amount, isMore: said.isMore, meant(found, said.day))]
    case "clear":
      let (found, day) = try habit(rest, day)
      let meant = try meant(found, day)
      return [ClearLog(meant.number, day: meant.choice)]
    case "skip": return try skips(rest)
    case "pause": return [try pause(rest.joined(separator: " "))]
    case "resume" where rest.isEmpty: return [Resume()]
    case "zone" where rest.count == 1: return [UpdateProfile { $0.timeZone = rest[0] }]
    case "day-start" where rest.count == 1:
      guard let hour = Int(rest[0]) else {
        throw ValidationError("day-start: \"\(rest[0])\" is not an hour from 0 to 23")
      }
      return [UpdateProfile { $0.dayStartHour = hour }]
    case "schedule":
      let (found, schedule) = try habit(rest) {
        try ScheduleArgument.schedule($0.joined(separator: ","))
      }
      return [UpdateHabit(found.0) { $0.schedule = schedule }]
    case "target":
      let (found, amount) = try habit(rest) { try Self.amount($0.joined(separator: " ")) }
      return [
        UpdateHabit(found.0) {
          $0.target.amount = amount
          $0.type = .counter
        }
      ]
    case "archive": return [ArchiveHabit(try habit(rest, Self.nothing).0.0)]
    case "restore": return [RestoreHabit(try habit(rest, Self.nothing).0.0)]
    case "delete": return [DeleteHabit(try habit(rest, Self.nothing).0.0)]
    case "hive":
      let (hive, said) = try named(rest, logged) {
        try HiveChoice.find($0, in: state, for: account)
      }
      return [
        LogHiveDay(hive, value: said.amount ?? .one, day: said.day.map { .day($0) } ?? .today)
      ]
    default:
      throw ValidationError("\"\(text)\" cannot be supposed: give \(Self.help)")
    }
  }

  // MARK: Names and their arguments

  /// Splits the words into a name and its arguments; of several ways, the one with the longest name.
  private func named<Thing, Rest>(
    _ words: [String], _ read: ([String]) throws -> Rest, _ find: (String) throws -> Thing
  ) throws -> (Thing, Rest) {
    guard !words.isEmpty else { throw ValidationError("say which one: \(Self.help)") }
    var missing: (any Error)?
    for count in (1...words.count).reversed() {
      let name = words[..<count].joined(separator: " ")
      let rest = Result { try read(Array(words[count...])) }
      switch (Result { try find(name) }, rest) {
      case (.success(let thing), .success(let rest)): return (thing, rest)
      // The name was found, so the fault is in its arguments.
      case (.success, .failure(let error)): throw error
      case (.failure(let error), .success): missing = error
      case (.failure(let error), .failure): missing = missing ?? error
      }
    }
    throw missing ?? ValidationError("say which one: \(Self.help)")
  }

  private func habit<Rest>(
    _ words: [String], _ read: ([String]) throws -> Rest
  ) throws -> ((Habit.ID, Habit), Rest) {
    try named(words, read) { try HabitChoice.find($0, in: state, for: account) }
  }

  /// A habit on a day, by default today.
  private func meant(_ habit: (Habit.ID, Habit), _ day: Day?) throws -> DayOptions.HabitDay {
    DayOptions.HabitDay(
      number: habit.0, habit: habit.1, choice: day.map { .day($0) } ?? .today,
      day: try day ?? today)
  }

  private static func nothing(_ words: [String]) throws {
    guard words.isEmpty else {
      throw ValidationError("\"\(words.joined(separator: " "))\" has too many words: \(help)")
    }
  }

  private static func amount(_ text: String) throws -> Amount {
    guard let amount = try AmountArgument.amount(text, "target") else {
      throw ValidationError("target: give \(AmountArgument.help)")
    }
    return amount
  }

  // MARK: Days and values

  private var person: Account? { state.accounts[account] }

  private var today: Day {
    get throws { try DayArgument.today(for: person, query) }
  }

  /// A day that is not in the future; `nil` without words.
  private func day(_ words: [String]) throws -> Day? {
    guard !words.isEmpty else { return nil }
    return try DayArgument.day(words.joined(separator: " "), for: person, query)
  }

  private typealias Logged = (amount: Amount?, isMore: Bool, day: Day?)

  /// The amount and the day, in any order; both are optional.
  private func logged(_ words: [String]) throws -> Logged {
    if let day = try? day(words) { return (nil, false, day) }
    guard let first = words.first, let last = words.last else { return (nil, false, nil) }
    for (value, rest) in [(first, words.dropFirst()), (last, words.dropLast())] {
      let isMore = value.hasPrefix("+")
      guard let amount = Amount(isMore ? String(value.dropFirst()) : value),
        case .success(let day) = Result(catching: { try day(Array(rest)) })
      else { continue }
      return (amount, isMore, day)
    }
    throw ValidationError(
      "\"\(words.joined(separator: " "))\" is neither an amount nor a day: give 2.5, or \(DayArgument.help)"
    )
  }

  /// The skip of a habit on a day; without a habit, the skips of all habits that are due and not done.
  private func skips(_ words: [String]) throws -> [any RequestBody] {
    if let day = try? day(words) ?? today {
      let due = try state.shownHabits(of: account).filter { try isOpen($0, on: day) }
      guard !due.isEmpty else {
        throw CommandFailure(
          "nothing_due", "Nothing is due on \(day) that is not done; name a habit.")
      }
      return due.map { SkipDay($0, day: .day(day)) }
    }
    let (found, day) = try habit(words, day)
    let meant = try meant(found, day)
    return [SkipDay(meant.number, day: meant.choice)]
  }

  private func isOpen(_ number: Habit.ID, on day: Day) throws -> Bool {
    guard let habit = state.habits[number], !habit.isArchived else { return false }
    guard let judged = try state.view(of: habit, query).judgement[day], judged.due else {
      return false
    }
    return [.missed, .partial, .pending].contains(judged.mark)
  }

  /// `2026-04-01..2026-04-10`; the end is optional, and the start is today by default.
  private func pause(_ text: String) throws -> Pause {
    let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    let first = try ComingDay.day(
      parts.first.flatMap { $0.isEmpty ? nil : $0 } ?? "today", for: person, query)
    guard parts.count == 2, !parts[1].isEmpty else { return Pause(first: first, last: nil) }
    return Pause(
      first: first, last: try ComingDay.day(parts[1], for: person, query, from: first))
  }
}
