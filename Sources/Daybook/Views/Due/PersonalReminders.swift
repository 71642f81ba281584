package import Calendar

extension BookState {
  /// What falls due for one person by the clock in a span of time in which nothing is recorded: reminders of habits, at the
  /// times that they chose what is to be done, hives at risk (HH-25). In the order of time.
  ///
  /// It is what ``DueReplay`` tells them of such a span, and costs what they have, whatever else is in the book.
  ///
  /// - Parameters:
  ///   - number: Who.
  ///   - from: What falls due after it is told,
  ///   - to: up to and with this.
  ///   - zones: The time zones.
  /// - Returns: What they are to be told.
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

  /// At the times that a person chose: how many habits are to be done; where one has the focus, that one (DG-8).
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
