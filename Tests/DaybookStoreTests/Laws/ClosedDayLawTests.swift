import Daybook
import PropertyTesting
import Testing

/// A closed day keeps its mark (law 5): neither travel nor a new target rewrites past days.
///
/// Restriction: when a day still open is logged, a new target may make that log count or no longer count. For a quota
/// this opens or closes a window, and a window moves older ones over days that are closed, as any late log does. So a
/// target is changed only where no quota has held, or no open day is logged. Example, once in 7 days, logged
/// yesterday and today: today's window pushes yesterday's back over the days before; when today's log no longer
/// suffices, they are missed.
@Suite(.tags(.law)) struct ClosedDayLawTests {
  /// One change, and the minutes after it.
  struct Change: Sendable {
    var action: Action
    var minutesAfter: Int
  }

  static let changes = Generator<Change> { source in
    let action = try source.draw(
      Generator<Action>.frequency(
        (
          3,
          Generator { source in
            .updateProfile(name: nil, zone: try source.below(8), start: nil, theme: nil)
          }
        ),
        (
          2,
          Generator { source in
            .updateProfile(name: nil, zone: nil, start: try source.below(5), theme: nil)
          }
        ),
        (2, Generator { source in .updateHabit(0, PlanEdit(schedule: try source.below(14))) }),
        (
          2,
          Generator { source in
            .updateHabit(
              0,
              PlanEdit(
                type: .counter, amount: try source.below(6),
                bound: try source.happens(20) ? .atMost : nil))
          }
        )))
    return Change(action: action, minutesAfter: try source.draw(.integer(in: 0...2880)))
  }

  @Test func `law 5: a closed day keeps its mark (HH-3)`() {
    let worlds = Generator.zip(StreakLawTests.trials, Self.changes.array(count: 1...5))
    let report = check("closed days stay", worlds, cases: 225) { pair, statistics in
      let (pair, changes) = pair
      var trial = try StreakLawTests.trial(pair)
      var known: [Day: Mark] = [:]
      var wentWest = false
      for change in changes {
        let history = try trial.history
        for judged in StreakRule.daybook.judgement(of: history).days
        where judged.day < history.openFrom {
          if let mark = known[judged.day] {
            try expectEqual(judged.mark, mark, "\(judged.day)")
          } else {
            known[judged.day] = judged.mark
          }
        }
        try expect(known.keys.allSatisfy { $0 < history.openFrom }, "a closed day opened again")
        wentWest = wentWest || history.openFrom > history.today
        trial = try make(change, trial)
      }
      statistics.cover("journey west", atLeast: 10, wentWest)
      cover(trial, &statistics)
    }
    #expect(report.passed, "\(report)")
  }

  private func make(_ change: Change, _ trial: StreakLawTests.Trial) throws -> StreakLawTests.Trial
  {
    var next = trial
    switch change.action {
    case .updateHabit(_, let edit):
      let history = try trial.history
      let isQuota = history.versions.contains {
        if case .quota = $0.schedule { true } else { false }
      }
      let isLogged = history.records.contains { $0.value != nil && $0.day >= history.openFrom }
      if isQuota, isLogged, edit.amount != nil || edit.bound != nil { break }
      do { next = try trial.after(edit.command(trial.habit)) } catch is Rejection {}
    case .updateProfile(_, let zone, let start, _):
      next = try trial.after(
        UpdateProfile {
          if let zone { $0.timeZone = Menu.zones[zone] }
          if let start { $0.dayStartHour = Menu.starts[start] }
        })
    default: break
    }
    next.ledger.clock.instant = next.now.advanced(
      byMilliseconds: Int64(change.minutesAfter) * 60_000)
    return next
  }
}
