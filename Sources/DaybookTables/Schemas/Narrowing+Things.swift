import Calendar
import Daybook
import Values

extension Narrowing {
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

  /// Whether a column may have an instant.
  func admits(_ column: String, _ instant: Instant) -> Bool {
    guard equal[column].map({ $0.contains(.timestamp(instant)) }) ?? true else { return false }
    guard let range = ranges[column] else { return true }
    if case .timestamp(let lower) = range.lower, instant < lower { return false }
    if case .timestamp(let upper) = range.upper, upper < instant { return false }
    return true
  }

  /// The things that may be meant: those that a column names by their keys, or else all that somebody has.
  func numbers<Thing: Entity>(
    _ column: String, in table: Daybook.Table<Thing>, orElse all: () -> [EntityNumber<Thing>]
  ) -> [EntityNumber<Thing>] {
    guard let keys = keys(column) else { return all() }
    return keys.compactMap { table.number(of: $0) }.sorted()
  }
}

extension Sight {
  /// The key of the one who looks; who was erased sees nothing.
  var viewerKey: Values.Key? {
    guard let account = state.people.accounts[viewer], !account.isErased else { return nil }
    return account.key
  }

  /// Whether rows of the one who looks may be meant, where a column says whose they are.
  func isMeant(by narrowing: Narrowing, _ column: String = "user_id") -> Bool {
    viewerKey.map { narrowing.admits(column, $0) } ?? false
  }
}
