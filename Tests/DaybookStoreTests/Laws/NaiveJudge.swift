import Daybook

/// The design's table of marks and its definition of streaks, literally: one day at a time, each question answered by
/// a search. Shares no line with the rule.
struct NaiveJudge {
  let history: HabitHistory

  struct Marked: Equatable {
    var day: Day
    var mark: Mark
    var covered: Bool
  }

  var marks: [Marked] {
    let logged = history.records.filter { $0.value != nil }.map(\.day)
    let first = min(history.created, logged.first ?? history.created)
    let last = max(
      history.today, logged.last ?? history.today, history.openFrom.advanced(by: -1))
    guard first <= last else { return [] }
    let covered = history.versions.map { windows($0.schedule) }
    return (Int(first.number)...Int(last.number)).map { number in
      let day = Day(clampingNumber: number)
      let version = history.versions.lastIndex { $0.since <= day } ?? 0
      return marked(day, history.versions[version], covered[version])
    }
  }

  private func marked(
    _ day: Day, _ version: HabitHistory.Version, _ windows: [ClosedRange<Int>]
  ) -> Marked {
    let record = history.records.first { $0.day == day }
    let isDone = record?.value.map { isMet($0, version.target) } ?? false
    let isLeftOut = history.leftOut.contains(day)
    var isNamed = !isLeftOut
    if case .weekdays(let mask) = version.schedule, !mask.contains(day) { isNamed = false }
    let covered = !isDone && !isLeftOut && windows.contains { $0.contains(Int(day.number)) }
    let isIdle = (history.paused + history.archived).contains { $0.contains(day) }
    let mark: Mark =
      isDone
      ? (isNamed ? .full : .bonus)
      : record.map { $0.value == nil } == true
        ? .skipped
        : isLeftOut
          ? .leftOut
          : isIdle
            ? .paused
            : !isNamed || covered
              ? .off
              : day >= history.openFrom
                ? .pending
                : record?.value.map { $0 > .zero } == true ? .partial : .missed
    return Marked(day: day, mark: mark, covered: covered)
  }

  private func isMet(_ value: Amount, _ target: Target) -> Bool {
    target.bound == .atMost ? value <= target.amount : value >= target.amount
  }

  /// A run of days without partial or missed, from its first full day to its last; its length counts full days, and
  /// the days between them that a quota's window covers.
  static func streaks(_ marks: [Marked]) -> [Streak] {
    marks.split { $0.mark == .partial || $0.mark == .missed }.compactMap { run in
      let full = run.filter { $0.mark == .full }
      guard let first = full.first?.day, let last = full.last?.day else { return nil }
      let between = run.filter {
        $0.day > first && $0.day < last && $0.mark == .off && $0.covered
      }
      return Streak(start: first, end: last, length: full.count + between.count)
    }
  }

  // MARK: Windows

  /// The windows of a quota, newest first, by the three rules in Docs/Streaks.md.
  private func windows(_ schedule: Schedule) -> [ClosedRange<Int>] {
    guard case .quota(let times, let days) = schedule else { return [] }
    let done = history.records.filter { record in
      let version = history.versions.last { $0.since <= record.day } ?? history.versions[0]
      return record.value.map { isMet($0, version.target) } ?? false
    }.map { Int($0.day.number) }
    var windows: [ClosedRange<Int>] = []
    for (oldest, newest) in zip(done, done.dropFirst(times - 1)).reversed() {
      let length = length(of: days, from: oldest)
      guard newest < oldest + length else { continue }
      var window = oldest...(oldest + length - 1)
      // Moves the window back until it no longer overlaps the next newer one. It never ends before its newest done day.
      while let newer = windows.last, window.upperBound >= newer.lowerBound,
        window.upperBound > newest
      {
        window = (window.lowerBound - 1)...(window.upperBound - 1)
      }
      windows.append(window)
    }
    return windows
  }

  private func length(of days: Int, from number: Int) -> Int {
    guard days == 30 || days == 31 else { return days }
    // A window that begins on the last day of a month is as long as the next month.
    let tomorrow = Day(clampingNumber: number + 1).parts
    return Day.dayCount(year: tomorrow.year, month: tomorrow.month)
  }
}
