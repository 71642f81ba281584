import Avro
import Daybook
import PropertyTesting
import Testing

@Suite struct DueTests {
  /// Ada in Greenwich is reminded of reading at 07:30 and 20:00, and shares a hive with Bob in Honolulu.
  private static func scenario() throws -> Scenario {
    let noon = moment("2026-03-02T12:00:00Z")
    var reading = CreateHabit(key: Key(high: 2, low: 1), name: "Read")
    reading.reminders = [450, 1200].compactMap { LocalTime(minutes: $0) }
    let hive = Scenario().state.hives.nextNumber
    return try Scenario().and(.accountCreated(person(1)), at: noon)
      .and(.accountCreated(person(2, zone: "Pacific/Honolulu", start: 0)), at: noon)
      .and(reading, at: noon).and(CreateHive(key: Key(high: 4, low: 1), name: "Readers"), at: noon)
      .and(CreateHiveInvite(hive, code: "0123456789ab"), at: noon)
      .and(JoinHive("0123456789ab"), by: 2, at: noon)
  }

  private static func due(_ state: State, _ from: String, _ to: String) -> [String] {
    state.dueByClock(after: moment(from), through: moment(to), in: TableZones()).map {
      "\($0.at) \($0.id)"
    }
  }

  @Test func `reminders fall due at their local times until the day is done (HH-25)`() throws {
    let read = Key(high: 2, low: 1)
    let state = try Self.scenario().state
    #expect(
      Self.due(state, "2026-03-03T00:00:00Z", "2026-03-04T07:30:00Z") == [
        "2026-03-03T07:30:00Z reminder:\(read):2026-03-03:07:30",
        "2026-03-03T20:00:00Z reminder:\(read):2026-03-03:20:00",
        "2026-03-04T07:30:00Z reminder:\(read):2026-03-04:07:30",
      ])
    let done = try Self.scenario().and(LogHabit(First.habit), at: moment("2026-03-03T12:00:00Z"))
    #expect(
      Self.due(done.state, "2026-03-03T12:00:00Z", "2026-03-04T07:29:59Z").isEmpty)
    let skipped = try Self.scenario().and(SkipDay(First.habit), at: moment("2026-03-03T12:00:00Z"))
    #expect(Self.due(skipped.state, "2026-03-03T12:00:00Z", "2026-03-03T23:00:00Z").isEmpty)
    let away = try Self.scenario().and(Pause(first: day("2026-03-03"), last: nil))
    #expect(Self.due(away.state, "2026-03-03T00:00:00Z", "2026-03-09T00:00:00Z").isEmpty)
    let archived = try Self.scenario().and(ArchiveHabit(First.habit))
    #expect(Self.due(archived.state, "2026-03-03T00:00:00Z", "2026-03-09T00:00:00Z").isEmpty)
  }

  @Test func `a hive is at risk at 20:00 of those who are not done while others are (HH-25)`()
    throws
  {
    let hive = State().hives.nextNumber
    let (readers, bob) = (Key(high: 4, low: 1), Key(high: 1, low: 2))
    let some = try Self.scenario().and(LogHiveDay(hive), at: moment("2026-03-03T12:00:00Z"))
    let risks = Self.due(some.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z")
    #expect(risks == ["2026-03-04T06:00:00Z hive_at_risk:\(readers):\(bob):2026-03-03"])
    // Nobody done: nothing to save together yet. All done: nothing to do.
    let none = try Self.scenario()
    #expect(Self.due(none.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z").isEmpty)
    let all = try some.and(LogHiveDay(hive), by: 2, at: moment("2026-03-04T01:00:00Z"))
    #expect(Self.due(all.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z").isEmpty)
  }

  @Test func `spans one after another say what one span says, each id once (HH-25)`() throws {
    let state = try Self.scenario().and(
      LogHiveDay(State().hives.nextNumber), at: moment("2026-03-03T12:00:00Z")
    ).state
    let start = moment("2026-03-02T23:00:00Z")
    let minutes = Generator<Int>.integer(in: 0...6000).array(count: 0...12)
    let report = check("spans", minutes) { minutes in
      let ends = minutes.sorted().map { start.advanced(byMilliseconds: Int64($0) * 60_000) }
      let last = ends.last ?? start
      var parts: [DueNotification] = []
      var from = start
      for end in ends {
        parts += state.dueByClock(after: from, through: end, in: TableZones())
        from = max(from, end)
      }
      try expectEqual(parts, state.dueByClock(after: start, through: last, in: TableZones()))
      try expectEqual(Set(parts.map(\.id)).count, parts.count)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `members are told of a day that advanced, once (HH-25)`() throws {
    let hive = State().hives.nextNumber
    var pushes = AdvancePushes(from: try Self.scenario().state)
    let event = Event.hiveAdvanced(
      make {
        $0.hive = hive
        $0.day = day("2026-03-03")
        $0.streak = 7
      })
    let head = EntryHead(
      position: 100, at: moment("2026-03-04T01:00:00Z"), actor: Account.ID(2), key: nil)
    pushes.apply(Entry(head, event))
    #expect(pushes.pushes.map(\.account.number) == [1, 2])
    #expect(
      pushes.pushes[0].json(in: pushes.state).encoded == """
        {"id":"hive_advanced:\(Key(high: 4, low: 1)):\(Key(high: 1, low: 1)):2026-03-03",\
        "at":"2026-03-04T01:00:00Z","user_id":"\(Key(high: 1, low: 1))","day":"2026-03-03",\
        "type":"streak_milestone","hive_id":"\(Key(high: 4, low: 1))","name":"Readers","streak":7}
        """)
  }

  @Test func `milestones are 3, 7, 14, 30, 60, 100, 180, 365 and every further year (HH-24)`() {
    let reached = (0...1500).filter { Milestone.isReached(by: $0) }
    #expect(reached == [3, 7, 14, 30, 60, 100, 180, 365, 730, 1095, 1460])
    for (low, high) in [(0, 1500), (2, 7), (7, 7), (365, 730), (364, 365), (400, 1100), (9, 3)] {
      #expect(
        Milestone.reached(after: low, through: high) == reached.filter { $0 > low && $0 <= high })
    }
  }
}
