/// Marks the days of a habit as Loop Habit Tracker does (reference, "Marks of a yes/no habit" and
/// "Streaks").
///
/// - Loop knows one frequency and one target: the newest version judges every day, also the past ones.
///   A weekday mask is read as that many days in 7.
/// - A checkbox: done days, skips and days covered by a window extend a run.
/// - A counter ignores the frequency. A skip is the value 0.003 there, as Loop stores it, and does to a
///   run what that value would.
/// - Judged are the days from the first entry or window to 30 days after today. What is still open when
///   the last entry and window are past is pending, so that a run alive stays alive.
/// - Pauses and archiving do not exist.
struct LoopMarker {
  private let target: Target
  private let since: Day
  private let isCounter: Bool
  /// The first day that is pending unless done, skipped or covered.
  private let openFrom: Int

  /// Marks every judged day of the history, and gives back the sink that took them.
  static func walk<Sink: DaySink>(_ history: HabitHistory, into sink: Sink) -> Sink {
    var versions = VersionCursor(history)
    _ = versions.move(to: .max)
    let version = versions.version
    let isCounter = history.type == .counter
    let spans = isCounter ? [] : windows(history, of: version)
    var first = spans.first?.lowerBound ?? .max
    if let record = history.records.first { first = min(first, Int(record.day.number)) }
    let last = Int(history.today.advanced(by: 30).number)
    guard first <= last else { return sink }
    var alive = spans.last?.upperBound ?? .min
    let marker = LoopMarker(
      target: version.target, since: version.since, isCounter: isCounter, openFrom: .max)
    if let record = history.records.last(where: { marker.extends($0) }) {
      alive = max(alive, Int(record.day.number))
    }
    let open = LoopMarker(
      target: version.target, since: version.since, isCounter: isCounter,
      openFrom: max(Int(history.openFrom.number), min(alive, last) + 1))
    return open.walk(
      history.records, spans: spans,
      over: max(first, Int(Day.first.number))...last, into: sink)
  }

  private func walk<Sink: DaySink>(
    _ records: [HabitHistory.DayRecord], spans: [ClosedRange<Int>], over days: ClosedRange<Int>,
    into sink: Sink
  ) -> Sink {
    var sink = sink
    var spans = SpanCursor(spans)
    var nextRecord = 0
    for number in days {
      while nextRecord < records.count, records[nextRecord].day.number < number { nextRecord += 1 }
      var record: HabitHistory.DayRecord?
      if nextRecord < records.count, records[nextRecord].day.number == number {
        record = records[nextRecord]
      }
      let (mark, effect) = judge(record, on: number, isPainted: spans.contains(number))
      let isCovered = spans.contains(number) && mark != .full
      sink.take(
        JudgedDay(
          day: Day(unchecked: Int32(truncatingIfNeeded: number)), mark: mark, effect: effect,
          due: !isCovered, value: record?.value, target: target, covered: isCovered,
          scheduleSince: since))
    }
    return sink
  }

  private func judge(
    _ record: HabitHistory.DayRecord?, on number: Int, isPainted: Bool
  ) -> (Mark, StreakRule.Effect) {
    let whenOpen: StreakRule.Effect = number >= openFrom ? .neutral : .breaks
    if let record {
      guard let value = record.value else {
        return (.skipped, extends(record) ? .extends : whenOpen)
      }
      if target.isMet(by: value) { return (.full, .extends) }
    }
    if isPainted { return (.off, .extends) }
    if number >= openFrom { return (.pending, .neutral) }
    return (record?.value.map(target.isPartlyMet) ?? false ? .partial : .missed, .breaks)
  }

  /// Whether an entry, of itself, makes its day part of a run.
  private func extends(_ record: HabitHistory.DayRecord) -> Bool {
    if let value = record.value { return target.isMet(by: value) }
    return isCounter ? target.isMet(by: Amount(unchecked: 3)) : true
  }

  private static func windows(
    _ history: HabitHistory, of version: HabitHistory.Version
  ) -> [ClosedRange<Int>] {
    let frequency = Frequency(version.schedule)
    guard frequency.times < frequency.days else { return [] }
    let done = history.records.compactMap { record in
      record.value.map(version.target.isMet) ?? false ? Int(record.day.number) : nil
    }
    return LoopIntervals.spans(done: done, times: frequency.times, days: frequency.days)
  }
}
