package import Calendar
package import Avro

/// The weekdays on which a hive is due, in the columns of a schedule; a hive has no quota.
package struct WeekdaysCodec: ColumnCodec {
  private let schedule = ScheduleCodec(takesQuota: false)

  /// `schedule_daily`, `schedule_weekmask`.
  package var columns: [Column] { schedule.columns }
  /// Every day, and a weekday.
  package var examples: (WeekdayMask, WeekdayMask) { (.everyDay, WeekdayMask(unchecked: 1)) }

  /// Reads the weekdays.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> WeekdayMask? {
    guard let schedule = try schedule.read(&reader) else { return nil }
    // A quota gets a rejection of its own for hives, rather than that of an unknown column.
    guard case .weekdays(let weekdays) = schedule else { throw Rejection.cannotShareQuota }
    return weekdays
  }

  /// The column that holds the weekdays.
  package func members(of value: WeekdayMask, in state: BookState) -> [JSON.Member] {
    schedule.members(of: .weekdays(value), in: state)
  }
}

/// The number of members who must be done for a hive's day to advance, in the columns `rule` and `threshold`, which
/// must agree; nothing for all members (HH-21).
package struct ThresholdCodec: ColumnCodec {
  /// `rule` and `threshold`.
  package var columns: [Column] {
    var threshold = Column(
      "threshold", Int?.self, "how many members must be done; needed under the `rule` threshold")
    threshold.schema = [
      "type": ["integer", "null"], "minimum": 1, "maximum": .number(Hive.maximumMemberCount),
    ]
    var rule = Column(
      "rule", HiveRule?.self, "when a day advances; unless given, `threshold` decides")
    rule.usual = .string(HiveRule.allMustComplete.rawValue)
    return [rule, threshold]
  }
  /// One, and two.
  package var examples: (Int?, Int?) { (1, 2) }

  /// Reads the threshold.
  ///
  /// - Throws: a rejection that names the column.
  package func read(_ reader: inout RequestReader) throws -> Int?? {
    let rule: HiveRule? = try reader.optional("rule", HiveRule.jsonWords) {
      $0.text.flatMap { HiveRule(rawValue: $0) }
    }
    let threshold = try reader.optional("threshold", Int.jsonWords) { $0.integer }
    switch rule ?? (threshold == nil ? .allMustComplete : .threshold) {
    case .threshold:
      guard let threshold else { throw Rejection.missingField("threshold") }
      return threshold
    case .allMustComplete:
      guard threshold == nil else {
        throw Rejection.invalidField("threshold", "the rule all_must_complete takes no threshold")
      }
      return .some(nil)
    }
  }

  /// The rule, and the threshold or null.
  package func members(of value: Int?, in state: BookState) -> [JSON.Member] {
    let rule: HiveRule = value == nil ? .allMustComplete : .threshold
    return [.init("rule", rule.json(state)), .init("threshold", value.json(state))]
  }
}
