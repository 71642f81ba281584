public import Calendar

/// Marks the days of a habit as Loop Habit Tracker does (reference, "Marks of a yes/no habit" and
/// "Streaks").
///
/// - Loop knows one frequency and one target: the newest version judges every day, including past ones. A
///   weekday mask becomes that many days in 7.
/// - Checkbox: done days, skips and days covered by a window extend a run.
/// - Counter: the frequency is ignored. A skip is the value 0.003, as Loop stores it, and has the effect of
///   that value.
/// - The judged days run from the first entry or window to 30 days after today. Open days after the last
///   entry and window are pending, so that a live run stays alive.
/// - Pauses and archiving do not exist.
@usableFromInline
package struct LoopMarker {
  @usableFromInline package let target: Target
  @usableFromInline package let since: Day
  @usableFromInline package let skipExtends: Bool
  /// The first day that is pending unless done, skipped or covered.
  @usableFromInline package var openFrom = Int.max

  @inlinable package init(_ version: HabitHistory.Version, type: HabitType) {
    target = version.target
    since = version.since
    skipExtends = type == .checkbox || version.target.isMet(by: Amount(unchecked: 3))
  }

  /// Marks every judged day of the history, and returns the sink.
  @inlinable package static func walk<Sink: DaySink>(
    _ history: HabitHistory, into sink: consuming Sink
  ) -> Sink {
    var versions = VersionCursor(history)
    _ = versions.move(to: .max)
    var marker = LoopMarker(versions.version, type: history.type)
    let spans = history.type == .counter ? [] : windows(history, of: versions.version)
    let last = Int(history.today.advanced(by: 30).number)
    var first = spans.first?.lowerBound ?? .max
    if let record = history.records.first { first = min(first, Int(record.day.number)) }
    guard first <= last else { return sink }
    var alive = spans.last?.upperBound ?? .min
    if let record = history.records.last(where: { marker.extends($0) }) {
      alive = max(alive, Int(record.day.number))
    }
    marker.openFrom = max(Int(history.openFrom.number), min(alive, last) + 1)
    return marker.walk(
      history.records, spans: spans,
      over: max(first, Int(Day.first.number))...last, into: sink)
  }

  @inlinable package func walk<Sink: DaySink>(
    _ records: [HabitHistory.DayRecord], spans: [ClosedRange<Int>], over days: ClosedRange<Int>,
    into sink: consuming Sink
  ) -> Sink {
    var spans = SpanCursor(spans)
    var records = RecordCursor(records)
    sink.reserve(days.count)
    for number in days {
      records.move(to: number)
      let isRecorded = records.day == number
      let value = isRecorded ? records.value : nil
      let isPainted = spans.contains(number)
      let (mark, effect) = judge(
        value, isSkip: isRecorded && value == nil, isPainted: isPainted, isOpen: number >= openFrom)
      let isCovered = isPainted && mark != .full
      sink.receive(
        JudgedDay(
          day: Day(unchecked: Int32(truncatingIfNeeded: number)), mark: mark, effect: effect,
          due: !isCovered, value: value, target: target, covered: isCovered,
          scheduleSince: since))
    }
    return sink
  }

  @inlinable package func judge(
    _ value: Amount?, isSkip: Bool, isPainted: Bool, isOpen: Bool
  ) -> (Mark, StreakRule.Effect) {
    if isSkip { return (.skipped, skipExtends ? .extends : isOpen ? .neutral : .breaks) }
    if let value, target.isMet(by: value) { return (.full, .extends) }
    if isPainted { return (.off, .extends) }
    if isOpen { return (.pending, .neutral) }
    return (value.map(target.isPartlyMet) ?? false ? .partial : .missed, .breaks)
  }

  /// Whether an entry by itself makes its day part of a run.
  @inlinable package func extends(_ record: HabitHistory.DayRecord) -> Bool {
    record.value.map(target.isMet) ?? skipExtends
  }

  @usableFromInline package static func windows(
    _ history: HabitHistory, of version: HabitHistory.Version
  ) -> [ClosedRange<Int>] {
    let frequency = LoopFrequency(version.schedule)
    guard frequency.times < frequency.days else { return [] }
    let done = history.records.compactMap { record in
      record.value.map(version.target.isMet) ?? false ? Int(record.day.number) : nil
    }
    return LoopIntervals.spans(done: done, times: frequency.times, days: frequency.days)
  }
}
