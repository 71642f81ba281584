import Daybook
import Journal

/// The steps of an import, in the order of the days.
struct HabitImportPlan {
  var zones: any TimeZones = SystemTimeZones()
  private let export: HabitExport
  private let recorded: HabitImport.Recording
  private let now: Instant
  private var dayClock = DayClock(timeZone: "UTC", dayStartHour: 0)
  private var keys: [Key] = []
  private var steps: [Step] = []

  /// One step: making a habit, or recording an entry of one.
  private struct Step {
    var day: Day
    var habit: Int
    /// The entry's place and id; nil for making the habit.
    var entry: (index: Int, id: Key)?

    func isBefore(_ other: Step) -> Bool {
      (day, entry == nil ? 0 : 1, habit) < (other.day, other.entry == nil ? 0 : 1, other.habit)
    }
  }

  init(_ export: HabitExport, recorded: HabitImport.Recording, now: Instant) {
    self.export = export
    self.recorded = recorded
    self.now = now
  }

  private var days: [Day] { export.habits.flatMap { $0.entries.map(\.day) } }

  /// Finds the account, or creates it.
  mutating func begin(
    _ account: HabitImport.Account, in batch: inout Batch
  ) throws -> Account.ID {
    let number: Account.ID
    switch account {
    case .existing(let existing): number = existing
    case .new(let command):
      dayClock = command.profile.dayClock
      let at = days.min().flatMap { start(of: $0) } ?? now
      number = try batch.record(command, at: time(at, in: batch.state))
    }
    guard let found = batch.state.accounts[number] else { throw Rejection.accountNotFound }
    dayClock = found.dayClock
    return number
  }

  /// Finds what earlier imports recorded, and lists the remaining steps.
  mutating func find(
    for account: Account.ID, in state: BookState, _ reader: BookReader,
    _ summary: inout HabitImport.Summary
  ) throws {
    let accountKey = state.accounts[account]?.key ?? Key(high: 0, low: 0)
    var ordinals: [String: Int] = [:]
    for habit in export.habits {
      let ordinal = ordinals[habit.name, default: 0]
      ordinals[habit.name] = ordinal + 1
      keys.append(
        HabitImportKeys.habit(
          of: accountKey, from: export.program, name: habit.name, ordinal: ordinal))
    }
    let ids = zip(export.habits, keys).map { habit, key in
      habit.entries.map { HabitImportKeys.entry($0, of: key, from: export.program) }
    }
    let isKnown = keys.map { state.habits.number(of: $0) != nil }
    var used = UsedIDs(among: Set(zip(ids, isKnown).filter(\.1).flatMap(\.0)))
    if !used.wanted.isEmpty { try reader.replay(into: &used) }
    let last = days.max() ?? dayClock.day(of: now, in: zones) ?? .first
    for (index, habit) in export.habits.enumerated() {
      summary.computedLeftOut += habit.computedCount
      summary.notesNotKept += habit.looseNoteCount
      if let number = state.habits.number(of: keys[index]) {
        summary.habitsFound += 1
        if state.habits[number]?.isDeleted ?? false {
          summary.habitsDeleted += 1
          continue
        }
      } else {
        steps.append(Step(day: habit.entries.first?.day ?? last, habit: index))
      }
      for (place, entry) in habit.entries.enumerated() {
        let id = ids[index][place]
        if used.found.contains(id) {
          summary.entriesFound += 1
        } else {
          steps.append(Step(day: entry.day, habit: index, entry: (place, id)))
        }
      }
    }
    steps.sort { $0.isBefore($1) }
  }

  /// Carries out all steps, then archives the habits that are archived in Loop.
  func record(
    by account: Account.ID, in batch: inout Batch, _ summary: inout HabitImport.Summary,
    _ meter: WorkMeter?
  ) throws {
    meter?.begin("Importing", steps.count)
    defer { meter?.end() }
    var made: [(number: Habit.ID, habit: HabitExport.Habit)] = []
    for step in steps {
      meter?.advance(by: 1)
      let habit = export.habits[step.habit]
      guard let (place, id) = step.entry else {
        made.append((try make(habit, keys[step.habit], step.day, by: account, &batch), habit))
        continue
      }
      guard let number = batch.state.habits.number(of: keys[step.habit]) else { continue }
      let position = batch.state.position
      try record(habit.entries[place], of: number, id: id, by: account, &batch)
      if batch.state.position > position {
        summary.entriesRecorded += 1
      } else {
        summary.entriesFound += 1
      }
    }
    summary.habitsMade = made.count
    for (number, habit) in made where habit.isArchived {
      let last = days.max().flatMap { end(of: $0) } ?? now
      try refusals(habit.line) {
        try batch.record(ArchiveHabit(number), by: account, at: time(last, in: batch.state))
      }
    }
  }

  private func make(
    _ habit: HabitExport.Habit, _ key: Key, _ day: Day, by account: Account.ID,
    _ batch: inout Batch
  ) throws -> Habit.ID {
    let command = CreateHabit(
      key: key, name: habit.name, color: habit.color, question: habit.question, unit: habit.unit,
      type: habit.type, target: habit.target, schedule: habit.schedule)
    return try refusals(habit.line) {
      try batch.record(command, by: account, at: time(start(of: day) ?? now, in: batch.state))
    }
  }

  private func record(
    _ entry: HabitExport.Entry, of habit: Habit.ID, id: Key, by account: Account.ID,
    _ batch: inout Batch
  ) throws {
    let at = time(end(of: entry.day) ?? now, in: batch.state)
    try refusals(entry.line) {
      if let value = entry.value {
        let command = LogHabit(
          habit, value: value, day: .day(entry.day), source: .import, note: entry.note)
        try batch.record(command, by: account, at: at, id: id)
      } else {
        let command = SkipDay(habit, day: .day(entry.day), source: .import, note: entry.note)
        try batch.record(command, by: account, at: at, id: id)
      }
    }
  }

  /// Reports a refusal with the line that caused it.
  @discardableResult
  private func refusals<Result>(
    _ line: HabitExport.Line, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let rejection as Rejection
      where rejection.reason != .keyReused && rejection.reason != .clockBackwards
    {
      // A refusal by the book itself is not the line's fault.
      throw ExchangeError.refused(file: line.file, line: line.number, rejection)
    }
  }

  // MARK: Times

  /// The time at which to record something that happened at `lived`.
  private func time(_ lived: Instant, in state: BookState) -> Instant {
    switch recorded {
    case .now: now
    case .asLived: max(min(lived, now), state.at)
    }
  }

  private func start(of day: Day) -> Instant? {
    dayClock.end(of: day.advanced(by: -1), in: zones)?.advanced(byMilliseconds: 1)
  }

  /// The end of a day; if a zone left out the day, the end of the next one.
  private func end(of day: Day) -> Instant? {
    for later in 0...2 {
      guard let end = dayClock.end(of: day.advanced(by: later), in: zones),
        let found = dayClock.day(of: end, in: zones)
      else { return nil }
      if found >= day { return end }
    }
    return nil
  }
}
