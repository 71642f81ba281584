import Avro
import Daybook
import PropertyTesting
import Testing

/// Two devices of one account, whose rows arrive in any order (DM-8).
@Suite(.tags(.law)) struct DeviceTests {
  private static func task(_ fields: String, of number: Int = 1) -> String {
    #"{"do":"upsert_task","id":"\#(Scenario.taskKey(number))",\#(fields)}"#
  }

  /// The rows without the stamps that reveal the order.
  private func rows(_ scenario: Scenario) -> [JSON] {
    ["tasks", "labels", "task_labels", "task_completions"].flatMap { scenario.rows($0) }.map {
      row in
      .object((row.members ?? []).filter { !$0.name.hasSuffix("_at") || $0.name == "due_at" })
    }
  }

  @Test(arguments: [false, true])
  func `completing wins over reopening within two seconds, in either order (DM-8)`(wasDone: Bool)
    throws
  {
    var start = try given().adding("Milk")
    if wasDone { start = try start.and(CompleteTask(start.task("Milk")), at: hours(1)) }
    let done = Self.task(#""is_completed":true"#)
    let open = Self.task(#""is_completed":false"#)
    for (first, second) in [(done, open), (open, done)] {
      let near = try start.upserting(first, at: hours(2)).upserting(
        second, at: seconds(2, after: hours(2)))
      #expect(near["Milk"]?.isDone == true)
    }
    // After that, the last one wins.
    let far = try start.upserting(done, at: hours(2)).upserting(
      open, at: seconds(3, after: hours(2)))
    #expect(far["Milk"]?.isDone == false)
  }

  @Test func `completing a parent wins over reopening its part (DM-8)`() throws {
    let start = try given().adding("Trip").adding("Pack", under: "Trip")
    let packed = try start.and(CompleteTask(start.task("Pack")))
    let (trip, pack) = (start.task("Trip"), start.task("Pack"))
    let one = try packed.and(CompleteTask(trip), at: hours(1)).and(
      ReopenTask(pack), at: seconds(1, after: hours(1)))
    let other = try packed.and(ReopenTask(pack), at: hours(1)).and(
      CompleteTask(trip), at: seconds(1, after: hours(1)))
    #expect(rows(one) == rows(other))
    #expect(one["Pack"]?.isDone == true)
  }

  @Test func `the last row in the book's order sets a scalar (DM-8)`() throws {
    let start = try given().adding("Milk")
    let scenario = try start.upserting(Self.task(#""title":"A","bucket_key":"WEEKEND""#))
      .upserting(Self.task(#""title":"B","updated_at":"2000-01-01T00:00:00Z""#))
    #expect(scenario["B"]?.bucket == .weekend)
  }

  @Test func `the last row sets the completion time (DM-8)`() throws {
    let times = [hours(-2), hours(-1)]
    for order in [times, times.reversed()] {
      let end = try order.reduce(given().adding("Milk", at: hours(-9))) {
        try $0.upserting(Self.task(#""is_completed":true,"completed_at":"\#($1)""#))
      }
      #expect(end["Milk"]?.completed == order[1])
      // A row without a time changes none.
      let again = try end.upserting(Self.task(#""is_completed":true"#), at: hours(1))
      #expect(again["Milk"]?.completed == order[1])
    }
  }

  @Test func `a row that would close a cycle changes all but the parent (DM-3, DM-8)`() throws {
    let start = try given().adding("X").adding("Y")
    let end = try start.upserting(
      Self.task(#""title":"X new","parent_task_id":"\#(Scenario.taskKey(2))""#)
    ).upserting(
      Self.task(#""title":"Y new","parent_task_id":"\#(Scenario.taskKey(1))""#, of: 2))
    #expect(try end.list() == ["Y new", "- X new"])
    #expect(end.complaints() == [])
  }

  @Test func `a part added to a task just completed is completed, in either order (DM-8)`() throws {
    let start = try given().adding("Trip")
    let done = Self.task(#""is_completed":true"#)
    let part = Self.task(#""title":"Pack","parent_task_id":"\#(Scenario.taskKey(1))""#, of: 2)
    let ends = try [[done, part], [part, done]].map { order in
      try start.upserting(order[0], at: hours(1)).upserting(
        order[1], at: seconds(1, after: hours(1)))
    }
    #expect(rows(ends[0]) == rows(ends[1]))
    #expect(["Trip", "Pack"].map { ends[0][$0]?.isDone } == [true, true])
    // After that, the part reopens it.
    let late = try start.upserting(done, at: hours(1)).upserting(part, at: hours(2))
    #expect(["Trip", "Pack"].map { late[$0]?.isDone } == [false, false])
  }

  @Test func `a row that changes the bucket moves the parts, too (DM-1, DM-3)`() throws {
    let start = try given().adding("Trip").adding("Pack", under: "Trip")
      .adding("Socks", under: "Pack").adding("Ask", in: .nextMonth, under: "Trip")
    let end = try start.upserting(Self.task(#""bucket_key":"WEEKEND""#))
    #expect(
      ["Trip", "Pack", "Socks", "Ask"].map { end[$0]?.bucket }
        == [.weekend, .weekend, .weekend, .nextMonth])
  }

  @Test func `a row that names a deleted label or task skips it, in either order (DM-8)`() throws {
    var start = try given().adding("Milk")
    for number in [1, 2] {
      start = try start.and(
        CreateLabel(key: Scenario.labelKey(number), name: "label \(number)"))
    }
    let keys = [1, 2].map { "\"\(Scenario.labelKey($0))\"" }.joined(separator: ",")
    let set =
      #"{"do":"set_task_labels","task":"\#(Scenario.taskKey(1))","labels":[\#(keys)]}"#
    let delete =
      #"{"do":"upsert_label","id":"\#(Scenario.labelKey(1))","deleted_at":"\#(Scenario.noon)"}"#
    let ends = try [[set, delete], [delete, set]].map { order in
      try order.reduce(start) { try $0.upserting($1) }
    }
    #expect(rows(ends[0]) == rows(ends[1]))
    #expect(ends[1].rows("task_labels").count == 1)
    let create =
      #"{"do":"create_task","title":"Bread","labels":[\#(keys)]}"#
    #expect(try ends[1].upserting(create)["Bread"]?.currentLabels.count == 1)
    let gone = try start.and(DeleteTask(start.task("Milk")))
    #expect(try gone.upserting(set).state.tasks.elements == gone.state.tasks.elements)
  }

  @Test func `a row of task_labels adds or removes a label (DM-4, DM-7)`() throws {
    var scenario = try given().adding("Milk").and(
      CreateLabel(key: Scenario.labelKey(1), name: "home"))
    let row = { (deleted: String, owner: UInt64) in
      """
      {"do":"set_task_labels","task_id":"\(Scenario.taskKey(1))","label_id":"\(Scenario.labelKey(1))",\
      "user_id":"\(person(owner).key)","created_at":"2026-01-01T00:00:00Z",\
      "updated_at":"2026-01-01T00:00:00Z","deleted_at":\(deleted)}
      """
    }
    scenario = try scenario.upserting(row("null", 1))
    #expect(scenario["Milk"]?.currentLabels.count == 1)
    scenario = try scenario.upserting(row("\"2026-03-02T12:00:00Z\"", 1))
    #expect(scenario["Milk"]?.currentLabels == [])
    #expect(throws: Rejection.notOwner) { try scenario.upserting(row("null", 2)) }
  }

  @Test func `a tombstone of an unknown task is accepted, and not stored (DM-7, DM-9)`()
    throws
  {
    for command in ["upsert_task", "upsert_label"] {
      let line =
        #"{"do":"\#(command)","id":"\#(Scenario.taskKey(7))","deleted_at":"\#(Scenario.noon)"}"#
      #expect(try given().upserting(line).entries.count == given().entries.count)
    }
    // The parent of a deleted task does not matter.
    let part = Self.task(
      #""title":"Pack","parent_task_id":"\#(Scenario.taskKey(9))","deleted_at":"\#(Scenario.noon)""#
    )
    #expect(try given().upserting(part)["Pack"]?.isDeleted == true)
  }

  @Test func `removing a missing label or link is accepted (DM-7, DM-9)`() throws {
    let start = try given().adding("Milk")
    let (milk, label) = (Scenario.taskKey(1), Scenario.labelKey(9))
    for task in [milk, Scenario.taskKey(9)] {
      for line in [
        #"{"do":"set_task_labels","task_id":"\#(task)","label_id":"\#(label)","deleted_at":"\#(hours(-1))"}"#,
        #"{"do":"set_task_labels","task":"\#(task)","removed":["\#(label)"]}"#,
      ] {
        #expect(try start.upserting(line).entries.count == start.entries.count)
      }
    }
    let update = #"{"do":"update_task","task":"\#(milk)","removed_labels":["\#(label)"]}"#
    #expect(try start.upserting(update).entries.count == start.entries.count)
    // A label to be added may still arrive.
    let missing = Rejection.labelNotFound
    #expect(throws: Rejection(missing.reason, field: "labels", missing.description)) {
      try start.upserting(#"{"do":"set_task_labels","task":"\#(milk)","labels":["\#(label)"]}"#)
    }
    #expect(throws: Rejection.taskNotFound) {
      try start.upserting(#"{"do":"set_task_labels","task":"\#(label)"}"#)
    }
  }

  @Test func `rows of two devices give the same result in any order (DM-8, DM-9)`() {
    // Commuting changes: labels added or deleted, fields that each device sends separately, completions of slots.
    let choices = Generator<[[Int]]> { source in
      try (0..<2).map { _ in
        try source.draw(Generator<Int>.integer(in: 0...Self.choiceCount - 1).array(count: 1...7))
      }
    }
    let report = check("two devices", choices, cases: 50) { devices, statistics in
      var lateCount = 0
      let ends = try [[0, 1], [1, 0]].map { order -> [JSON] in
        var scenario = try Self.start()
        for device in order {
          for choice in devices[device] {
            scenario = try scenario.upserting(
              Self.line(choice, device), at: seconds(1, after: hours(30)))
          }
        }
        try expectEqual(scenario.complaints(), [])
        lateCount += scenario["Water"]?.endedLate ?? 0
        // If two tasks are put under each other, one stays where it was.
        return rows(scenario).map { row in
          .object(
            (row.members ?? []).filter { !["parent_task_id", "rank"].contains($0.name) })
        }
      }
      try expectEqual(ends[0], ends[1])
      statistics.cover("a series ended", atLeast: 10, lateCount > 0)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the last row that has a field sets it (DM-8)`() {
    let rows = Generator<[[Int]]> { source in
      try (0..<2).map { _ in
        try source.draw(Generator<Int>.integer(in: 0...14).array(count: 1...6))
      }
    }
    let report = check("scalars", rows, cases: 50) { devices in
      for order in [[0, 1], [1, 0]] {
        var scenario = try given().adding("Milk", at: hours(-99))
        var last: [String: String] = [:]
        for choice in order.flatMap({ devices[$0] }) {
          let (name, value) = Self.fields[choice]
          last[name] = value
          scenario = try scenario.upserting(Self.task(#""is_completed":true,\#(name):\#(value)"#))
        }
        for (name, value) in last {
          let name = String(name.dropFirst().dropLast())
          try expectEqual(scenario.rows("tasks").first?[name]?.encoded, value)
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  private static let fields: [(name: String, value: String)] = [
    (#""title""#, [#""A""#, #""B""#, #""C""#]),
    (#""description""#, [#""some""#, #""more""#, "null"]),
    (#""bucket_key""#, [#""WEEKEND""#, #""ROUTINES""#, #""NEXT_MONTH""#]),
    (#""due_at""#, ["\"\(hours(5))\"", "\"\(hours(6))\"", "null"]),
    (#""completed_at""#, ([-9, -8, -7] as [Int64]).map { "\"\(hours($0))\"" }),
  ].flatMap { name, values in values.map { (name, $0) } }

  /// A task, some repeating ones, two that may be put under each other, and labels.
  private static func start() throws -> Scenario {
    var scenario = try given().adding("Milk", at: hours(-99))
      .adding("Water", due: Scenario.noon, repeating: "FREQ=DAILY;COUNT=3", at: hours(-99))
      .adding("Trip", at: hours(-99)).adding("Pack", at: hours(-99))
      .adding("Stretch", repeating: "FREQ=DAILY", at: hours(-99))
      .adding("Feed", due: Scenario.noon, repeating: "FREQ=DAILY", at: hours(-99))
    for number in 1...4 {
      scenario = try scenario.and(
        CreateLabel(key: Scenario.labelKey(number), name: "label \(number)"), at: hours(-99))
    }
    return scenario
  }

  private static let choiceCount = 17

  /// The rows of a device, all within two seconds.
  private static func line(_ choice: Int, _ device: Int) -> String {
    switch choice {
    case 0:
      let keys = [device + 1, 3].map { "\"\(Scenario.labelKey($0))\"" }.joined(separator: ",")
      return
        #"{"do":"set_task_labels","task":"\#(Scenario.taskKey(1))","labels":[\#(keys)]}"#
    case 1:
      return
        #"{"do":"upsert_label","id":"\#(Scenario.labelKey(3))","deleted_at":"\#(Scenario.noon)"}"#
    case 2: return task(device == 0 ? #""is_completed":true"# : #""is_completed":false"#)
    case 3:
      return task(device == 0 ? #""description":"from one""# : #""bucket_key":"NEXT_WEEK""#)
    case 4:
      return device == 0
        ? task(#""title":"Trip","parent_task_id":"\#(Scenario.taskKey(4))""#, of: 3)
        : task(#""title":"Pack","parent_task_id":"\#(Scenario.taskKey(3))""#, of: 4)
    // Slots of a series with the rule that the device knows, in its own spelling.
    case 5...8:
      return task(
        #""title":"Water","is_completed":true,"due_at":"\#(hours(Int64(choice - 5) * 24))","#
          + #""recurrence_rule":"RRULE:COUNT=3;FREQ=DAILY;INTERVAL=1""#, of: 2)
    case 9...11:
      return task(
        #""title":"Stretch","is_completed":true,"due_at":null,"recurrence_rule":"FREQ=DAILY","#
          + #""completed_at":"\#(hours(Int64(choice - 10) * 24))""#, of: 5)
    case 12...14:
      return
        #"{"do":"complete_task","task":"\#(Scenario.taskKey(6))","due_at":"\#(hours(Int64(choice - 12) * 24))"}"#
    default:
      return task(
        #""title":"Feed","is_completed":true,"due_at":"\#(hours(Int64(choice - 14) * 24))","#
          + #""recurrence_rule":"FREQ=DAILY""#, of: 6)
    }
  }
}

extension TaskItem {
  /// One when a series is over, else none.
  fileprivate var endedLate: Int { isDone && repetition == nil ? 1 : 0 }
}
