package import Calendar
public import Avro

/// Logs a day in a hive (HH-19). It advances the day when enough members are done with it (HH-20).
public struct LogHiveDay: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// What was done; clamped to 1…target (R2).
  package var value: Amount
  /// Which day.
  package var day: DayChoice
  /// Where the log comes from.
  package var source: Source

  /// Makes the command.
  public init(
    _ hive: Hive.ID, value: Amount = .one, day: DayChoice = .today, source: Source = .manual
  ) {
    self.hive = hive
    self.value = value
    self.day = day
    self.source = source
  }

  /// "log_hive_today".
  package static var form: CommandForm {
    CommandForm("log_hive_today", "Logs a day in a hive.", answer: "member's day")
  }
  /// Done once, today.
  public static var defaults: LogHiveDay { LogHiveDay(.placeholder) }

  /// `p_hive_id`, `p_value`, `day` or `p_at`, `source`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.columns(LoggedAmountCodec("p_value"), &value)
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
  }

  /// Decides the command; the answer is the member's day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveMemberDay> {
    let (found, actor, account) = try state.sharedHive(hive, context)
    let day = try account.hiveDay(day, context)
    guard let member = found.member(actor), member.mayLog(day) else {
      throw .beforeJoining(day: day, joined: found.member(actor)?.stays.last?.joinedOn ?? day)
    }
    return Decision(
      state.logging(hive, found, actor, day, value, source, context),
      HiveMemberDay(hive: hive, member: actor, day: day))
  }
}

/// Takes back what the actor logged of a hive's day. A day that advanced stays so; of a closed day only the late
/// log goes. An empty day stays as it is.
public struct ClearHiveLog: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// Which day.
  package var day: DayChoice
  /// Where the command comes from.
  package var source: Source

  /// Makes the command.
  public init(_ hive: Hive.ID, day: DayChoice = .today, source: Source = .manual) {
    self.hive = hive
    self.day = day
    self.source = source
  }

  /// "clear_hive_log".
  package static var form: CommandForm {
    CommandForm(
      "clear_hive_log", "Takes back what was logged of a day in a hive.", answer: "member's day")
  }
  /// Today.
  public static var defaults: ClearHiveLog { ClearHiveLog(.placeholder) }

  /// `p_hive_id`, `day` or `p_at`, `source`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
  }

  /// Decides the command; the answer is the member's day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveMemberDay> {
    let (found, actor, account) = try state.sharedHive(hive, context)
    let day = try account.hiveDay(day, context)
    return Decision(
      state.clearing(hive, found, actor, day, source, context),
      HiveMemberDay(hive: hive, member: actor, day: day))
  }
}

/// Looks again whether a hive's day advances (HH-22, R7). A member or the system may; it is safe to repeat.
public struct AdvanceHiveDay: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// The day.
  package var day: Day

  /// Makes the command.
  public init(_ hive: Hive.ID, day: Day) {
    self.hive = hive
    self.day = day
  }

  /// "advance_hive_day".
  package static var form: CommandForm {
    CommandForm(
      "advance_hive_day", "Looks again whether a hive's day advances.",
      answer: "advanced, complete_count, required_count")
  }
  /// No day yet.
  public static var defaults: AdvanceHiveDay { AdvanceHiveDay(.placeholder, day: .placeholder) }

  /// `p_hive_id`, `p_day`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_hive_id", &hive, [.needed])
    try visitor.column("p_day", &day, [.needed])
  }

  /// Whether the day advanced, and how many were done of how many required.
  package func row(of answer: HiveDay, in state: BookState) -> JSON {
    [
      "advanced": .bool(answer.hasAdvanced), "complete_count": .number(answer.completeCount),
      "required_count": .number(answer.requiredCount),
    ]
  }

  /// The hive.
  package func aggregate(of answer: HiveDay) -> Aggregate? { .hive(hive) }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<HiveDay>
  {
    let found: Hive
    if context.actor == nil {
      guard let hive = state.hives[hive], !hive.isDeleted else { throw .hiveNotFound }
      found = hive
    } else {
      found = try state.sharedHive(hive, context).0
    }
    var latest = found.createdOn
    for member in found.members where member.isActive {
      guard let account = state.accounts[member.account] else { continue }
      latest = max(latest, account.openDay(at: context.at, in: context.zones))
    }
    guard day >= found.createdOn, day <= latest else { throw .dayNotBegun(day) }
    let open = state.firstOpenDay(of: found, context)
    guard let advanced = found.advancing(day, hive, firstOpen: open) else {
      return Decision([], found.day(day, firstOpen: open))
    }
    var after = found
    after.advance(day)
    return Decision([.hiveAdvanced(advanced)], after.day(day, firstOpen: open))
  }
}

