import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct HeatmapTests {
  @Test(arguments: [
    (0, 0), (1, 1), (2_999, 1), (3_000, 2), (5_999, 2), (6_000, 3), (8_999, 3), (9_000, 4),
    (1_000_000_000_000, 4),
  ])
  func `at-least levels are thirds of the target (DG-7)`(thousandths: Int64, level: Int) {
    var world = history(".", target: Target(amount(9)))
    world.records = [.init(day: world.today, value: Amount(thousandths: thousandths))]
    #expect(world.heatmap(year: 2026).first { $0.day == world.today }?.level == level)
  }

  @Test(arguments: [(0, 4), (3, 4), (4, 3), (5, 2), (9, 2), (10, 1), (1_000_000, 1)])
  func `at-most levels grow with the excess over the target (DG-7)`(value: Int, level: Int) {
    var world = history(".", target: Target(amount(3), .atMost))
    world.records = [.init(day: world.today, value: amount(value))]
    #expect(world.heatmap().last?.level == level)
  }

  @Test func `a calendar year has a cell for each of its days (HH-14)`() {
    let cells = history("xbs.").heatmap(year: 2026)
    #expect(cells.count == 365)
    #expect(cells.first?.day == day("2026-01-01"))
    #expect(cells.last?.day == day("2026-12-31"))
    #expect(cells.filter { $0.level > 0 }.map(\.level) == [4, 2])
    #expect(cells.filter { $0.value != nil }.map(\.value) == [amount(2), amount(1)])
    #expect(history("x").heatmap(year: 2028).count == 366)
    #expect(history("x").heatmap(year: 0).isEmpty)
    #expect(history("x").heatmap(year: 9999).count == 365)
  }

  @Test(arguments: [
    ("2026-03-02", "2025-03-03", 365), ("2024-02-29", "2023-03-01", 366),
    ("2024-12-31", "2024-01-01", 366), ("2025-02-28", "2024-02-29", 366),
    ("0001-01-02", "0001-01-01", 2),
  ])
  func `a heatmap without a year is of the last year up to today`(
    today: String, first: String, count: Int
  ) {
    let cells = history("x", from: today).heatmap()
    #expect(cells.first?.day == day(first))
    #expect(cells.last?.day == day(today))
    #expect(cells.count == count)
  }
}

@Suite(.tags(.unit)) struct TotalsTests {
  @Test func `weeks begin on Monday, and empty ones are listed (DG-5)`() {
    // Friday 6 March to Monday 30 March, paused in between.
    var world = history("xxb" + String(repeating: ".", count: 21) + "x", from: "2026-03-06")
    world.paused = [DaySpan(first: day("2026-03-09"), last: day("2026-03-29"))]
    let weeks = StreakRule.daybook.judgement(of: world).totals(by: .week)
    #expect(
      weeks == [
        Totals(
          start: day("2026-03-02"), completion: Completion(full: 2, partial: 1),
          sumThousandths: 5000),
        Totals(start: day("2026-03-09")), Totals(start: day("2026-03-16")),
        Totals(start: day("2026-03-23")),
        Totals(
          start: day("2026-03-30"), completion: Completion(full: 1), sumThousandths: 2000),
      ])
  }

  @Test func `every period holds every day once (HH-14)`() {
    for seed in 0..<100 {
      let judgement = StreakRule.daybook.judgement(of: randomHistory(seed: seed))
      for period in Period.allCases {
        let totals = judgement.totals(by: period)
        let full = totals.reduce(0) { $0 + $1.completion.full }
        let missed = totals.reduce(0) { $0 + $1.completion.missed }
        let sum = totals.reduce(0) { $0 + $1.sumThousandths }
        let values = judgement.days.reduce(0) { $0 + ($1.value?.thousandths ?? 0) }
        let starts = Set(judgement.days.map { period.start(of: $0.day) }).sorted()
        #expect(full == judgement.count(of: .full), "seed \(seed)")
        #expect(missed == judgement.count(of: .missed), "seed \(seed)")
        #expect(sum == values, "seed \(seed)")
        #expect(totals.map(\.start) == starts, "seed \(seed)")
      }
    }
  }

  @Test func `a given span is filled with empty periods`() {
    let judgement = StreakRule.daybook.judgement(of: history("x"))
    let months = judgement.totals(by: .month, over: day("2025-12-15")...day("2026-04-01"))
    #expect(
      months.map(\.start) == [
        day("2025-12-01"), day("2026-01-01"), day("2026-02-01"), day("2026-03-01"),
        day("2026-04-01"),
      ])
    #expect(months.map(\.completion.full) == [0, 0, 0, 1, 0])
    #expect(Judgement(folding: []).totals(by: .day).isEmpty)
    #expect(judgement.totals(by: .year, over: Day.first...Day.last).count == 9999)
    #expect(judgement.totals(by: .day, over: day("2026-03-01")...day("2026-03-03")).count == 3)
  }
}

