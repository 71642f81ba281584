import Avro
import Daybook
import Testing

/// Purged rows: devices no longer receive them, but time travel and undo still know them.
@Suite(.tags(.unit)) struct PurgeTests {
  /// A task with parts, one of which was deleted before, and a label.
  private func trip() throws -> Scenario {
    var scenario = try given(.accountCreated(person(2))).adding("Trip").adding(
      "Pack", under: "Trip"
    )
    .adding("Socks", under: "Pack").adding("Hat", under: "Pack").adding("Milk")
    scenario = try scenario.and(CreateLabel(key: Scenario.labelKey(1), name: "home"))
    scenario = try scenario.and(SetTaskLabels(scenario.task("Milk"), add: [label]))
    return try scenario.and(DeleteTask(scenario.task("Hat")), at: hours(1))
  }

  private let label = BookState().labels.nextNumber

  private func purged(_ scenario: Scenario) -> [String] {
    scenario.state.tasks.elements.filter(\.isPurged).map(\.title)
  }

  @Test func `a purged task purges its parts, also those deleted before (DM-6)`() throws {
    let scenario = try trip()
    let deleted = try scenario.when(DeleteTask(scenario.task("Trip")))
    #expect(deleted.count == 3)
    let soft = try scenario.and(DeleteTask(scenario.task("Trip")), at: hours(2))
    #expect(purged(soft) == [])
    let gone = try scenario.and(DeleteTask(scenario.task("Trip"), purge: true), at: hours(2))
    #expect(purged(gone) == ["Trip", "Pack", "Socks", "Hat"])
    #expect(gone["Hat"]?.deleted == hours(1), "it was deleted then")
    #expect(gone["Trip"]?.deleted == hours(2))
    #expect(gone.rows("tasks") == soft.rows("tasks"))
    #expect(gone.complaints() == [])
    // Their owner can still find them.
    let found = gone.state.allTasks(of: First.account)
    #expect(found.count == 5 && gone.state.allLabels(of: First.account) == [label])
  }

  @Test func `a tombstone is purged later, and once (DM-6)`() throws {
    let scenario = try trip()
    let soft = try scenario.and(DeleteTask(scenario.task("Trip")), at: hours(2))
    #expect(throws: Rejection.taskNotFound) { try soft.when(DeleteTask(soft.task("Trip"))) }
    let gone = try soft.and(DeleteTask(soft.task("Trip"), purge: true), at: hours(3))
    #expect(purged(gone) == ["Trip", "Pack", "Socks", "Hat"])
    #expect(gone["Trip"]?.deleted == hours(2))
    #expect(throws: Rejection.taskNotFound) {
      try gone.when(DeleteTask(gone.task("Trip"), purge: true))
    }
    #expect(throws: Rejection.notOwner) {
      try soft.when(DeleteTask(soft.task("Milk"), purge: true), by: 2)
    }
    #expect(throws: Rejection.keyTaken(Scenario.taskKey(1))) {
      try gone.when(CreateTask(key: Scenario.taskKey(1), title: "Trip"))
    }
  }

  @Test func `a restored task is not purged (DM-6)`() throws {
    let scenario = try trip()
    let milk = scenario.task("Milk")
    let gone = try scenario.and(DeleteTask(milk, purge: true))
    #expect(purged(gone.and(.taskRestored(make { $0.task = milk }))) == [])
  }

  @Test func `a purged label purges its links (DM-6)`() throws {
    let scenario = try trip()
    let gone = try scenario.and(DeleteLabel(label, purge: true))
    #expect(gone.state.labels[label]?.isPurged == true)
    #expect(gone["Milk"]?.labels.map(\.isPurged) == [true])
    let soft = try scenario.and(DeleteLabel(label))
    #expect(soft.state.labels[label]?.isPurged == false)
    #expect(soft["Milk"]?.labels.map(\.isPurged) == [false])
    #expect(throws: Rejection.labelNotFound) { try soft.when(DeleteLabel(label)) }
    let later = try soft.and(DeleteLabel(label, purge: true), at: hours(2))
    #expect(later.state.labels[label]?.isPurged == true)
    #expect(later.state.labels[label]?.deleted == Scenario.noon)
    #expect(throws: Rejection.labelNotFound) { try later.when(DeleteLabel(label, purge: true)) }
  }

  @Test func `a link can be purged, also after it was removed (DM-6)`() throws {
    let scenario = try trip()
    let milk = scenario.task("Milk")
    let lost = try scenario.and(SetTaskLabels(milk, add: [], remove: [label]), at: hours(1))
    #expect(lost["Milk"]?.labels.map(\.isPurged) == [false])
    #expect(try lost.when(SetTaskLabels(milk, add: [], remove: [label])) == [])
    let purge = SetTaskLabels(milk, add: [], remove: [label], purge: true)
    let gone = try lost.and(purge, at: hours(2))
    #expect(gone["Milk"]?.labels.map(\.isPurged) == [true])
    #expect(gone["Milk"]?.labels.map(\.removed) == [hours(1)])
    #expect(try gone.when(purge) == [])
    #expect(try scenario.and(purge)["Milk"]?.labels.map(\.isPurged) == [true])
    let back = try gone.and(SetTaskLabels(milk, add: [label]), at: hours(3))
    #expect(back["Milk"]?.labels.map(\.isPurged) == [false])
    #expect(back["Milk"]?.currentLabels == [label])
  }

  @Test func `purge is a field of lines, also of rows of task_labels (DM-6)`() throws {
    let scenario = try trip()
    let row =
      #"{"do":"set_task_labels","task_id":"\#(Scenario.taskKey(5))","#
      + #""label_id":"\#(Scenario.labelKey(1))","deleted_at":"2026-03-02T12:00:00Z","purge":true}"#
    #expect(try scenario.upserting(row)["Milk"]?.labels.map(\.isPurged) == [true])
    let line = #"{"do":"delete_task","task":"\#(Scenario.taskKey(5))","purge":true}"#
    #expect(try scenario.upserting(line)["Milk"]?.isPurged == true)
    let kept = #"{"do":"delete_label","label":"\#(Scenario.labelKey(1))","purge":false}"#
    #expect(try scenario.upserting(kept).state.labels[label]?.isPurged == false)
  }
}
