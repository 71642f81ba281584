public import Calendar

/// The input of a streak rule: everything known about the days of one habit, already resolved.
///
/// Invariants: `versions` is not empty and ascends by `since`; `records` ascends by day, with one record a
/// day; `archived` and `paused` need not be ordered and may overlap.
public struct HabitHistory: Sendable, Equatable {
  /// The user-local day of creation.
  public var created: Day
  /// What the habit asks of each day. Each version holds from its `since` until the next one's; the first
  /// also holds for every earlier day.
  public var versions: [Version]
  /// The days that were logged or skipped and not cleared afterwards.
  public var records: [DayRecord]
  /// Days on which the habit was archived.
  public var archived: [DaySpan]
  /// Days on which the account was paused.
  public var paused: [DaySpan]
  /// The user-local today.
  public var today: Day
  /// The first day that is still open; every earlier day is closed. It is `today`, or later after the person
  /// travelled west: a closed day stays closed (law 5).
  public var openFrom: Day
  /// Checkbox or counter; decides how Loop's rule and the strength score read the values.
  public var type: HabitType
  /// Days that the calendar of the person's zone omitted, ascending. They never existed and count nowhere
  /// (``DateLine``).
  @usableFromInline package var leftOut: [Day] = []
  /// The entered amounts, for days whose judged value differs from what was entered. Sums and charts show
  /// these (HH-8).
  package var entered: [Day: Amount] = [:]

  /// Makes a history; `openFrom` defaults to `today`.
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

  /// The schedule and target of a habit from a day on.
  public struct Version: Hashable, Sendable {
    /// The first day this version judges.
    public var since: Day
    /// When the habit is due.
    public var schedule: Schedule
    /// The amount that makes a day done.
    public var target: Target

    public init(since: Day, schedule: Schedule, target: Target) {
      self.since = since
      self.schedule = schedule
      self.target = target
    }
  }

  /// The outcome recorded for a day: its last log or skip, unless a later event cleared it.
  public struct DayRecord: Hashable, Sendable {
    /// The day.
    public var day: Day
    /// How many hours after the end of its day the record was made, rounded up; 0 if made within the day, or
    /// if the rule does not need it (``StreakRule/needsRecordTimes``).
    public var hoursLate: UInt16
    /// The logged value, or `nil` when the day was skipped.
    public var value: Amount?
    /// The rank of this record among the late ones, in the order they were made, from 1; 0 when unknown.
    /// Unranked records are ordered by hour, and within an hour by day.
    public var lateRank: UInt16

    /// Makes a record; a record without a value is a skip.
    public init(day: Day, value: Amount?, hoursLate: UInt16 = 0, lateRank: UInt16 = 0) {
      self.day = day
      self.hoursLate = hoursLate
      self.value = value
      self.lateRank = lateRank
    }
  }
}

/// A run of days from `first` to `last`, inclusive; it has not ended while `last` is `nil`.
public struct DaySpan: Hashable, Sendable {
  /// The first day.
  public var first: Day
  /// The last day, or `nil` while the span has not ended. A span whose `last` is before `first` is empty.
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

/// The condition that makes a day done: a value to reach, or a value not to exceed.
public struct Target: Hashable, Sendable {
  /// Which side of the amount makes a day done.
  public enum Bound: String, CaseIterable, Hashable, Sendable {
    /// Done at the amount or above (the default).
    case atLeast = "at_least"
    /// Done at the amount or below, but only when something was logged (Loop's "at most").
    case atMost = "at_most"
  }

  /// The amount to reach, or not to exceed.
  public var amount: Amount
  /// Whether the amount is to be reached or not exceeded.
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
  /// `30` means at least thirty.
  public init(integerLiteral whole: Int) { self.init(Amount(integerLiteral: whole)) }
  /// `6.25` means at least that much.
  public init(floatLiteral value: Double) { self.init(Amount(floatLiteral: value)) }
}
