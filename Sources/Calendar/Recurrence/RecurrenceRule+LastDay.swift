extension RecurrenceRule {
  /// The rule's text, changed so that a monthly or yearly rule skips no month that lacks the date of its
  /// first day.
  ///
  /// A plain `FREQ=MONTHLY` from 31 January skips February (RFC 5545, 3.3.10). People mean the last day of
  /// the month, so that is added to the rule: `FREQ=MONTHLY;BYMONTHDAY=-1`.
  ///
  /// - Parameters:
  ///   - text: The rule. If it has parts other than `FREQ` and `INTERVAL`, it is returned unchanged.
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
