/// An RRULE value of RFC 5545 (3.3.10): how something repeats, without its start.
///
/// Equal rules are equal values: lists are ascending and without duplicates, and defaults are omitted. A rule
/// alone produces nothing; a ``Recurrence`` adds the start.
public struct RecurrenceRule: Hashable, Sendable {
  /// FREQ: the kind of period.
  public let frequency: Frequency
  /// INTERVAL: every how many periods the rule applies, at least 1.
  public let interval: Int
  /// COUNT: the number of occurrences after which the rule ends.
  public var count: Int?
  /// UNTIL: the last moment at which an occurrence is possible.
  public var until: RecurrenceUntil?
  /// BYMONTH: 1…12.
  public internal(set) var months: [Int] = []
  /// BYWEEKNO: 1…53, or -1…-53 from the end of the year.
  public internal(set) var weekNumbers: [Int] = []
  /// BYYEARDAY: 1…366, or -1…-366 from the end of the year.
  public internal(set) var yearDays: [Int] = []
  /// BYMONTHDAY: 1…31, or -1…-31 from the end of the month.
  public internal(set) var monthDays: [Int] = []
  /// BYDAY: weekdays, possibly numbered within the month or the year.
  public internal(set) var weekdays: [WeekdayNumber] = []
  /// BYHOUR: 0…23.
  public internal(set) var hours: [Int] = []
  /// BYMINUTE: 0…59.
  public internal(set) var minutes: [Int] = []
  /// BYSECOND: 0…60.
  public internal(set) var seconds: [Int] = []
  /// BYSETPOS: which of a period's occurrences, 1…366, or -1…-366 from the end.
  public internal(set) var positions: [Int] = []
  /// WKST: the first day of the week, 0 = Monday … 6 = Sunday.
  public internal(set) var weekStart = 0

  /// The kinds of period, shortest first.
  public enum Frequency: Int, Hashable, Comparable, CaseIterable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// Shorter periods are less.
    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// A weekday in BYDAY: `TU` is every Tuesday, `1TU` the first, `-1TU` the last.
  public struct WeekdayNumber: Hashable, Comparable, Sendable {
    /// The number of the weekday within the period, 1…53 or -1…-53; 0 means every one.
    public let ordinal: Int
    /// 0 = Monday … 6 = Sunday.
    public let weekday: Int

    /// Orders by weekday, then by number.
    public static func < (left: WeekdayNumber, right: WeekdayNumber) -> Bool {
      (left.weekday, left.ordinal) < (right.weekday, right.ordinal)
    }
  }

  package init(frequency: Frequency, interval: Int) {
    self.frequency = frequency
    self.interval = interval
  }

  /// Whether it repeats within a day: HOURLY, MINUTELY or SECONDLY.
  public var isSubDaily: Bool { frequency < .daily }

  /// Refuses a rule that repeats within a day: a task repeats daily at most.
  ///
  /// - Throws: ``RecurrenceError`` that names FREQ.
  package func requireDays() throws(RecurrenceError) {
    guard isSubDaily else { return }
    throw RecurrenceError(
      .tooFine, "FREQ=\(frequency)", "it must be DAILY, WEEKLY, MONTHLY or YEARLY here", nil)
  }

  /// The rule without BYHOUR, BYMINUTE and BYSECOND, which "MUST be ignored" when the start is a DATE
  /// (3.3.10).
  public var withoutTimes: RecurrenceRule {
    var rule = self
    (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
    return rule
  }
}

/// UNTIL: the last moment at which an occurrence is possible, inclusive.
public enum RecurrenceUntil: Hashable, Sendable {
  /// Until the end of a day.
  case date(Day)
  /// Until a wall-clock time.
  case local(LocalDateTime)
  /// Until an instant (`…Z`), whatever zone the start is in.
  case utc(Instant)
}
