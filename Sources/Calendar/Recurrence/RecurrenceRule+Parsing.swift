extension RecurrenceRule {
  /// Reads an RRULE value, with or without a leading `RRULE:`, in any case.
  ///
  /// The reader is strict: it refuses what RFC 5545 says MUST NOT occur.
  ///
  /// - Throws: ``RecurrenceError``, which names the first offending part.
  public init(parsing text: String) throws(RecurrenceError) {
    var reading = RuleReading(isTolerant: false)
    self = try reading.rule(from: text)
  }

  /// Reads a rule leniently, as other programs write them, and reports what is wrong with it.
  ///
  /// A faulty part with one plain meaning is kept (BYMONTHDAY with FREQ=WEEKLY limits, as it does with
  /// DAILY). A part without a meaning is dropped: an empty item, `COUNT=-1`, the number of `1TU` where
  /// weekdays cannot be counted, an `X-` part.
  ///
  /// - Throws: ``RecurrenceError`` when dropping the part would change the meaning of the rule.
  package static func tolerating(
    _ text: String
  ) throws(RecurrenceError) -> (rule: RecurrenceRule, faults: [RecurrenceError]) {
    var reading = RuleReading(isTolerant: true)
    let rule = try reading.rule(from: text)
    return (rule, reading.faults)
  }
}