/// Records every break of a shared streak that is due, in every hive, in the order of the days (HH-22). Only the
/// system does it, that is, nobody's account. How often it runs changes no answer.
public struct Settle: ColumnCommand {
  /// Makes the command.
  public init() {}

  /// "settle".
  package static var form: CommandForm {
    CommandForm(
      "settle", "Records the breaks of shared streaks that are due; nobody acts.",
      answer: "hive_broken")
  }
  /// The command.
  public static var defaults: Settle { Settle() }

  /// No columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {}

  /// How many breaks were recorded.
  package func row(of answer: Int, in state: BookState) -> JSON { ["hive_broken": .number(answer)] }

  /// Nothing: it is a number.
  package func aggregate(of answer: Int) -> Aggregate? { nil }

  /// Decides the command; the answer is how many breaks were recorded.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Int> {
    guard context.actor == nil else { throw .systemOnly }
    var events: [Event] = []
    var todays: [DayClock: Day] = [:]
    // No clock on earth is ahead of UTC by a day: a hive whose streak ends today or later has nothing to lose yet.
    let end = Day(clampingNumber: Int(context.at.milliseconds / 86_400_000) + 1)
    for number in state.hiveIndex.hives(atStakeBefore: end) {
      guard let hive = state.hives[number] else { continue }
      let open = hive.firstOpenDay { number in
        guard let account = state.accounts[number] else { return .first }
        let today =
          todays[account.dayClock]
          ?? account.dayClock.latestDay(upTo: context.at, in: context.zones) ?? .first
        todays[account.dayClock] = today
        return max(today, account.closedBefore)
      }
      for (day, lost) in hive.unrecordedBreaks(firstOpen: open) {
        events.append(
          .hiveBroken(
            HiveBroken(
              hive: number, day: day.day, streak: Int32(clamping: lost),
              completeCount: Int32(day.completeCount), requiredCount: Int32(day.requiredCount))))
      }
    }
    return Decision(events, events.count)
  }
}

/// A member's day in a hive.
public struct HiveMemberDay: Hashable, Sendable {
  /// The hive.
  package var hive: Hive.ID
  /// Whose day it is.
  package var member: Account.ID
  /// The day.
  package var day: Day
}

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
  /// The events by which a member logs a day.
  func logging(
    _ number: Hive.ID, _ hive: Hive, _ member: Account.ID, _ day: Day, _ value: Amount,
    _ source: Source, _ context: Context
  ) -> [Event] {
    let open = firstOpenDay(of: hive, context)
    let logged = HiveDayLogged(
      hive: number, member: member, day: day, value: value.clamped(to: hive.target),
      source: source, isLate: day < open)
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
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ value: Amount, _ source: Source,
    _ context: Context
  ) -> [Event] {
    var events: [Event] = []
    for number in hiveIndex.hives(linkedTo: habit) {
      guard let hive = hives[number], !hive.isDeleted, let member = hive.member(owner),
        member.habit == habit, member.mayLog(day)
      else { continue }
      events += logging(number, hive, owner, day, value, source, context)
    }
    return events
  }

  /// What clearing a habit's day means for the hives that it is linked to.
  func linkedClears(
    _ habit: Habit.ID, _ owner: Account.ID, _ day: Day, _ source: Source, _ context: Context
  ) -> [Event] {
    var events: [Event] = []
    for number in hiveIndex.hives(linkedTo: habit) {
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
