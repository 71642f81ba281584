import Avro
import Daybook
import Testing

@Suite(.tags(.law)) struct AwardTests {
  private static func causes(_ awards: [Award]) -> [String] {
    awards.map { award in
      award.cause.code + (award.cause.count.map { " \($0)" } ?? "") + " \(award.day)"
        + (award.isUndone ? " undone" : "")
    }
  }

  @Test func `the first log and a streak are awarded once, with their evidence (DG-6)`() throws {
    var chronicle = threePeople()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04"] { try chronicle.log(text) }
    for text in ["2026-03-10", "2026-03-11", "2026-03-12"] { try chronicle.log(text) }
    let awards = try chronicle.awards(of: 1, at: "2026-03-12T20:00:00Z")
    #expect(Self.causes(awards) == ["first_log 2026-03-02", "streak 3 2026-03-04"])
    #expect(awards.map(\.position) == [5, 7])
    #expect(awards.map(\.evidence) == [[5], [5, 6, 7]])
    #expect(awards.map(\.at.description) == ["2026-03-02T12:00:00Z", "2026-03-04T12:00:00Z"])
    #expect(try chronicle.awards(of: 2, at: "2026-03-12T20:00:00Z").isEmpty)
  }

  @Test func `an award whose cause is undone stays, and is marked (DG-6)`() throws {
    var chronicle = threePeople()
    for text in ["2026-03-02", "2026-03-03", "2026-03-04"] { try chronicle.log(text) }
    let at = moment("2026-03-04T20:00:00Z")
    try chronicle.record(ClearLog(First.habit, day: .day(day("2026-03-03"))), by: 1, at: at)
    #expect(
      Self.causes(try chronicle.awards(of: 1, asOf: at)) == [
        "first_log 2026-03-02", "streak 3 2026-03-04 undone",
      ])
    try chronicle.log("2026-03-05", for: "2026-03-03")
    #expect(
      Self.causes(try chronicle.awards(of: 1, at: "2026-03-05T20:00:00Z")) == [
        "first_log 2026-03-02", "streak 3 2026-03-04",
      ], "it holds again, and is not given twice")
  }

  @Test func `ten, a hundred and a thousand days over all habits are awarded (DG-6)`() throws {
    var chronicle = threePeople()
    chronicle.take(habit(2), by: First.account, at: moment("2026-02-20T12:00:00Z"))
    let second = try #require(Habit.ID(2))
    for number in 0..<55 {
      let text = day("2026-03-02").advanced(by: number).description
      try chronicle.log(text)
      try chronicle.log(text)
      try chronicle.log(text, of: second)
    }
    let awards = try chronicle.awards(of: 1, at: "2026-04-26T20:00:00Z")
    let logs = awards.filter { $0.cause.code == "logs" }
    #expect(Self.causes(logs) == ["logs 10 2026-03-06", "logs 100 2026-04-20"])
    #expect(logs.map(\.evidence.count) == [10, 100])
  }

  @Test func `a week is perfect once it is over and everything due was done (DG-6)`() throws {
    var chronicle = threePeople()
    // From Monday 2 March; the habit was created on 20 February, so it did not exist for all of that week.
    for number in 0..<7 { try chronicle.log(day("2026-03-02").advanced(by: number).description) }
    func weeks(_ text: String) throws -> [String] {
      Self.causes(try chronicle.awards(of: 1, at: text).filter { $0.cause.code == "perfect_week" })
    }
    #expect(try weeks("2026-03-08T23:00:00Z").isEmpty)
    #expect(try weeks("2026-03-09T00:00:00Z") == ["perfect_week 2026-03-08"])
    // The week before is filled in later.
    for number in 0..<7 {
      try chronicle.log("2026-03-10", for: day("2026-02-23").advanced(by: number).description)
    }
    #expect(
      try weeks("2026-03-10T20:00:00Z") == ["perfect_week 2026-03-08", "perfect_week 2026-03-01"])
    let at = moment("2026-03-11T12:00:00Z")
    try chronicle.record(SkipDay(First.habit, day: .day(day("2026-03-04"))), by: 1, at: at)
    #expect(
      try weeks("2026-03-11T20:00:00Z") == [
        "perfect_week 2026-03-08 undone", "perfect_week 2026-03-01",
      ])
  }

  @Test func `a month is perfect, and days off or paused ask for nothing (DG-6)`() throws {
    var chronicle = threePeople()
    let second = try #require(Habit.ID(2))
    chronicle.take(
      habit(2, schedule: weekdays("M-W-F--")), by: First.account,
      at: moment("2026-02-20T12:00:00Z"))
    for number in 0..<31 {
      let date = day("2026-03-01").advanced(by: number)
      guard [0, 2, 4].contains(date.weekday), date != day("2026-03-18") else { continue }
      try chronicle.log(date.description, of: second)
    }
    try chronicle.record(
      Pause(first: day("2026-03-17"), last: day("2026-03-19")), by: 1,
      at: moment("2026-03-31T12:00:00Z"))
    let months = try chronicle.awards(of: 1, at: "2026-04-01T00:00:00Z")
      .filter { $0.cause.code == "perfect_month" }
    #expect(Self.causes(months) == ["perfect_month 2026-03-31"])
    #expect(months.first?.cause.firstDay == day("2026-03-01"))
    #expect(months.first?.evidence.count == 12)
  }

  @Test func `a comeback is a full day after seven or more missed ones (DG-6)`() throws {
    var chronicle = threePeople()
    try chronicle.log("2026-03-09")
    #expect(
      try chronicle.awards(of: 1, at: "2026-03-09T20:00:00Z").count == 1,
      "before the first done day there is no comeback")
    try chronicle.log("2026-03-16")
    try chronicle.log("2026-03-24")
    func comebacks() throws -> [Award] {
      try chronicle.awards(of: 1, at: "2026-03-25T20:00:00Z").filter { $0.cause.code == "comeback" }
    }
    #expect(Self.causes(try comebacks()) == ["comeback 2026-03-24"])
    #expect(try comebacks().map(\.evidence) == [[7]])
    try chronicle.log("2026-03-25", for: "2026-03-20")
    #expect(Self.causes(try comebacks()) == ["comeback 2026-03-24 undone"])
  }

  @Test func `a hive's streak is awarded to its members of the time (DG-6)`() throws {
    var chronicle = threePeople()
    try chronicle.beginHive()
    for number in 0..<4 {
      try chronicle.logHive(day("2026-03-02").advanced(by: number).description, by: 1, 2)
    }
    try chronicle.record(JoinHive("0123456789ab"), by: 3, at: moment("2026-03-06T08:00:00Z"))
    for number in 4..<7 {
      try chronicle.logHive(day("2026-03-02").advanced(by: number).description, by: 1, 2, 3)
    }
    try chronicle.record(LeaveHive(firstHive), by: 2, at: moment("2026-03-09T08:00:00Z"))
    let now = "2026-03-10T12:00:00Z"
    #expect(
      Self.causes(try chronicle.awards(of: 2, at: now)) == [
        "hive_streak 3 2026-03-04", "hive_streak 7 2026-03-08",
      ])
    #expect(Self.causes(try chronicle.awards(of: 3, at: now)) == ["hive_streak 7 2026-03-08"])
    let award = try #require(try chronicle.awards(of: 2, at: now).last)
    #expect(award.evidence.count == 7 && award.evidence.last == award.position)
    let json = award.json(of: try #require(Account.ID(2)), in: chronicle.state)
    #expect(json["hive_name"] == .null, "former members see nothing of the hive (HH-16)")
  }

  @Test(arguments: 0..<14)
  func `a habit's awards match the naive definition (DG-6)`(_ seed: Int) throws {
    let chronicle = try randomChronicle(seed: seed)
    let now = chronicle.state.at.advanced(byMilliseconds: 86_400_000)
    for account in 1...3 {
      let awards = try chronicle.awards(of: account, asOf: now)
      #expect(Set(awards.map(\.cause)).count == awards.count, "once for each cause")
      for habit in chronicle.state.habits.elements.indices.compactMap({ Habit.ID($0 + 1) })
      where chronicle.state.habits[habit]?.owner == Account.ID(account) {
        let mine = awards.filter { $0.cause.habit == habit }
        let expected = NaiveAwards(habit, chronicle, until: now).earned()
        let found = mine.map {
          NaiveAwards.Earned(cause: $0.cause, isUndone: $0.isUndone, day: $0.day)
        }
        func order(_ earned: [NaiveAwards.Earned]) -> [String] { earned.map { "\($0)" }.sorted() }
        #expect(order(found) == order(expected))
        for award in mine {
          #expect(!award.evidence.isEmpty && award.evidence == award.evidence.sorted())
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `an award stays, whatever is recorded after it (DG-6)`(
    _ seed: Int
  ) throws {
    let chronicle = try randomChronicle(seed: seed)
    let early = chronicle.prefix(chronicle.entries.count / 2)
    for account in 1...3 {
      let before = try early.awards(of: account, asOf: early.state.at)
      let after = try chronicle.awards(of: account, asOf: chronicle.state.at)
      for var award in before {
        let kept = try #require(after.first { $0.cause == award.cause })
        award.isUndone = kept.isUndone
        #expect(kept == award)
      }
    }
  }
}
