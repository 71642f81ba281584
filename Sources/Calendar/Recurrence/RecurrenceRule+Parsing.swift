extension RecurrenceRule {
  /// Reads an RRULE value, with or without `RRULE:` before it, in capitals or not.
  ///
  /// Strict: what RFC 5545 says MUST NOT be is refused.
  ///
  /// - Throws: ``RecurrenceError``, which names the first part that offends.
  public init(parsing text: String) throws(RecurrenceError) {
    var reading = RuleReading(isTolerant: false)
    self = try reading.rule(from: text)
  }

  /// Reads a rule as other programs write them, and says what is wrong with it.
  ///
  /// What has one plain meaning all the same is kept (BYMONTHDAY with FREQ=WEEKLY limits, as it does with DAILY); what has
  /// none is left out: an empty item, `COUNT=-1`, the number of `1TU` where weekdays cannot be counted, an `X-` part.
  ///
  /// - Throws: ``RecurrenceError`` when leaving the part out would make another rule of it.
  package static func tolerating(
    _ text: String
  ) throws(RecurrenceError) -> (rule: RecurrenceRule, faults: [RecurrenceError]) {
    var reading = RuleReading(isTolerant: true)
    let rule = try reading.rule(from: text)
    return (rule, reading.faults)
  }
}
