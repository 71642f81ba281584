import Calendar
import Streaks

/// The streak of a habit while its days arrive in order: the next day costs the days since the last one.
///
/// It only caches what a judgement would give. When something is recorded about a day before the latest, or when the
/// habit's rules change, it is discarded, and all days are judged once more. Under a quota a day affects earlier days,
/// and nothing is cached.
struct RunningStreak: Sendable {
  /// The rules of the habit, and only those of its records that are being judged.
  private var terms = HabitHistory(created: .first, versions: [], today: .first)
  private var free = Account.FreeDays()
  /// The streaks of the days before the latest; nothing when they have to be judged anew.
  private var tally: StreakTally?
  /// The latest day that has a record, and its present record.
  private var latest = Day.first
  private var record: HabitHistory.DayRecord?

  /// Notes a day's new record: nothing when it was cleared. The habit holds it already.
  mutating func note(
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
      // A day without a record cannot be cleared.
      guard record != nil else { return }
      advance(to: day)
    }
    self.record = record
  }

  /// The effect of a completed day on its streak; nothing when no milestone was crossed.
  ///
  /// - Parameters:
  ///   - completion: The day, whose log was noted already.
  ///   - former: The former record of the day.
  ///   - habit: The habit with the log.
  ///   - free: The free days of its owner.
  /// - Returns: The crossing.
  mutating func crossing(
    of completion: Activity, _ former: DayTable.Record?, _ habit: Habit, _ free: Account.FreeDays
  ) -> StreakCrossing? {
    let day = completion.day
    if tally == nil, habit.days.lastDay == day { begin(habit, free) }
    guard let tally, day == latest, let record else {
      return StreakCrossing(of: completion, former, habit, free)
    }
    let after = judged(record, after: tally)
    guard after.mark == .full, let streak = after.tally.current else { return nil }
    let before = former.map { judged(HabitHistory.DayRecord($0), after: tally).tally } ?? tally
    return StreakCrossing(of: streak, longestBefore: before.length)
  }

  /// Judges all days before the latest.
  private mutating func begin(_ habit: Habit, _ free: Account.FreeDays) {
    guard !habit.hasQuota, let last = habit.days.lastDay else { return }
    terms.become(habit, free, today: last, openFrom: nil)
    guard terms.records.last?.day == last else { return }
    record = terms.records.removeLast()
    self.free = free
    tally = DayMarker.walk(terms, into: EarlierDaysSink(StreakTally(), before: last)).tally
    latest = last
  }

  /// Judges the days before a later one. They are all over, because the later one has a record.
  private mutating func advance(to day: Day) {
    guard let tally else { return }
    hold(record, from: latest)
    terms.today = day.advanced(by: -1)
    terms.openFrom = day
    self.tally = DayMarker.walk(terms, into: EarlierDaysSink(tally, before: day)).tally
    latest = day
  }

  /// Judges the latest day, still open, by its record.
  private mutating func judged(
    _ record: HabitHistory.DayRecord, after tally: StreakTally
  ) -> EarlierDaysSink {
    hold(record, from: latest)
    (terms.today, terms.openFrom) = (latest, latest)
    return DayMarker.walk(terms, into: EarlierDaysSink(tally, before: latest.advanced(by: 1)))
  }

  private mutating func hold(_ record: HabitHistory.DayRecord?, from day: Day) {
    terms.created = day
    terms.records.removeAll(keepingCapacity: true)
    if let record { terms.records.append(record) }
  }
}

extension HabitHistory.DayRecord {
  /// The record in the form that a rule reads.
  init(_ record: DayTable.Record) {
    self.init(day: record.day, value: record.isSkipped ? nil : record.value)
  }
}

extension Habit {
  /// Whether done days may change whether other days are due.
  var hasQuota: Bool {
    versions.contains { version in
      if case .quota = version.schedule { true } else { false }
    }
  }
}

/// Continues a tally through the days before a given one.
private struct EarlierDaysSink: DaySink {
  private let end: Day
  private(set) var tally: StreakTally
  /// The mark of the last day.
  private(set) var mark: Mark?

  init(_ tally: StreakTally, before end: Day) {
    self.tally = tally
    self.end = end
  }

  @inline(__always)
  mutating func receive(_ day: JudgedDay) {
    guard day.day < end else { return }
    tally.add(day.day, day.effect)
    mark = day.mark
  }
}
