import Avro
import Daybook
import Testing

/// Whole rows of repeating tasks, from devices that do not know the others' changes yet (DM-5, DM-8).
@Suite(.tags(.unit)) struct SeriesRowTests {
  private let noon = Scenario.noon

  /// A row of the task "Water" with its due date and rule, as a device has them.
  private func row(
    due: Instant?, _ rule: String? = "FREQ=DAILY", isDone: Bool = true, more: String = ""
  ) -> String {
    let due = due.map { "\"\($0)\"" } ?? "null"
    let rule = rule.map { "\"\($0)\"" } ?? "null"
    return #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","title":"Water","due_at":\#(due),"#
      + #""recurrence_rule":\#(rule),"is_completed":\#(isDone)\#(more)}"#
  }

  private func complete(slot: Instant, done: Instant) -> String {
    #"{"do":"complete_task","task":"\#(Scenario.taskKey(1))","due_at":"\#(slot)","#
      + #""completed_at":"\#(done)"}"#
  }

  private func water(_ rule: String? = "FREQ=DAILY", due: Instant? = Scenario.noon) throws
    -> Scenario
  {
    try given().upserting(row(due: due, rule, isDone: false), at: hours(-100))
  }

  private func playing(
    _ rows: [String], on scenario: Scenario, at: Instant = Scenario.noon
  ) throws -> Scenario {
    try rows.reduce(scenario) { try $0.upserting($1, at: at) }
  }

  private func slots(_ scenario: Scenario) -> Set<String> {
    Set(scenario.rows("task_completions").compactMap { $0["slot"]?.text })
  }

  @Test func `two slots from two devices give the same result in either order (DM-5, DM-8)`() throws
  {
    let rows = [row(due: hours(0)), row(due: hours(24))]
    let ends = try [rows, rows.reversed()].map { try playing($0, on: water()) }
    for end in ends {
      #expect(end["Water"]?.due == hours(48))
      #expect(slots(end) == [hours(0).description, hours(24).description])
    }
  }

  @Test func `a task moved back to a done slot leaves it by that slot's row (DM-5)`() throws {
    let back = UpdateTask(try water().task("Water")) { $0.due = noon }
    let stuck = try playing([row(due: noon)], on: water()).and(back, at: hours(1))
    let off = try stuck.upserting(row(due: noon), at: hours(2))
    #expect(off["Water"]?.due == hours(24))
    #expect(slots(off) == [noon.description])
  }

  @Test func `slots completed offline are recorded although they arrive late (DM-5, DM-9)`() throws
  {
    let lines = [0, 24, 48].map {
      complete(slot: hours($0), done: hours(1, after: hours($0)))
    }
    for order in [lines, lines.reversed()] {
      let end = try playing(order, on: water(), at: hours(50))
      #expect(slots(end).count == 3)
      #expect(end["Water"]?.due == hours(72))
    }
    // A time outside the series was not completed, and neither was anything before it.
    let none = [complete(slot: hours(1), done: hours(2)), complete(slot: hours(-24), done: noon)]
    #expect(slots(try playing([lines[2]] + none, on: water(), at: hours(50))).count == 1)
  }

  @Test(arguments: ["FREQ=DAILY;COUNT=2", "FREQ=DAILY;UNTIL=20260304T120000Z"])
  func `slots that arrive after the end of a series are recorded, too (DM-5)`(rule: String) throws {
    let rows = [0, 24, 48].map { row(due: hours($0), rule) }
    let ends = try [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0]].map { order in
      try playing(order.map { rows[$0] }, on: water(rule), at: hours(50))
    }
    for end in ends {
      #expect(slots(end).count == 3)
      #expect(end["Water"]?.isDone == true)
      #expect(end["Water"]?.due == hours(48))
      #expect(end["Water"]?.repetition == nil)
    }
  }

  @Test func `without a due date a row records each day of completion (DM-5)`() throws {
    var scenario = try water(due: nil)
    for day in [0, 24, 24, 26, 48] as [Int64] {
      scenario = try scenario.upserting(row(due: nil), at: hours(day))
    }
    #expect(slots(scenario) == ["2026-03-02", "2026-03-03", "2026-03-04"])
    // The row may arrive late; it states its completion time.
    scenario = try scenario.upserting(
      row(due: nil, more: #","completed_at":"\#(hours(24))""#), at: hours(72))
    #expect(slots(scenario).count == 3)
  }

  @Test func `a row reopens and completes a finished series (DM-8)`() throws {
    let over = try playing([row(due: noon, "FREQ=DAILY;COUNT=1")], on: water("FREQ=DAILY;COUNT=1"))
    #expect(over["Water"]?.isDone == true)
    let open = try over.upserting(row(due: noon, nil, isDone: false), at: hours(1))
    #expect(open["Water"]?.isDone == false)
    for line in [row(due: noon, nil), complete(slot: noon, done: hours(2))] {
      #expect(try open.upserting(line, at: hours(2))["Water"]?.isDone == true)
    }
    // A row that still has the rule does not know of the end.
    let old = row(due: noon, "FREQ=DAILY;COUNT=1", isDone: false)
    #expect(try over.upserting(old, at: hours(1))["Water"]?.isDone == true)
  }

  @Test(arguments: ["FREQ=DAILY;COUNT=5", "RRULE:COUNT=5;FREQ=DAILY;INTERVAL=1"])
  func `a device's rule does not reset COUNT, in any spelling (DM-8)`(rule: String) throws {
    let first = row(due: noon, rule)
    let again = try playing([first, first, first], on: water(rule))
    #expect(again["Water"]?.repetition?.rule == "FREQ=DAILY;COUNT=4")
    let offline = [0, 24, 48].map { row(due: hours($0), rule) }
    let three = try playing(offline, on: water(rule), at: hours(50))
    #expect(slots(three).count == 3)
    #expect(three["Water"]?.repetition?.rule == "FREQ=DAILY;COUNT=2")
  }

  @Test func `a rule changed on purpose counts, also when it is changed back (DM-8)`() throws {
    let daily = try playing([row(due: noon)], on: water())
    let weekly = try daily.upserting(
      row(due: hours(24), "FREQ=WEEKLY", isDone: false), at: hours(1))
    #expect(weekly["Water"]?.repetition?.rule == "FREQ=WEEKLY")
    let back = try weekly.upserting(row(due: hours(24), isDone: false), at: hours(2))
    #expect(back["Water"]?.repetition?.rule == "FREQ=DAILY")
    // A row that still shows the former completion, with the former rule, changes nothing.
    let old = try weekly.upserting(row(due: noon, isDone: false), at: hours(2))
    #expect(old["Water"]?.repetition?.rule == "FREQ=WEEKLY")
    let more = try daily.upserting(
      row(due: hours(24), "FREQ=DAILY;COUNT=9", isDone: false), at: hours(1))
    #expect(more["Water"]?.repetition?.rule == "FREQ=DAILY;COUNT=9")
  }

  @Test func `a slot in a skipped hour belongs to its series (DM-5)`() throws {
    // Half past two in Berlin; on 2026-03-29 it does not exist, and the task is due an hour later.
    let (before, skipped) = (moment("2026-03-28T01:30:00Z"), moment("2026-03-29T01:30:00Z"))
    var scenario = Scenario().and(.accountCreated(person(1, zone: "Europe/Berlin")))
    scenario = try scenario.upserting(row(due: before, isDone: false), at: noon)
    scenario = try scenario.upserting(row(due: skipped, isDone: false), at: before)
    scenario = try scenario.and(
      CompleteTask(scenario.task("Water")), at: hours(1, after: skipped))
    #expect(scenario["Water"]?.due == moment("2026-03-30T00:30:00Z"))
  }

  @Test func `the first slot belongs to the series, even if the rule does not give it (DM-5)`()
    throws
  {
    // A Tuesday, and the Wednesday after it.
    let lines = [24, 48].map { complete(slot: hours($0), done: hours(1, after: hours($0))) }
    for order in [lines, lines.reversed()] {
      let start = try water("FREQ=WEEKLY;BYDAY=MO,WE,FR", due: hours(24))
      let end = try playing(order, on: start, at: hours(50))
      #expect(slots(end) == [hours(24).description, hours(48).description])
      #expect(end["Water"]?.due == hours(96))
    }
  }

  @Test func `a late slot reopens no parts (DM-5)`() throws {
    let start = try water().adding("Fill the can", under: "Water")
    let next = try start.upserting(complete(slot: hours(24), done: hours(25)), at: hours(25))
    let filled = try next.and(CompleteTask(next.task("Fill the can")), at: hours(30))
    let end = try filled.upserting(complete(slot: noon, done: hours(1)), at: hours(31))
    #expect(slots(end).count == 2)
    #expect(end["Fill the can"]?.isDone == true)
  }

  @Test func `a time outside the series completes nothing (DM-5)`() throws {
    for other in [-24, -1, 1, 25] as [Int64] {
      let end = try water().upserting(complete(slot: hours(other), done: noon))
      #expect(slots(end) == [])
      #expect(end["Water"]?.due == noon)
    }
  }

  @Test func `a completed task made repeating by a completed row continues (DM-5)`() throws {
    let done = try water(nil).upserting(row(due: noon, nil))
    #expect(done["Water"]?.isDone == true)
    let rows = Array(repeating: row(due: noon), count: 2)
    let end = try playing(rows, on: done, at: hours(1))
    #expect(end["Water"]?.isDone == false)
    #expect(end["Water"]?.due == hours(24))
    #expect(slots(end) == [noon.description])
    // With a rule for one occurrence it stays done.
    let once = try done.upserting(row(due: noon, "FREQ=DAILY;COUNT=1"), at: hours(1))
    #expect(once["Water"]?.isDone == true)
    #expect(slots(once) == [noon.description])
  }

  @Test func `a slot in a skipped hour also counts for a finished series (DM-5)`() throws {
    let slots = ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"].map {
      moment($0)
    }
    let rule = "FREQ=DAILY;COUNT=2"
    var scenario = Scenario().and(.accountCreated(person(1, zone: "Europe/Berlin")))
    scenario = try scenario.upserting(row(due: slots[0], rule, isDone: false), at: noon)
    scenario = try playing(slots.map { row(due: $0, rule) }, on: scenario)
    #expect(self.slots(scenario).count == 3)
  }

  @Test func `a late day of a series from completion moves nothing (DM-5)`() throws {
    let lines = ([0, 48] as [Int64]).map {
      #"{"do":"complete_task","task":"\#(Scenario.taskKey(1))","completed_at":"\#(hours($0))"}"#
    }
    for order in [lines, lines.reversed()] {
      let start = try given().adding(
        "Water", due: noon, repeating: "FREQ=DAILY;INTERVAL=3", from: .completion, at: hours(-1))
      let end = try playing(order, on: start, at: hours(50))
      #expect(slots(end) == ["2026-03-02", "2026-03-04"])
      #expect(end["Water"]?.due == hours(120))
    }
  }

  @Test func `an old row does not restart a finished series (DM-8)`() throws {
    let rule = "FREQ=DAILY;COUNT=1"
    let over = try playing([row(due: noon, rule)], on: water(rule))
    let open = try over.and(ReopenTask(over.task("Water")), at: hours(1))
    for isDone in [true, false] {
      let end = try open.upserting(row(due: noon, rule, isDone: isDone), at: hours(2))
      #expect(end["Water"]?.isDone == isDone)
      #expect(end["Water"]?.repetition == nil)
      #expect(slots(end).count == 1)
    }
    // A row with a slot that nobody completed is outdated, too.
    let twice = "FREQ=DAILY;COUNT=2"
    let both = try playing([24, 48].map { row(due: hours($0), twice) }, on: water(twice))
    #expect(both["Water"]?.isDone == true)
    let end = try both.upserting(row(due: noon, twice, isDone: false), at: hours(60))
    #expect(end.rows("tasks").map(\.encoded) == both.rows("tasks").map(\.encoded))
  }

  @Test(arguments: ["FREQ=DAILY", "FREQ=DAILY;UNTIL=20260401T000000Z", "FREQ=DAILY;COUNT=5"])
  func `a series stopped on purpose can be started again (DM-8)`(rule: String) throws {
    let daily = try playing([row(due: noon, rule)], on: water(rule))
    let stopped = try daily.upserting(row(due: hours(24), nil, isDone: false), at: hours(1))
    #expect(stopped["Water"]?.repetition == nil)
    let again = try stopped.upserting(row(due: hours(24), rule, isDone: false), at: hours(2))
    #expect(again["Water"]?.repetition?.rule == rule)
  }

  @Test func `a row without a slot, sent twice, completes once (DM-9)`() throws {
    let line =
      #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))","is_completed":true,"#
      + #""completed_at":"\#(hours(-1))"}"#
    let end = try playing([line, line], on: water())
    #expect(slots(end) == [noon.description])
    #expect(end["Water"]?.due == hours(24))
  }

  @Test func `a part's slot counts although its parent is completed meanwhile (DM-8)`() throws {
    let apart = try water().adding("Garden")
    let start = try apart.and(
      MoveTask(apart.task("Water")) { $0.parent = apart.task("Garden") }, at: hours(-2))
    let done = #"{"do":"complete_task","task":"\#(Scenario.taskKey(2))"}"#
    let slot = row(due: noon, more: #","completed_at":"\#(hours(-1))""#)
    for order in [[slot, done], [done, slot, slot]] {
      let end = try playing(order, on: start)
      #expect(end["Garden"]?.isDone == true && end["Water"]?.isDone == true)
      #expect(end["Water"]?.due == hours(24))
      #expect(slots(end) == [noon.description])
      // A row that shows the completion with its parent completes no slot.
      let shown = row(due: hours(24), more: #","completed_at":"\#(noon)""#)
      #expect(slots(try end.upserting(shown, at: hours(1))).count == 1)
      let open = try end.and(ReopenTask(end.task("Garden")), at: hours(1))
      #expect(open["Water"]?.isDone == false)
    }
  }
}
