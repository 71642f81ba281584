import Calendar

/// The windows of a quota schedule, as Loop Habit Tracker lays them (reference: "Marks of a yes/no
/// habit", rules 1 to 3).
///
/// Every `times` consecutive done days that fit into `days` days open a window of `days` days at the oldest
/// of them. Starting with the second newest, a window that reaches the next newer one slides into the past,
/// as long as it still ends on or after the newest of its done days; the two windows then join into the
/// longest possible stretch. A window of 30 or 31 days is as long as the month it begins in (on a month's
/// last day: as the next month).
///
/// Example, once in 7 days: done on the 1st, the 11th and the 16th gives 1…7 and 11…17 and 16…22; the
/// middle one slides back onto 9…15.
@usableFromInline
package enum LoopIntervals {
  /// The days that windows cover, as ascending, disjoint spans of day numbers that do not touch.
  ///
  /// `done` holds the numbers of the done days, ascending. A quota outside 1 ≤ times ≤ days ≤ 1000 is
  /// clamped. O(`done.count`).
  @usableFromInline package static func spans(done: [Int], times: Int, days: Int) -> [ClosedRange<
    Int
  >] {
    let days = min(max(days, 1), 1000)
    let times = min(max(times, 1), days)
    var spans: [ClosedRange<Int>] = []
    var newerBegin: Int?
    var oldest = done.count - times
    while oldest >= 0 {
      defer { oldest -= 1 }
      let center = done[oldest + times - 1]
      let size = length(of: days, from: done[oldest])
      guard center >= done[oldest], center - done[oldest] < size else { continue }
      var end = done[oldest] + size - 1
      if let newerBegin, end >= newerBegin { end = max(center, newerBegin - 1) }
      let begin = end - size + 1
      newerBegin = begin
      // A window never ends after the next newer one, so it can only meet the span added last.
      if let last = spans.last, end + 1 >= last.lowerBound {
        spans[spans.count - 1] = min(begin, last.lowerBound)...last.upperBound
      } else {
        spans.append(begin...end)
      }
    }
    spans.reverse()
    return spans
  }

  /// The length in days of a window that opens on a given day.
  package static func length(of days: Int, from number: Int) -> Int {
    guard days == 30 || days == 31 else { return days }
    let (year, month, day) = Day(clampingNumber: number).parts
    let count = Day.dayCount(year: year, month: month)
    guard day == count else { return count }
    return month == 12 ? 31 : Day.dayCount(year: year, month: month + 1)
  }
}
