import Daybook
import PropertyTesting
import StreakLaws
import Testing

/// Rules of clauses against the wording of `Docs/Rules.md`, and against the rules in code.
@Suite(.tags(.law)) struct RuleClauseTests {
  /// Any rule that a file can express, with constant counts and earning.
  static let rules = Generator<RuleDefinition> { source in
    var clauses = RuleClauses()
    try change(&clauses, &source)
    clauses.skips = try optional(0...3, &source).map {
      SkipsClause(atMost: $0, per: try source.draw(.anyCase()))
    }
    clauses.freezes = try optional(1...8, &source).map {
      FreezesClause(perFullDays: $0, hold: try source.draw(.integer(in: 1...3)))
    }
    switch try source.draw(.integer(in: 0...5)) {
    case 3, 4:
      clauses.counted = .periods(
        try source.draw(.anyCase()), fullDays: try optional(1...6, &source))
    case 5: clauses.counted = .strength(try source.draw(.integer(in: 1...60)))
    default: break
    }
    clauses.weekStart = try source.draw(.integer(in: 0...6))
    var changes: [RuleDefinition.Stage] = []
    let changeCount = try source.draw(.integer(in: 0...2))
    for _ in 0..<changeCount {
      let offset = try source.draw(.integer(in: 1...50))
      var later = clauses
      try change(&later, &source)
      changes.append(.init(from: day("2026-03-02").advanced(by: offset), later))
    }
    return RuleDefinition(id: "random", clauses, changes: changes)
  }

  private static func optional(
    _ range: ClosedRange<Int>, _ source: inout PropertyTesting.Source
  ) throws -> Int? {
    try source.draw(.integer(in: 0...2)) == 0 ? nil : try source.draw(.integer(in: range))
  }

  private static func effect(
    _ source: inout PropertyTesting.Source, oneIn count: Int = 3
  ) throws -> StreakRule.Effect? {
    try source.draw(.integer(in: 1...count)) < count ? nil : try source.draw(.anyCase())
  }

  private static func change(_ clauses: inout RuleClauses, _ source: inout PropertyTesting.Source)
    throws
  {
    clauses.effects.full = try effect(&source, oneIn: 12)
    clauses.effects.bonus = try effect(&source)
    clauses.effects.partial = try effect(&source)
    clauses.effects.skipped = try effect(&source)
    clauses.effects.paused = try effect(&source)
    clauses.effects.covered = try effect(&source)
    clauses.effects.missed = try effect(&source, oneIn: 12)
    clauses.partialCredit = try optional(1...99, &source)
    clauses.late = nil
    if let hours = try optional(0...60, &source) {
      // A number of days is given only together with a number of records.
      clauses.late = LateClause(withinHours: hours)
      if let most = try optional(1...3, &source) {
        clauses.late = LateClause(
          withinHours: hours, atMost: most, inDays: try source.draw(.integer(in: 1...20)))
      }
    }
    clauses.grace = nil
    if let misses = try optional(1...3, &source) {
      clauses.grace = GraceClause(
        misses: misses, inDays: try source.draw(.integer(in: 1...12)),
        inARow: try optional(1...3, &source))
    }
  }

  /// Any history; for half of them the order of the late records is known.
  private static let histories = Generator<HabitHistory> { source in
    var history = try source.draw(HabitHistory.generator)
    guard try source.draw(.bool(probability: 0.5)) else { return history }
    let late = history.records.indices.filter { history.records[$0].hoursLate > 0 }
    var ranks = Array(late.indices)
    for index in late {
      let place = try source.draw(.integer(in: 0...ranks.count - 1))
      history.records[index].lateRank = UInt16(ranks.remove(at: place) + 1)
    }
    return history
  }

  @Test func `any rule of clauses judges as its page states`() {
    let worlds = Generator<(RuleDefinition, HabitHistory)>.zip(Self.rules, Self.histories)
    let report = check("a rule judges as its words say", worlds, cases: 300) { world in
      let (rule, history) = world
      let naive = NaiveRule(rule, history)
      let judgement = StreakRule(rule).judgement(of: history)
      for (found, expected) in zip(judgement.days, naive.settled)
      where found.day != expected.day || found.effect != expected.effect {
        throw Falsified("\(found.day) \(found.effect), not \(expected.effect)")
      }
      try expectEqual(judgement.days.count, naive.settled.count)
      try expectEqual(judgement.streaks, naive.streaks)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `any rule reads back from its file`() {
    let report = check("a rule is read as it was written", Self.rules, cases: 300) { rule in
      try expectEqual(try RuleFile.rule(RuleFile.json(rule)), rule)
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: ["daybook", "loop"])
  func `a rule in code and its file judge alike`(name: String) throws {
    let file = try #require(RuleFile.shipped.first { $0.id == name })
    let code = try #require(StreakRule.named(name))
    let report = StreakLaws.check(StreakRule(file), against: code, cases: 1000)
    #expect(report.passed, "\(report)")
    for seed in 0..<(try scaled(200)) {
      let world = randomHistory(seed: seed)
      #expect(StreakRule(file).judgement(of: world) == code.judgement(of: world), "seed \(seed)")
      #expect(StreakRule(file).summary(of: world) == code.summary(of: world), "seed \(seed)")
    }
  }

  @Test func `every shipped rule satisfies the laws it claims`() {
    #expect(
      RuleFile.shipped.map(\.id) == [
        "daybook", "loop", "strict", "gentle", "freezes", "never-miss-twice", "weekly", "honest",
      ])
    for rule in RuleFile.shipped {
      for report in StreakLaws.check(StreakRule(rule), cases: 50) {
        #expect(!report.isBroken, "\(report.report)")
      }
    }
  }
}
