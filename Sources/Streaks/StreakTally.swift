public import Calendar

/// A run of days that nothing broke, from the first day that extends it to the last.
public struct Streak: Hashable, Sendable {
  /// The first day that extends the run.
  public var start: Day
  /// The last day that extends the run.
  public var end: Day
  /// The number of days of the run that count; at least 1.
  public var length: Int

  /// Makes a streak.
  @inlinable
  public init(start: Day, end: Day, length: Int) {
    self.start = start
    self.end = end
    self.length = length
  }
}

/// The streaks so far: the single fold from days and effects to runs that every rule uses (law 7).
///
/// Days go in oldest first. A copy is a checkpoint: continuing it with the days that follow gives the same
/// result as recomputing from the first day. O(1) and no allocation per day. A run that a day ends is
/// returned, so that a caller who wants the list can keep it. Equal states are equal values.
public struct StreakTally: Hashable, Sendable {
  @usableFromInline package var runLength = 0
  /// Days that count only if the run is extended again.
  @usableFromInline package var loose = 0
  @usableFromInline package var start = Day.first
  @usableFromInline package var end = Day.first
  @usableFromInline package var bestLength = 0
  @usableFromInline package var bestStart = Day.first
  @usableFromInline package var bestEnd = Day.first

  /// The length of the live run; 0 when there is none.
  @inlinable
  public var length: Int { runLength }

  /// Makes an empty tally.
  @inlinable
  public init() {}

  /// Takes the next day, and returns the run that it ended.
  @discardableResult
  @inlinable
  @inline(__always)
  public mutating func add(_ day: Day, _ effect: StreakRule.Effect) -> Streak? {
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

  /// Takes `count` more days with the effect of the previous day, through the last of them.
  @inlinable
  package mutating func repeatLast(_ effect: StreakRule.Effect, _ count: Int, through last: Day) {
    switch effect {
    case .extends: (runLength, end) = (runLength &+ count, last)
    case .counts: if runLength > 0 { loose &+= count }
    // A second break has nothing to end.
    case .neutral, .breaks: break
    }
  }

  /// The live run.
  @inlinable
  public var current: Streak? {
    runLength > 0 ? Streak(start: start, end: end, length: runLength) : nil
  }

  /// The longest run so far, including the live one; among equals the newest.
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
