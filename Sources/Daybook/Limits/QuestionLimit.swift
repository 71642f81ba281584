package import Avro
package import Calendar
package import Values

// Over how long one asks at once, how far ahead, and for how much.
extension Limit {
  /// Refuses more days than are asked about at once.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - field: By which their end is named.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkSpan(
    _ days: ClosedRange<Day>, _ field: String
  ) throws(Rejection) {
    guard days.lowerBound.distance(to: days.upperBound) >= spanDays.maximum else { return }
    throw .tooLong(field, days.lowerBound, days.upperBound)
  }

  /// Refuses a span of time of more days than are asked about at once.
  ///
  /// - Parameters:
  ///   - from: The beginning.
  ///   - to: The end, not before it.
  ///   - field: By which the end is named.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkSpan(
    from: Instant, to: Instant, _ field: String
  ) throws(Rejection) {
    guard to > from.advanced(byDays: spanDays) else { return }
    throw .tooLong(field, from, to)
  }

  /// Refuses an instant that is further ahead than is asked about: every day up to it is judged, and a slip of a year must
  /// not make it millions.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - now: When it is asked.
  ///   - field: By which the instant is named.
  /// - Throws: ``Rejection`` that names the field.
  package static func checkAhead(
    _ instant: Instant, of now: Instant, _ field: String
  ) throws(Rejection) {
    guard instant > now.advanced(byDays: daysAhead) else { return }
    throw .invalidField(field, "\(instant) is more than \(daysAhead.maximum) days ahead")
  }

  /// Refuses fewer than one, and more than are asked for at once.
  package func checkCount(_ count: Int, _ field: String) throws(Rejection) {
    guard !(1...maximum).contains(count) else { return }
    throw .invalidField(field, "\(count) is not from 1 to \(maximum)")
  }

  /// How a schema says that a count is from one to so many.
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
