extension RecurrenceRule {
  /// The text of a rule that repeats by months or years, so that it skips no month that lacks the date of its first day.
  ///
  /// A plain `FREQ=MONTHLY` from 31 January passes February over (RFC 5545, 3.3.10). People mean the month's last day there,
  /// so the date is added to the rule: `FREQ=MONTHLY;BYMONTHDAY=-1`.
  ///
  /// - Parameters:
  ///   - text: The rule. One that says more than `FREQ` and `INTERVAL` is returned as it is.
  ///   - day: The first day, if it is known.
  /// - Returns: The rule's text.
  package static func reachingLastDays(_ text: String, from day: Day?) -> String {
    guard let date = day?.parts, date.day > 28 else { return text }
    let parts = text.split(separator: ";")
    guard parts.allSatisfy({ $0.hasPrefix("FREQ=") || $0.hasPrefix("INTERVAL=") }) else {
      return text
    }
    let dates = (28...date.day).map(String.init).joined(separator: ",")
    switch parts.first {
    case "FREQ=MONTHLY":
      return text + (date.day == 31 ? ";BYMONTHDAY=-1" : ";BYMONTHDAY=\(dates);BYSETPOS=-1")
    case "FREQ=YEARLY" where (date.month, date.day) == (2, 29):
      return text + ";BYMONTH=2;BYMONTHDAY=\(dates);BYSETPOS=-1"
    default: return text
    }
  }
}
