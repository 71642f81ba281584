import Calendar

/// The number of counted days by outcome (HH-13).
public struct Completion: Hashable, Sendable {
  /// Days done.
  public var full: Int
  /// Days logged, but short of the target.
  public var partial: Int
  /// Days not done.
  public var missed: Int

  public init(full: Int = 0, partial: Int = 0, missed: Int = 0) {
    self.full = full
    self.partial = partial
    self.missed = missed
  }

  /// The number of counted days: full, partial and missed.
  public var due: Int { full + partial + missed }

  /// The share of counted days that are full, 0…1, or `nil` when no day counts.
  public var share: Double? { due > 0 ? Double(full) / Double(due) : nil }

  /// Adds the counts of other days.
  package mutating func add(_ other: Completion) {
    full += other.full
    partial += other.partial
    missed += other.missed
  }

  /// Adds days of a mark, if the mark is counted.
  @inline(__always)
  package mutating func add(_ mark: Mark, _ count: Int = 1) {
    switch mark {
    case .full: full &+= count
    case .partial: partial &+= count
    case .missed: missed &+= count
    case .bonus, .skipped, .paused, .off, .pending, .leftOut: break
    }
  }
}

/// The streaks of one habit in brief, computed without keeping its days.
public struct StreakSummary: Hashable, Sendable {
  /// The run still alive after the last judged day.
  public var current: Streak?
  /// The longest streak; among equals the newest.
  public var longest: Streak?
  /// How many judged days were done, partly done and not done.
  public var completion: Completion
  /// How many days were judged.
  public var dayCount: Int

  public init(current: Streak?, longest: Streak?, completion: Completion, dayCount: Int) {
    self.current = current
    self.longest = longest
    self.completion = completion
    self.dayCount = dayCount
  }
}

/// Keeps no days, only the tally and the counts.
package struct SummarySink: DaySink {
  private var tally = StreakTally()
  private var completion = Completion()
  private var dayCount = 0

  package init() {}

  @inline(__always)
  package mutating func receive(_ day: JudgedDay) {
    tally.add(day.day, day.effect)
    completion.add(day.mark)
    dayCount &+= 1
  }

  package mutating func receive(_ day: JudgedDay, through last: Int) {
    receive(day)
    repeatLast(day, last - Int(day.day.number))
  }

  package var needsValues: Bool { false }

  /// Repeats the latest day `count` times.
  package mutating func repeatLast(_ day: JudgedDay, _ count: Int) {
    tally.repeatLast(day.effect, count, through: day.day.advanced(by: count))
    completion.add(day.mark, count)
    dayCount &+= count
  }

  package var summary: StreakSummary {
    StreakSummary(
      current: tally.current, longest: tally.longest, completion: completion, dayCount: dayCount)
  }
}
