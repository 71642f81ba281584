import Calendar
import Streaks

extension BookState {
  /// The instants of a span at which something may fall due by somebody's clock: a reminder, or 20:00 for a hive's
  /// member. Ascending, without duplicates.
  func dueMoments(
    after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [Instant] {
    guard from < to else { return [] }
    var times: [String: Set<LocalTime>] = [:]
    for habit in habits.elements where !habit.reminders.isEmpty && !habit.isDeleted {
      guard let zone = accounts[habit.owner]?.dayClock.timeZone else { continue }
      times[zone, default: []].formUnion(habit.reminders)
    }
    for account in accounts.elements where account.notifications.isOn && !account.isErased {
      times[account.dayClock.timeZone, default: []].formUnion(account.notifications.times)
    }
    for hive in hives.elements where !hive.isDeleted {
      for member in hive.members where member.isActive {
        guard let zone = accounts[member.account]?.dayClock.timeZone else { continue }
        times[zone, default: []].insert(.evening)
      }
    }
    var moments: Set<Instant> = []
    for (zone, times) in times {
      let clock = DayClock(timeZone: zone, dayStartHour: 0)
      for time in times {
        for moment in clock.moments(time, after: from, through: to, in: zones) {
          moments.insert(moment.at)
        }
      }
    }
    return moments.sorted()
  }

  /// The notifications that fall due by the clock at an instant, by what is known then: reminders of habits, and hives
  /// at risk at 20:00 of a member's time (HH-25). Ordered by id.
  func dueByClock(at instant: Instant, in zones: any TimeZones) -> [DueNotification] {
    let before = instant.advanced(byMilliseconds: -1)
    var due: [DueNotification] = []
    for index in habits.elements.indices where !habits.elements[index].reminders.isEmpty {
      due += reminders(of: Habit.ID(index: index), after: before, through: instant, in: zones)
    }
    let isAnyDaily = accounts.elements.contains {
      $0.notifications.isOn && !$0.notifications.times.isEmpty
    }
    if isAnyDaily { due += dailies(after: before, through: instant, in: zones) }
    for index in hives.elements.indices where !hives.elements[index].isDeleted {
      due += risks(of: Hive.ID(index: index), after: before, through: instant, in: zones)
    }
    return due.sorted { $0.id < $1.id }
  }

  /// The reminders of a habit: on days on which it is due, unless they are done, skipped or paused.
  func reminders(
    of number: Habit.ID, after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [DueNotification] {
    guard let habit = habits[number], !habit.isDeleted, !habit.isArchived,
      let account = accounts[habit.owner], !account.isErased
    else { return [] }
    var due: [DueNotification] = []
    for time in Set(habit.reminders).sorted() {
      for (instant, day) in account.dayClock.moments(time, after: from, through: to, in: zones)
      where asks(habit, account, on: day) {
        due.append(
          DueNotification(
            id: "reminder:\(habit.key):\(day):\(time)", at: instant, account: habit.owner,
            day: day, content: .reminder(number), name: habit.description.name))
      }
    }
    return due
  }

  /// The notifications at the times that a person chose: the number of habits that are due; for a person with a focus,
  /// that habit (DG-8).
  private func dailies(
    after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [DueNotification] {
    var moments: [Account.ID: (at: Instant, day: Day, time: LocalTime)] = [:]
    for (index, account) in accounts.elements.enumerated()
    where account.notifications.isOn && !account.isErased {
      for time in account.notifications.times {
        for (at, day) in account.dayClock.moments(time, after: from, through: to, in: zones) {
          moments[Account.ID(index: index)] = (at, day, time)
        }
      }
    }
    guard !moments.isEmpty else { return [] }
    var open: [Account.ID: Int] = [:]
    for (index, habit) in habits.elements.enumerated() where !habit.isDeleted && !habit.isArchived {
      guard let moment = moments[habit.owner], let account = accounts[habit.owner],
        account.focusHabit.map({ $0.index == index }) ?? true,
        asks(habit, account, on: moment.day)
      else { continue }
      open[habit.owner, default: 0] += 1
    }
    return open.compactMap { number, count in
      guard let moment = moments[number], let account = accounts[number] else { return nil }
      return DueNotification(
        id: "daily:\(account.key):\(moment.day):\(moment.time)", at: moment.at, account: number,
        day: moment.day, content: .daily(count))
    }
  }

  /// Whether the habit is still to be done on the day.
  func asks(_ habit: Habit, _ account: Account, on day: Day) -> Bool {
    guard day >= habit.createdOn, !account.freeDays.contains(day) else { return false }
    let version = habit.version(on: day)
    if let record = habit.days[day] {
      if record.isSkipped || version.target.isMet(by: record.value) { return false }
    }
    switch version.schedule {
    case .weekdays(let weekdays): return weekdays.contains(day)
    case .quota:
      // A day that the quota's other days cover need not be done.
      let judged = StreakRule.daybook.judgement(of: history(of: habit, today: day))[day]
      return judged?.due ?? true
    }
  }

  /// The members of a hive to be notified that its day is at risk: some are done, these are not.
  func risks(
    of number: Hive.ID, after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [DueNotification] {
    guard let hive = hives[number] else { return [] }
    var due: [DueNotification] = []
    for member in hive.members where member.isActive {
      guard let account = accounts[member.account] else { continue }
      let moments = account.dayClock.moments(.evening, after: from, through: to, in: zones)
      for (instant, day) in moments where member.isRequired(on: day) && hive.schedule.contains(day)
      {
        // No day counts as closed here: what matters is whether it advanced.
        let judged = hive.day(day, firstOpen: .first)
        guard judged.verdict == .open, judged.requiredCount >= 2, judged.completeCount >= 1,
          !hive.isDone(member, on: day)
        else { continue }
        due.append(
          DueNotification(
            id: "hive_at_risk:\(hive.key):\(account.key):\(day)", at: instant,
            account: member.account, day: day, content: .hiveAtRisk(number),
            name: hive.description.name, emoji: hive.description.emoji))
      }
    }
    return due
  }
}

extension LocalTime {
  /// 20:00, when members are notified of a hive at risk (HH-25).
  static let evening = LocalTime(minutes: 1200) ?? .midnight
}

extension DayClock {
  /// The instants of a span at which the wall clock shows a time, each with its user-local day: at most one a day. A
  /// time that the clock skips comes later, unless its day is over by then: otherwise it would belong to the next day.
  func moments(
    _ time: LocalTime, after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [(at: Instant, day: Day)] {
    let midnight = DayClock(timeZone: timeZone, dayStartHour: 0)
    guard let first = midnight.day(of: from, in: zones), let last = midnight.day(of: to, in: zones)
    else { return [] }
    var moments: [(at: Instant, day: Day)] = []
    var date = first.advanced(by: -1)
    // A clock that is set back may show yesterday's date again.
    while date <= last.advanced(by: 1) {
      let day = Int(time.minutes) < dayStartHour * 60 ? date.advanced(by: -1) : date
      if let instant = midnight.instant(on: date, at: time, in: zones), instant > from,
        instant <= to, self.day(of: instant, in: zones) == day
      {
        moments.append((instant, day))
      }
      guard date < .last else { break }
      date = date.advanced(by: 1)
    }
    return moments
  }
}
