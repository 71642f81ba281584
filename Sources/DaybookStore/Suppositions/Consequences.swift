public import Daybook

/// What supposed commands would change for one person: streaks, hive days, awards and reminders, as
/// they are and as they would be. Everything unchanged is left out.
public struct Consequences: Sendable {
  /// A habit whose streaks would change.
  public struct HabitChange: Sendable {
    /// The habit as it would be; as it is now, if it would no longer exist.
    public let habit: Habit
    /// The current standing; nil when the habit does not exist now.
    public let before: HabitStanding?
    /// The supposed standing; nil when the habit would not exist.
    public let after: HabitStanding?
  }

  /// The standing of a habit.
  public struct HabitStanding: Hashable, Sendable {
    /// The length of the current streak; 0 when there is none.
    public let current: Int
    /// The length of the longest streak; 0 when there is none.
    public let longest: Int
    /// The first day from today on that ends the current streak if nothing else is recorded. Nil
    /// where none of the next 60 days does, or where the view is of a past day.
    public let endsOn: Day?
  }

  /// A hive whose streak or days would change.
  public struct HiveChange: Sendable {
    /// The hive as it would be; as it is now, if the person would no longer be in it.
    public let hive: Hive
    /// The length of the shared streak; nil when the person is not in the hive now.
    public let before: Int?
    /// The length that it would have; nil when the person would not be in the hive.
    public let after: Int?
    /// The days that would change, ascending; empty for a hive that the person would join or leave.
    public let days: [(before: HiveDay, after: HiveDay)]
  }

  /// An award that would be given, or change its validity.
  public struct AwardChange: Sendable {
    /// The kind of change.
    public enum Kind: String, Sendable {
      /// It would be earned.
      case earned
      /// It was earned, and would no longer hold.
      case undone
      /// It does not hold, and would hold again.
      case restored
    }

    /// The kind of change.
    public let kind: Kind
    /// The award as it would be.
    public let award: Award
  }

  /// A day of a habit whose mark would change.
  public struct MarkChange: Hashable, Sendable {
    /// The habit's key.
    public let habit: Key
    /// The day.
    public let day: Day
    /// The mark that the day has; nil where the habit does not have the day.
    public let before: Mark?
    /// The mark that it would have.
    public let after: Mark?
  }

  /// A reminder that would be added or dropped.
  public struct ReminderChange: Sendable {
    /// Whether it would be added; otherwise it would be dropped.
    public let comes: Bool
    /// The reminder.
    public let notification: DueNotification
  }

  /// The person.
  public let account: Account.ID
  /// The instant as of which both states are seen: the present one and the supposed one.
  public let asOf: Instant
  /// How many entries would be recorded.
  public let entryCount: Int
  /// The habits, in display order.
  public let habits: [HabitChange]
  /// The days whose marks would change, habit by habit, ascending.
  public let marks: [MarkChange]
  /// The hives, in the order of their creation.
  public let hives: [HiveChange]
  /// The awards, in the order in which they are, or would be, earned.
  public let awards: [AwardChange]
  /// The reminders, in the order of time.
  public let reminders: [ReminderChange]
  /// The end of the span in which reminders were compared.
  public let remindersThrough: Instant
  /// The supposed state, in which names are looked up.
  package let state: BookState
}

extension Supposition {
  /// What the supposed commands would change for a person.
  ///
  /// - Parameters:
  ///   - account: The person.
  ///   - days: How many days ahead reminders are compared, as if nothing else were recorded.
  /// - Returns: The changes.
  /// - Throws: ``Rejection/accountNotFound``, ``Rejection`` for a future day, or ``JournalError``.
  public func consequences(for account: Account.ID, daysAhead days: Int = 7) throws -> Consequences
  {
    guard before.state.accounts[account] != nil else { throw Rejection.accountNotFound }
    let asOf = after.query.asOf
    let end = asOf.advanced(byMilliseconds: Int64(max(0, days)) * 86_400_000)
    return Consequences(
      account: account, asOf: asOf, entryCount: entries.count,
      habits: try habitChanges(of: account), marks: try markChanges(of: account),
      hives: hiveChanges(of: account),
      awards: try awardChanges(of: account),
      reminders: reminderChanges(of: account, through: end), remindersThrough: end,
      state: after.state)
  }

  private func habitChanges(of account: Account.ID) throws -> [Consequences.HabitChange] {
    let now = before.state.shownHabits(of: account)
    let then = after.state.shownHabits(of: account)
    return try (then + now.filter { !then.contains($0) }).compactMap { number in
      guard let habit = after.state.habits[number] ?? before.state.habits[number] else {
        return nil
      }
      let was = now.contains(number) ? try before.standing(of: number) : nil
      let would = then.contains(number) ? try after.standing(of: number) : nil
      return was == would ? nil : .init(habit: habit, before: was, after: would)
    }
  }

