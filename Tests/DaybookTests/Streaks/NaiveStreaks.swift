import Daybook

/// The design's table and its definition of streaks, literally: slow, and without a line in common with the
/// implementation.
enum Naive {
  /// The naive judgement of one day.
  struct Marked: Equatable {
    var day: Day
    var mark: Mark
    var due: Bool
    var covered: Bool
  }

  // MARK: The table

  static func marks(_ history: HabitHistory) -> [Marked] {
    let logged = history.records.filter { $0.value != nil }.map(\.day)
    let first = min(history.created, logged.min() ?? history.created)
    let last = ([history.today, history.openFrom.advanced(by: -1)] + logged).max() ?? history.today
    var painted: [Set<Day>] = []
    for version in history.versions { painted.append(paint(version.schedule, history)) }
    return days(first, last).map { day in
      let index = history.versions.lastIndex { $0.since <= day } ?? 0
      let version = history.versions[index]
      let record = history.records.first { $0.day == day }
      let isMet = record?.value.map { met($0, version.target) } ?? false
      let isQuota = if case .quota = version.schedule { true } else { false }
      let isLeftOut = history.leftOut.contains(day)
      let isNamed =
        if isLeftOut { false } else if case .weekdays(let mask) = version.schedule {
          mask.contains(day)
        } else { true }
      let covered = isQuota && painted[index].contains(day) && !isMet && !isLeftOut
      let mark: Mark =
        if isMet {
          isNamed ? .full : .bonus
        } else if let record, record.value == nil {
          .skipped
        } else if isLeftOut {
          .leftOut
        } else if (history.paused + history.archived).contains(where: { $0.contains(day) }) {
          .paused
        } else if !isNamed || covered {
          .off
        } else if day >= history.openFrom {
          .pending
        } else if let value = record?.value, value > .zero {
          .partial
        } else {
          .missed
        }
      return Marked(day: day, mark: mark, due: isNamed && !covered, covered: covered)
    }
  }

  static func met(_ value: Amount, _ target: Target) -> Bool {
    switch target.bound {
    case .atLeast: value.thousandths >= target.amount.thousandths
    case .atMost: value.thousandths <= target.amount.thousandths
    }
  }

  // MARK: The sentence

  /// A streak is a maximal run of days without partial or missed, from its first full day to its last; its length is
  /// the number of full and covered days in it.
  static func streaks(_ days: [Marked]) -> [Streak] {
    days.split { $0.mark == .partial || $0.mark == .missed }.compactMap { run in
      guard let start = run.first(where: { $0.mark == .full })?.day,
        let end = run.last(where: { $0.mark == .full })?.day
      else { return nil }
      let inside = run.filter { $0.day >= start && $0.day <= end }
      let length = inside.count { $0.mark == .full || ($0.mark == .off && $0.covered) }
      return Streak(start: start, end: end, length: length)
    }
  }

  static func current(_ days: [Marked]) -> Streak? {
    guard let last = streaks(days).last else { return nil }
    let isBroken = days.contains {
      $0.day > last.end && ($0.mark == .partial || $0.mark == .missed)
    }
    return isBroken ? nil : last
  }

  static func longest(_ streaks: [Streak]) -> Streak? {
    streaks.max { ($0.length, $0.start) < ($1.length, $1.start) }
  }

  // MARK: Loop's windows

  /// Days ago, larger is older, as in the reference.
  struct Interval: Equatable {
    var begin: Int
    var center: Int
    var end: Int
  }

  static func paint(_ schedule: Schedule, _ history: HabitHistory) -> Set<Day> {
    guard case .quota(let times, let days) = schedule else { return [] }
    let done = history.records.filter { record in
      let version = history.versions.last { $0.since <= record.day } ?? history.versions[0]
      return record.value.map { met($0, version.target) } ?? false
    }
    let today = history.today
    let intervals = snapped(
      windows(done.map { $0.day.distance(to: today) }.sorted(), times, days, today: today))
    return Set(intervals.flatMap { ($0.end...$0.begin).map { today.advanced(by: -$0) } })
  }

  static func windows(_ ago: [Int], _ times: Int, _ days: Int, today: Day) -> [Interval] {
    ago.indices.dropFirst(times - 1).compactMap { index in
      let begin = ago[index]
      let center = ago[index - times + 1]
      var size = days
      if days == 30 || days == 31 {
        let tomorrow = today.advanced(by: -begin + 1).parts
        size = Day.dayCount(year: tomorrow.year, month: tomorrow.month)
        if tomorrow.day != 1 {
          let parts = today.advanced(by: -begin).parts
          size = Day.dayCount(year: parts.year, month: parts.month)
        }
      }
      return begin - center < size
        ? Interval(begin: begin, center: center, end: begin - size + 1) : nil
    }
  }

  static func snapped(_ intervals: [Interval]) -> [Interval] {
    var intervals = intervals
    for index in intervals.indices.dropFirst() {
      let overlap = intervals[index - 1].begin - intervals[index].end
      if overlap >= 0 {
        let shift = min(intervals[index].center - intervals[index].end, overlap + 1)
        intervals[index].begin += shift
        intervals[index].end += shift
      }
    }
    return intervals
  }

  // MARK: Loop's streaks

  /// Every maximal run of consecutive days that Loop counts, oldest first.
  static func loopStreaks(_ history: HabitHistory) -> [Streak] {
    guard let version = history.versions.last else { return [] }
    var frequent = history
    frequent.versions = [version]
    if case .weekdays(let mask) = version.schedule, mask != .everyDay {
      frequent.versions[0].schedule = .quota(times: mask.count, days: 7)
    }
    var good: Set<Day> = []
    if history.type == .checkbox { good = paint(frequent.versions[0].schedule, frequent) }
    for record in history.records {
      // A skip is stored as the value 3, and read as 0.003 by numeric habits.
      let isGood =
        history.type == .checkbox && record.value == nil
        || (record.value ?? Amount(thousandths: 3)).map { met($0, version.target) } ?? false
      if isGood { good.insert(record.day) }
    }
    let inside = good.filter { $0 <= history.today.advanced(by: 30) }.sorted()
    var streaks: [Streak] = []
    for day in inside {
      if let last = streaks.last, last.end.advanced(by: 1) == day {
        streaks[streaks.count - 1].end = day
        streaks[streaks.count - 1].length += 1
      } else {
        streaks.append(Streak(start: day, end: day, length: 1))
      }
    }
    return streaks
  }

  static func days(_ first: Day, _ last: Day) -> [Day] {
    first > last ? [] : (0...first.distance(to: last)).map { first.advanced(by: $0) }
  }
}
