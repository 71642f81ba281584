import Daybook
import PropertyTesting
import Testing

/// A hive's figures for its days, against a model written from the rulings alone.
@Suite(.tags(.law)) struct HiveModelTests {
  @Test
  func `every day's verdict, counts and streak match the model (HH-20, HH-21, R3–R6)`() {
    let report = check("hives", .hiveStories(), cases: 9, shrinkLimit: 400) {
      (scenario: HiveScenario, statistics) in
      var stage = try HiveStage(scenario)
      for step in scenario.steps {
        try stage.play(step)
        try stage.compare()
      }
      try stage.compare(all: true)
      cover(stage, scenario, &statistics)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the streak matches the naive definition over the hive's days (HH-20)`() {
    let report = check("streak over days", .hiveStories(20...45), cases: 20, shrinkLimit: 400) {
      (scenario: HiveScenario) in
      var stage = try HiveStage(scenario)
      for step in scenario.steps {
        try stage.play(step)
        let (hive, open) = (try stage.found, try stage.firstOpen)
        var streak = 0
        for day in hive.days(try stage.days, firstOpen: open) {
          if day.verdict == .broken { streak = 0 }
          if day.hasAdvanced { streak += 1 }
        }
        try expectEqual(hive.streak(firstOpen: open), streak)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `settling often, rarely or never changes no answer and no table (HH-22, R5)`() {
    let report = check("settling", .hiveStories(), cases: 20, shrinkLimit: 400) {
      (scenario: HiveScenario, statistics) in
      var (often, rarely, never) = (
        try HiveStage(scenario), try HiveStage(scenario), try HiveStage(scenario)
      )
      for step in scenario.steps {
        try often.play(step)
        try often.play(HiveStep(wait: 0, action: .settle))
        try rarely.play(step)
        try never.play(step, settling: false)
        try expectEqual(try often.found.streak(firstOpen: often.firstOpen), never.model.streak)
        try expectEqual(try rarely.found.streak(firstOpen: rarely.firstOpen), never.model.streak)
        try expectEqual(try never.found.streak(firstOpen: never.firstOpen), never.model.streak)
      }
      try expectEqual(often.ledger.state.dump, never.ledger.state.dump)
      try expectEqual(rarely.ledger.state.dump, never.ledger.state.dump)
      // Settling once a month finds the same breaks as once a minute.
      try rarely.play(HiveStep(wait: 0, action: .settle))
      try expectEqual(rarely.recordedBreaks, often.recordedBreaks)
      try often.compare(all: true)
      try never.compare(all: true)
      statistics.cover("breaks", atLeast: 25, !often.recordedBreaks.isEmpty)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a move to another time zone changes no settled day (HH-3, R4)`() {
    let stories = Generator.zip(
      .hiveStories(10...40, travels: 0), Generator<Int>.integer(in: 0...999).array(count: 1...12))
    let report = check("moves", stories, cases: 20, shrinkLimit: 400) { pair, statistics in
      var stage = try HiveStage(pair.0)
      for step in pair.0.steps { try stage.play(step) }
      let (before, open) = (try stage.found, try stage.firstOpen)
      let days = try stage.days
      let settled = before.days(days, firstOpen: open).filter { $0.day < open }
      for number in pair.1 {
        let move = HiveStepAction.move(
          number % pair.0.people.count, zone: number / 12 % HiveMenu.zones.count, start: number % 5)
        try stage.play(HiveStep(wait: number % 7 * 100, action: move))
        let after = try stage.found
        try expect(try stage.firstOpen >= open, "a closed day opened")
        try expectEqual(
          after.days(days, firstOpen: try stage.firstOpen).filter { $0.day < open }, settled)
        // A move over the date line may advance an open day, on which the others are done.
        try expectEqual(
          after.advanced.filter { $0 < open }, before.advanced.filter { $0 < open })
        try stage.compare()
      }
      statistics.cover("a streak to lose", atLeast: 15, before.streak(firstOpen: open) > 0)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `clocks set back over the beginning of a day reopen no day (R4)`() throws {
    // In Troll the clocks go back from three to one on 2026-10-25, at 01:00 UTC, and the day starts at two.
    var stage = try HiveStage(
      HiveScenario(
        beginning: 2, people: [(zone: 3, start: 2), (zone: 3, start: 2)], weekmask: 0,
        threshold: nil, target: 1000, steps: []))
    try stage.play(HiveStep(wait: 0, action: .invite(minutes: 1000, maximumUseCount: 1)))
    try stage.play(HiveStep(wait: 0, action: .join(1, invite: 0)))
    for person in 0...1 {
      try stage.play(HiveStep(wait: 1, action: .log(person, .today, value: 0)))
    }
    // 00:15 UTC on the 25th, when Friday and Saturday have broken; then 01:15, when Saturday seems to continue.
    try stage.play(HiveStep(wait: 3548, action: .settle))
    #expect(stage.recordedBreaks.count == 1)
    for wait in [0, 60, 30, 60] {
      try stage.play(HiveStep(wait: wait, action: .log(1, .ago(1), value: 0)))
      try stage.play(HiveStep(wait: 0, action: .log(0, .today, value: 0)))
      try stage.compare(all: true)
      try stage.play(HiveStep(wait: 0, action: .settle))
    }
    #expect(stage.reached.lateLogs > 2)
  }

  /// Requires that rare cases are generated, too.
  private func cover(_ stage: HiveStage, _ scenario: HiveScenario, _ statistics: inout Statistics) {
    let told = stage.settled.values.map(\.verdict)
    for verdict in [HiveVerdict.advanced, .broken, .unshared, .off] {
      statistics.cover("\(verdict)", atLeast: 20, told.contains(verdict))
    }
    statistics.cover("left_out", atLeast: 1, told.contains(.leftOut))
    statistics.cover(
      "a day that a member never had", atLeast: 4,
      stage.model.closed.values.contains { $0.lacking > 0 && $0.required > 1 })
    statistics.cover("a break recorded", atLeast: 8, !stage.recordedBreaks.isEmpty)
    statistics.cover("a streak of three", atLeast: 5, stage.reached.longest >= 3)
    statistics.cover("a late log", atLeast: 15, stage.reached.lateLogs > 0)
    statistics.cover("an advance by joining", atLeast: 0.2, stage.joinAdvances > 0)
    statistics.cover("an advance by leaving", atLeast: 0.2, stage.leaveAdvances > 0)
    statistics.cover("a move with a streak", atLeast: 8, stage.reached.movesWithStreak > 0)
    for code in [
      "not_member", "future_day", "future_instant", "before_joining", "invalid_code",
      "invite_expired", "invite_exhausted", "owner_must_hand_over", "member_not_found",
      "day_not_begun",
    ] {
      statistics.cover(code, atLeast: 0.6, stage.reached.refusals.contains(code))
    }
    statistics.cover("hive_full", atLeast: 0.3, stage.reached.refusals.contains("hive_full"))
  }
}
