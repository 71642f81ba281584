public import Calendar

/// One day of a habit as a rule judged it, with the schedule and target it was judged by.
public struct JudgedDay: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The outcome of the day.
  public var mark: Mark
  /// The effect of the day on a streak under the rule.
  public var effect: StreakRule.Effect
  /// Whether the schedule in force asks for the day; for a quota, whether its other days do not cover it.
  public var due: Bool
  /// The logged value; `nil` when nothing was logged, or the day was skipped.
  public var value: Amount?
  /// The target in force.
  public var target: Target
  /// Whether a quota's window covers the day, so that it may be left undone.
  public var covered: Bool
  /// The day on which the version in force took effect.
  public var scheduleSince: Day
  /// The length of the live run after this day; 0 after a break.
  public var streak: Int

  /// Makes a judged day, for use by a custom rule.
  @inlinable
  public init(
    day: Day, mark: Mark, effect: StreakRule.Effect, due: Bool, value: Amount? = nil,
    target: Target, covered: Bool = false, scheduleSince: Day, streak: Int = 0
  ) {
    self.day = day
    self.mark = mark
    self.effect = effect
    self.due = due
    self.value = value
    self.target = target
    self.covered = covered
    self.scheduleSince = scheduleSince
    self.streak = streak
  }
}

/// A day that ended a run.
public struct Break: Hashable, Sendable {
  /// The day that ended the run.
  public var day: Day
  /// The length of the run that ended; at least 1.
  public var lost: Int
  /// The mark of the day: `partial` or `missed` under the shipped rules.
  public var mark: Mark

  public init(day: Day, lost: Int, mark: Mark) {
    self.day = day
    self.lost = lost
    self.mark = mark
  }
}

/// Everything a rule says about one habit: its judged days, its streaks, and what broke them.
public struct Judgement: Hashable, Sendable {
  /// The judged days, ascending, without duplicates.
  public private(set) var days: [JudgedDay] = []
  /// The streaks, oldest first; disjoint.
  public private(set) var streaks: [Streak] = []
  /// The run still alive after the last judged day.
  public private(set) var current: Streak?
  /// The longest streak; among equals the newest.
  public private(set) var longest: Streak?
  /// The days that ended a run, oldest first.
  public private(set) var breaks: [Break] = []

  /// Folds judged days into streaks by their effects. A day that is not later than the one before is dropped.
  /// The ``JudgedDay/streak`` of each day is computed. O(days).
  public init(folding days: some Sequence<JudgedDay>) {
    var sink = JudgementSink()
    sink.reserve(days.underestimatedCount)
    for day in days where sink.days.last.map({ $0.day < day.day }) ?? true { sink.receive(day) }
    self.init(sink)
  }

  package init(_ sink: JudgementSink) {
    days = sink.days
    streaks = sink.ended
    current = sink.tally.current
    longest = sink.tally.longest
    breaks = sink.breaks
    if let current { streaks.append(current) }
  }

  /// The judgement of the days through `day` ("on DAY"): their marks stay the same, and the streaks are those
  /// of this prefix.
  public func upTo(_ day: Day) -> Judgement {
    Judgement(folding: days.prefix(index(after: day)))
  }

  /// The judged day, or `nil` when the rule did not judge it. O(log days).
  public subscript(day: Day) -> JudgedDay? {
    let index = index(after: day) - 1
    return index >= 0 && days[index].day == day ? days[index] : nil
  }

  /// The number of days that have the mark. O(days).
  public func count(of mark: Mark) -> Int {
    days.reduce(into: 0) { if $1.mark == mark { $0 += 1 } }
  }

  /// The share of counted days that are full, 0…1, or `nil` when no day counts (HH-13).
  public var completion: Double? {
    days.reduce(into: Completion()) { $0.add($1.mark) }.share
  }

  /// The number of judged days that are not after `day`.
  private func index(after day: Day) -> Int {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Keeps every judged day, with the length of the live run after it.
package struct JudgementSink: DaySink {
  private(set) var days: [JudgedDay] = []
  private(set) var ended: [Streak] = []
  private(set) var breaks: [Break] = []
  private(set) var tally: StreakTally

  /// Starts with the first day, or continues after earlier ones.
  package init(after tally: StreakTally = StreakTally()) { self.tally = tally }

  package mutating func reserve(_ dayCount: Int) { days.reserveCapacity(dayCount) }

  package mutating func receive(_ day: JudgedDay) {
    if let lost = tally.add(day.day, day.effect) {
      ended.append(lost)
      breaks.append(Break(day: day.day, lost: lost.length, mark: day.mark))
    }
    var day = day
    day.streak = tally.length
    days.append(day)
  }
}
