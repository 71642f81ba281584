import Daybook

/// What an open book keeps of habits, hives and accounts for feeds and awards, after their last entries.
struct KeptActivities: Sendable {
  private let habits: FoldKeeper<Habit.ID, HabitTimeline>
  private let hives: FoldKeeper<Hive.ID, HiveTimeline>
  private let awards: FoldKeeper<Habit.ID, HabitAwards>
  private let logs: FoldKeeper<Account.ID, LogAwards>

  /// - Parameter maximumCount: The most entries whose outcome is kept of each kind.
  init(keeping maximumCount: Int = 300_000) {
    habits = FoldKeeper(keeping: maximumCount)
    hives = FoldKeeper(keeping: maximumCount)
    awards = FoldKeeper(keeping: maximumCount)
    logs = FoldKeeper(keeping: maximumCount)
  }

  /// The activities that a feed may show.
  ///
  /// - Throws: ``JournalError``.
  func timelines(of feed: Feed, in view: BookView) throws -> FeedTimelines {
    let habits = habits.plan(
      feed.timelineHabits.map { habit, owner in
        .init(
          id: habit, aggregates: [.habit(habit), .account(owner)],
          start: HabitTimeline(habit: habit, owner: owner))
      }, in: view)
    let hives = hives.plan(feed.timelineHives.map(Self.wish), in: view)
    let entries = try NeededEntries([habits.needs, hives.needs], in: view)
    return FeedTimelines(
      habits: self.habits.folds(habits, from: entries, in: view),
      hives: self.hives.folds(hives, from: entries, in: view))
  }

  /// What determines an account's awards.
  ///
  /// - Throws: ``JournalError``.
  func grounds(of found: Awards, in view: BookView) throws -> AwardGrounds {
    let account = found.account
    let habits = awards.plan(
      found.awardHabits.map { habit in
        .init(
          id: habit, aggregates: [.habit(habit), .account(account)],
          start: HabitAwards(habit, of: account, view.query.zones))
      }, in: view)
    let logs = logs.plan(
      [.init(id: account, aggregates: found.habitAggregates, start: LogAwards())], in: view)
    let hives = hives.plan(found.timelineHives.map(Self.wish), in: view)
    let entries = try NeededEntries([habits.needs, logs.needs, hives.needs], in: view)
    return AwardGrounds(
      habits: awards.folds(habits, from: entries, in: view),
      logs: self.logs.folds(logs, from: entries, in: view)[account] ?? LogAwards(),
      hives: self.hives.folds(hives, from: entries, in: view))
  }

  private static func wish(_ hive: Hive.ID) -> FoldKeeper<Hive.ID, HiveTimeline>.Wish {
    .init(id: hive, aggregates: [.hive(hive)], start: HiveTimeline(hive: hive))
  }

  /// The number of entries whose outcome is kept, by kind: habits and hives for feeds, habits and accounts for awards.
  var entryCounts: [Int] {
    [habits.entryCount, hives.entryCount, awards.entryCount, logs.entryCount]
  }

  /// Forgets everything, because an erasure blanked entries.
  func forget() {
    habits.forget()
    hives.forget()
    awards.forget()
    logs.forget()
  }
}
