import Calendar
import Values

/// What falls due by the clock for one person, while a state is carried through a span of time: it costs what they have,
/// whatever else is in the book.
///
/// Between two entries that concern them all is found at once; a span in which they have no time of day is passed over.
struct PersonalDue: Sendable {
  /// How many days of moments are found at once: what moves them moves few.
  private static let windowMilliseconds: Int64 = 8 * 86_400_000

  /// Who.
  let person: Account.ID
  /// Whether they have more times of day in the span than are looked at in one question: then nothing more is told.
  private(set) var isCutOff = false
  /// Until when they were told.
  private var told: Instant
  /// The instants after it at which a clock shows one of their times, as far as these are known; ascending.
  private var moments: ArraySlice<Instant> = []
  /// Until when the moments are known.
  private var known: Instant
  private let end: Instant
  private let zones: any TimeZones
  private var remaining = Limit.dueSteps.maximum

  /// Begins a span.
  init(
    of person: Account.ID, after from: Instant, through end: Instant, in zones: any TimeZones
  ) {
    self.person = person
    (told, known) = (from, from)
    self.end = end
    self.zones = zones
  }

  /// What falls due after what was told, up to and with an instant, by what is known until then.
  mutating func notifications(
    through instant: Instant, _ state: BookState
  ) -> [DueNotification] {
    let last = min(instant, end)
    guard told < last else { return [] }
    defer { told = last }
    guard hasMoment(through: last, state), take(from: told, through: last, state) else { return [] }
    moments = moments.drop { $0 <= last }
    known = max(known, last)
    return state.dueByClock(for: person, after: told, through: last, in: zones)
  }

  /// Finds their moments anew: their clock, their reminders or their hives may be others from now on.
  mutating func forgetMoments() { (moments, known) = ([], told) }

  /// Whether an entry that comes next may change what falls due for them.
  func isConcerned(by event: Event, _ state: BookState) -> Bool {
    if case .hiveJoined(let event) = event, event.member == person { return true }
    // An account that is erased leaves its hives.
    if case .accountErased = event { return true }
    switch event.subject {
    case .new(let kind, _, let owner):
      return owner == person || kind == .account && state.accounts[person] == nil
    case .aggregate(let thing):
      // Looked at where it stands: to copy a thing costs more than all that is asked of it.
      let place = Int(thing.number) - 1
      switch thing.kind {
      case .account: return place == person.index
      case .habit:
        let habits = state.habits.elements
        return habits.indices.contains(place) && habits[place].owner == person
      case .goal:
        let goals = state.goals.elements
        return goals.indices.contains(place) && goals[place].owner == person
      case .hive:
        let hives = state.hives.elements
        return hives.indices.contains(place) && hives[place].hasMember(person)
      case .household, .householdTask, .recipe, .meal, .task, .label, .list, .pantryStaple,
        .calendarEvent, .activity:
        return false
      }
    }
  }

  private mutating func hasMoment(through last: Instant, _ state: BookState) -> Bool {
    while !isCutOff {
      if let first = moments.first { return first <= last }
      guard known < last else { return false }
      let next = min(end, known.advanced(byMilliseconds: Self.windowMilliseconds))
      guard take(from: known, through: next, state) else { return false }
      moments = ArraySlice(state.dueMoments(of: person, after: known, through: next, in: zones))
      known = next
    }
    return false
  }

  /// Takes what it costs to look at a span; `false` when there was not so much left.
  private mutating func take(from: Instant, through last: Instant, _ state: BookState) -> Bool {
    let days = Int((last.milliseconds - from.milliseconds) / 86_400_000) + 4
    let today = Day(utc: last)
    return take(days * state.dueStepCount(of: person, today: today))
  }

  /// Takes so many looks at a time of day; `false` when there were not so many left, and then nothing more is told.
  mutating func take(_ steps: Int) -> Bool {
    isCutOff = isCutOff || steps > remaining
    remaining -= isCutOff ? 0 : steps
    return !isCutOff
  }
}

extension BookState {
  /// The instants of a span at which a clock shows a time of one person: of a reminder, or 20:00 where they are in a hive.
  func dueMoments(
    of person: Account.ID, after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [Instant] {
    guard from < to, let account = accounts[person], !account.isErased else { return [] }
    var times = Set(shownHabits(of: person).flatMap { habits[$0]?.reminders ?? [] })
    if account.notifications.isOn { times.formUnion(account.notifications.times) }
    if !hives(of: person).isEmpty { times.insert(.evening) }
    let clock = DayClock(timeZone: account.dayClock.timeZone, dayStartHour: 0)
    let moments = times.flatMap { time in
      clock.moments(time, after: from, through: to, in: zones).map(\.at)
    }
    return Set(moments).sorted()
  }

  /// About how often somebody's habits and hives are looked at on each day of a span.
  fileprivate func dueStepCount(of person: Account.ID, today: Day) -> Int {
    guard let account = accounts[person] else { return 1 }
    let dailyCount = account.notifications.isOn ? account.notifications.times.count : 0
    var count = 1 + dailyCount
    for number in shownHabits(of: person) {
      guard let habit = habits[number] else { continue }
      // Whether a quota asks for a day is told from all of its days.
      let isQuota = habit.versions.contains { if case .quota = $0.schedule { true } else { false } }
      let first = min(habit.createdOn, habit.days.records.first?.day ?? habit.createdOn)
      let weight = isQuota ? 1 + max(0, first.distance(to: today)) / 32 : 1
      count += (habit.reminders.count + dailyCount) * weight
    }
    for hive in hives(of: person) { count += hives[hive]?.members.count ?? 0 }
    return count
  }
}
