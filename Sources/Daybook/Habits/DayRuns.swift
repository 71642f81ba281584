import Calendar

/// A set of days that are mostly consecutive, stored as ascending runs that do not touch.
///
/// Inserting a day after all others takes O(1), any other day O(runs). A run is eight bytes, however long it is.
struct DayRuns: Sendable, Hashable {
  private struct Run: Hashable {
    var first: Int32
    var last: Int32
  }

  private var runs: [Run] = []

  /// Inserts a day.
  ///
  /// - Returns: Whether it was not in the set yet.
  mutating func insert(_ day: Day) -> Bool {
    let number = day.number
    // The index of the first run that ends no earlier than the day before this day.
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
