/// One RRULE value of RFC 5545 (3.3.10): how something repeats, apart from when it starts.
///
/// Equal rules are equal values: lists are ascending and without doubles, defaults are left out. A rule
/// says nothing by itself; a ``Recurrence`` has its start.
public struct RecurrenceRule: Hashable, Sendable {
  /// FREQ: of what kind the periods are.
  public let frequency: Frequency
  /// INTERVAL: every how many periods, 1 or more.
  public let interval: Int
  /// COUNT: after how many occurrences it ends.
  public var count: Int?
  /// UNTIL: the last moment at which something can occur.
  public var until: RecurrenceUntil?
  /// BYMONTH: 1…12.
  public internal(set) var months: [Int] = []
  /// BYWEEKNO: 1…53, or from the end of the year -1…-53.
  public internal(set) var weekNumbers: [Int] = []
  /// BYYEARDAY: 1…366, or from the end of the year -1…-366.
  public internal(set) var yearDays: [Int] = []
  /// BYMONTHDAY: 1…31, or from the end of the month -1…-31.
  public internal(set) var monthDays: [Int] = []
  /// BYDAY: weekdays, perhaps counted within the month or the year.
  public internal(set) var weekdays: [WeekdayNumber] = []
  /// BYHOUR: 0…23.
  public internal(set) var hours: [Int] = []
  /// BYMINUTE: 0…59.
  public internal(set) var minutes: [Int] = []
  /// BYSECOND: 0…60.
  public internal(set) var seconds: [Int] = []
  /// BYSETPOS: which of a period's occurrences, 1…366, or from the end -1…-366.
  public internal(set) var positions: [Int] = []
  /// WKST: the weekday with which weeks begin, 0 = Monday … 6 = Sunday.
  public internal(set) var weekStart = 0

  /// The kinds of period, the shortest first.
  public enum Frequency: Int, Hashable, Comparable, CaseIterable, Sendable {
    case secondly, minutely, hourly, daily, weekly, monthly, yearly

    /// Shorter periods are less.
    public static func < (left: Frequency, right: Frequency) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// A weekday of BYDAY: `TU`, `1TU` the first Tuesday, `-1TU` the last.
  public struct WeekdayNumber: Hashable, Comparable, Sendable {
    /// Which of them, 1…53 or -1…-53; 0 is every one.
    public let ordinal: Int
    /// 0 = Monday … 6 = Sunday.
    public let weekday: Int

    /// By weekday, then by number.
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

  /// Refuses a rule that is finer than a day: a task repeats daily at most.
  ///
  /// - Throws: ``RecurrenceError`` that names FREQ.
  package func requireDays() throws(RecurrenceError) {
    guard isSubDaily else { return }
    throw RecurrenceError(
      .tooFine, "FREQ=\(frequency)", "it must be DAILY, WEEKLY, MONTHLY or YEARLY here", nil)
  }

  /// The rule without BYHOUR, BYMINUTE and BYSECOND, which "MUST be ignored" where the start is a DATE
  /// (3.3.10).
  public var withoutTimes: RecurrenceRule {
    var rule = self
    (rule.hours, rule.minutes, rule.seconds) = ([], [], [])
    return rule
  }
}

/// UNTIL: the last moment at which something can occur, itself included.
public enum RecurrenceUntil: Hashable, Sendable {
  /// To the end of a day.
  case date(Day)
  /// To a time on the wall.
  case local(LocalDateTime)
  /// To an instant (`…Z`), whatever zone the start is in.
  case utc(Instant)
}
