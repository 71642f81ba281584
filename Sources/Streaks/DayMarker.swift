public import Calendar

/// Receives the judged days of a habit one by one, oldest first.
///
/// The walks are generic over the sink, so the summary of 50 000 habits and the full audit of one run the
/// same code. A sink that ignores a field does not pay for it.
@usableFromInline
package protocol DaySink {
  /// Takes the next day; its ``JudgedDay/streak`` is not yet known.
  mutating func receive(_ day: JudgedDay)

  /// Takes a run of equal days: `day`, and the days after it through day number `last`.
  ///
  /// Nothing was done on any of them; or, unless ``needsValues``, all are full days, whatever their logged
  /// values.
  mutating func receive(_ day: JudgedDay, through last: Int)

  /// Whether consecutive full days must arrive one by one, because the sink reads their values.
  var needsValues: Bool { get }

  /// Makes room for that many days.
  mutating func reserve(_ dayCount: Int)

  /// Takes the reasons that the clauses of a rule gave for the latest day.
  mutating func receive(_ reasons: [RuleReason], for day: Day)
}

extension DaySink {
  @inlinable package var needsValues: Bool { true }

  @inlinable package mutating func reserve(_ dayCount: Int) {}

  @inlinable package mutating func receive(_ reasons: [RuleReason], for day: Day) {}

  @inline(__always)
  @inlinable package mutating func receive(_ day: JudgedDay, through last: Int) {
    var next = day
    for number in Int(day.day.number)...last {
      next.day = Day(unchecked: Int32(truncatingIfNeeded: number))
      receive(next)
    }
  }
}

/// Marks the days of a habit by Daybook's own rule (design, "Streaks"; HH-10, HH-11).
///
/// The walk goes stretch by stretch: days under one version that are all idle or all not, all open or all
/// closed. Within a stretch only the schedule and the records differ from day to day. O(days + records).
@usableFromInline
package enum DayMarker {
  /// Marks every judged day of the history, and returns the sink.
  ///
  /// A day that the calendar omitted belongs to no stretch.
  @inlinable package static func walk<Sink: DaySink>(
    _ history: HabitHistory, into sink: consuming Sink
  ) -> Sink {
    guard let judged = history.judgedDays else { return sink }
    var records = RecordCursor(history.records)
    var versions = VersionCursor(history)
    var idle = SpanCursor(history.idleSpans)
    var leftOut = SpanCursor(history.leftOutSpans)
    var quota: QuotaPlan?
    let openFrom = Int(history.openFrom.number)
    let last = Int(judged.upperBound.number)
    var number = Int(judged.lowerBound.number)
    sink.reserve(last - number + 1)
    while number <= last {
      if versions.move(to: number) { quota = nil }
      let version = versions.version
      if leftOut.contains(number) {
        sink.receive(leftOutDay(number, version, &records))
        // A quota's windows are spans of dates, so its plan moves past this date, too.
        _ = quota?.isNextFree()
        number += 1
        continue
      }
      let isIdle = idle.contains(number)
      let isOpen = number >= openFrom
      var until = min(last, idle.unchanged(after: number), leftOut.unchanged(after: number))
      if let change = versions.nextChange { until = min(until, change - 1) }
      if !isOpen { until = min(until, openFrom - 1) }
      let stretch = DayStretch(
        numbers: number...until, target: version.target, since: version.since,
        whenFree: isIdle ? .paused : .off,
        whenDue: isIdle ? .paused : isOpen ? .pending : .missed)
      switch version.schedule {
      case .weekdays(let mask):
        var plan = WeekdayPlan(mask, from: number)
        sink = mark(stretch, by: &plan, &records, into: sink)
      case .quota(let times, let days):
        var plan = quota ?? QuotaPlan(history, from: number, times: times, days: days)
        sink = mark(stretch, by: &plan, &records, into: sink)
        quota = plan
      }
      number = until + 1
    }
    return sink
  }

  /// Marks the days of one stretch. Whatever changes from day to day is held by value here, so that it stays
  /// in registers; the sink is passed through, never copied.
  @inlinable package static func mark<Sink: DaySink>(
    _ stretch: DayStretch, by days: inout some DayPlan, _ cursor: inout RecordCursor,
    into sink: consuming Sink
  ) -> Sink {
    var plan = days
    var records = cursor
    let isQuota = plan.isQuota
    let target = stretch.target
    records.move(to: stretch.numbers.lowerBound)
    let isUniform = plan.isUniform
    let needsValues = sink.needsValues
    let last = stretch.numbers.upperBound
    var number = stretch.numbers.lowerBound
    while number <= last {
      let isFree = plan.isNextFree()
      var mark = isFree ? stretch.whenFree : stretch.whenDue
      var value: Amount?
      var end = number
      if number == records.day {
        value = records.value
        mark = Self.mark(of: value, else: mark, target: target, isBonus: isFree && !isQuota)
        if isUniform, !needsValues, mark == .full {
          end = records.move(overRunThrough: last, meeting: target)
        }
        records.move(past: end)
      } else if isUniform {
        end = min(last, records.day - 1)
      }
      let isCovered = isQuota && isFree && mark != .full
      let day = JudgedDay(
        day: Day(unchecked: Int32(truncatingIfNeeded: number)), mark: mark,
        effect: Self.effect(of: mark, isCovered: isCovered),
        due: isQuota ? !isCovered : !isFree, value: value, target: target,
        covered: isCovered, scheduleSince: stretch.since)
      if end == number { sink.receive(day) } else { sink.receive(day, through: end) }
      number = end + 1
    }
    (days, cursor) = (plan, records)
    return sink
  }

  /// The judged day for a date that the calendar omitted: it is never due, and anything logged for it is a
  /// bonus.
  @inlinable package static func leftOutDay(
    _ number: Int, _ version: HabitHistory.Version, _ records: inout RecordCursor
  ) -> JudgedDay {
    records.move(to: number)
    let isRecorded = records.day == number
    let value = isRecorded ? records.value : nil
    let mark =
      isRecorded
      ? Self.mark(of: value, else: .leftOut, target: version.target, isBonus: true) : .leftOut
    return JudgedDay(
      day: Day(unchecked: Int32(truncatingIfNeeded: number)), mark: mark, effect: .neutral,
      due: false, value: value, target: version.target, scheduleSince: version.since)
  }

  /// The mark of a day with a record; `blank` is what the day would be without one.
  @inlinable package static func mark(
    of value: Amount?, else blank: Mark, target: Target, isBonus: Bool
  ) -> Mark {
    guard let value else { return .skipped }
    if target.isMet(by: value) { return isBonus ? .bonus : .full }
    return blank == .missed && target.isPartlyMet(by: value) ? .partial : blank
  }

  /// The effect of a mark on a streak: only full days extend it; days that a quota covers count inside it.
  @inlinable package static func effect(of mark: Mark, isCovered: Bool) -> StreakRule.Effect {
    switch mark {
    case .full: .extends
    case .partial, .missed: .breaks
    case .off: isCovered ? .counts : .neutral
    case .bonus, .skipped, .paused, .pending, .leftOut: .neutral
    }
  }
}

