public import Calendar

/// A run of days that nothing broke, from its first anchoring day to its last.
public struct Streak: Hashable, Sendable {
  /// The first day that extends the run.
  public var start: Day
  /// The last day that extends the run.
  public var end: Day
  /// How many days of the run count: at least 1.
  public var length: Int

  /// Makes a streak.
  @inlinable
  public init(start: Day, end: Day, length: Int) {
    self.start = start
    self.end = end
    self.length = length
  }
}

/// Streaks so far: the one fold from days and effects to runs, used by every rule (law 7).
///
/// Days go in oldest first. A copy is a checkpoint: continued with the days that follow, it gives what
/// a recomputation from the first day would give. O(1) and no allocation per day; a run that a day ends
/// is handed back, so that whoever wants the list keeps it. Equal states are equal values.
public struct StreakTally: Hashable, Sendable {
  @usableFromInline package var runLength = 0
  /// Days that count if the run is extended again.
  @usableFromInline package var loose = 0
  @usableFromInline package var start = Day.first
  @usableFromInline package var end = Day.first
  @usableFromInline package var bestLength = 0
  @usableFromInline package var bestStart = Day.first
  @usableFromInline package var bestEnd = Day.first

  /// The length of the run alive now, 0 when there is none.
  @inlinable
  public var length: Int { runLength }

  /// Makes a tally of no days.
  @inlinable
  public init() {}

  /// Takes the next day, and gives back the run that it ended.
  @discardableResult
  @inlinable
  @inline(__always)
  public mutating func take(_ day: Day, _ effect: StreakRule.Effect) -> Streak? {
    switch effect {
    case .extends:
      if runLength == 0 { start = day }
      runLength &+= 1 &+ loose
      loose = 0
      end = day
    case .counts:
      if runLength > 0 { loose &+= 1 }
    case .neutral:
      break
    case .breaks:
      return close()
    }
    return nil
  }

  /// Takes so many days more, through the last of them, of the effect of the day before them.
  @inlinable
  package mutating func repeatLast(_ effect: StreakRule.Effect, _ count: Int, through last: Day) {
    switch effect {
    case .extends: (runLength, end) = (runLength &+ count, last)
    case .counts: if runLength > 0 { loose &+= count }
    // Nothing is broken twice.
    case .neutral, .breaks: break
    }
  }

  /// The run alive now.
  @inlinable
  public var current: Streak? {
    runLength > 0 ? Streak(start: start, end: end, length: runLength) : nil
  }

  /// The longest run so far, the one alive included; of equal runs the newest.
  @inlinable
  public var longest: Streak? {
    if runLength > 0, runLength >= bestLength { return current }
    return bestLength > 0 ? Streak(start: bestStart, end: bestEnd, length: bestLength) : nil
  }

  @usableFromInline
  package mutating func close() -> Streak? {
    guard let ended = current else { return nil }
    if ended.length >= bestLength {
      (bestStart, bestEnd, bestLength) = (ended.start, ended.end, ended.length)
    }
    (start, end, runLength, loose) = (.first, .first, 0, 0)
    return ended
  }
}
