import Avro
import Daybook
import PropertyTesting
import Testing

/// Two devices of one account, whose rows arrive in any order (DM-8).
@Suite struct DeviceTests {
  private static func task(_ fields: String) -> String {
    #"{"do":"upsert_task","id":"\#(Scenario.taskKey(1))",\#(fields)}"#
  }

  /// The rows without the stamps, which tell of the order.
  private func rows(_ scenario: Scenario) -> [JSON] {
    ["tasks", "labels", "task_labels", "task_completions"].flatMap { scenario.rows($0) }.map {
      row in
      .object((row.members ?? []).filter { !$0.name.hasSuffix("_at") || $0.name == "due_at" })
    }
  }

  @Test(arguments: [false, true])
  func `done wins over open within two seconds, in either order (DM-8)`(wasDone: Bool) throws {
    var start = try given().adding("Milk")
    if wasDone { start = try start.and(CompleteTask(start.task("Milk")), at: hours(1)) }
    let done = Self.task(#""is_completed":true"#)
    let open = Self.task(#""is_completed":false"#)
    for (first, second) in [(done, open), (open, done)] {
      let near = try start.upserting(first, at: hours(2)).upserting(
        second, at: seconds(2, after: hours(2)))
      #expect(near["Milk"]?.isDone == true)
    }
    // Later than that, who comes last decides.
    let far = try start.upserting(done, at: hours(2)).upserting(
      open, at: seconds(3, after: hours(2)))
    #expect(far["Milk"]?.isDone == false)
  }

  @Test func `done wins over open of a part, and of what it is a part of (DM-8)`() throws {
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

  @Test func `of scalars the last one in the book's order counts (DM-8)`() throws {
    let start = try given().adding("Milk")
    let scenario = try start.upserting(Self.task(#""title":"A","bucket_key":"WEEKEND""#))
      .upserting(Self.task(#""title":"B","updated_at":"2000-01-01T00:00:00Z""#))
    #expect(scenario["B"]?.bucket == .weekend)
  }

  @Test func `rows of two devices end in the same rows in any order (DM-8, DM-9)`() {
    // What commutes: labels that are got, fields of which each device sends its own, completions of slots.
    let choices = Generator<[[Int]]> { source in
      try (0..<2).map { _ in try source.draw(Generator<Int>.integer(in: 0...3).array(count: 1...6))
      }
    }
    let report = check("two devices", choices, cases: 300) { devices in
      let ends = try [[0, 1], [1, 0]].map { order -> [JSON] in
        var scenario = try given().adding("Milk")
          .adding("Water", due: Scenario.noon, repeating: "FREQ=DAILY;COUNT=4", at: hours(-9))
        for number in 1...4 {
          scenario = try scenario.and(
            CreateLabel(key: Scenario.labelKey(number), name: "label \(number)"))
        }
        for device in order {
          for choice in devices[device] {
            scenario = try Self.play(choice, device, scenario)
          }
        }
        try expectEqual(scenario.complaints(), [])
        return rows(scenario)
      }
      try expectEqual(ends[0], ends[1])
    }
    #expect(report.passed, "\(report)")
  }

  /// What a device does, each within the two seconds after the first.
  private static func play(
    _ choice: Int, _ device: Int, _ scenario: Scenario
  ) throws -> Scenario {
    let at = seconds(1)
    switch choice {
    case 0:
      let label = try #require(TaskLabel.ID(device + 1))
      return try scenario.and(SetTaskLabels(scenario.task("Milk"), add: [label]), at: at)
    case 1:
      return try scenario.upserting(
        task(device == 0 ? #""is_completed":true"# : #""is_completed":false"#), at: at)
    case 2:
      return try scenario.upserting(
        task(device == 0 ? #""description":"from one""# : #""bucket_key":"NEXT_WEEK""#), at: at)
    default:
      return try scenario.upserting(
        """
        {"do":"upsert_task","id":"\(Scenario.taskKey(2))","title":"Water","is_completed":true,\
        "due_at":"\(Scenario.noon)","recurrence_rule":"FREQ=DAILY;COUNT=4"}
        """, at: at)
    }
  }
}
