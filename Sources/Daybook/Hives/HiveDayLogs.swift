import Calendar

extension Account {
  /// The day that is meant; one that has not come yet is refused.
  func hiveDay(_ choice: DayChoice, _ context: Context) throws(Rejection) -> Day {
    var context = context
    if case .dayOf(let instant) = choice {
      guard instant <= context.at else { throw .futureInstant(instant) }
      context.at = instant
    }
    let today = try self.today(context)
    guard case .day(let day) = choice else { return today }
    // After a journey west a day that has begun for the person may be after today.
    guard day <= openDay(at: context.at, in: context.zones) else {
      throw .futureDay(day: day, today: today)
    }
    return day
  }
}

extension BookState {
  /// The events by which a member logs a day. What they entered is the value, unless another stands beside it.
  func logging(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ day: Day, _ value: Amount,
    entered: Amount? = nil, _ source: Source, _ context: Context
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

  /// The events by which a member takes back what they logged of a day.
  func clearing(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ day: Day, _ source: Source,
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

  /// What logging a habit means for the hives that it is linked to: the same log, where the day may be logged.
  func linkedLogs(
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ value: Amount, entered: Amount,
    _ source: Source, _ context: Context
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

  /// What clearing a habit's day means for the hives that it is linked to.
  func linkedClears(
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ source: Source, _ context: Context
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
  /// Whether a day that has not advanced yet has what it takes, as long as it is open (R5): it is scheduled, shared by
  /// two or more, and enough of them are done.
  package func hasEnough(on day: Day) -> Bool {
    // To who looks from before, the day is open.
    let judged = self.day(day, firstOpen: .first)
    return judged.verdict == .open && judged.requiredCount >= 2
      && judged.completeCount >= judged.neededCount
  }

  /// The event by which an open day advances, if it does now (R5). It advances once.
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