  private func markChanges(of account: Account.ID) throws -> [Consequences.MarkChange] {
    // Only an entry about the account itself, such as a pause, may change the days of all habits.
    let touched = Set(entries.compactMap { after.state.aggregate(of: $0.event) })
    let isOfAll = touched.contains(.account(account))
    return try after.state.shownHabits(of: account).flatMap { number in
      guard isOfAll || touched.contains(.habit(number)), let habit = after.state.habits[number]
      else { return [Consequences.MarkChange]() }
      let (was, would) = (try before.marks(of: number), try after.marks(of: number))
      return Set(was.keys).union(would.keys).sorted().compactMap { day in
        guard was[day] != would[day] else { return nil }
        return .init(habit: habit.key, day: day, before: was[day], after: would[day])
      }
    }
  }

  private func hiveChanges(of account: Account.ID) -> [Consequences.HiveChange] {
    let (now, then) = (before.state.hives(of: account), after.state.hives(of: account))
    return Set(now + then).sorted().compactMap { number in
      let was = now.contains(number) ? before.hiveDays(of: number) : nil
      let would = then.contains(number) ? after.hiveDays(of: number) : nil
      guard let hive = would?.hive ?? was?.hive else { return nil }
      var days: [(HiveDay, HiveDay)] = []
      if let was, let would {
        let former = Dictionary(uniqueKeysWithValues: was.days.map { ($0.day, $0) })
        days = would.days.compactMap { day in
          former[day.day].flatMap { $0 == day ? nil : ($0, day) }
        }
      }
      guard was?.streak != would?.streak || !days.isEmpty else { return nil }
      return .init(hive: hive, before: was?.streak, after: would?.streak, days: days)
    }
  }

  private func awardChanges(of account: Account.ID) throws -> [Consequences.AwardChange] {
    let now = try before.awards(of: account)
    let former = Dictionary(now.map { ($0.cause, $0) }, uniquingKeysWith: { first, _ in first })
    return try after.awards(of: account).compactMap { award in
      guard let was = former[award.cause] else { return .init(kind: .earned, award: award) }
      guard was.isUndone != award.isUndone else { return nil }
      return .init(kind: award.isUndone ? .undone : .restored, award: award)
    }
  }

  private func reminderChanges(
    of account: Account.ID, through end: Instant
  ) -> [Consequences.ReminderChange] {
    let now = before.reminders(of: account, through: end)
    let then = after.reminders(of: account, through: end)
    let (known, known2) = (Set(now), Set(then))
    let gone = now.filter { !known2.contains($0) }.map {
      Consequences.ReminderChange(comes: false, notification: $0)
    }
    let new = then.filter { !known.contains($0) }.map {
      Consequences.ReminderChange(comes: true, notification: $0)
    }
    return (gone + new).sorted {
      ($0.notification.at, $0.notification.id, $0.comes ? 1 : 0)
        < ($1.notification.at, $1.notification.id, $1.comes ? 1 : 0)
    }
  }
}

extension BookView {
  /// How many days ahead to search for the day that ends a streak.
  private static var horizonDayCount: Int { 60 }

  fileprivate func standing(of number: Habit.ID) throws -> Consequences.HabitStanding {
    let summary = try streak(of: number)
    return .init(
      current: summary.current?.length ?? 0, longest: summary.longest?.length ?? 0,
      endsOn: summary.current == nil ? nil : try ending(of: number))
  }

  /// The marks of a habit's days; none for one that does not exist.
  fileprivate func marks(of number: Habit.ID) throws -> [Day: Mark] {
    guard let habit = state.habits[number], !habit.isDeleted else { return [:] }
    let history = try state.history(of: habit, query).0
    return Dictionary(
      query.rule.judgement(of: history).days.map { ($0.day, $0.mark) }
    ) { _, last in last }
  }

  /// The first day from today on that would end the streak.
  private func ending(of number: Habit.ID) throws -> Day? {
    guard query.on == nil, let habit = state.habits[number] else { return nil }
    let today = try state.history(of: habit, query).day
    var later = query
    later.asOf = later.asOf.advanced(byMilliseconds: Int64(Self.horizonDayCount) * 86_400_000)
    return try state.view(of: habit, later).judgement.breaks.first { $0.day >= today }?.day
  }

  /// A hive's days from its first to the open one, and the streak's length then.
  fileprivate func hiveDays(of number: Hive.ID) -> (hive: Hive, days: [HiveDay], streak: Int)? {
    guard let hive = state.hives[number] else { return nil }
    let open = state.firstOpenDay(of: hive, at: query.asOf, in: query.zones)
    let logged = hive.members.flatMap { $0.days.records.map(\.day) }
    let first = min(hive.createdOn, logged.min() ?? hive.createdOn)
    var last = max(open, logged.max() ?? open, hive.createdOn)
    if let on = query.on { last = min(last, on) }
    guard first <= last else { return (hive, [], 0) }
    let days = hive.days(first...last, firstOpen: open)
    let streak = days.reduce(0) { streak, day in
      switch day.verdict {
      case .advanced: streak + 1
      case .broken: 0
      case .open, .off, .unshared, .before, .leftOut: streak
      }
    }
    return (hive, days, streak)
  }

  /// The notifications of a person after the view's instant, as if nothing were recorded.
  fileprivate func reminders(of account: Account.ID, through end: Instant) -> [DueNotification] {
    state.dueByClock(for: account, after: query.asOf, through: end, in: query.zones)
  }
}
