import Calendar
import Values

/// What falls due by the clock for one person, while a state is replayed through a span of time. The cost depends only
/// on what the person has, whatever the size of the book.
///
/// All that falls due between two entries that concern the person is found at once; a span without any of the person's
/// times is skipped.
struct PersonalDue: Sendable {
  /// The span for which moments are found at once: it is short, so that an entry that changes them discards few.
  private static let windowMilliseconds: Int64 = 8 * 86_400_000

  let person: Account.ID
  /// Whether the person has more times in the span than one query may examine: then no more notifications are given.
  private(set) var isCutOff = false
  /// The instant up to which notifications were given.
  private var told: Instant
  /// The instants after that at which one of the person's times may fall due, as far as they are known; ascending.
  private var moments: ArraySlice<Instant> = []
  /// The instant up to which the moments are known.
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

  /// The notifications that fall due after the last call, up to and including an instant, by what is known until then.
  mutating func notifications(
    through instant: Instant, _ state: BookState
  ) -> [DueNotification] {
    let last = min(instant, end)
    guard told < last else { return [] }
    defer { told = last }
    guard hasMoment(through: last, state), spend(from: told, through: last, state) else {
      return []
    }
    moments = moments.drop { $0 <= last }
    known = max(known, last)
    return state.dueByClock(for: person, after: told, through: last, in: zones)
  }

  /// Discards the known moments: the person's clock, reminders or hives may have changed.
  mutating func forgetMoments() { (moments, known) = ([], told) }

  /// Whether the next entry may change what falls due for the person.
  func isConcerned(by event: Event, _ state: BookState) -> Bool {
    if case .hiveJoined(let event) = event, event.member == person { return true }
    // An erased account leaves its hives.
    if case .accountErased = event { return true }
    switch event.subject {
    case .new(let kind, _, let owner):
      return owner == person || kind == .account && state.accounts[person] == nil
    case .aggregate(let thing):
      // The entity is read in place: copying it would cost more than the whole check.
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
      // Nothing else falls due for a person.
      default: return false
      }
    }
  }

  private mutating func hasMoment(through last: Instant, _ state: BookState) -> Bool {
    while !isCutOff {
      if let first = moments.first { return first <= last }
      guard known < last else { return false }
      let next = min(end, known.advanced(byMilliseconds: Self.windowMilliseconds))
      guard spend(from: known, through: next, state) else { return false }
      moments = ArraySlice(state.dueMoments(of: person, after: known, through: next, in: zones))
      known = next
    }
    return false
  }

  /// Takes the cost of examining a span from the budget; `false` when the budget is too small.
  private mutating func spend(from: Instant, through last: Instant, _ state: BookState) -> Bool {
    let days = Int((last.milliseconds - from.milliseconds) / 86_400_000) + 4
    let today = Day(utc: last)
    return spend(days * state.dueStepCount(of: person, today: today))
  }

  /// Takes a number of steps from the budget; `false` when it is too small, and then no more notifications are given.
  mutating func spend(_ steps: Int) -> Bool {
    isCutOff = isCutOff || steps > remaining
    remaining -= isCutOff ? 0 : steps
    return !isCutOff
  }
}

extension BookState {
  /// The instants of a span at which something may fall due by one person's clock: a reminder, or 20:00 if the person
  /// is in a hive.
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

  /// An estimate of how often a person's habits and hives are examined on each day of a span.
  fileprivate func dueStepCount(of person: Account.ID, today: Day) -> Int {
    guard let account = accounts[person] else { return 1 }
    let dailyCount = account.notifications.isOn ? account.notifications.times.count : 0
    var count = 1 + dailyCount
    for number in shownHabits(of: person) {
      guard let habit = habits[number] else { continue }
      // All of a quota's days decide whether it asks for a day.
      let isQuota = habit.versions.contains { if case .quota = $0.schedule { true } else { false } }
      let first = min(habit.createdOn, habit.days.records.first?.day ?? habit.createdOn)
      let weight = isQuota ? 1 + max(0, first.distance(to: today)) / 32 : 1
      count += (habit.reminders.count + dailyCount) * weight
    }
    for hive in hives(of: person) { count += hives[hive]?.members.count ?? 0 }
    return count
  }
}
