import Calendar
import Streaks

// How an undo reverts a person's own entities.

extension Account: RevertibleEntity {
  static func check(_ thing: Account, _ number: ID, _ reversal: CommandReversal) throws(Rejection) {
    guard number == reversal.actor else { throw .entryNotFound(reversal.position) }
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<Account>] {
    [
      // One event holds all three.
      profile {
        $0.displayName = $1.displayName
        $0.avatarURL = $1.avatarURL
        $0.theme = $1.theme
      },
      profile { ($0.timeZone, $0.dayStartHour) = ($1.timeZone, $1.dayStartHour) },
      profile { $0.birthday = $1.birthday },
      profile {
        $0.notificationsAreOn = $1.notificationsAreOn
        $0.notificationTimes = $1.notificationTimes
      },
      ReversalFacet(Event.pausesReverted),
      ReversalFacet({ $0.habitOrder == $1.habitOrder }) {
        before, _, number, reversal throws(Rejection) in
        let habits = before.habitOrder.filter { reversal.isThere(.habit($0)) }
        return [.habitsOrdered(HabitsOrdered(account: number, habits: habits))]
      },
      ReversalFacet({ $0.focusHabit == $1.focusHabit }) {
        before, _, number, reversal throws(Rejection) in
        // A habit that is deleted or archived by now cannot have the focus.
        let habit = before.focusHabit.flatMap { habit in
          // A habit that the command archived comes back with the undo.
          let isActive =
            reversal.touched[.habit(habit)] != nil
            || reversal.state.habits[habit]?.isArchived == false
          return reversal.isThere(.habit(habit)) && isActive ? habit : nil
        }
        return [.focusChosen(FocusChosen(account: number, habit: habit))]
      },
    ]
  }

  /// A part of the profile: the closure copies it from another profile.
  private static func profile(
    _ set: @escaping (inout Profile, Profile) -> Void
  ) -> ReversalFacet<Account> {
    ReversalFacet({ one, other in
      var profile = one.profile
      set(&profile, other.profile)
      return profile == one.profile
    }) { before, now, number, reversal throws(Rejection) in
      var profile = now.profile
      set(&profile, before.profile)
      return try now.changing(to: profile, number, reversal.state, reversal.context)
    }
  }
}

extension Goal: RevertibleEntity {
  static var deletionEvents: DeletionEvents<Goal>? {
    DeletionEvents(Event.goalDeleted, Event.goalRestored)
  }

  static func removing(_ thing: Goal, _ number: ID, _ reversal: CommandReversal) throws(Rejection)
    -> [Event]
  {
    let habits = reversal.state.indexes.habits.habits(serving: number)
    guard reversal.untouched(habits, .habit).isEmpty else {
      throw .holdsOthers(thing.title, "habits")
    }
    return [.goalDeleted(GoalDeleted(goal: number))]
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<Goal>] {
    [isThere, ReversalFacet(Event.goalDescribed)]
  }
}

extension Habit: RevertibleEntity {
  static var deletionEvents: DeletionEvents<Habit>? {
    DeletionEvents(Event.habitDeleted, Event.habitUndeleted)
  }

  static func removing(
    _ thing: Habit, _ number: ID, _ reversal: CommandReversal
  ) throws(Rejection) -> [Event] {
    // The focus is reverted with the account, if the command moved it.
    let focus =
      reversal.touched[.account(reversal.actor)] == nil
      ? reversal.state.endOfFocus(on: [number], of: reversal.actor) : []
    return [.habitDeleted(HabitDeleted(habit: number))] + focus
  }

  static func facets(of events: [Event]?) -> [ReversalFacet<Habit>] {
    [isThere, ReversalFacet(Event.habitDescribed), goal, asked, laidAside]
      + [ReversalFacet(Event.habitRemindersChanged)]
      + (events.map { Set($0.compactMap(\.habitDay?.day)).sorted().map { day($0) } } ?? [allDays])
  }

