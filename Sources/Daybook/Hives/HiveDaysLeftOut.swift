import Calendar

// Days that never existed for a member, because the calendar of the member's time zone omitted them. The member is
// required on none of them; a hive's day is judged by the other members.

extension HiveMember {
  /// Whether a day never existed for a member who would otherwise be required on it.
  package func isLeftOut(on day: Day) -> Bool { leftOut.contains(day) && belongs(on: day) }

  /// The first day from `day` on for which a hive waits for the member.
  ///
  /// A day that never existed for the member is passed over, but not before it first ends somewhere on Earth: until then
  /// a change of zone may give it back, and a closed day stays closed.
  func firstDay(from day: Day, at instant: Instant) -> Day {
    guard leftOut.contains(day), instant > DateLine.lastMoment(beforeEndOf: day) else { return day }
    return day.advanced(by: 1)
  }
}

extension Hive {
  /// Whether a day existed for none of the members who would otherwise be required on it.
  func wasForNobody(_ day: Day) -> Bool {
    guard DateLine.days.contains(day) else { return false }
    return members.contains { $0.isLeftOut(on: day) }
      && !members.contains { $0.isRequired(on: day) }
  }

  /// Sets the days that never existed for a member's account.
  mutating func leaveOut(_ days: [Day], of account: Account.ID) {
    guard let place = place(of: account), members[place].leftOut != days else { return }
    members[place].leftOut = days
  }
}

extension BookState {
  /// Lets an account join a hive. The hive's member gets the account's missing days.
  mutating func apply(_ event: HiveJoined, _ head: EntryHead) {
    let days = daysLeftOut(of: event.member)
    update(event.hive) { hive in
      event.change(&hive, head)
      hive.leaveOut(days, of: event.member)
    }
  }

  /// Changes an account's day clock. If that changes which days never existed for the account, its hives learn of it.
  mutating func apply(_ event: DayClockChanged, _ head: EntryHead) {
    let mayMove = mayMoveDaysLeftOut(event)
    update(event.changed) { event.change(&$0, head) }
    if mayMove { leaveOutDays(of: event.account) }
  }

  /// Whether a change of a day clock may change which days never existed for the account.
  func mayMoveDaysLeftOut(_ event: DayClockChanged) -> Bool {
    guard let place = accounts.place(of: event.account) else { return false }
    return DateLine.dayLeftOut(of: event.timeZone) != nil
      || DateLine.dayLeftOut(of: accounts.elements[place].dayClock.timeZone) != nil
  }

  /// Sets the missing days of all members. A snapshot does not hold them.
  mutating func leaveOutDays() {
    for index in accounts.elements.indices where !accounts.elements[index].daysLeftOut.isEmpty {
      leaveOutDays(of: Account.ID(index: index))
    }
  }

  private mutating func leaveOutDays(of account: Account.ID) {
    let days = daysLeftOut(of: account)
    for hive in indexes.hives.hives(of: account) {
      hives.update(hive) { $0.leaveOut(days, of: account) }
    }
  }

  private func daysLeftOut(of account: Account.ID) -> [Day] {
    accounts.place(of: account).map { accounts.elements[$0].daysLeftOut } ?? []
  }
}

extension BookState {
  /// The hives' days that advance because a change of an account's zone took a day from the account: the others may all
  /// be done (R5).
  func advances(after changed: DayClockChanged, _ context: Context) -> [Event] {
    guard mayMoveDaysLeftOut(changed) else { return [] }
    var after = self
    after.apply(
      changed,
      EntryHead(position: position + 1, at: context.at, actor: context.actor, key: nil))
    guard after.daysLeftOut(of: changed.account) != daysLeftOut(of: changed.account) else {
      return []
    }
    var events: [Event] = []
    for number in after.hives(of: changed.account) {
      guard let hive = after.hives[number] else { continue }
      events += after.advancing(number, from: hive, to: hive, context)
    }
    return events
  }
}
