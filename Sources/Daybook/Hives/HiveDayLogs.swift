import Calendar

extension Account {
  /// The chosen day; one that has not come yet is refused.
  func hiveDay(_ choice: DayChoice, _ context: Context) throws(Rejection) -> Day {
    var context = context
    if case .dayOf(let instant) = choice {
      guard instant <= context.at else { throw .futureInstant(instant) }
      context.at = instant
    }
    let today = try self.today(context)
    guard case .day(let day) = choice else { return today }
    // After a journey west, a day that has begun for the person may be after today.
    guard day <= openDay(at: context.at, in: context.zones) else {
      throw .futureDay(day: day, today: today)
    }
    return day
  }
}

extension BookState {
  /// The events that log a member's day. The entered value is the counting one, unless another is given.
  func logging(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ day: Day, _ value: Amount,
    entered: Amount? = nil, _ source: LogSource, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: hive, context)
    let counted = value.clamped(to: hive.target)
    let logged = HiveDayLogged(
      hive: number, member: member, day: day, value: counted, source: source, isLate: day < open,
      entered: (entered ?? value).unless(counted))
    guard !logged.isLate else { return [.hiveDayLogged(logged)] }
    var after = hive
    after.apply(logged, at: context.at)
    guard let advanced = after.advancing(day, number, firstOpen: open) else {
      return [.hiveDayLogged(logged)]
    }
    return [.hiveDayLogged(logged), .hiveAdvanced(advanced)]
  }

  /// The events that clear a member's log of a day.
  func clearing(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ day: Day, _ source: LogSource,
    _ context: Context
  ) -> [Event] {
    guard let found = hive.member(member) else { return [] }
    let isLate = day < firstOpenDay(of: hive, context)
    guard (isLate ? found.lateDays : found.days)[day] != nil else { return [] }
    return [
      .hiveDayCleared(
        HiveDayCleared(hive: number, member: member, day: day, source: source, isLate: isLate))
    ]
  }

  /// The events of a habit's log for the hives that it is linked to: the same log, where the day may be logged.
  func linkedLogs(
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ value: Amount, entered: Amount,
    _ source: LogSource, _ context: Context
  ) -> [Event] {
    var events: [Event] = []
    for number in indexes.hives.hives(linkedTo: habit) {
      guard let hive = hives[number], !hive.isDeleted, let member = hive.member(owner),
        member.habit == habit, member.mayLog(day)
      else { continue }
      events += logging(number, hive, owner, day, value, entered: entered, source, context)
    }
    return events
  }

  /// The events of clearing a habit's day for the hives that it is linked to.
  func linkedClears(
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ source: LogSource, _ context: Context
  ) -> [Event] {
    var events: [Event] = []
    for number in indexes.hives.hives(linkedTo: habit) {
      guard let hive = hives[number], !hive.isDeleted, hive.member(owner)?.habit == habit else {
        continue
      }
      events += clearing(number, hive, owner, day, source, context)
    }
    return events
  }
}

extension Hive {
  /// Whether an open day that has not advanced yet meets the conditions for it (R5): it is scheduled, shared by two or
  /// more members, and enough of them are done.
  package func hasEnough(on day: Day) -> Bool {
    // With this first open day, the day counts as open.
    let judged = self.day(day, firstOpen: .first)
    return judged.verdict == .open && judged.requiredCount >= 2
      && judged.completeCount >= judged.neededCount
  }

  /// The event that advances an open day, if it does so now (R5). A day advances only once.
  func advancing(_ day: Day, _ number: Hive.ID, firstOpen open: Day) -> HiveAdvanced? {
    guard day >= open, hasEnough(on: day) else { return nil }
    let judged = self.day(day, firstOpen: open)
    var after = self
    after.advance(day)
    return HiveAdvanced(
      hive: number, day: day, streak: Int32(clamping: after.streak(firstOpen: open)),
      completeCount: Int32(judged.completeCount), requiredCount: Int32(judged.requiredCount))
  }
}
