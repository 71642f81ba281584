import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct FeedTests {
  @Test
  func `a day is completed once in a feed, despite repeated logs and clears (HH-24)`()
    throws
  {
    var chronicle = threePeople()
    try chronicle.log("2026-03-02")
    try chronicle.log("2026-03-02")
    try chronicle.record(ClearLog(First.habit), by: 1, at: moment("2026-03-02T13:00:00Z"))
    try chronicle.log("2026-03-02")
    #expect(try chronicle.feed(of: 1) == ["5 habit_completed 2026-03-02 Read"])
    #expect(try chronicle.feed(of: 2).isEmpty)
  }

  @Test func `a counted day is completed by the log that reaches its target (HH-24)`()
    throws
  {
    var chronicle = threePeople()
    chronicle.take(
      habit(2, target: Target(amount(3))), by: First.account, at: moment("2026-03-01T12:00:00Z"))
    let water = try #require(Habit.ID(2))
    try chronicle.log("2026-03-02", of: water, value: amount(2))
    #expect(try chronicle.feed(of: 1).isEmpty)
    try chronicle.log("2026-03-02", of: water, value: amount(3))
    let update = UpdateHabit(water) {
      $0.target.amount = amount(5)
    }
    try chronicle.record(update, by: 1, at: moment("2026-03-03T08:00:00Z"))
    try chronicle.log("2026-03-03", of: water, value: amount(4))
    try chronicle.log("2026-03-04", of: water, for: "2026-03-01", value: amount(3))
    #expect(
      try chronicle.feed(of: 1) == [
        "10 habit_completed 2026-03-01 Read", "7 habit_completed 2026-03-02 Read",
      ])
  }

  @Test func `a milestone appears when a streak reaches it (HH-24)`() throws {
    var chronicle = threePeople()
    for number in 0..<35 {
      let text = day("2026-03-02").advanced(by: number).description
      try chronicle.log(text)
    }
    let told = try chronicle.page(of: 1).lines.filter { $0.activity.kind == .streakMilestone }
    #expect(told.map(\.activity.streak) == [30, 14, 7, 3])
    #expect(told.map(\.activity.position) == [34, 18, 11, 7])
    #expect(told.first?.words == "34-30 streak_milestone 2026-03-31 Read")
  }

  @Test func `joining two runs gives the milestones that the longer one had not reached`() throws {
    var chronicle = threePeople()
    for text in [
      "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-06", "2026-03-07", "2026-03-08",
    ] {
      try chronicle.log(text)
    }
    try chronicle.log("2026-03-08", for: "2026-03-05")
    #expect(
      try chronicle.feed(of: 1).filter { $0.contains("milestone") } == [
        "11-7 streak_milestone 2026-03-05 Read", "10-3 streak_milestone 2026-03-08 Read",
        "7-3 streak_milestone 2026-03-04 Read",
      ])
  }

  @Test func `a milestone undone and reached again appears once`() throws {
    var chronicle = threePeople()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04"] { try chronicle.log(text) }
    let evening = moment("2026-03-04T20:00:00Z")
    try chronicle.record(SkipDay(First.habit), by: 1, at: evening)
    // Two days and a skip: the fifth of March makes three of them again.
    try chronicle.log("2026-03-05")
    #expect(
      try chronicle.feed(of: 1).filter { $0.contains("milestone") } == [
        "7-3 streak_milestone 2026-03-04 Read"
      ])
  }

  @Test func `a new run after a break has its own milestones`() throws {
    var chronicle = threePeople()
    for text in [
      "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-10", "2026-03-11", "2026-03-12",
    ] {
      try chronicle.log(text)
    }
    #expect(try chronicle.feed(of: 1).filter { $0.contains("-3 ") }.count == 2)
  }

  @Test func `a hive's feed shows joinings, advances and breaks to its members (HH-24)`()
    throws
  {
    var chronicle = threePeople()
    try chronicle.beginHive()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04"] {
      try chronicle.logHive(text, by: 1, 2)
    }
    try chronicle.record(Settle(), by: nil, at: moment("2026-03-07T12:00:00Z"))
    #expect(
      try chronicle.feed(of: 1) == [
        "18 hive_broken 2026-03-05 (3) Readers", "17-3 streak_milestone 2026-03-04 Readers by Bob",
        "17 hive_advanced 2026-03-04 (3) Readers by Bob",
        "14 hive_advanced 2026-03-03 (2) Readers by Bob",
        "11 hive_advanced 2026-03-02 (1) Readers by Bob", "8 hive_joined 2026-03-02 Readers by Bob",
        "6 hive_joined 2026-03-02 Readers",
      ])
    #expect(try chronicle.feed(of: 2).count == 7)
    #expect(try chronicle.feed(of: 3).isEmpty)
    try chronicle.record(LeaveHive(firstHive), by: 2, at: moment("2026-03-08T12:00:00Z"))
    #expect(try chronicle.feed(of: 2).isEmpty, "only hives of present members")
    #expect(try chronicle.feed(of: 1).count == 7)
  }

  @Test func `a hive's milestone appears once in each of its runs`() throws {
    var chronicle = threePeople()
    try chronicle.beginHive()
    for first in ["2026-03-02", "2026-03-09"] {
      for number in 0..<4 {
        try chronicle.logHive(day(first).advanced(by: number).description, by: 1, 2)
      }
    }
    let told = try chronicle.page(of: 2).lines.filter { $0.activity.kind == .streakMilestone }
    #expect(told.map(\.activity.day) == [day("2026-03-11"), day("2026-03-04")])
  }

  @Test
  func `members see completions of the hive's source habit, and no others (R8)`()
    throws
  {
    var chronicle = threePeople()
    chronicle.take(habit(2), by: First.account, at: moment("2026-03-01T12:00:00Z"))
    try chronicle.log("2026-03-01")
    try chronicle.beginHive()
    try chronicle.log("2026-03-02")
    try chronicle.log("2026-03-02", of: try #require(Habit.ID(2)))
    #expect(
      try chronicle.feed(of: 2) == [
        "11 habit_completed 2026-03-02 Readers by Ada", "10 hive_joined 2026-03-02 Readers",
        "8 hive_joined 2026-03-02 Readers by Ada",
      ], "not what came before the hive, nor another habit")
    let line = try #require(try chronicle.page(of: 2).lines.first)
    #expect(line.habitName == nil && line.activity.habit == nil)
    #expect(
      line.json.encoded == """
        {"id":"11","position":11,"type":"habit_completed","at":"2026-03-02T12:00:00Z",\
        "day":"2026-03-02","streak":null,"habit":null,"habit_name":null,\
        "hive":"\(chronicle.state.hives.elements[0].key)","hive_name":"Readers",\
        "actor_name":"Ada","actor_avatar_url":null,"own":false}
        """)
    // Ada hands the hive over and leaves: her later activities are private.
    let at = moment("2026-03-03T08:00:00Z")
    let bob = try #require(Account.ID(2))
    try chronicle.record(HandOverHive(firstHive, to: bob), by: 1, at: at)
    try chronicle.record(LeaveHive(firstHive), by: 1, at: at)
    try chronicle.log("2026-03-03")
    #expect(try chronicle.feed(of: 2).filter { $0.contains("completed") }.count == 1)
    #expect(try chronicle.feed(of: 1).filter { $0.contains("completed") }.count == 4)
  }

  @Test func `the feed of one hive holds its days and its source's, and nothing else (HH-23)`()
    throws
  {
    var chronicle = threePeople()
    chronicle.take(habit(2), by: First.account, at: moment("2026-03-01T12:00:00Z"))
    try chronicle.beginHive()
    try chronicle.log("2026-03-02")
    try chronicle.log("2026-03-02", of: try #require(Habit.ID(2)))
    for viewer in [1, 2] {
      let lines = try chronicle.page(of: viewer, in: firstHive).lines
      #expect(
        lines.map(\.activity.kind) == [.habitCompleted, .hiveJoined, .hiveJoined], "\(viewer)")
    }
    #expect(try chronicle.page(of: 3, in: firstHive).lines.isEmpty)
  }

  @Test func `a feed omits deleted habits and hives`() throws {
    var chronicle = threePeople()
    try chronicle.log("2026-03-01")
    try chronicle.beginHive()
    try chronicle.log("2026-03-02")
    let at = moment("2026-03-03T08:00:00Z")
    try chronicle.record(DeleteHabit(First.habit), by: 1, at: at)
    #expect(try chronicle.feed(of: 1).allSatisfy { $0.contains("hive_joined") })
    #expect(try chronicle.feed(of: 2).allSatisfy { $0.contains("hive_joined") })
    try chronicle.record(DeleteHive(firstHive), by: 1, at: at)
    #expect(try chronicle.feed(of: 1).isEmpty)
    var log = ActivityLog()
    for entry in chronicle.entries { log.apply(entry) }
    #expect(log.rows.isEmpty && log.activities.count == 4)
  }

  @Test func `a page has a limit of lines, and keeps an entry's lines together`()
    throws
  {
    var chronicle = threePeople()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"] { try chronicle.log(text) }
    let first = try chronicle.page(of: 1, limit: 2)
    #expect(first.lines.map(\.activity.id) == ["8"])
    #expect(first.next == 8)
    let second = try chronicle.page(of: 1, before: 8, limit: 1)
    #expect(second.lines.map(\.activity.id) == ["7-3", "7"])
    let third = try chronicle.page(of: 1, before: 7, limit: 9)
    #expect(third.lines.map(\.activity.id) == ["6", "5"] && third.next == nil)
    #expect(try chronicle.page(of: 1, before: 1).lines.isEmpty)
    #expect(try chronicle.page(of: 1, before: 5).next == nil)
  }

  @Test func `milestones continue yearly`() {
    #expect(
      Milestone.reached(after: 0, through: 1100) == [3, 7, 14, 30, 60, 100, 180, 365, 730, 1095])
    #expect(Milestone.reached(after: 365, through: 730) == [730])
    #expect(Milestone.reached(after: 729, through: 729).isEmpty)
  }
}
