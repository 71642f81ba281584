import Calendar
import Streaks

/// Passes over the entries of a habit once, and finds what each moment changed.
struct ReplayWalk {
  private let number: Habit.ID
  private var query: Query
  private var state: BookState
  private var cells: [HabitReplay.Cell] = []
  private var moment = HabitReplay.Moment(at: .first, today: .first)
  /// The number of entries applied.
  private var count = 0
  private var trail: AuditTrail
  /// The days that are shown.
  var days = Day.first...Day.first

  init(of number: Habit.ID, ownedBy owner: Account.ID, _ query: Query) {
    self.number = number
    self.query = query
    self.query.on = nil
    state = BookState(of: number, ownedBy: owner, [])
    trail = AuditTrail(habit: number, owner: owner, [])
  }

  /// Applies the entries up to the beginning, and gives the situation then.
  ///
  /// - Parameters:
  ///   - from: The beginning.
  ///   - entries: All entries.
  ///   - clock: The day clock to use before the habit, and perhaps its owner, exist.
  /// - Returns: The situation, and the cells at it.
  /// - Throws: ``Rejection/unknownTimeZone(_:)``.
  mutating func begin(
    at from: Instant, _ entries: [Entry], else clock: DayClock
  ) throws(Rejection) -> (HabitReplay.Moment, [HabitReplay.Cell]) {
    _ = apply(entries, through: from)
    guard let today = clock.day(of: from, in: query.zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    cells = (days.lowerBound.number...days.upperBound.number).map {
      .blank(Day(unchecked: $0))
    }
    moment = HabitReplay.Moment(at: from, today: today)
    _ = try judge(at: from)
    return (moment, cells)
  }

  /// The steps until an instant, in the order of time.
  ///
  /// - Throws: ``Rejection`` when there are more than a replay may hold.
  mutating func steps(
    of entries: [Entry], through end: Instant
  ) throws(Rejection) -> [HabitReplay.Step] {
    var steps: [HabitReplay.Step] = []
    var changeCount = 0
    while true {
      let next = count < entries.count ? entries[count].head.at : nil
      let dawn = try dawn()
      guard let at = [next, dawn].compactMap(\.self).min(), at <= end else { return steps }
      let items = apply(entries, through: at)
      let before = moment
      let changes = try judge(at: at)
      let isSame =
        changes.isEmpty && before.current == moment.current && before.longest == moment.longest
      if items.isEmpty, isSame { continue }
      changeCount += changes.count
      steps.append(HabitReplay.Step(moment: moment, entries: items, changes: changes))
      guard changeCount <= HabitReplay.maximumChangeCount,
        steps.count <= HabitReplay.maximumStepCount
      else { throw .replayTooLong }
    }
  }

  /// The beginning of the next day; nothing while there is no habit.
  private func dawn() throws(Rejection) -> Instant? {
    guard let habit = state.habits[number], let clock = state.accounts[habit.owner]?.dayClock else {
      return nil
    }
    guard let end = clock.end(of: moment.today, in: query.zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    // Where a zone had a day twice, the second one is checked again every hour.
    let dawn =
      end >= moment.at
      ? end.advanced(byMilliseconds: 1) : moment.at.advanced(byMilliseconds: 3_600_000)
    // After the last instant there is no further day.
    return dawn > moment.at ? dawn : nil
  }

  /// Applies the entries up to an instant.
  ///
  /// - Returns: The applied entries that may affect the habit's days.
  private mutating func apply(_ entries: [Entry], through at: Instant) -> [AuditTrail.Item] {
    var items: [AuditTrail.Item] = []
    while count < entries.count, entries[count].head.at <= at {
      let entry = entries[count]
      count += 1
      state.apply(entry)
      if entry.event.bearsOnDays {
        items.append(
          AuditTrail.Item(
            position: entry.head.position, at: entry.head.at, actor: entry.head.actor,
            event: entry.event))
      }
    }
    return items
  }

  /// Judges the days at an instant.
  ///
  /// - Returns: The cells that changed.
  private mutating func judge(at instant: Instant) throws(Rejection) -> [HabitReplay.Cell] {
    moment.at = instant
    guard let habit = state.habits[number] else { return [] }
    query.asOf = instant
    let (history, today) = try state.history(of: habit, query)
    let judgement = query.rule.judgement(of: history)
    moment.today = today
    moment.current = judgement.current?.length ?? 0
    moment.longest = judgement.longest?.length ?? 0
    var changes: [HabitReplay.Cell] = []
    var next = 0
    for (place, heat) in history.heatmap(of: days).enumerated() {
      while next < judgement.days.count, judgement.days[next].day < heat.day { next += 1 }
      let isJudged = next < judgement.days.count && judgement.days[next].day == heat.day
      let mark = isJudged ? judgement.days[next].mark : nil
      let isKnown = mark != nil || heat.value != nil
      let cell = isKnown ? HabitReplay.Cell(heat: heat, mark: mark) : .blank(heat.day)
      if cells[place] != cell {
        cells[place] = cell
        changes.append(cell)
      }
    }
    return changes
  }
}

extension Event {
  /// Whether it may affect the days of habits, or change which day it is.
  fileprivate var bearsOnDays: Bool {
    if case .nothing = dayEffect { false } else { true }
  }
}

extension Rejection {
  /// There is more to show than a replay may hold.
  static var replayTooLong: Rejection {
    .invalidField(
      "from",
      "a replay has at most \(HabitReplay.maximumStepCount) steps, and more happened before its "
        + "end; choose a later start"
    )
  }
}
