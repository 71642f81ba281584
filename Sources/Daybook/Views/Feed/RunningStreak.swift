import Calendar
import Streaks

/// The streak of a habit while its days come one after another: the next day costs the days since the last one.
///
/// It is only ever a memory of what a judgement would say. When something is recorded of a day before the latest,
/// or what is asked of days changes, it forgets, and the days are judged once more. Under a quota a day bears on
/// days before it, and nothing is remembered.
struct RunningStreak: Sendable {
  /// What is asked of days; of what was done it holds what is being judged.
  private var terms = HabitHistory(created: .first, versions: [], today: .first)
  private var free = Account.FreeDays()
  /// The streaks by the days before the latest; nothing when they have to be judged anew.
  private var tally: StreakTally?
  /// The latest day of which something was recorded, and what is known of it now.
  private var latest = Day.first
  private var record: HabitHistory.DayRecord?

  /// Takes note of what is known of a day from now on: nothing when it was cleared. The habit knows it already.
  mutating func take(
    _ record: HabitHistory.DayRecord?, of day: Day, _ habit: Habit, _ free: Account.FreeDays
  ) {
    guard tally != nil else { return }
    guard day >= latest, terms.versions == habit.versions, terms.archived == habit.archived,
      self.free == free
    else {
      tally = nil
      return
    }
    if day > latest {
      // What is not known of a day cannot be cleared.
      guard record != nil else { return }
      advance(to: day)
    }
    self.record = record
  }

  /// What a completed day did to the streak that holds it; nothing when no milestone was crossed.
  ///
  /// - Parameters:
  ///   - completion: The day, of which the log was taken note of.
  ///   - former: What was known of the day before.
  ///   - habit: The habit with the log.
  ///   - free: The days on which nothing is asked of its owner.
  /// - Returns: What was crossed.
  mutating func crossing(
    of completion: Activity, _ former: DayTable.Record?, _ habit: Habit, _ free: Account.FreeDays
  ) -> Crossing? {
    let day = completion.day
    if tally == nil, habit.days.lastDay == day { begin(habit, free) }
    guard let tally, day == latest, let record else {
      return Crossing(of: completion, former, habit, free)
    }
    let after = judged(record, after: tally)
    guard after.mark == .full, let streak = after.tally.current else { return nil }
    let before = former.map { judged(HabitHistory.DayRecord($0), after: tally).tally } ?? tally
    return Crossing(of: streak, longestBefore: before.length)
  }

  /// Judges all days before the latest.
  private mutating func begin(_ habit: Habit, _ free: Account.FreeDays) {
    guard !habit.hasQuota, let last = habit.days.lastDay else { return }
    terms.become(habit, free, today: last, openFrom: nil)
    guard terms.records.last?.day == last else { return }
    record = terms.records.removeLast()
    self.free = free
    tally = DayMarker.walk(terms, into: LatestSink(StreakTally(), before: last)).tally
    latest = last
  }

  /// Judges the days before a later one: that all of them are over follows from its being recorded.
  private mutating func advance(to day: Day) {
    guard let tally else { return }
    hold(record, from: latest)
    terms.today = day.advanced(by: -1)
    terms.openFrom = day
    self.tally = DayMarker.walk(terms, into: LatestSink(tally, before: day)).tally
    latest = day
  }

  /// Judges the latest day, still open, by what is recorded of it.
  private mutating func judged(
    _ record: HabitHistory.DayRecord, after tally: StreakTally
  ) -> LatestSink {
    hold(record, from: latest)
    (terms.today, terms.openFrom) = (latest, latest)
    return DayMarker.walk(terms, into: LatestSink(tally, before: latest.advanced(by: 1)))
  }

  private mutating func hold(_ record: HabitHistory.DayRecord?, from day: Day) {
    terms.created = day
    terms.records.removeAll(keepingCapacity: true)
    if let record { terms.records.append(record) }
  }
}

extension HabitHistory.DayRecord {
  /// What a rule is given of a record.
  init(_ record: DayTable.Record) {
    self.init(day: record.day, value: record.isSkipped ? nil : record.value)
  }
}

extension Habit {
  /// Whether done days may change what is asked of others.
  var hasQuota: Bool {
    versions.contains { version in
      if case .quota = version.schedule { true } else { false }
    }
  }
}

/// Goes on with a tally through the days before one.
private struct LatestSink: DaySink {
  private let end: Day
  private(set) var tally: StreakTally
  /// The mark of the last day taken.
  private(set) var mark: Mark?

  init(_ tally: StreakTally, before end: Day) {
    self.tally = tally
    self.end = end
  }

  @inline(__always)
  mutating func take(_ day: JudgedDay) {
    guard day.day < end else { return }
    tally.take(day.day, day.effect)
    mark = day.mark
  }
}
