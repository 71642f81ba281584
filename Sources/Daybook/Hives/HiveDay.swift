public import Calendar

/// The verdict on a hive's day (HH-20, R5, R6).
public enum HiveVerdict: String, Sendable, CaseIterable {
  /// Enough members were done while it was open.
  case advanced
  /// It closed without advancing, and ended the shared streak.
  case broken
  /// A member's day is not over yet.
  case open
  /// The hive is not due on it by its schedule.
  case off
  /// Fewer than two members were required.
  case unshared
  /// The hive did not exist yet.
  case before
  /// The day existed for none of the members: the calendars of their time zones omitted it.
  case leftOut = "left_out"
}

/// A hive's day: how many members were required and done, and the verdict.
public struct HiveDay: Hashable, Sendable {
  /// The day.
  public var day: Day
  /// The verdict on the day.
  public var verdict: HiveVerdict
  /// The number of required members who are done.
  public var completeCount: Int
  /// The number of required members.
  public var requiredCount: Int
  /// The number of members who must be done: all required ones, or the threshold.
  public var neededCount: Int

  /// Whether the shared streak advanced on it.
  public var hasAdvanced: Bool { verdict == .advanced }
}

extension Hive {
  /// Whether a value completes a member's day.
  public func isDone(_ value: Amount) -> Bool { value >= target }

  /// Whether a member's day is done; late logs do not count.
  func isDone(_ member: HiveMember, on day: Day) -> Bool {
    member.days[day].map { isDone($0.value) } ?? false
  }

  /// The number of members required on a day (R3).
  func requiredCount(on day: Day) -> Int {
    members.reduce(0) { $0 + ($1.isRequired(on: day) ? 1 : 0) }
  }

  /// The number of members who must be done, given the number of required ones.
  func neededCount(of required: Int) -> Int {
    rule == .threshold ? min(threshold, required) : required
  }

  /// The verdict on a day.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - open: The first day that is not closed (``firstOpenDay(_:)``).
  /// - Returns: The verdict; on an open day it is `open` until it advances.
  package func verdict(on day: Day, firstOpen open: Day) -> HiveVerdict {
    if hasAdvanced(day) { return .advanced }
    if day < createdOn { return .before }
    if day < open, wasForNobody(day) { return .leftOut }
    if !schedule.contains(day) { return .off }
    if day >= open { return .open }
    return requiredCount(on: day) < 2 ? .unshared : .broken
  }

  /// A hive's day, with its counts.
  public func day(_ day: Day, firstOpen open: Day) -> HiveDay {
    var required = 0
    var complete = 0
    for member in members where member.isRequired(on: day) {
      required += 1
      if isDone(member, on: day) { complete += 1 }
    }
    return HiveDay(
      day: day, verdict: verdict(on: day, firstOpen: open), completeCount: complete,
      requiredCount: required, neededCount: neededCount(of: required))
  }

  /// The hive's days from one to another, both included. O(days × members + records).
  public func days(_ days: ClosedRange<Day>, firstOpen open: Day) -> [HiveDay] {
    let first = days.lowerBound
    var complete = [Int](repeating: 0, count: first.distance(to: days.upperBound) + 1)
    for member in members {
      for record in member.days.records
      where days.contains(record.day) && isDone(record.value) && member.isRequired(on: record.day) {
        complete[first.distance(to: record.day)] += 1
      }
    }
    return complete.indices.map { offset in
      let day = first.advanced(by: offset)
      let required = requiredCount(on: day)
      return HiveDay(
        day: day, verdict: verdict(on: day, firstOpen: open), completeCount: complete[offset],
        requiredCount: required, neededCount: neededCount(of: required))
    }
  }

  /// The first day that is not closed for the hive: it is not over for a member who is required on it (R4). Days close
  /// in order.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - openDay: The first day that is not over for an account at the instant (``Account/openDay(at:in:)``).
  /// - Returns: The day.
  func firstOpenDay(at instant: Instant, _ openDay: (Account.ID) -> Day) -> Day {
    var first: Day?
    for member in members where member.isActive {
      guard let stay = member.stays.last else { continue }
      let day = member.firstDay(
        from: max(openDay(member.account), stay.requiredFrom), at: instant)
      first = min(first ?? day, day)
    }
    // Without members no day closes any more.
    return first ?? createdOn
  }

  /// The length of the shared streak: the days that advanced since the last one that broke (HH-20).
  ///
  /// The search goes back from the first open day to the last break at most.
  public func streak(firstOpen open: Day) -> Int {
    guard let oldest = firstAdvance else { return 0 }
    // Before the first day that advanced there was no streak to lose.
    var day = open.advanced(by: -1)
    while day >= advanced[oldest] {
      if verdict(on: day, firstOpen: open) == .broken {
        return advanced.count - advanced.lowerBound(of: day)
      }
      day = day.advanced(by: -1)
    }
    return advanced.count - oldest
  }

  /// The index of the first day that advanced since the last recorded break; none when there is no streak to lose.
  private var firstAdvance: Int? {
    let settled = recordedBreak ?? createdOn.advanced(by: -1)
    let place = advanced.lowerBound(of: settled.advanced(by: 1))
    return place < advanced.count ? place : nil
  }

  /// The first day that may still end the streak: the one after the consecutive days that advanced since the last
  /// recorded break. None when there is no streak to lose.
  ///
  /// - Complexity: O(log days).
  var firstDayAtStake: Day? {
    guard !isDeleted, let oldest = firstAdvance else { return nil }
    let begin = advanced[oldest]
    // The number of consecutive days from there.
    var (few, many) = (1, advanced.count - oldest)
    while few < many {
      let middle = (few + many + 1) / 2
      if advanced[oldest + middle - 1] == begin.advanced(by: middle - 1) {
        few = middle
      } else {
        many = middle - 1
      }
    }
    return begin.advanced(by: few)
  }

  /// The days that ended a streak and are not recorded yet, oldest first, with the streak's length.
  func unrecordedBreaks(firstOpen open: Day) -> [(day: HiveDay, lost: Int)] {
    guard let oldest = firstAdvance else { return [] }
    var breaks: [(day: HiveDay, lost: Int)] = []
    var streak = 0
    var next = oldest
    var day = advanced[oldest]
    while day < open {
      if next < advanced.count, advanced[next] == day {
        streak += 1
        next += 1
      } else if streak > 0 {
        if verdict(on: day, firstOpen: open) == .broken {
          breaks.append((self.day(day, firstOpen: open), streak))
          streak = 0
        }
      } else {
        // There is no streak to lose before the next day that advanced.
        guard next < advanced.count, advanced[next] < open else { break }
        day = advanced[next]
        continue
      }
      day = day.advanced(by: 1)
    }
    return breaks
  }
}

extension BookState {
  /// The first day that is not closed for a hive at an instant (R4).
  package func firstOpenDay(of hive: Hive, at instant: Instant, in zones: any TimeZones) -> Day {
    hive.firstOpenDay(at: instant) { accounts[$0]?.openDay(at: instant, in: zones) ?? .first }
  }
}

extension Account {
  /// The first day that is not over for the account: today, or later after a journey west (law 5) or while the clock is
  /// set back over the beginning of the day. In a zone that this machine does not know, no further day is over.
  package func openDay(at instant: Instant, in zones: any TimeZones) -> Day {
    max(dayClock.latestDay(upTo: instant, in: zones) ?? .first, closedBefore)
  }
}
