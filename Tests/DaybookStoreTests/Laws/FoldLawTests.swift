import Daybook
import PropertyTesting
import Testing

/// Laws of every list of streaks (law 6), and of every way to compute it (law 7).
@Suite(.tags(.law)) struct FoldLawTests {
  /// A quota's streak also counts the covered days inside it, so its length is bounded by full and covered days
  /// together.
  @Test func `law 6: current ≤ longest ≤ full days, and streaks cover every full day (MO-5)`() {
    let report = check("streaks", StreakLawTests.trials, cases: 200) { pair, statistics in
      let trial = try StreakLawTests.trial(pair)
      cover(trial, &statistics)
      let judgement = try trial.judgement
      let full = judgement.days.filter { $0.mark == .full }.map(\.day)
      let covered = judgement.days.count { $0.covered && $0.mark == .off }
      try expect(length(judgement.current) <= length(judgement.longest))
      try expect(length(judgement.longest) <= full.count + covered)
      for (one, next) in zip(judgement.streaks, judgement.streaks.dropFirst()) {
        try expect(one.end < next.start, "streaks overlap at \(next.start)")
      }
      for streak in judgement.streaks {
        let inside = full.filter { $0 >= streak.start && $0 <= streak.end }
        try expectEqual(inside.first, streak.start)
        try expectEqual(inside.last, streak.end)
        try expect(inside.count <= streak.length)
        if covered == 0 { try expectEqual(inside.count, streak.length) }
      }
      let held = judgement.streaks.map { streak in
        full.count { $0 >= streak.start && $0 <= streak.end }
      }
      try expectEqual(held.reduce(0, +), full.count, "full days outside of all streaks")
      let open = judgement.streaks.last.map { $0 == judgement.current } ?? true
      try expect(open || judgement.current == nil)
      try expect(judgement.streaks.allSatisfy { $0.length <= length(judgement.longest) })
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `law 7: incremental streaks match the naive definition (ES-5)`() {
    let report = check("one truth", StreakLawTests.trials, cases: 200) { pair, statistics in
      let trial = try StreakLawTests.trial(pair)
      cover(trial, &statistics)
      let history = try trial.history
      let judgement = StreakRule.daybook.judgement(of: history)
      let naive = NaiveJudge(history: history).marks
      try expectEqual(
        judgement.days.map { .init(day: $0.day, mark: $0.mark, covered: $0.covered) }, naive)
      let streaks = NaiveJudge.streaks(naive)
      try expectEqual(judgement.streaks, streaks)
      try expectEqual(
        judgement.longest, streaks.max { ($0.length, $0.start) < ($1.length, $1.start) })
      let broken = naive.last { $0.mark == .missed || $0.mark == .partial }?.day ?? .first
      try expectEqual(judgement.current, streaks.last.flatMap { $0.end > broken ? $0 : nil })
      let summary = StreakRule.daybook.summary(of: history)
      try expectEqual(summary.current, judgement.current)
      try expectEqual(summary.longest, judgement.longest)
      try expectEqual(summary.dayCount, naive.count)
      try expectEqual(summary.completion.full, naive.count { $0.mark == .full })
      try feed(judgement, checkpoint: trial.numbers[0])
    }
    #expect(report.passed, "\(report)")
  }

  /// Feeds the days to a tally one by one; from a checkpoint on, also to a copy of it.
  private func feed(_ judgement: Judgement, checkpoint: Int) throws {
    var tally = StreakTally()
    var ended: [Streak] = []
    let checkpoint = judgement.days.isEmpty ? 0 : checkpoint % judgement.days.count
    var copy = tally
    for (index, day) in judgement.days.enumerated() {
      if index == checkpoint { copy = tally }
      if let streak = tally.add(day.day, day.effect) { ended.append(streak) }
      try expectEqual(tally.length, day.streak, "after \(day.day)")
      if index % 7 == 0 {
        let prefix = judgement.upTo(day.day)
        try expectEqual(tally.current, prefix.current)
        try expectEqual(tally.longest, prefix.longest)
      }
    }
    for day in judgement.days[checkpoint...] { copy.add(day.day, day.effect) }
    try expectEqual(copy, tally, "continued from a checkpoint")
    try expectEqual(ended + [tally.current].compactMap(\.self), judgement.streaks)
    try expectEqual(tally.longest, judgement.longest)
  }
}