@Suite(.tags(.unit)) struct StrengthTests {
  @Test(arguments: [
    (Schedule.daily, [0.0519225, 0.101149]), (.quota(times: 1, days: 3), [0.0151574, 0.0450126]),
  ])
  func `a done day moves the score up (reference)`(schedule: Schedule, scores: [Double]) {
    let strengths = history("xx", schedule).strengths.map(\.score)
    for (score, expected) in zip(strengths, scores) { #expect(abs(score - expected) < 1e-6) }
  }

  @Test func `twenty daily logs give the reference score (reference)`() {
    let world = history(String(repeating: "x", count: 20))
    let scores = world.strengths.map(\.score)
    for (index, expected) in [(0, 0.051922), (12, 0.5), (19, 0.655747)] {
      #expect(abs(scores[index] - expected) < 1.1e-6)
    }
    #expect(world.strength == scores.last)
  }

  @Test func `skipped and paused days do not change the score (reference)`() {
    // Skips 11, 10 and 5 days ago.
    let skips = history("xxxxxxxxssxxxxsxxxxx")
    #expect(abs(skips.strength - 0.596033) < 1.1e-6)
    var paused = history("xxxxxxxx..xxxx.xxxxx")
    paused.paused = [
      DaySpan(first: day("2026-03-10"), last: day("2026-03-11")),
      DaySpan(first: day("2026-03-16"), last: day("2026-03-16")),
    ]
    #expect(paused.strength == skips.strength)
  }

  @Test func `a counter's score compares its window's sum with one target for each due day`() {
    var weekly = history("....x..", .quota(times: 1, days: 7))
    weekly.type = .counter
    let scores = weekly.strengths.map(\.score)
    #expect(scores[..<4].allSatisfy { $0 == 0 })
    #expect(scores[6] > scores[5] && scores[5] > scores[4] && scores[4] > 0)
    var atMost = history("0x....", .quota(times: 1, days: 3), target: Target(amount(2), .atMost))
    atMost.type = .counter
    #expect(atMost.strengths.map(\.score) == [1, 1, 1, 1, 1, 1])
    // Done on all five weekdays for weeks: the strength is at its maximum, not five times as high.
    var full = history(String(repeating: "xxxxx..", count: 60), weekdays("MTWTF--"))
    full.type = .counter
    #expect(full.strength > 0.99 && full.strength <= 1)
    // One of the five: a fifth.
    var fifth = history(String(repeating: "x......", count: 60), weekdays("MTWTF--"))
    fifth.type = .counter
    #expect(abs(fifth.strength - 0.2) < 0.01)
  }

  @Test func `a counter's skip is 0.003 in the window's sum, as Loop stores it`() {
    // Loop adds every value it stores, and stores a skip as 3 thousandths; on the skip itself the score stays.
    var world = history("s.", .quota(times: 1, days: 7), target: Target(amount(1)))
    world.type = .counter
    let scores = world.strengths.map(\.score)
    #expect(scores[0] == 0)
    // One step of f = 1/7 towards 0.003: m = 0.5^(√(1/7) / 13).
    #expect(abs(scores[1] - 0.003 * (1 - 0.979950)) < 1e-6)
    world.type = .checkbox
    #expect(world.strengths.map(\.score) == [0, 0])
  }

  @Test func `a new version starts its own window and keeps the score`() {
    var world = history("xxxxxxxxxx")
    world.versions.append(
      .init(
        since: day("2026-03-07"), schedule: .quota(times: 1, days: 7), target: Target(amount(2))))
    let scores = world.strengths.map(\.score)
    let daily = history("xxxxx").strength
    #expect(scores[4] == daily)
    // Five done days in the window of 14, of which two are due: c = 1.
    #expect(scores[5] > daily && scores[5] - daily < scores[4] - scores[3])
  }
}

/// All judged days.
@Suite(.tags(.law)) struct StreakLimitTests {
  @Test func `extreme times and amounts never trap`() throws {
    let ends = HabitHistory(
      created: .first,
      versions: [.init(since: .last, schedule: .quota(times: 1, days: 31), target: Target(.last))],
      records: [.init(day: .first, value: .last), .init(day: .last, value: .last)], today: .last)
    for type in try sample(HabitType.allCases, every: 3) {
      var world = ends
      world.type = type
      #expect(StreakRule.daybook.summary(of: world).dayCount == 3_652_059)
      #expect(StreakRule.loop.summary(of: world).longest != nil)
      #expect(world.strength >= 0)
      #expect(world.heatmap().count == 365)
    }
    let none = HabitHistory(created: .last, versions: [], today: .first)
    #expect(StreakRule.daybook.judgement(of: none).days.isEmpty)
    let unordered = HabitHistory(
      created: day("2026-03-02"),
      versions: [
        .init(since: .last, schedule: .quota(times: 2, days: 3), target: Target(.zero)),
        .init(since: .first, schedule: .daily, target: Target(.one, .atMost)),
      ],
      records: [3, 1, 2, 2, 9, 0].map {
        .init(day: day("2026-03-02").advanced(by: $0), value: .one)
      },
      archived: [DaySpan(first: .last, last: nil), DaySpan(first: .first, last: .last)],
      today: day("2026-03-06"))
    for rule in StreakRule.all { _ = rule.judgement(of: unordered) }
    _ = unordered.strengths
  }
}
