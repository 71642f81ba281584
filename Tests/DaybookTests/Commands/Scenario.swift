import Avro
import Daybook
import Testing

/// The history so far: `given(…).when(…)` decides a command in the state that follows from it.
struct Scenario {
  private(set) var state = BookState()
  /// The recorded entries, oldest first.
  private(set) var entries: [Entry] = []

  /// Noon in Greenwich, 2026-03-02, a Monday.
  static let noon = moment("2026-03-02T12:00:00Z")

  /// The events that a command decides; the state stays.
  func when<C: Command>(
    _ command: C, by actor: Int? = 1, at: Instant = noon
  ) throws(Rejection) -> [Event] {
    try decide(command, by: actor, at: at).events
  }

  /// The answer to a command.
  func answer<C: Command>(
    _ command: C, by actor: Int? = 1, at: Instant = noon
  ) throws(Rejection) -> C.Answer {
    try decide(command, by: actor, at: at).answer
  }

  private func decide<C: Command>(
    _ command: C, by actor: Int?, at: Instant
  ) throws(Rejection) -> Decision<C.Answer> {
    let context = Context(
      actor: actor.flatMap { Account.ID($0) }, at: at, freshKey: Scenario.fresh,
      zones: TableZones())
    return try command.decide(state, context)
  }

  /// The scenario after more events.
  func and(_ events: Event..., at: Instant = noon) -> Scenario {
    var next = self
    for event in events {
      let head = EntryHead(
        position: next.state.position + 1, at: at, actor: Account.ID(1), key: nil)
      next.entries.append(Entry(head, event))
      next.state.apply(Entry(head, event))
    }
    return next
  }

  /// The scenario after a command.
  func and(_ command: some Command, by actor: Int? = 1, at: Instant = noon) throws -> Scenario {
    var next = self
    for event in try when(command, by: actor, at: at) { next = next.and(event, at: at) }
    return next
  }

  /// The key of everything created without one.
  static let fresh = Key(high: 0, low: 99)
}

/// Ada in Greenwich, whose day starts at four; then the given events.
func given(_ events: Event...) -> Scenario {
  var scenario = Scenario().and(.accountCreated(person(1)))
  for event in events { scenario = scenario.and(event) }
  return scenario
}

/// A record with its fields set.
func make<Record: AvroRecord>(_ edit: (inout Record) -> Void) -> Record {
  var record = Record.placeholder
  edit(&record)
  return record
}

/// The first account, habit and goal of a book.
enum First {
  static let account = BookState().accounts.nextNumber
  static let habit = BookState().habits.nextNumber
  static let goal = BookState().goals.nextNumber
}

/// The account of a number.
func person(_ number: UInt64, zone: String = "Etc/UTC", start: Int32 = 4) -> AccountCreated {
  make {
    $0.key = Key(high: 1, low: number)
    $0.displayName = "Ada \(number)"
    $0.timeZone = zone
    $0.dayStartHour = start
  }
}

/// An account's habit, created on 2026-02-20.
func habit(
  _ number: UInt64 = 1, of owner: Account.ID = First.account, target: Target = Target(.one),
  schedule: Schedule = .daily, goal: Goal.ID? = nil
) -> Event {
  .habitCreated(
    make {
      $0.key = Key(high: 2, low: number)
      $0.owner = owner
      $0.description = read
      $0.target = target
      $0.schedule = schedule
      $0.goal = goal
      $0.day = day("2026-02-20")
    })
}

/// An account's goal.
func goal(_ number: UInt64 = 1, of owner: Account.ID = First.account) -> Event {
  .goalCreated(
    make {
      $0.key = Key(high: 3, low: number)
      $0.owner = owner
      $0.title = "Health"
    })
}

/// A log of the first habit.
func log(_ text: String, _ value: Amount = .one, note: String? = nil) -> Event {
  .habitLogged(HabitLogged(habit: First.habit, day: day(text), value: value, note: note))
}

let read: HabitDescription = make {
  $0.name = "Read"
  $0.color = "#FF9F1C"
}

/// The instant written as text; the first of all when it is invalid.
func moment(_ text: String) -> Instant {
  guard let instant = Instant(text) else {
    Issue.record("not an instant: \(text)")
    return .first
  }
  return instant
}

/// Thousandths as an amount.
func thousandths(_ number: Int64) -> Amount { Amount(thousandths: number) ?? .zero }

/// A few time zones as a table: fixed offsets, and one whose clock changes.
struct TableZones: TimeZones {
  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    switch timeZone {
    case "Etc/UTC": 0
    case "Pacific/Kiritimati": 14 * 3600
    case "Pacific/Honolulu": -10 * 3600
    case "Asia/Kathmandu": 20_700
    // Summer time from 2026-03-29 to 2026-10-25, each at 01:00 UTC.
    case "Europe/Berlin":
      (1_774_746_000_000..<1_792_890_000_000).contains(instant.milliseconds) ? 7200 : 3600
    // From one side of the date line to the other: 2011-12-30 was skipped, at 10:00 UTC.
    case "Pacific/Apia": instant.milliseconds < 1_325_239_200_000 ? -36_000 : 50_400
    default: nil
    }
  }
}
