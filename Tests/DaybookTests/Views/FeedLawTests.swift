import Daybook
import PropertyTesting
import Testing

/// Laws of every feed, over random histories.
@Suite(.tags(.law)) struct FeedLawTests {
  @Test(arguments: 0..<(try scaled(6)))
  func `a feed matches the naive definition (HH-24, R8)`(_ seed: Int) throws {
    let chronicle = try randomChronicle(seed: seed)
    let naive = NaiveFeed(chronicle)
    var all: Set<NaiveFeed.Told> = []
    for viewer in 1...3 {
      let lines = try chronicle.page(of: viewer).lines.map { NaiveFeed.Told($0.activity) }
      let expected = naive.feed(of: try #require(Account.ID(viewer)))
      #expect(Set(lines) == expected, "\(Set(lines).symmetricDifference(expected))")
      #expect(lines.count == expected.count)
      all.formUnion(lines.filter { $0.kind != .habitCompleted || $0.habit != nil })
    }
    // For any viewer: the whole book is the same.
    var log = ActivityLog()
    for entry in chronicle.entries { log.apply(entry) }
    let state = chronicle.state
    let told = log.activities.filter { activity in
      activity.hive.map { state.hives[$0].map { !$0.activeMembers.isEmpty } ?? false } ?? true
    }
    #expect(Set(told.map { NaiveFeed.Told($0) }) == all)
    #expect(Set(log.activities.map(\.id)).count == log.activities.count)
    #expect(log.activities.map(\.position) == log.activities.map(\.position).sorted())
  }

  @Test func `the random histories cover every kind of activity`() throws {
    var kinds: [String: Int] = [:]
    var undone = 0
    for seed in 0..<24 {
      let chronicle = try randomChronicle(seed: seed)
      for viewer in 1...3 {
        for line in try chronicle.page(of: viewer).lines {
          let place = line.activity.habit == nil ? "hive" : "habit"
          kinds["\(line.activity.kind.rawValue) \(place)", default: 0] += 1
        }
        for award in try chronicle.awards(of: viewer, asOf: chronicle.state.at) {
          kinds[award.cause.code, default: 0] += 1
          if award.isUndone { undone += 1 }
        }
      }
    }
    let wanted = [
      "habit_completed habit", "habit_completed hive", "streak_milestone habit",
      "streak_milestone hive", "hive_joined hive", "hive_advanced hive", "hive_broken hive",
      "first_log", "logs", "streak", "perfect_week", "perfect_month", "comeback", "hive_streak",
    ]
    for kind in wanted { #expect(kinds[kind] ?? 0 >= 2, "\(kind): \(kinds)") }
    #expect(undone >= 5)
  }

  @Test(arguments: 0..<(try scaled(2)))
  func `pages together are the whole feed, and stay so when more happens`(_ seed: Int) throws {
    let chronicle = try randomChronicle(seed: seed, steps: 80...100)
    let early = chronicle.prefix(chronicle.entries.count * 2 / 3)
    for viewer in 1...3 {
      let whole = try chronicle.page(of: viewer).lines.map(\.words)
      for limit in [1, 2, 3, 7, 50] {
        var lines: [String] = []
        var end = Int64.max
        while true {
          let page = try chronicle.page(of: viewer, before: end, limit: limit)
          #expect(
            page.lines.count <= limit || Set(page.lines.map(\.activity.position)).count == 1)
          lines += page.lines.map(\.words)
          guard let next = page.next else { break }
          try #require(next < end)
          end = next
        }
        #expect(lines == whole, "pages of \(limit)")
      }
      // A page read before has the same lines when it is read again. Membership in a hive decides what is visible, so
      // only the account's own habits are compared.
      let before = try early.page(of: viewer).lines.filter { $0.activity.habit != nil }
      let again = try chronicle.page(of: viewer, before: early.state.position + 1).lines
        .filter { $0.activity.habit != nil }
      #expect(again.map(\.words) == before.map(\.words))
    }
  }

  @Test(arguments: 0..<(try scaled(2)))
  func `a feed shows only the account's hives, and names only its own habits (HH-16)`(
    _ seed: Int
  ) throws {
    let chronicle = try randomChronicle(seed: seed, steps: 80...100)
    for viewer in 1...3 {
      let account = try #require(Account.ID(viewer))
      for line in try chronicle.page(of: viewer).lines {
        if let habit = line.activity.habit {
          #expect(chronicle.state.habits[habit]?.owner == account)
        } else {
          let hive = try #require(line.activity.hive.flatMap { chronicle.state.hives[$0] })
          #expect(hive.member(account) != nil && line.habitName == nil)
        }
      }
    }
  }
}
