package import Calendar
package import Values

extension Limit {
  /// The first day that can be logged. An audit visits all days from the first logged one to today, and nobody alive
  /// has an older habit.
  package static let firstLogDay = Day(year: 1900, month: 1, day: 1) ?? .first
}
