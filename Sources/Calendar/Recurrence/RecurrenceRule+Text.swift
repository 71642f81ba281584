extension RecurrenceRule: CustomStringConvertible {
  /// The canonical text: parts in the order in which they are applied (3.3.10), without defaults.
  ///
  /// Parsing it gives an equal rule.
  public var description: String {
    var parts = ["FREQ=\(frequency)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    for (name, numbers) in [
      ("BYMONTH", months), ("BYWEEKNO", weekNumbers), ("BYYEARDAY", yearDays),
      ("BYMONTHDAY", monthDays),
    ] {
      Self.append(name, numbers, to: &parts)
    }
    Self.append("BYDAY", weekdays, to: &parts)
    for (name, numbers) in [
      ("BYHOUR", hours), ("BYMINUTE", minutes), ("BYSECOND", seconds), ("BYSETPOS", positions),
    ] {
      Self.append(name, numbers, to: &parts)
    }
    if weekStart != 0 { parts.append("WKST=\(Self.weekdayNames[weekStart])") }
    if let count { parts.append("COUNT=\(count)") }
    if let until { parts.append("UNTIL=\(until)") }
    return parts.joined(separator: ";")
  }

  private static func append(
    _ name: String, _ values: [some CustomStringConvertible], to parts: inout [String]
  ) {
    guard !values.isEmpty else { return }
    parts.append("\(name)=\(values.map(\.description).joined(separator: ","))")
  }

  static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}

extension RecurrenceRule.Frequency: CustomStringConvertible {
  /// The form used in FREQ: `DAILY`.
  public var description: String {
    switch self {
    case .secondly: "SECONDLY"
    case .minutely: "MINUTELY"
    case .hourly: "HOURLY"
    case .daily: "DAILY"
    case .weekly: "WEEKLY"
    case .monthly: "MONTHLY"
    case .yearly: "YEARLY"
    }
  }
}

extension RecurrenceRule.WeekdayNumber: CustomStringConvertible {
  /// The form used in BYDAY: `-1TU`.
  public var description: String {
    (ordinal == 0 ? "" : "\(ordinal)") + RecurrenceRule.weekdayNames[weekday]
  }
}

extension RecurrenceUntil: CustomStringConvertible {
  /// The form used in UNTIL: `19971224`, `19971224T000000` or `19971224T000000Z`.
  public var description: String {
    switch self {
    case .date(let day): day.iCalendar
    case .local(let local): local.iCalendar
    case .utc(let instant): WallClock.utc(of: instant).iCalendar + "Z"
    }
  }
}
