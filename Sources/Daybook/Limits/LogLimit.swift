package import Calendar
package import Values

extension Limit {
  /// The first day that can be logged. An audit goes through all days from the first that was logged to today: who is
  /// alive has no habit that is older.
  package static let firstLogDay = Day(year: 1900, month: 1, day: 1) ?? .first
}
