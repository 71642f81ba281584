import Avro
import Daybook
import PropertyTesting
import Synchronization
import Testing

@Suite(.tags(.unit)) struct DueTests {
  /// Ada in Greenwich is reminded to read at 07:30 and 20:00, and shares a hive with Bob in Honolulu.
  private static func scenario() throws -> Scenario {
    let noon = moment("2026-03-02T12:00:00Z")
    var reading = CreateHabit(key: Key(high: 2, low: 1), name: "Read")
    reading.content.reminders = [450, 1200].compactMap { LocalTime(minutes: $0) }
    let hive = Scenario().state.hives.nextNumber
    return try Scenario().and(.accountCreated(person(1)), at: noon)
      .and(.accountCreated(person(2, zone: "Pacific/Honolulu", start: 0)), at: noon)
      .and(reading, at: noon).and(CreateHive(key: Key(high: 4, low: 1), name: "Readers"), at: noon)
      .and(CreateHiveInvite(hive, code: "0123456789ab"), at: noon)
      .and(JoinHive("0123456789ab"), by: 2, at: noon)
  }

  private static func due(_ state: BookState, _ from: String, _ to: String) -> [String] {
    told(state, moment(from), moment(to)).map { "\($0.at) \($0.id)" }
  }

  private static func told(_ state: BookState, _ from: Instant, _ to: Instant) -> [DueNotification]
  {
    var due = DueReplay(from: state, after: from, through: to, in: TableZones())
    due.finish()
    return due.notifications
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

  @Test func `a reminder in a skipped hour falls due once, on its own day (HH-25)`()
    throws
  {
    let start = moment("2026-03-27T12:00:00Z")
    var reading = CreateHabit(key: Key(high: 2, low: 1), name: "Read")
    reading.content.reminders = [150, 210].compactMap { LocalTime(minutes: $0) }
    let state = try Scenario()
      .and(.accountCreated(person(1, zone: "Europe/Berlin", start: 3)), at: start)
      .and(reading, at: start).state
    let read = Key(high: 2, low: 1)
    // On the 29th 02:30 would be 03:30, when the 28th is over.
    #expect(
      Self.due(state, "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z") == [
        "2026-03-28T01:30:00Z reminder:\(read):2026-03-27:02:30",
        "2026-03-28T02:30:00Z reminder:\(read):2026-03-28:03:30",
        "2026-03-29T01:30:00Z reminder:\(read):2026-03-29:03:30",
        "2026-03-30T00:30:00Z reminder:\(read):2026-03-29:02:30",
        "2026-03-30T01:30:00Z reminder:\(read):2026-03-30:03:30",
      ])
  }

  @Test func `a daily notification lists what is open at the chosen times (DG-8)`() throws {
    let told = UpdateProfile { profile in
      profile.notificationsAreOn = true
      profile.notificationTimes = [600, 1320].compactMap { LocalTime(minutes: $0) }
    }
    let quiet = UpdateHabit(First.habit) { $0.reminders = [] }
    let state = try Self.scenario().and(quiet).and(told)
    let ada = Key(high: 1, low: 1)
    #expect(
      Self.due(state.state, "2026-03-03T00:00:00Z", "2026-03-03T23:00:00Z") == [
        "2026-03-03T10:00:00Z daily:\(ada):2026-03-03:10:00",
        "2026-03-03T22:00:00Z daily:\(ada):2026-03-03:22:00",
      ])
    let done = try state.and(LogHabit(First.habit), at: moment("2026-03-03T12:00:00Z"))
    #expect(Self.due(done.state, "2026-03-03T12:00:00Z", "2026-03-03T23:00:00Z").isEmpty)
    let off = try state.and(UpdateProfile { $0.notificationsAreOn = false })
    #expect(Self.due(off.state, "2026-03-03T00:00:00Z", "2026-03-03T23:00:00Z").isEmpty)
  }

  @Test func `a hive is at risk at 20:00 for members not done while others are (HH-25)`()
    throws
  {
    let hive = BookState().hives.nextNumber
    let (readers, bob) = (Key(high: 4, low: 1), Key(high: 1, low: 2))
    let some = try Self.scenario().and(LogHiveDay(hive), at: moment("2026-03-03T12:00:00Z"))
    let risks = Self.due(some.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z")
    #expect(risks == ["2026-03-04T06:00:00Z hive_at_risk:\(readers):\(bob):2026-03-03"])
    // Nobody done: nothing to save yet. All done: nothing left to do.
    let none = try Self.scenario()
    #expect(Self.due(none.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z").isEmpty)
    let all = try some.and(LogHiveDay(hive), by: 2, at: moment("2026-03-04T01:00:00Z"))
    #expect(Self.due(all.state, "2026-03-03T20:00:00Z", "2026-03-04T07:00:00Z").isEmpty)
  }

  /// The notifications of a span, from entries before it and in it.
  private static func told(_ entries: [Entry], _ from: Instant, _ to: Instant) -> [DueNotification]
  {
    var state = BookState()
    for entry in entries where entry.head.at <= from { state.apply(entry) }
    var due = DueReplay(from: state, after: from, through: to, in: TableZones())
    for entry in entries where entry.head.at > from && entry.head.at <= to { due.apply(entry) }
    due.finish()
    return due.notifications
  }

  @Test func `entries without clock times cost no time-zone lookups (HH-25)`() throws {
    /// Time zones that count their lookups.
    final class CountingZones: TimeZones, Sendable {
      let count = Mutex(0)
      func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
        count.withLock { $0 += 1 }
        return TableZones().offsetSeconds(of: timeZone, at: instant)
      }
    }
    let start = try Self.scenario()
    let at = moment("2026-03-03T12:00:00Z")
    let looks = try [10, 100].map { count in
      var scenario = start
      for number in 1...count {
        let key = Key(high: 9, low: UInt64(number))
        scenario = try scenario.and(CreateTask(key: key, title: "Task"), at: at)
      }
      let zones = CountingZones()
      var due = DueReplay(
        from: start.state, after: at, through: at.advanced(byMilliseconds: 86_400_000), in: zones)
      for entry in scenario.entries.dropFirst(start.entries.count) { due.apply(entry) }
      return zones.count.withLock { $0 }
    }
    #expect(looks[0] == looks[1])
  }

  @Test func `consecutive spans give the same notifications as one span (HH-25)`() throws {
    // A week of Ada and Bob: both log now and then, Bob moves, and Ada's reminders change.
    let hive = BookState().hives.nextNumber
    let east = UpdateProfile { $0.timeZone = "Asia/Kathmandu" }
    let west = UpdateProfile { $0.timeZone = "Pacific/Honolulu" }
    let actions = Generator<(minute: Int, action: Int)> { source in
      (try source.draw(.integer(in: 0...10_000)), try source.draw(.integer(in: 0...7)))
    }
    let start = moment("2026-03-02T12:00:00Z")
    let worlds = Generator.zip(
      actions.array(count: 0...25), Generator<Int>.integer(in: 0...11_000).array(count: 0...12))
    let report = check("spans", worlds) { actions, ends in
      var scenario = try Self.scenario()
      for (minute, action) in actions.sorted(by: { $0.minute < $1.minute }) {
        let at = start.advanced(byMilliseconds: Int64(minute) * 60_000)
        let update = UpdateHabit(First.habit) {
          $0.reminders = [LocalTime(minutes: minute % 1440) ?? .midnight]
        }
        scenario =
          switch action {
          case 0: try scenario.and(east, by: 2, at: at)
          case 1: try scenario.and(west, by: 2, at: at)
          case 2: try scenario.and(update, at: at)
          case 3: try scenario.and(LogHabit(First.habit), at: at)
          case 4: try scenario.and(ClearHiveLog(hive), at: at)
          case 5: try scenario.and(LogHiveDay(hive), by: 2, at: at)
          default: try scenario.and(LogHiveDay(hive), at: at)
          }
      }
      let instants = ends.sorted().map { start.advanced(byMilliseconds: Int64($0) * 60_000) }
      var parts: [DueNotification] = []
      var from = start
      for end in instants {
        parts += Self.told(scenario.entries, from, end)
        from = end
      }
      try expectEqual(parts, Self.told(scenario.entries, start, from))
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `members are notified of an advanced day, once (HH-25)`() throws {
    let hive = BookState().hives.nextNumber
    var due = DueReplay(
      from: try Self.scenario().state, after: moment("2026-03-04T00:00:00Z"),
      through: moment("2026-03-04T02:00:00Z"), in: TableZones())
    let event = Event.hiveAdvanced(
      make {
        $0.hive = hive
        $0.day = day("2026-03-03")
        $0.streak = 7
      })
    let head = EntryHead(
      position: 100, at: moment("2026-03-04T01:00:00Z"), actor: Account.ID(2), key: nil)
    due.apply(Entry(head, event))
    #expect(due.notifications.map(\.account.number) == [1, 2])
    #expect(
      due.notifications[0].json(in: due.state).encoded == """
        {"id":"hive_advanced:\(Key(high: 4, low: 1)):\(Key(high: 1, low: 1)):2026-03-03",\
        "at":"2026-03-04T01:00:00Z","account":"\(Key(high: 1, low: 1))","day":"2026-03-03",\
        "type":"streak_milestone","hive_id":"\(Key(high: 4, low: 1))","name":"Readers","streak":7}
        """)
  }

  @Test func `a former member's notification has the name of its time (HH-25)`() throws {
    let hive = BookState().hives.nextNumber
    let advance = Event.hiveAdvanced(
      make {
        $0.hive = hive
        $0.day = day("2026-03-03")
        $0.streak = 1
      })
    let update = UpdateHive(hive) { $0.name = "SECRET" }
    let scenario = try Self.scenario().and(advance, at: moment("2026-03-04T01:00:00Z"))
      .and(LeaveHive(hive), by: 2, at: moment("2026-03-04T02:00:00Z"))
      .and(update, at: moment("2026-03-04T03:00:00Z"))
    let told = Self.told(
      scenario.entries, moment("2026-03-04T00:00:00Z"), moment("2026-03-04T04:00:00Z"))
    let ofBob = told.filter { $0.account.number == 2 }
    #expect(ofBob.map { $0.json(in: scenario.state)["name"]?.text } == ["Readers"])
  }

  @Test func `the owner is notified of a milestone, once (HH-25)`() throws {
    var scenario = try Self.scenario()
    for day in 2...6 {
      let at = moment("2026-03-0\(day)T18:00:00Z")
      scenario = try scenario.and(LogHabit(First.habit), at: at)
    }
    // A milestone undone and reached again notifies nobody a second time.
    scenario = try scenario.and(ClearLog(First.habit), at: moment("2026-03-06T19:00:00Z"))
      .and(LogHabit(First.habit), at: moment("2026-03-06T20:00:00Z"))
    let from = moment("2026-03-03T00:00:00Z")
    var state = BookState()
    for entry in scenario.entries where entry.head.at <= from { state.apply(entry) }
    var due = DueReplay(
      from: state, after: from, through: moment("2026-03-08T00:00:00Z"), in: TableZones())
    for entry in scenario.entries where entry.head.at > from { due.apply(entry) }
    due.finish()
    #expect(due.completedHabits == [First.habit])
    let told = due.milestones(of: First.habit, scenario.entries)
    #expect(
      told.map { "\($0.at) \($0.id)" } == [
        "2026-03-04T18:00:00Z streak_milestone:\(Key(high: 2, low: 1)):3:2026-03-04"
      ])
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
