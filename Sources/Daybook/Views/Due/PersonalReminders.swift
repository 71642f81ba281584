package import Calendar

extension BookState {
  /// The notifications that fall due by the clock for one person in a span without entries: reminders of habits, daily
  /// summaries at the times that the person chose, hives at risk (HH-25). In the order of time.
  ///
  /// They are the same as ``DueReplay`` gives for such a span. The cost depends only on what the person has, whatever
  /// the size of the book.
  ///
  /// - Parameters:
  ///   - number: The person.
  ///   - from: The span begins after this instant
  ///   - to: and ends with this one.
  ///   - zones: The time zones.
  /// - Returns: The notifications.
  package func dueByClock(
    for number: Account.ID, after from: Instant, through to: Instant, in zones: any TimeZones
  ) -> [DueNotification] {
    guard let account = accounts[number], !account.isErased, from < to else { return [] }
    let habits = shownHabits(of: number)
    var due = habits.flatMap { reminders(of: $0, after: from, through: to, in: zones) }
    due += dailies(of: number, account, habits, after: from, through: to, in: zones)
    for hive in hives(of: number) {
      due += risks(of: hive, after: from, through: to, in: zones).filter { $0.account == number }
    }
    return due.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// The notifications at the times that a person chose: the number of habits that are due; for a person with a focus,
  /// that habit (DG-8).
  private func dailies(
    of number: Account.ID, _ account: Account, _ habits: [Habit.ID], after from: Instant,
    through to: Instant, in zones: any TimeZones
  ) -> [DueNotification] {
    guard account.notifications.isOn else { return [] }
    let asked = habits.filter { account.focusHabit == nil || account.focusHabit == $0 }
      .compactMap { self.habits[$0] }.filter { !$0.isArchived }
    return Set(account.notifications.times).sorted().flatMap { time in
      account.dayClock.moments(time, after: from, through: to, in: zones).compactMap { at, day in
        let count = asked.count { asks($0, account, on: day) }
        guard count > 0 else { return nil }
        return DueNotification(
          id: "daily:\(account.key):\(day):\(time)", at: at, account: number, day: day,
          content: .daily(count))
      }
    }
  }
}