  static func checkReturn(_ before: Habit, _ now: Habit, _ reversal: CommandReversal)
    throws(Rejection)
  {
    guard let goal = now.goal else { return }
    try reversal.checkThere(.goal(goal), or: "the goal of the habit is gone")
  }

  private static var goal: ReversalFacet<Habit> {
    ReversalFacet({ $0.goal == $1.goal }) { before, _, number, reversal throws(Rejection) in
      guard let goal = before.goal else { return [.habitDetached(HabitDetached(habit: number))] }
      try reversal.checkThere(.goal(goal), or: "the goal of the habit is gone")
      return [.habitAttached(HabitAttached(habit: number, goal: goal))]
    }
  }

  /// The habit's rules: on the day of the change they are reverted as a whole. On later days, the days in between were
  /// lived under the new rules and keep them (law 5).
  private static var asked: ReversalFacet<Habit> {
    ReversalFacet({ $0.type == $1.type && $0.versions == $1.versions }) {
      before, now, number, reversal throws(Rejection) in
      let today = try reversal.account.firstOpenDay(reversal.context)
      // The restored rules may have changed on several days, some of which were lived.
      func lived(_ habit: Habit) -> [HabitHistory.Version] {
        habit.versions.filter { $0.since < today }
      }
      if now.version.since >= today, !reversal.isSince || lived(now) == lived(before) {
        let changed = reversal.isSince ? before.versions + now.versions : [now.version]
        let day = changed.map(\.since).filter { $0 >= today }.min() ?? now.version.since
        return [
          .habitVersionsReverted(
            HabitVersionsReverted(
              habit: number, type: before.type, versions: before.versions, day: day))
        ]
      }
      var events: [Event] = []
      let (old, new) = (before.version, now.version)
      if old.schedule != new.schedule {
        events.append(
          .habitScheduleChanged(
            HabitScheduleChanged(habit: number, schedule: old.schedule, day: today)))
      }
      if old.target != new.target || before.type != now.type {
        events.append(
          .habitTargetChanged(
            HabitTargetChanged(habit: number, type: before.type, target: old.target, day: today)))
      }
      return events
    }
  }

  /// Whether the habit is archived: reverted from today on.
  private static var laidAside: ReversalFacet<Habit> {
    ReversalFacet({ $0.isArchived == $1.isArchived }) {
      before, _, number, reversal throws(Rejection) in
      let today = try reversal.account.firstOpenDay(reversal.context)
      guard before.isArchived else {
        return [.habitRestored(HabitRestored(habit: number, day: today))]
      }
      return [.habitArchived(HabitArchived(habit: number, day: today))]
        + reversal.state.endOfFocus(on: [number], of: reversal.actor)
    }
  }

  /// The record of a day, restored with the time of its first recording: what was logged in time is not late because it
  /// was cleared in between.
  private static func day(_ day: Day) -> ReversalFacet<Habit> {
    ReversalFacet({ $0.days.known(of: day) == $1.days.known(of: day) }) {
      before, _, number, _ throws(Rejection) in
      guard let record = before.days[day], let known = before.days.known(of: day) else {
        return [.habitLogCleared(HabitLogCleared(habit: number, day: day))]
      }
      return [
        .habitDayReverted(
          HabitDayReverted(
            habit: number, day: day, value: known.value, source: known.source, note: known.note,
            entered: known.entered, created: record.created, updated: record.updated))
      ]
    }
  }

  /// All days: the creation of a habit that has days cannot be undone.
  private static var allDays: ReversalFacet<Habit> {
    ReversalFacet({ $0.days.records.count == $1.days.records.count }) { _, _, _, _ in [] }
  }
}

extension DayTable {
  /// The record of a day, without the time of recording: repeating the same log changes nothing.
  fileprivate struct ComparableDay: Equatable {
    var value: Amount?
    var source: LogSource
    var note: String?
    var entered: Amount?
  }

  fileprivate func known(of day: Day) -> ComparableDay? {
    self[day].map { record in
      ComparableDay(
        value: record.isSkipped ? nil : record.value, source: record.source, note: note(on: day),
        entered: entered(on: day))
    }
  }
}
