import Calendar
import Daybook
import Values

extension ScanBounds {
  /// Whether a column may have a value.
  func admits(_ column: String, _ value: some ColumnValue) -> Bool {
    equal[column].map { $0.contains(value.columnValue) } ?? true
  }

  /// Whether a column may have a day.
  func admits(_ column: String, _ day: Day) -> Bool {
    guard equal[column].map({ $0.contains(.date(day)) }) ?? true else { return false }
    guard let range = ranges[column] else { return true }
    if case .date(let lower) = range.lower, day < lower { return false }
    if case .date(let upper) = range.upper, upper < day { return false }
    return true
  }

  /// The days that all of the columns may have.
  func days(_ columns: [String]) -> DayBounds {
    var days = DayBounds()
    for column in columns {
      if let values = equal[column] {
        let named = Set(
          values.compactMap { value -> Day? in
            guard case .date(let day) = value else { return nil }
            return day
          })
        days.named = days.named?.intersection(named) ?? named
      }
      guard let range = ranges[column] else { continue }
      if case .date(let lower) = range.lower { days.first = max(days.first, lower) }
      if case .date(let upper) = range.upper { days.last = min(days.last, upper) }
    }
    return days
  }

  /// Whether a column may have an instant.
  func admits(_ column: String, _ instant: Instant) -> Bool {
    guard equal[column].map({ $0.contains(.timestamp(instant)) }) ?? true else { return false }
    guard let range = ranges[column] else { return true }
    if case .timestamp(let lower) = range.lower, instant < lower { return false }
    if case .timestamp(let upper) = range.upper, upper < instant { return false }
    return true
  }

  /// The entities that may match: those whose keys the bounds list for a column, or else all that the viewer
  /// has.
  func numbers<Thing: Entity>(
    _ column: String, in table: Table<Thing>, orElse all: () -> [EntityNumber<Thing>]
  ) -> [EntityNumber<Thing>] {
    guard let keys = keys(column) else { return all() }
    return keys.compactMap { table.number(of: $0) }.sorted()
  }
}

/// The days that bounds allow, computed once before a scan, because each lookup in bounds hashes a name.
struct DayBounds {
  /// The only allowed days, if they are listed.
  var named: Set<Day>?
  var first = Day.first
  var last = Day.last

  func admits(_ day: Day) -> Bool {
    first <= day && day <= last && named?.contains(day) ?? true
  }

  /// A few days to look up one by one, in ascending order; `nil` where scanning all records is faster.
  var few: [Day]? {
    guard let named, named.count <= 4 else { return nil }
    return named.filter { first <= $0 && $0 <= last }.sorted()
  }
}

extension AccountView {
  /// Whether the viewer's rows may match, given the column of their owner.
  func mayMatch(_ bounds: ScanBounds, _ column: String = "user_id") -> Bool {
    viewerKey.map { bounds.admits(column, $0) } ?? false
  }
}
