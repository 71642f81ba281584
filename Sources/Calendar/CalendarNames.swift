extension Day {
  /// The weekdays in three English letters, from Monday on.
  package static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// The months in three English letters, from January on.
  package static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The weekday in three English letters.
  package var weekdayName: String { Self.weekdayNames[weekday] }

  /// The month in three English letters.
  package var monthName: String { Self.monthNames[parts.month - 1] }
}

extension Instant {
  /// The time as "Sun, 01 Mar 2026 08:00:00" in UTC, which mail (RFC 5322, section 3.3) and HTTP (RFC 9110,
  /// section 5.6.7) complete with their own zone name.
  package var internetDate: String {
    let (day, time) = (Day(utc: self), description.dropFirst(11).prefix(8))
    let date = "\(day)"
    return "\(day.weekdayName), \(date.suffix(2)) \(day.monthName) \(date.prefix(4)) \(time)"
  }
}
