import Daybook
import PropertyTesting

/// A rule of one's own, and the laws that it should keep.
///
/// The rule forgives the first miss of a week (Monday first). Is it ever harsher than Daybook's own? Does a
/// skip ever hurt? Random histories say.
@main
enum TestAStreakRule {
  static let lenient = StreakRule(id: "lenient", version: 1, basedOn: .daybook) { days in
    guard let today = days.last, today.effect == .breaks else { return nil }
    let earlier = days.dropLast().suffix(today.day.weekday)
    return earlier.contains { $0.mark == .missed || $0.mark == .partial } ? nil : .neutral
  }

  static let histories = Generator<HabitHistory> { source in
    let first = Day(clampingNumber: 20_500)
    let dayCount = try source.draw(.integer(in: 1...60))
    var records: [HabitHistory.DayRecord] = []
    for offset in 0..<dayCount {
      switch try source.draw(.integer(in: 0...3)) {
      case 0, 1: records.append(.init(day: first.advanced(by: offset), value: .one))
      case 2: records.append(.init(day: first.advanced(by: offset), value: nil))
      default: continue
      }
    }
    return HabitHistory(
      created: first,
      versions: [.init(since: first, schedule: .daily, target: Target(.one))],
      records: records, today: first.advanced(by: dayCount))
  }

  static func main() throws {
    let kinder = check("lenient is never harsher than daybook", histories, cases: 2000) { history in
      let own = StreakRule.daybook.summary(of: history).longest?.length ?? 0
      return lenient.summary(of: history).longest?.length ?? 0 >= own
    }
    try kinder.require()
    print(kinder)

    // And one that is wrong, to see what a counter-example looks like.
    let wrong = check("lenient and daybook agree", histories, seed: 1) { history in
      lenient.summary(of: history).current == StreakRule.daybook.summary(of: history).current
    }
    print(wrong)
  }
}
