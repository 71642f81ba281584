package import Avro
package import Calendar
package import Values

// Limits of queries: their length in time, how far ahead they may look, and the number of rows.
extension Limit {
  /// Refuses more days than one query may have.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - field: The field that names their end.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkSpan(
    _ days: ClosedRange<Day>, _ field: String
  ) throws(Rejection) {
    guard days.lowerBound.distance(to: days.upperBound) >= spanDays.maximum else { return }
    throw .tooLong(field, days.lowerBound, days.upperBound)
  }

  /// Refuses a span of more days than one query may have.
  ///
  /// - Parameters:
  ///   - from: The beginning.
  ///   - to: The end, not before it.
  ///   - field: The field that names the end.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkSpan(
    from: Instant, to: Instant, _ field: String
  ) throws(Rejection) {
    guard to > from.advanced(byDays: spanDays) else { return }
    throw .tooLong(field, from, to)
  }

  /// Refuses an instant too far ahead: every day up to it is judged, and a mistyped year must not make it millions.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - now: The instant of the query.
  ///   - field: The field that names the instant.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkAhead(
    _ instant: Instant, of now: Instant, _ field: String
  ) throws(Rejection) {
    guard instant > now.advanced(byDays: daysAhead) else { return }
    throw .invalidField(field, "\(instant) is more than \(daysAhead.maximum) days ahead")
  }

  /// Refuses a count below one, or above the limit.
  package func checkCount(_ count: Int, _ field: String) throws(Rejection) {
    guard !(1...maximum).contains(count) else { return }
    throw .invalidField(field, "\(count) is not from 1 to \(maximum)")
  }

  /// The bounds in a schema of a count from one to the limit.
  package var countBounds: JSON { ["minimum": 1, "maximum": .number(maximum)] }
}

extension Rejection {
  fileprivate static func tooLong<Time>(_ field: String, _ from: Time, _ to: Time) -> Rejection {
    .invalidField(
      field,
      "from \(from) to \(to) are more than \(Limit.spanDays.maximum) days; ask about fewer at once")
  }
}

extension Instant {
  fileprivate func advanced(byDays limit: Limit) -> Instant {
    advanced(byMilliseconds: Int64(limit.maximum) * 86_400_000)
  }
}
