package import Calendar

/// Collects the notifications of a span of time (HH-25) while a state is replayed through it. What falls due by the
/// clock is judged by what the book knew at that moment, so that one span gives the same notifications as its parts.
package struct DueReplay: Projection {
  /// The state after the entries so far.
  package private(set) var state: BookState
  /// The notifications, in the order of time; complete after ``finish()``.
  package private(set) var notifications: [DueNotification] = []
  /// The logs of the span that may have reached a milestone.
  var logs: MilestoneLogs
  private let end: Instant
  private let zones: any TimeZones
  /// Whether a log that completes a day is judged as soon as it is applied.
  private let judgesAtOnce: Bool
  /// The instants still to come at which something may fall due by a clock, ascending.
  private var moments: ArraySlice<Instant> = []
  /// The one person to notify; without one, everybody is.
  private var personal: PersonalDue?

  /// Continues from the state at the beginning of the span.
  ///
  /// - Parameters:
  ///   - state: The state as of `from`: earlier entries cause no notifications.
  ///   - from: The span begins after this instant
  ///   - end: and ends with this one.
  ///   - zones: The time zones.
  ///   - completed: Days that are known to have been completed before.
  ///   - judgesAtOnce: Whether a log that completes a day is judged as soon as it is applied, in O(days of its habit),
  ///     so that only habits that may have reached a milestone have to be looked up. Otherwise all habits with
  ///     completed days have to be, which costs less where a span has many logs of each.
  ///   - person: The person to notify; everybody if not given.
  package init(
    from state: BookState, after from: Instant, through end: Instant, in zones: any TimeZones,
    knowing completed: CompletedDays = CompletedDays(), judgesAtOnce: Bool = false,
    for person: Account.ID? = nil
  ) {
    self.state = state
    logs = MilestoneLogs(knowing: completed)
    self.end = end
    self.zones = zones
    self.judgesAtOnce = judgesAtOnce
    if let person {
      personal = PersonalDue(of: person, after: from, through: end, in: zones)
    } else {
      moments = ArraySlice(state.dueMoments(after: from, through: end, in: zones))
    }
  }

  /// Whether one person's reminders were too many for one query: the notifications are incomplete.
  package var isCutOff: Bool { personal?.isCutOff ?? false }

  /// Applies the entry, after collecting what fell due before it.
  package mutating func apply(_ entry: Entry) {
    if case .habitLogged(let logged) = entry.event { return apply(logged, entry.head) }
    guard personal?.isConcerned(by: entry.event, state) ?? true else { return state.apply(entry) }
    notify(before: entry.head.at)
    state.apply(entry)
    switch entry.event {
    case .hiveAdvanced(let event): notify(event, at: entry.head.at)
    case .habitLogged, .habitLogCleared, .habitDaySkipped, .habitDayReverted, .hiveDayLogged,
      .hiveDayCleared:
      break
    // An unknown effect costs time, but is never ignored.
    default:
      guard entry.event.subject.kind.mayMoveMoments else { return }
      // The event may have changed clocks, reminders or members.
      guard personal == nil else {
        personal?.forgetMoments()
        return
      }
      let last = entry.head.at.advanced(byMilliseconds: -1)
      moments = ArraySlice(state.dueMoments(after: last, through: end, in: zones))
    }
  }

  /// Applies the log, after collecting what fell due before it.
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    guard personal?.isConcerned(by: .habitLogged(logged), state) ?? true else {
      return state.apply(logged, head)
    }
    notify(before: head.at)
    let former = judgesAtOnce ? state.habits[logged.habit]?.days[logged.day] : nil
    state.apply(logged, head)
    guard let habit = state.habits[logged.habit], logs.completes(logged, of: habit) else { return }
    guard !judgesAtOnce || crosses(logged, head, former, habit) else { return }
    logs.note(logged, head)
  }

  /// Whether a log that completed a day made a streak reach a milestone, judging by the days: only the entries know of
  /// days that were cleared and done again before.
  private func crosses(
    _ logged: HabitLogged, _ head: EntryHead, _ former: DayTable.Record?, _ habit: Habit
  ) -> Bool {
    let completion = Activity(
      .habitCompleted, at: head, actor: habit.owner, habit: logged.habit, day: logged.day)
    let free = state.accounts[habit.owner]?.freeDays ?? .init()
    return StreakCrossing(of: completion, former, habit, free) != nil
  }

  /// Collects what falls due from the last entry to the end of the span.
  package mutating func finish() {
    let last = end
    notifications += personal?.notifications(through: last, state) ?? []
    while let moment = moments.popFirst() { notify(at: moment) }
  }

  private mutating func notify(before instant: Instant) {
    if personal != nil {
      let last = instant.advanced(byMilliseconds: -1)
      notifications += personal?.notifications(through: last, state) ?? []
    }
    while let moment = moments.first, moment < instant {
      moments.removeFirst()
      notify(at: moment)
    }
  }

  private mutating func notify(at moment: Instant) {
    notifications += state.dueByClock(at: moment, in: zones)
  }

  /// Notifies the members of a hive whose day advanced: all of them, or only the person that the query is about.
  private mutating func notify(_ event: HiveAdvanced, at instant: Instant) {
    guard let hive = state.hives[event.hive] else { return }
    for member in hive.members
    where member.isActive && personal.map({ $0.person == member.account }) ?? true {
      guard let key = state.accounts[member.account]?.key else { continue }
      notifications.append(
        DueNotification(
          id: "hive_advanced:\(hive.key):\(key):\(event.day)", at: instant,
          account: member.account, day: event.day,
          content: .hiveAdvanced(event.hive, streak: Int(event.streak)),
          name: hive.description.name, emoji: hive.description.emoji))
    }
  }
}

extension EntityKind {
  /// Whether events of the kind may change a clock, a reminder or the members of a hive: the times at which something
  /// falls due.
  fileprivate var mayMoveMoments: Bool { self == .account || self == .habit || self == .hive }
}
