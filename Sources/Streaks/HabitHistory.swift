public import Calendar

/// What a streak rule is given: all that is known of one habit's days, already resolved.
///
/// Invariants: `versions` is not empty and ascending by `since`; `records` is ascending by day with one
/// record a day; `archived` and `paused` need not be ordered and may overlap.
public struct HabitHistory: Sendable, Equatable {
  /// The user-local day of creation.
  public var created: Day
  /// What was asked of each day: each version holds from its `since` until the next one's, the first
  /// also for every day before.
  public var versions: [Version]
  /// Days that were logged or skipped, and not cleared since.
  public var records: [DayRecord]
  /// Days on which the habit was archived.
  public var archived: [DaySpan]
  /// Days on which the account was in a pause.
  public var paused: [DaySpan]
  /// The user-local today.
  public var today: Day
  /// The first day that is still open: every day before it is closed. `today`, or later after a
  /// journey west: a day once closed stays closed (law 5).
  public var openFrom: Day
  /// Checkbox or counter: how Loop's rule and the strength score read the values.
  public var type: HabitType
  /// The days that the calendar of the person's zone left out (``DateLine``), ascending; they count nowhere.
  @usableFromInline package var leftOut: [Day] = []
  /// What was entered on the days on which the record's value, which is judged, is another: what sums and charts show
  /// (HH-8).
  package var entered: [Day: Amount] = [:]

  /// Makes a history; `openFrom` is `today` unless given.
  public init(
    created: Day, versions: [Version], records: [DayRecord] = [], archived: [DaySpan] = [],
    paused: [DaySpan] = [], today: Day, openFrom: Day? = nil,
    type: HabitType = .checkbox
  ) {
    self.created = created
    self.versions = versions
    self.records = records
    self.archived = archived
    self.paused = paused
    self.today = today
    self.openFrom = max(openFrom ?? today, today)
    self.type = type
  }

  /// What a habit asks of a day: its schedule and target from a day on.
  public struct Version: Hashable, Sendable {
    /// The first day this version judges.
    public var since: Day
    /// When the habit is due.
    public var schedule: Schedule
    /// What a done day needs.
    public var target: Target

    public init(since: Day, schedule: Schedule, target: Target) {
      self.since = since
      self.schedule = schedule
      self.target = target
    }
  }

  /// What was done about a day: the last of its logs and skips, if no later one cleared it.
  public struct DayRecord: Hashable, Sendable {
    /// The day.
    public var day: Day
    /// How many hours after the end of its day it was made, an hour begun for a whole one; 0 within the day, and
    /// where the rule does not ask (``StreakRule/needsRecordTimes``).
    public var hoursLate: UInt16
    /// The logged value, or `nil` when the day was skipped.
    public var value: Amount?
    /// The how manieth of the late records it was, as they were made, from 1; 0 where that is not known: then they are taken
    /// by the hour, and those of one hour by their day.
    public var lateRank: UInt16

    /// Makes a record; without a value it is a skip.
    public init(day: Day, value: Amount?, hoursLate: UInt16 = 0, lateRank: UInt16 = 0) {
      self.day = day
      self.hoursLate = hoursLate
      self.value = value
      self.lateRank = lateRank
    }
  }
}

/// A run of days from `first` to `last`, both included; without a `last` it has not ended.
public struct DaySpan: Hashable, Sendable {
  /// The first day.
  public var first: Day
  /// The last day, or `nil` while it has not ended. A `last` before `first` holds no day.
  public var last: Day?

  public init(first: Day, last: Day?) {
    self.first = first
    self.last = last
  }

  /// Whether the day lies in the span.
  public func contains(_ day: Day) -> Bool {
    day >= first && last.map { day <= $0 } ?? true
  }
}

/// What makes a day done: a value to reach, or a value not to pass.
public struct Target: Hashable, Sendable {
  /// The side of the amount on which a day is done.
  public enum Bound: String, CaseIterable, Hashable, Sendable {
    /// Done at the amount or above (the default).
    case atLeast = "at_least"
    /// Done at the amount or below, when logged at all (Loop's "at most").
    case atMost = "at_most"
  }

  /// The amount to reach or not to pass.
  public var amount: Amount
  /// Which of the two.
  public var bound: Bound

  public init(_ amount: Amount, _ bound: Bound = .atLeast) {
    self.amount = amount
    self.bound = bound
  }

  /// Whether a logged value makes the day done.
  @inlinable
  public func isMet(by value: Amount) -> Bool {
    bound == .atLeast ? value >= amount : value <= amount
  }
}

extension Target: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// `30`: at least thirty.
  public init(integerLiteral whole: Int) { self.init(Amount(integerLiteral: whole)) }
  /// `6.25`: at least so much.
  public init(floatLiteral value: Double) { self.init(Amount(floatLiteral: value)) }
}
