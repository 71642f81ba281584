import Daybook
import PropertyTesting
import Testing

/// Laws about the windows of quotas: windows slide, and a window of a month is as long as the month in which it starts.
@Suite(.tags(.law)) struct QuotaLawTests {
  /// A habit with a quota, done on some of a hundred days; and a number that chooses a day.
  static let worlds = Generator<(HabitHistory, Int)> { source in
    let days = try source.draw(.element(of: [2, 3, 4, 7, 10, 28, 30, 31]))
    let times = try source.draw(.integer(in: 1...min(4, days - 1)))
    let first = Day(clampingNumber: 20_470 + (try source.below(400)))
    var history = HabitHistory(
      created: first,
      versions: [
        .init(since: first, schedule: .quota(times: times, days: days), target: Target(.one))
      ],
      today: first)
    var number = 0
    try source.repeated(0...24) { source in
      let gap = try source.draw(.frequency((3, .integer(in: 1...4)), (1, .integer(in: 5...40))))
      number += gap
      history.records.append(.init(day: first.advanced(by: number), value: .one))
    }
    history.today = first.advanced(by: number + (try source.below(40)))
    history.openFrom = history.today
    return (history, try source.below(1000))
  }

  @Test func `law 4: a full log on a missed day never shortens the longest streak of a quota`() {
    let report = check("a full log never hurts", Self.worlds, cases: 250) { world, statistics in
      let (history, number) = world
      let before = StreakRule.daybook.judgement(of: history)
      let missed = before.days.filter { $0.mark == .missed }
      try assume(!missed.isEmpty, "no missed day")
      statistics.cover("several streaks", atLeast: 20, before.streaks.count > 1)
      let day = Menu.pick(missed, number).day
      var logged = history
      logged.records.append(.init(day: day, value: .one))
      logged.records.sort { $0.day < $1.day }
      let after = StreakRule.daybook.judgement(of: logged)
      try expect(length(after.longest) >= length(before.longest), "longest, \(day)")
      let covered = Set(before.days.filter(\.covered).map(\.day))
      let lost = covered.subtracting(
        after.days.filter { $0.covered || $0.mark == .full }.map(\.day))
      try expectEqual(lost, [], "days no longer covered")
    }
    #expect(report.passed, "\(report)")
  }
}
