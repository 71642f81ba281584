import Daybook
import PropertyTesting
import StreakLaws
import Synchronization
import Testing

/// Each law finds the smallest history on which a rule made to break it does so.
///
/// `bounds` is not among them: no effects that a rule can give lead to other streaks.
@Suite(.tags(.unit)) struct StreakLawCheckTests {
  private func example(_ law: StreakLaw, _ rule: StreakRule) throws -> HabitHistory {
    let reports = StreakLaws.check(rule, laws: [law], cases: 2000, seed: 7)
    let report = try #require(reports.first)
    return try #require(report.report.counterExample?.minimal, "\(report.report)")
  }

  @Test func `monotone fails where a full day after another breaks a streak`() throws {
    let rule = StreakRule(id: "modest", version: 1, basedOn: .daybook) { days in
      guard let today = days.last, today.mark == .full else {
        return days.last?.effect == .breaks ? .neutral : nil
      }
      return days.dropLast().last?.mark == .full ? .breaks : nil
    }
    let history = try example(.monotone, rule)
    // Done, missed, done.
    #expect(history.records.count == 2)
  }

  @Test func `skip_neutral fails where a skip breaks a streak`() throws {
    var clauses = RuleClauses()
    clauses.effects = RuleEffects()
    clauses.effects.skipped = .breaks
    clauses.effects.missed = .neutral
    let history = try example(.skipNeutral, StreakRule(RuleDefinition(id: "no-skips", clauses)))
    // Done, missed: when the miss is skipped, nothing remains of the streak.
    #expect(history.records.count == 1)
  }

  @Test func `closed fails where the effect of a miss depends on today`() throws {
    let rule = StreakRule(id: "moody", version: 1) { history in
      StreakRule.daybook.judgement(of: history).days.map { day in
        var day = day
        if day.mark == .missed, history.today.weekday == 1 { day.effect = .neutral }
        return day
      }
    }
    #expect(try example(.closed, rule).records.isEmpty)
  }

  @Test func `prefix fails where the day after a miss redeems it`() throws {
    let rule = StreakRule(id: "hindsight", version: 1) { history in
      var days = StreakRule.daybook.judgement(of: history).days
      for index in days.indices.dropLast()
      where days[index].mark == .missed && days[index + 1].mark == .full {
        days[index].effect = .neutral
      }
      return days
    }
    #expect(try example(.prefix, rule).records.count == 1)
  }

  @Test func `order_free fails where only the first pause counts`() throws {
    let rule = StreakRule(id: "first-pause", version: 1) { history in
      var history = history
      history.paused = Array(history.paused.prefix(1))
      return StreakRule.daybook.judgement(of: history).days
    }
    #expect(try example(.orderFree, rule).paused.count == 2)
  }

  @Test func `incremental fails where a rule's judgement varies`() throws {
    let count = Mutex(0)
    let rule = StreakRule(id: "fickle", version: 1) { history in
      let isOdd = count.withLock { count in
        count += 1
        return count % 2 == 1
      }
      return isOdd ? StreakRule.daybook.judgement(of: history).days : []
    }
    #expect(try example(.incremental, rule).records.isEmpty)
  }

  @Test func `the smallest history on which two rules differ is small`() throws {
    let freezes = try #require(StreakRule.shipped(named: "freezes"))
    let report = StreakLaws.check(freezes, against: .daybook, cases: 2000, seed: 7)
    let history = try #require(report.counterExample?.minimal, "\(report)")
    // Seven full days, a miss, and a day after it.
    #expect(history.records.count == 7)
    #expect(freezes.summary(of: history).current?.length == 7)
    #expect(StreakRule.daybook.summary(of: history).current == nil)
  }
}
