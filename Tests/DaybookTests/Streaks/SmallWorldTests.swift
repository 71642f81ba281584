import Daybook
import PropertyTesting
import Testing

/// Every small history, and many large ones, against the naive definition (laws 6 and 7).
@Suite(.tags(.law)) struct SmallWorldTests {
  static let schedules: [(String, Schedule)] = [
    ("daily", .daily), ("Monday, Wednesday, Thursday", weekdays("M-WT---")),
    ("1 in 2", .quota(times: 1, days: 2)), ("2 in 3", .quota(times: 2, days: 3)),
    ("1 in 4", .quota(times: 1, days: 4)), ("2 in 4", .quota(times: 2, days: 4)),
  ]

  /// All words of up to five letters.
  static var words: [String] {
    var words = [""]
    var longest = words
    for _ in 0..<5 {
      longest = longest.flatMap { word in ".bxs".map { word + String($0) } }
      words += longest
    }
    return words.filter { !$0.isEmpty }
  }

  @Test(arguments: schedules.map(\.0))
  func `every history of up to five days matches the naive definition`(
    name: String
  ) throws {
    let schedule = Self.schedules.first { $0.0 == name }?.1 ?? .daily
    for word in try sample(Self.words, every: 5) {
      var world = history(word, schedule)
      let variants: [(inout HabitHistory) -> Void] = [
        { _ in },
        { $0.openFrom = $0.today.advanced(by: 1) },
        {
          $0.today = $0.today.advanced(by: 3); $0.openFrom = $0.today
        },
        { $0.paused = [DaySpan(first: day("2026-03-03"), last: day("2026-03-04"))] },
        { $0.archived = [DaySpan(first: day("2026-03-04"), last: nil)] },
        { $0.leftOut = [day("2026-03-04")] },
        {
          $0.versions.append(
            .init(since: day("2026-03-04"), schedule: .daily, target: Target(amount(1))))
        },
        {
          $0.versions.append(
            .init(
              since: day("2026-03-05"), schedule: .quota(times: 1, days: 3),
              target: Target(amount(2))))
        },
      ]
      for (index, variant) in variants.enumerated() {
        world = history(word, schedule)
        variant(&world)
        guard let difference = difference(world) else { continue }
        Issue.record("\(name), \(word), variant \(index): \(difference)")
        return
      }
    }
  }

  @Test func `random histories match the naive definition`() throws {
    for seed in 0..<(try scaled(375)) {
      if let difference = difference(randomHistory(seed: seed)) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }
  }

  @Test func `random histories with left-out days match the naive definition`() throws {
    for seed in 0..<(try scaled(125)) {
      var history = randomHistory(seed: seed)
      var chance = Chance(seed: -seed - 1)
      let days = Naive.days(history.created.advanced(by: -2), history.today.advanced(by: 2))
      history.leftOut = Set((0..<chance.pick(1...4)).map { _ in chance.pick(days) }).sorted()
      if let difference = difference(history) {
        Issue.record("seed \(seed): \(difference)")
        return
      }
    }
  }

  /// The difference between the rule and the naive definition.
  private func difference(_ history: HabitHistory) -> String? {
    let marks = Naive.marks(history)
    let streaks = Naive.streaks(marks)
    let rule = StreakRule.daybook
    let judgement = rule.judgement(of: history)
    let summary = rule.summary(of: history)
    let judged = judgement.days.map {
      Naive.Marked(day: $0.day, mark: $0.mark, due: $0.due, covered: $0.covered)
    }
    if judged != marks { return "marks \(letters(judgement))" }
    if judgement.streaks != streaks { return "streaks \(judgement.streaks), not \(streaks)" }
    if judgement.current != Naive.current(marks) { return "current" }
    if judgement.longest != Naive.longest(streaks) { return "longest" }
    if summary.current != judgement.current || summary.longest != judgement.longest
      || summary.completion.share != judgement.completion || summary.dayCount != marks.count
    {
      return "the summary differs from the judgement: \(summary)"
    }
    for index in marks.indices {
      let alive = Naive.current(Array(marks[...index]))?.length ?? 0
      if judgement.days[index].streak != alive { return "streak after \(marks[index].day.parts)" }
    }
    let loop = StreakRule.loop.judgement(of: history)
    let loopStreaks = Naive.loopStreaks(history)
    if loop.streaks != loopStreaks {
      return "Loop's streaks \(loop.streaks), not \(loopStreaks)"
    }
    let loopSummary = StreakRule.loop.summary(of: history)
    if loopSummary.longest != Naive.longest(loopStreaks) { return "Loop's longest" }
    if loopSummary.current != loop.current { return "Loop's current" }
    return nil
  }
}
