import Avro
import Daybook
import Synchronization
import Testing

/// The cases R1…R10 of task recurrence, and their consequences (DM-5).
@Suite(.tags(.unit)) struct TaskRecurrenceTests {
  private let noon = Scenario.noon

  private func water(
    _ rule: String, due: Instant?, from origin: TaskRepetition.Origin = .due
  ) throws -> Scenario {
    try given().adding("Water", due: due, repeating: rule, from: origin, at: hours(-100))
  }

  private func done(
    _ scenario: Scenario, slot: Instant? = nil, at: Instant = Scenario.noon
  ) throws -> Scenario {
    try scenario.and(CompleteTask(scenario.task("Water"), slot: slot), at: at)
  }

  private func slots(_ scenario: Scenario) -> [String?] {
    scenario.rows("task_completions").map { $0["slot"]?.text }
  }

  @Test func `R1: missed slots are skipped, and the task is open again (DM-5)`() throws {
    let after = try done(water("FREQ=DAILY", due: hours(-48)))
    #expect(after["Water"]?.due == hours(24))
    #expect(after["Water"]?.isDone == false)
    #expect(slots(after) == [hours(-48).description])
  }

  @Test func `R2: a task without a due date gets none, and records a day once (DM-5)`() throws {
    let once = try done(water("FREQ=DAILY", due: nil))
    #expect(once["Water"]?.due == nil)
    #expect(once["Water"]?.isDone == false)
    let twice = try done(once, at: hours(3))
    #expect(slots(twice) == ["2026-03-02"])
    // Before four in the morning it is still the same day.
    #expect(slots(try done(twice, at: hours(15))) == ["2026-03-02"])
    #expect(Set(slots(try done(twice, at: hours(16)))) == ["2026-03-02", "2026-03-03"])
  }

  @Test func `R3: a task completed early is next due after its due time (DM-5)`() throws {
    let after = try done(water("FREQ=DAILY", due: hours(1)))
    #expect(after["Water"]?.due == hours(25))
  }

  @Test func `R6: COUNT counts down, and the rule ends with the last slot (DM-5)`() throws {
    var scenario = try water("FREQ=DAILY;COUNT=3", due: noon)
    scenario = try done(scenario)
    #expect(scenario["Water"]?.repetition?.rule == "FREQ=DAILY;COUNT=2")
    scenario = try done(scenario)
    #expect(scenario["Water"]?.repetition?.rule == "FREQ=DAILY;COUNT=1")
    #expect(scenario["Water"]?.isDone == false)
    scenario = try done(scenario)
    #expect(scenario["Water"]?.repetition == nil)
    #expect(scenario["Water"]?.isDone == true)
    #expect(slots(scenario).count == 3)
  }

  @Test(arguments: [
    "FREQ=SECONDLY;BYSECOND=0", "FREQ=MINUTELY;BYMINUTE=0", "FREQ=HOURLY;BYHOUR=9;BYDAY=MO",
    "FREQ=HOURLY", "FREQ=DAILY;BYWEEKNO=3", "FREQ=SOMETIMES", "",
  ])
  func `R9: an invalid rule, or one finer than a day, is refused with its part (DM-5)`(
    rule: String
  ) throws {
    do throws(Rejection) {
      _ = try given().when(CreateTask(title: "Water", due: noon, recurrence: rule))
      Issue.record("\(rule) was taken")
    } catch {
      #expect(error.code == "invalid_recurrence")
      #expect(error.field == "recurrence_rule")
      let part = rule.split(separator: ";").first.map(String.init) ?? ""
      #expect(rule.contains("WEEKNO") || error.description.contains(part))
    }
  }

  @Test func `R10: a task repeated from completion moves once a day (DM-5)`() throws {
    let first = moment("2024-12-17T10:00:00Z")
    var scenario = try given().adding(
      "Water", due: first, repeating: "FREQ=DAILY;INTERVAL=30", from: .completion,
      at: hours(-24, after: first))
    scenario = try done(scenario, at: hours(1, after: first))
    #expect(scenario["Water"]?.due == moment("2025-01-16T10:00:00Z"))
    let again = try done(scenario, at: hours(5, after: first))
    #expect(again["Water"] == scenario["Water"])
    // On another day it counts from there.
    let later = try done(scenario, at: hours(48, after: first))
    #expect(later["Water"]?.due == moment("2025-01-18T10:00:00Z"))
  }

  @Test func `UNTIL ends the series like COUNT (DM-5)`() throws {
    var scenario = try water("FREQ=DAILY;UNTIL=20260303T120000Z", due: noon)
    scenario = try done(scenario)
    #expect(scenario["Water"]?.due == hours(24))
    scenario = try done(scenario, at: hours(24))
    #expect(scenario["Water"]?.isDone == true)
    #expect(scenario["Water"]?.repetition == nil)
  }

  @Test func `a done slot is not done again by any command (DM-5, DM-8)`() throws {
    let once = try done(water("FREQ=DAILY", due: hours(-1)))
    let again = try done(once, slot: hours(-1), at: hours(1))
    #expect(again["Water"] == once["Water"])
    // A skipped slot is not done either.
    let late = try done(water("FREQ=DAILY", due: hours(24)), slot: hours(0))
    #expect(slots(late) == [])
    let row = """
      {"do":"upsert_task","id":"\(Scenario.taskKey(1))","title":"Water all","is_completed":true,\
      "due_at":"\(hours(-1))","recurrence_rule":"FREQ=DAILY"}
      """
    let stale = try once.upserting(row, at: hours(1))
    #expect(stale["Water all"]?.due == once["Water"]?.due)
    #expect(stale["Water all"]?.isDone == false)
    #expect(slots(stale) == slots(once))
  }

  @Test func `a row with a done slot of a counted rule resets nothing (DM-8)`() throws {
    let scenario = try done(water("FREQ=DAILY;COUNT=2", due: noon))
    let row = { (isDone: Bool) in
      """
      {"do":"upsert_task","id":"\(Scenario.taskKey(1))","title":"Water","is_completed":\(isDone),\
      "due_at":"\(Scenario.noon)","recurrence_rule":"FREQ=DAILY;COUNT=2"}
      """
    }
    for isDone in [true, false] {
      #expect(
        try scenario.upserting(row(isDone), at: hours(1)).state.tasks.elements
          == scenario.state.tasks.elements)
    }
    let over = try done(scenario, at: hours(24))
    #expect(over["Water"]?.isDone == true)
    #expect(
      try over.upserting(row(true), at: hours(30)).state.tasks.elements
        == over.state.tasks.elements)
  }

  @Test func `a task moved back to a done slot continues, and records nothing twice`() throws {
    var scenario = try done(water("FREQ=DAILY", due: noon))
    let update = UpdateTask(scenario.task("Water")) { $0.due = noon }
    scenario = try scenario.and(update, at: hours(1))
    scenario = try done(scenario, at: hours(2))
    #expect(scenario["Water"]?.due == hours(24))
    #expect(slots(scenario) == [noon.description])
  }

  @Test func `the owner's wall clock decides, also over a clock change`() throws {
    // Berlin's clocks go forward on 2026-03-29.
    let due = moment("2026-03-28T08:00:00Z")
    let scenario = Scenario().and(.accountCreated(person(1, zone: "Europe/Berlin")))
    let after = try done(
      scenario.adding("Water", due: due, repeating: "FREQ=DAILY", at: hours(-24, after: due)),
      at: due)
    #expect(after["Water"]?.due == moment("2026-03-29T07:00:00Z"))
  }

  @Test func `a slot on a left-out day is due that much later (DM-5)`() throws {
    // In Apia Friday, 2011-12-30, was left out: it would have begun where Saturday began.
    let due = moment("2011-12-23T20:00:00Z")
    let apia = Scenario().and(.accountCreated(person(1, zone: "Pacific/Apia")))
    let scenario = try apia.adding(
      "Water", due: due, repeating: "FREQ=WEEKLY", at: hours(-24, after: due))
    for text in ["2011-12-24T20:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T19:59:59Z"] {
      let after = try done(scenario, at: moment(text))
      #expect(after["Water"]?.due == moment("2011-12-30T20:00:00Z"), "\(text)")
    }
    let after = try done(scenario, at: moment("2011-12-30T20:00:00Z"))
    #expect(after["Water"]?.due == moment("2012-01-05T20:00:00Z"))
  }

  @Test func `a task repeating each second costs no more than a daily one (DM-5)`() throws {
    let rule =
      "FREQ=DAILY;BYHOUR=\(list(24));BYMINUTE=\(list(60));BYSECOND=\(list(60))"
    // Years ago, just now, and over a change of Berlin's clocks.
    for (zone, due, lookups) in [
      ("Etc/UTC", hours(-20_000), 40), ("Etc/UTC", hours(-1), 40),
      ("Europe/Berlin", moment("2026-10-25T12:00:00Z"), 40),
      ("Europe/Berlin", moment("2026-03-29T12:00:00Z"), 40 + 3 * 3600),
    ] {
      let scenario = try Scenario().and(.accountCreated(person(1, zone: zone)))
        .adding("Water", due: due, repeating: rule, at: hours(-1, after: due))
      let zones = CountingZones()
      let context = Context(
        actor: First.account, at: max(due, noon), freshKey: Scenario.fresh, zones: zones)
      let events = try CompleteTask(scenario.task("Water")).decide(scenario.state, context).events
      let after = events.reduce(scenario) { $0.and($1, at: context.at) }
      #expect(after["Water"]?.due == context.at.advanced(byMilliseconds: 1000), "\(zone), \(due)")
      #expect(zones.count <= lookups, "\(zone), \(due)")
    }
  }

  private func list(_ count: Int) -> String { (0..<count).map(String.init).joined(separator: ",") }

  @Test func `UNTIL is an instant, in any zone of its owner (DM-5)`() throws {
    for zone in ["Pacific/Kiritimati", "Pacific/Honolulu"] {
      let begun = Scenario().and(.accountCreated(person(1, zone: zone)))
      var scenario = try begun.adding(
        "Water", due: noon, repeating: "FREQ=DAILY;UNTIL=20260303T120000Z", at: hours(-100))
      scenario = try done(scenario)
      #expect(scenario["Water"]?.due == hours(24), "\(zone)")
      scenario = try done(scenario, at: hours(24))
      #expect(scenario["Water"]?.isDone == true, "\(zone)")
    }
  }

  @Test func `a move along the series stays in it, and any other starts a new one`() throws {
    // The 31st: months without one are skipped.
    let due = moment("2026-01-31T12:00:00Z")
    let scenario = try given().adding(
      "Water", due: due, repeating: "FREQ=MONTHLY;BYMONTHDAY=31", at: hours(-24, after: due))
    var along = UpdateTask(scenario.task("Water"))
    along.patch.set(\.due, moment("2026-03-31T12:00:00Z"))
    let moved = try scenario.and(along, at: due)
    #expect(moved["Water"]?.repetition?.startDay == day("2026-01-31"))
    along.patch.set(\.due, moment("2026-03-15T12:00:00Z"))
    #expect(
      try scenario.and(along, at: due)["Water"]?.repetition?.startDay == day("2026-03-15"))
  }

  @Test func `the next occurrence reopens its subtasks (DM-5)`() throws {
    var scenario = try given().adding("Trip", due: noon, repeating: "FREQ=WEEKLY")
      .adding("Pack", under: "Trip").adding("Socks", under: "Pack").adding("Feed", under: "Trip")
    scenario = try scenario.and(CompleteTask(scenario.task("Pack")))
    #expect(scenario["Socks"]?.isDone == true)
    scenario = try scenario.and(CompleteTask(scenario.task("Trip")), at: hours(1))
    #expect(
      ["Trip", "Pack", "Socks", "Feed"].map { scenario[$0]?.isDone } == [
        false, false, false, false,
      ])
    #expect(scenario.complaints() == [])
  }

  @Test func `two devices' completions of one slot make one row with one key (DM-5)`() throws {
    let scenario = try water("FREQ=DAILY", due: noon)
    let names = try [0, 1].map {
      try done(scenario, at: hours($0)).rows("task_completions")[0]["id"]
    }
    #expect(names[0] == names[1])
    #expect(
      try names[0] != done(done(scenario)).rows("task_completions").last?["id"]
        || done(done(scenario)).rows("task_completions").count == 2)
  }
}

/// Time zones that count their lookups.
private final class CountingZones: TimeZones {
  private let asked = Atomic<Int>(0)

  var count: Int { asked.load(ordering: .relaxed) }

  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    asked.add(1, ordering: .relaxed)
    return TableZones().offsetSeconds(of: timeZone, at: instant)
  }
}
