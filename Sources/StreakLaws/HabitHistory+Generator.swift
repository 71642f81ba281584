public import PropertyTesting
public import Streaks
import Calendar

extension HabitHistory {
  /// Random histories of up to ten weeks with everything a rule may meet: complete and partial logs, skips,
  /// late logs, pauses, changes of schedule and target, and a journey west at the end.
  ///
  /// Each history is possible in real life: every record was made by today, and not before its day. The
  /// simplest history is one day of a daily habit without a record.
  public static let generator = histories(hasQuotas: true)

  /// Random histories like ``generator``, with or without quota schedules.
  public static func histories(hasQuotas: Bool) -> Generator<HabitHistory> {
    Generator { source in
      // This is a Monday.
      let first = Day(clampingNumber: 20_514)
      let isCounter = try source.draw(.bool(probability: 0.4))
      var versions = [
        Version(
          since: first, schedule: try schedule(&source, hasQuotas),
          target: try target(&source, isCounter))
      ]
      var kinds: [Int] = []
      try source.repeated(1...longest) { source in
        kinds.append(try source.draw(.integer(in: 0...9)))
      }
      try source.repeated(0...2) { source in
        let since = first.advanced(by: try source.draw(.integer(in: 1...40)))
        guard let last = versions.last, last.since < since else { return }
        versions.append(
          Version(
            since: since, schedule: try schedule(&source, hasQuotas),
            target: try target(&source, isCounter)))
      }
      var days = dueDays(kinds, from: first, versions)
      var today = days.last?.day ?? first
      // The history may end on days off.
      for _ in 0..<(try source.draw(.integer(in: 0...2))) {
        let next = today.advanced(by: 1)
        if versions.inForce(on: next).isOff(next) { today = next }
      }
      versions.removeAll { $0.since > today }
      try source.repeated(0...2) { source in
        // Days off may have records, too.
        let day = first.advanced(by: try source.draw(.integer(in: 0...longest - 1)))
        let kind = try source.draw(.integer(in: 1...9))
        guard day <= today, !days.contains(where: { $0.day == day }) else { return }
        days.append((day, kind))
      }
      var records: [DayRecord] = []
      for (day, kind) in days.sorted(by: { $0.day < $1.day }) {
        let target = versions.inForce(on: day).target
        if let record = try record(&source, kind, day, target, today: today) {
          records.append(record)
        }
      }
      var paused: [DaySpan] = []
      try source.repeated(0...2) { source in
        let start = first.advanced(by: try source.draw(.integer(in: 0...60)))
        guard start <= today else { return }
        let length = try source.draw(.integer(in: 0...9))
        paused.append(DaySpan(first: start, last: start.advanced(by: length)))
      }
      let isWest = try source.draw(.bool(probability: 0.1))
      return HabitHistory(
        created: first, versions: versions, records: records, paused: paused, today: today,
        openFrom: isWest ? today.advanced(by: 1) : nil, type: isCounter ? .counter : .checkbox)
    }
  }

  /// The largest number of days in a history.
  private static let longest = 70

  /// The due days, each with what is done on it, within ten weeks.
  ///
  /// Days off are left out. A schedule with fewer days off thus gives the same history in fewer days, and
  /// shrinking finds it.
  private static func dueDays(
    _ kinds: [Int], from first: Day, _ versions: [Version]
  ) -> [(day: Day, kind: Int)] {
    var days: [(day: Day, kind: Int)] = []
    var offset = 0
    for kind in kinds {
      while versions.inForce(on: first.advanced(by: offset)).isOff(first.advanced(by: offset)) {
        offset += 1
      }
      guard offset < longest else { break }
      days.append((first.advanced(by: offset), kind))
      offset += 1
    }
    return days
  }

  private static func schedule(_ source: inout Source, _ hasQuotas: Bool) throws -> Schedule {
    let masks: [[Int]] = [[0, 1, 2, 3, 4], [0, 2, 4], [5, 6]]
    var all: [Schedule] = [.daily]
    all += masks.compactMap { days in
      WeekdayMask(bits: days.reduce(0) { $0 | 1 << $1 }).map(Schedule.weekdays)
    }
    // Most habits are daily, and the simplest schedule comes first.
    all.insert(contentsOf: [.daily, .daily, .daily], at: 0)
    if hasQuotas { all += [.quota(times: 3, days: 7), .quota(times: 1, days: 2)] }
    return try source.draw(.element(of: all))
  }

  private static func target(_ source: inout Source, _ isCounter: Bool) throws -> Target {
    guard isCounter else { return Target(.one) }
    let amount = Amount(try source.draw(.integer(in: 2...5))) ?? .one
    return Target(amount, try source.draw(.bool(probability: 0.15)) ? .atMost : .atLeast)
  }

  /// The record of a day: none, usually the whole target, a skip, or part of the target.
  private static func record(
    _ source: inout Source, _ kind: Int, _ day: Day, _ target: Target, today: Day
  ) throws -> DayRecord? {
    switch kind {
    case 1...6: return DayRecord(day: day, value: target.amount)
    case 7: return DayRecord(day: day, value: nil)
    case 8:
      let hours = try source.draw(.element(of: [1, 20, 30, 47, 49, 90]))
      let passed = (day.distance(to: today) - 1) * 24 + 20
      return DayRecord(
        day: day, value: target.amount, hoursLate: hours <= passed ? UInt16(hours) : 0)
    case 9 where target.amount > .one:
      let part = target.bound == .atMost ? 1 : -1
      return DayRecord(
        day: day, value: Amount(thousandths: target.amount.thousandths + Int64(part) * 1000))
    default: return nil
    }
  }
}

extension [HabitHistory.Version] {
  /// The version in force on a day.
  fileprivate func inForce(on day: Day) -> HabitHistory.Version {
    last { $0.since <= day } ?? self[0]
  }
}

extension HabitHistory.Version {
  /// Whether the schedule names weekdays that do not include the day.
  fileprivate func isOff(_ day: Day) -> Bool {
    guard case .weekdays(let mask) = schedule else { return false }
    return mask.bits & 1 << day.weekday == 0
  }
}
