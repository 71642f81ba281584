package import Calendar

/// Collects what people are to be told in a span of time (HH-25), while a state is carried through it: what falls
/// due by the clock is judged by what the book knew at that moment, so that one span says what its parts say.
package struct DueReplay: Projection {
  /// The state after the entries so far.
  package private(set) var state: BookState
  /// What is to be told, in the order of time; complete after ``finish()``.
  package private(set) var notifications: [DueNotification] = []
  /// What was logged in the span.
  var logs: MilestoneLogs
  private let end: Instant
  private let zones: any TimeZones
  /// Whether a log that completes a day is judged as soon as it is applied.
  private let judgesAtOnce: Bool
  /// The instants to come at which a clock shows somebody's time, ascending.
  private var moments: ArraySlice<Instant> = []
  /// The one about whom alone it is; everybody is told without it.
  private var personal: PersonalDue?

  /// Goes on from the state as of the beginning of the span.
  ///
  /// - Parameters:
  ///   - state: The state as of `from`: entries before tell nobody anything.
  ///   - from: What falls due after it is told,
  ///   - end: up to and with this.
  ///   - zones: The time zones.
  ///   - completed: Days that were completed before, as far as they are known.
  ///   - judgesAtOnce: Whether a log that completes a day is judged as soon as it is applied, in O(days of its habit), so
  ///     that only habits that may have reached a milestone have to be looked up. Without it all that were completed have,
  ///     which is less where a span has many logs of each.
  ///   - person: Who is told; everybody without one.
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

  /// Whether one person's reminders were too many to be looked at in one question: not all is told.
  package var isCutOff: Bool { personal?.isCutOff ?? false }

  /// Applies the entry; before it, what fell due before it.
  package mutating func apply(_ entry: Entry) {
    if case .habitLogged(let logged) = entry.event { return apply(logged, entry.head) }
    guard personal?.isConcerned(by: entry.event, state) ?? true else { return state.apply(entry) }
    tell(before: entry.head.at)
    state.apply(entry)
    switch entry.event {
    case .hiveAdvanced(let event): tell(event, at: entry.head.at)
    case .habitLogged, .habitLogCleared, .habitDaySkipped, .habitDayReverted, .hiveDayLogged,
      .hiveDayCleared:
      break
    // What is not known to change nothing costs time, and is never passed over.
    default:
      guard entry.event.subject.kind.mayMoveMoments else { return }
      // Clocks, reminders or members may be others from now on.
      guard personal == nil else {
        personal?.forgetMoments()
        return
      }
      let last = entry.head.at.advanced(byMilliseconds: -1)
      moments = ArraySlice(state.dueMoments(after: last, through: end, in: zones))
    }
  }

  /// Applies the log; before it, what fell due before it.
  package mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    guard personal?.isConcerned(by: .habitLogged(logged), state) ?? true else {
      return state.apply(logged, head)
    }
    tell(before: head.at)
    let former = judgesAtOnce ? state.habits[logged.habit]?.days[logged.day] : nil
    state.apply(logged, head)
    guard let habit = state.habits[logged.habit], logs.completes(logged, of: habit) else { return }
    guard !judgesAtOnce || crosses(logged, head, former, habit) else { return }
    logs.note(logged, head)
  }

  /// Whether a log that completed a day made a streak as long as a milestone, as far as the days tell: what was taken back
  /// and done again before only the entries know.
  private func crosses(
    _ logged: HabitLogged, _ head: EntryHead, _ former: DayTable.Record?, _ habit: Habit
  ) -> Bool {
    let completion = Activity(
      .habitCompleted, at: head, actor: habit.owner, habit: logged.habit, day: logged.day)
    let free = state.accounts[habit.owner]?.freeDays ?? .init()
    return Crossing(of: completion, former, habit, free) != nil
  }

  /// Tells what falls due from the last entry to the end of the span.
  package mutating func finish() {
    let last = end
    notifications += personal?.notifications(through: last, state) ?? []
    while let moment = moments.popFirst() { tell(at: moment) }
  }

  private mutating func tell(before instant: Instant) {
    if personal != nil {
      let last = instant.advanced(byMilliseconds: -1)
      notifications += personal?.notifications(through: last, state) ?? []
    }
    while let moment = moments.first, moment < instant {
      moments.removeFirst()
      tell(at: moment)
    }
  }

  private mutating func tell(at moment: Instant) {
    notifications += state.dueByClock(at: moment, in: zones)
  }

  /// Of a day that advanced, every member is told; of all, where one alone is asked about, that one.
  private mutating func tell(_ event: HiveAdvanced, at instant: Instant) {
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
  /// Whether a clock, a reminder or who is a member of a hive may change with one: the times at which something falls due.
  fileprivate var mayMoveMoments: Bool {
    switch self {
    case .account, .habit, .hive: true
    case .goal, .household, .householdTask, .recipe, .meal, .task, .label, .list, .pantryStaple,
      .calendarEvent, .activity:
      false
    }
  }
}
