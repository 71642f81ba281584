import Daybook
import Foundation
import Testing

/// Compares with Loop Habit Tracker's own results (../shared/fixtures; skipped if that is absent).
@Suite(.tags(.unit), .enabled(if: LoopFixtures.exist, "../shared/fixtures is not here"))
struct LoopFixtureTests {
  @Test func `marks, streaks and score match Loop's own test habits`() throws {
    for fixture in try LoopFixtures.cases() {
      let today = day("2026-06-15")
      let world = fixture.history(today: today)
      let judgement = StreakRule.loop.judgement(of: world)
      var computed: [Int: String] = [:]
      for entry in fixture.computed { computed[entry.daysAgo] = entry.value }
      for judged in judgement.days where judged.day <= today {
        let expected = computed[judged.day.distance(to: today)] ?? "UNKNOWN"
        let isNo = judged.mark == .missed || judged.mark == .pending
        let found =
          judged.mark == .full
          ? "YES_MANUAL" : judged.mark == .skipped ? "SKIP" : judged.covered ? "YES_AUTO" : "NO"
        #expect(
          found == expected || (isNo && ["NO", "UNKNOWN"].contains(expected)), "\(fixture.id)")
      }
      let streaks = judgement.streaks.filter { $0.start <= today }
      #expect(
        streaks.map(\.length) == fixture.streaks.map(\.length), "\(fixture.id)")
      #expect(
        streaks.map { $0.start.distance(to: today) } == fixture.streaks.map(\.startDaysAgo),
        "\(fixture.id)")
      #expect(abs(world.strength - fixture.scoreToday) < 1e-6, "\(fixture.id)")
    }
  }

  @Test func `best streaks are listed newest first, as in the reference`() throws {
    let long = try LoopFixtures.cases().first { $0.id.hasPrefix("T6") }
    let world = try #require(long).history(today: day("2026-06-15"))
    let streaks = StreakRule.loop.judgement(of: world).streaks
    let longer = { (a: Streak, b: Streak) in (a.length, a.start) > (b.length, b.start) }
    let best = { (count: Int) in
      streaks.sorted(by: longer).prefix(count).sorted { $0.start > $1.start }.map(\.length)
    }
    #expect(best(4) == [4, 3, 5, 6])
    #expect(best(2) == [5, 6])
  }

  @Test func `a real history's automatic days follow from its manual ones`() throws {
    let habits = try LoopFixtures.table("loop-export-2016/Habits.csv")
    #expect(habits.count == 9)
    var (automatic, since) = (0, 0)
    for habit in habits {
      let cells = try LoopFixtures.table(
        "loop-export-2016/\(habit[0]) \(habit[1])/Checkmarks.csv"
      ).map { (day: day($0[0]), value: $0[1]) }
      let newest = try #require(cells.first?.day)
      let frequency = (try #require(Int(habit[5])), try #require(Int(habit[6])))
      let world = HabitHistory(
        created: newest,
        versions: [
          .init(
            since: newest, schedule: .quota(frequency.0, in: frequency.1) ?? .daily,
            target: Target(.one))
        ],
        records: cells.reversed().filter { $0.value == "YES_MANUAL" }.map {
          .init(day: $0.day, value: .one)
        },
        today: newest)
      let judgement = StreakRule.loop.judgement(of: world)
      let own = StreakRule.daybook.judgement(of: world)
      let done = Set(world.records.map(\.day))
      for cell in cells where cell.value != "YES_MANUAL" {
        let covered = judgement[cell.day]?.covered ?? false
        let isAuto = cell.value == "YES_AUTO"
        // The Loop of 2016 painted a day only once the window that ends on it was done.
        let trailing = (0..<frequency.1).count { done.contains(cell.day.advanced(by: -$0)) }
        #expect(isAuto == (trailing >= frequency.0), "\(habit[0]) \(cell)")
        if isAuto {
          automatic += 1
          #expect(covered, "\(habit[0]) \(cell)")
        } else if covered {
          since += 1
        }
        if covered, let judged = own[cell.day] { #expect(judged.mark == .off) }
      }
    }
    #expect(automatic == 40)
    // Today's Loop also paints days of windows that have only begun.
    #expect(since == 9)
  }

  @Test func `the scores match an export of Loop 2.3.1, at-most counters included (4 decimals)`()
    throws
  {
    for habit in try LoopFixtures.table("loop-export-2.3.1/Habits.csv") {
      let folder = "loop-export-2.3.1/\(habit[0]) \(habit[1])"
      let cells = try LoopFixtures.table(folder + "/Checkmarks.csv")
      guard let oldest = cells.last, let newest = cells.first else { continue }
      let isCounter = habit[2] == "NUMERICAL"
      let bound = habit[9] == "AT_MOST" ? Target.Bound.atMost : .atLeast
      let target =
        isCounter ? Target(amount(Int(Double(habit[10]) ?? 0)), bound) : Target(.one)
      let schedule = Schedule.quota(Int(habit[5]) ?? 0, in: Int(habit[6]) ?? 0)
      let world = HabitHistory(
        created: day(oldest[0]),
        versions: [.init(since: day(oldest[0]), schedule: schedule ?? .daily, target: target)],
        records: cells.reversed().map { cell in
          let known = ["YES_MANUAL": Amount.one, "NO": .zero][cell[1]]
          return .init(day: day(cell[0]), value: known ?? Amount(thousandths: Int64(cell[1]) ?? 0))
        },
        today: day(newest[0]), type: isCounter ? .counter : .checkbox)
      let scores = try LoopFixtures.table(folder + "/Scores.csv")
      #expect(world.strengths.count == scores.count)
      for (strength, score) in zip(world.strengths.reversed(), scores) {
        #expect(strength.day == day(score[0]))
        #expect(abs(strength.score - (Double(score[1]) ?? -1)) <= 0.00005, "\(habit[1])")
      }
    }
  }
}

/// The fixtures lie beside the package, and are never copied into it.
enum LoopFixtures {
  struct Case: Decodable {
    struct Entry: Decodable {
      var daysAgo: Int
      var value: String
    }
    struct Run: Decodable {
      var startDaysAgo: Int
      var length: Int
    }
    var id: String
    var freq: [Int]
    var entries: [Entry]
    var computed: [Entry]
    var streaks: [Run]
    var scoreToday: Double

    func history(today: Day) -> HabitHistory {
      let created = today.advanced(by: -(entries.map(\.daysAgo).max() ?? 0))
      let values: [String: Amount?] = ["YES_MANUAL": .one, "NO": .zero, "SKIP": Amount?.none]
      return HabitHistory(
        created: created,
        versions: [
          .init(
            since: created, schedule: .quota(freq[0], in: freq[1]) ?? .daily, target: Target(.one))
        ],
        records: entries.sorted { $0.daysAgo > $1.daysAgo }.compactMap { entry in
          values[entry.value].map { .init(day: today.advanced(by: -entry.daysAgo), value: $0) }
        }, today: today)
    }
  }

  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "../shared/fixtures").standardizedFileURL

  static let exist = FileManager.default.fileExists(
    atPath: folder.appending(path: "loop_cases.json").path)

  static func cases() throws -> [Case] {
    let data = try Data(contentsOf: folder.appending(path: "loop_cases.json"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Case].self, from: data)
  }

  /// The rows of a CSV file below its head; no cell read here is quoted.
  static func table(_ path: String) throws -> [[String]] {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      .split(whereSeparator: \.isNewline).dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }
}
