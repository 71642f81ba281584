import Calendar

/// A set of days that mostly follow one another: kept as runs, ascending, that do not touch.
///
/// A day after all others is taken in O(1), any other one in O(runs). A run is eight bytes, however long it is.
struct DayRuns: Sendable, Hashable {
  private struct Run: Hashable {
    var first: Int32
    var last: Int32
  }

  private var runs: [Run] = []

  /// Puts a day in; says whether it was not in yet.
  mutating func insert(_ day: Day) -> Bool {
    let number = day.number
    // Where the first run is that ends on the day, or the day before it, or later.
    var (low, high) = (0, runs.count)
    if let last = runs.last, last.last < number - 1 { low = high }
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].last < number - 1 { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count, runs[low].first <= number + 1 else {
      runs.insert(Run(first: number, last: number), at: low)
      return true
    }
    if runs[low].first <= number, number <= runs[low].last { return false }
    runs[low].first = min(runs[low].first, number)
    runs[low].last = max(runs[low].last, number)
    if low + 1 < runs.count, runs[low + 1].first == runs[low].last + 1 {
      runs[low].last = runs[low + 1].last
      runs.remove(at: low + 1)
    }
    return true
  }
}
