import Calendar

/// How many counted days went which way (HH-13).
public struct Completion: Hashable, Sendable {
  /// Days done.
  public var full: Int
  /// Days logged, but not enough.
  public var partial: Int
  /// Days not done.
  public var missed: Int

  public init(full: Int = 0, partial: Int = 0, missed: Int = 0) {
    self.full = full
    self.partial = partial
    self.missed = missed
  }

  /// How many days count: full, partial and missed.
  public var due: Int { full + partial + missed }

  /// The share of counted days that are full, 0…1, or `nil` when no day counts.
  public var share: Double? { due > 0 ? Double(full) / Double(due) : nil }

  /// Counts other days, too.
  package mutating func add(_ other: Completion) {
    full += other.full
    partial += other.partial
    missed += other.missed
  }

  /// Counts more days of a mark, if it counts.
  @inline(__always)
  package mutating func take(_ mark: Mark, _ count: Int = 1) {
    switch mark {
    case .full: full &+= count
    case .partial: partial &+= count
    case .missed: missed &+= count
    case .bonus, .skipped, .paused, .off, .pending, .leftOut: break
    }
  }
}

/// The streaks of one habit in short, computed without keeping its days.
public struct StreakSummary: Hashable, Sendable {
  /// The run still alive after the last judged day.
  public var current: Streak?
  /// The longest streak; of equal ones the newest.
  public var longest: Streak?
  /// How many judged days were done, half done and not done.
  public var completion: Completion
  /// How many days were judged.
  public var dayCount: Int

  /// A summary of these.
  public init(current: Streak?, longest: Streak?, completion: Completion, dayCount: Int) {
    self.current = current
    self.longest = longest
    self.completion = completion
    self.dayCount = dayCount
  }
}

/// Keeps no day: the tally and the counts alone.
package struct SummarySink: DaySink {
  private var tally = StreakTally()
  private var completion = Completion()
  private var dayCount = 0

  package init() {}

  @inline(__always)
  package mutating func take(_ day: JudgedDay) {
    tally.take(day.day, day.effect)
    completion.take(day.mark)
    dayCount &+= 1
  }

  package mutating func take(_ day: JudgedDay, through last: Int) {
    take(day)
    repeatLast(day, last - Int(day.day.number))
  }

  package var needsValues: Bool { false }

  /// Takes so many days after the one taken last that are like it.
  package mutating func repeatLast(_ day: JudgedDay, _ count: Int) {
    tally.repeatLast(day.effect, count, through: day.day.advanced(by: count))
    completion.take(day.mark, count)
    dayCount &+= count
  }

  package var summary: StreakSummary {
    StreakSummary(
      current: tally.current, longest: tally.longest, completion: completion, dayCount: dayCount)
  }
}
