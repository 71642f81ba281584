/// Takes the judged days of a habit one by one, oldest first.
///
/// The walks are generic over it, so that the summary of 50 000 habits and the full audit of one run the
/// same code; a sink that ignores a field does not pay for it.
protocol DaySink {
  /// Takes the next day; its ``JudgedDay/streak`` is not known yet.
  mutating func take(_ day: JudgedDay)
}

/// Marks the days of a habit by Daybook's own rule (design, "Streaks"; HH-10, HH-11).
///
/// The walk goes stretch by stretch: days under one version, all idle or none, all open or none. Within
/// a stretch only the schedule and the records differ from day to day. O(days + records).
struct DayMarker<Sink: DaySink> {
  private let records: [HabitHistory.DayRecord]
  private var nextRecord = 0
  private var sink: Sink

  /// Marks every judged day of the history, and gives back the sink that took them.
  static func walk(_ history: HabitHistory, into sink: Sink) -> Sink {
    guard let judged = history.judgedDays else { return sink }
    var marker = DayMarker(records: history.records, sink: sink)
    marker.walk(history, over: judged)
    return marker.sink
  }

  private init(records: [HabitHistory.DayRecord], sink: Sink) {
    self.records = records
    self.sink = sink
  }

  private mutating func walk(_ history: HabitHistory, over judged: ClosedRange<Day>) {
    var versions = VersionCursor(history)
    var idle = SpanCursor(history.idleSpans)
    var quota: QuotaPlan?
    let openFrom = Int(history.openFrom.number)
    let last = Int(judged.upperBound.number)
    var number = Int(judged.lowerBound.number)
    while number <= last {
      if versions.move(to: number) { quota = nil }
      let version = versions.version
      let isIdle = idle.contains(number)
      let isOpen = number >= openFrom
      var until = min(last, idle.unchanged(after: number))
      if let change = versions.nextChange { until = min(until, change - 1) }
      if !isOpen { until = min(until, openFrom - 1) }
      let stretch = Stretch(
        numbers: number...until, version: version,
        whenFree: isIdle ? .paused : .off,
        whenDue: isIdle ? .paused : isOpen ? .pending : .missed)
      switch version.schedule {
      case .weekdays(let mask):
        _ = mark(stretch, by: WeekdayPlan(mask))
      case .quota(let times, let days):
        let plan = quota ?? QuotaPlan(history, times: times, days: days)
        quota = mark(stretch, by: plan)
      }
      number = until + 1
    }
  }

  /// Marks the days of one stretch, and gives back the plan as it stands after them.
  private mutating func mark<Plan: DayPlan>(_ stretch: Stretch, by plan: Plan) -> Plan {
    var plan = plan
    var nextRecord = nextRecord
    let target = stretch.version.target
    let since = stretch.version.since
    while nextRecord < records.count, records[nextRecord].day.number < stretch.numbers.lowerBound {
      nextRecord += 1
    }
    var recordDay = nextRecord < records.count ? Int(records[nextRecord].day.number) : Int.max
    for number in stretch.numbers {
      let isFree = plan.isFree(number)
      var mark = isFree ? stretch.whenFree : stretch.whenDue
      var value: Amount?
      if number == recordDay {
        value = records[nextRecord].value
        mark = Self.mark(of: value, else: mark, target: target, isBonus: isFree && !Plan.isQuota)
        repeat {
          nextRecord += 1
          recordDay = nextRecord < records.count ? Int(records[nextRecord].day.number) : Int.max
        } while recordDay <= number
      }
      let isCovered = Plan.isQuota && isFree && mark != .full
      sink.take(
        JudgedDay(
          day: Day(unchecked: Int32(truncatingIfNeeded: number)), mark: mark,
          effect: Self.effect(of: mark, isCovered: isCovered),
          due: Plan.isQuota ? !isCovered : !isFree, value: value, target: target,
          covered: isCovered, scheduleSince: since))
    }
    self.nextRecord = nextRecord
    return plan
  }

  /// The mark of a day with a record; `blank` is what the day would be without one.
  private static func mark(
    of value: Amount?, else blank: Mark, target: Target, isBonus: Bool
  ) -> Mark {
    guard let value else { return .skipped }
    if target.isMet(by: value) { return isBonus ? .bonus : .full }
    return blank == .missed && target.isPartlyMet(by: value) ? .partial : blank
  }

  /// What a mark does to a streak: only full days extend it, a quota's covered days count between them.
  private static func effect(of mark: Mark, isCovered: Bool) -> StreakRule.Effect {
    switch mark {
    case .full: .extends
    case .partial, .missed: .breaks
    case .off: isCovered ? .counts : .neutral
    case .bonus, .skipped, .paused, .pending: .neutral
    }
  }
}

/// Days that differ only by schedule and records.
private struct Stretch {
  let numbers: ClosedRange<Int>
  let version: HabitHistory.Version
  /// The mark of a day without a record on which nothing is asked.
  let whenFree: Mark
  /// The mark of a day without a record on which something is asked.
  let whenDue: Mark
}

/// Which days a schedule leaves free, asked in ascending order.
private protocol DayPlan {
  static var isQuota: Bool { get }
  mutating func isFree(_ number: Int) -> Bool
}

/// Free: the weekdays that the mask does not name.
private struct WeekdayPlan: DayPlan {
  static var isQuota: Bool { false }
  private let bits: UInt8

  init(_ mask: WeekdayMask) { bits = mask.bits }

  func isFree(_ number: Int) -> Bool {
    // 1970-01-01 was a Thursday (3), and 102_738 whole weeks lie before day −719_162.
    bits >> UInt8(truncatingIfNeeded: UInt32(truncatingIfNeeded: number + 719_166 + 3) % 7) & 1 == 0
  }
}

/// Free: the days that Loop's windows cover, over all done days of the habit.
private struct QuotaPlan: DayPlan {
  static var isQuota: Bool { true }
  private var spans: SpanCursor

  init(_ history: HabitHistory, times: Int, days: Int) {
    spans = SpanCursor(LoopIntervals.spans(done: history.doneDays, times: times, days: days))
  }

  mutating func isFree(_ number: Int) -> Bool { spans.contains(number) }
}