/// Consecutive days that differ only by schedule and records.
@usableFromInline
package struct DayStretch {
  @usableFromInline package let numbers: ClosedRange<Int>
  @usableFromInline package let target: Target
  @usableFromInline package let since: Day
  /// The mark of a day that has no record and is not due.
  @usableFromInline package let whenFree: Mark
  /// The mark of a day that has no record and is due.
  @usableFromInline package let whenDue: Mark

  @inlinable
  package init(numbers: ClosedRange<Int>, target: Target, since: Day, whenFree: Mark, whenDue: Mark)
  {
    self.numbers = numbers
    self.target = target
    self.since = since
    self.whenFree = whenFree
    self.whenDue = whenDue
  }
}

/// Tells, day after day, whether a schedule leaves the day free.
@usableFromInline
package protocol DayPlan {
  var isQuota: Bool { get }
  /// Whether all days are the same.
  var isUniform: Bool { get }
  mutating func isNextFree() -> Bool
}

/// Leaves free the weekdays that the mask does not name.
@usableFromInline
package struct WeekdayPlan: DayPlan {
  /// The mask, rotated so that bit 0 is the weekday of the next day.
  @usableFromInline package var bits: UInt8

  @inlinable package init(_ mask: WeekdayMask, from number: Int) {
    let weekday = UInt8(Day(clampingNumber: number).weekday)
    bits = (mask.bits >> weekday | mask.bits << (7 - weekday)) & 127
  }

  @inlinable package var isQuota: Bool { false }
  @inlinable package var isUniform: Bool { bits == 127 }

  @inlinable package mutating func isNextFree() -> Bool {
    let isNamed = bits & 1
    bits = bits >> 1 | isNamed << 6
    return isNamed == 0
  }
}

/// Leaves free the days that Loop's windows cover, given all done days of the habit.
@usableFromInline
package struct QuotaPlan: DayPlan {
  @usableFromInline package var spans: SpanCursor
  @usableFromInline package var number: Int

  @inlinable package init(_ history: HabitHistory, from number: Int, times: Int, days: Int) {
    spans = SpanCursor(LoopIntervals.spans(done: history.doneDays, times: times, days: days))
    self.number = number
  }

  @inlinable package var isQuota: Bool { true }
  @inlinable package var isUniform: Bool { false }

  @inlinable package mutating func isNextFree() -> Bool {
    defer { number += 1 }
    return spans.contains(number)
  }
}
