import Daybook
import Testing

/// Deletions of tasks and labels that are restored on request.
@Suite(.tags(.unit)) struct RestoreTests {
  /// A task with parts, one of which was deleted before.
  private func trip() throws -> Scenario {
    let scenario = try given(.accountCreated(person(2))).adding("Trip").adding(
      "Pack", under: "Trip"
    ).adding("Socks", under: "Pack").adding("Hat", under: "Pack")
    return try scenario.and(DeleteTask(scenario.task("Hat")), at: hours(1))
  }

  @Test func `a restored task restores the parts deleted with it (DM-2)`() throws {
    let scenario = try trip()
    let gone = try scenario.and(DeleteTask(scenario.task("Trip")), at: hours(2))
    let back = try gone.and(RestoreTask(gone.task("Trip")), at: hours(3))
    #expect(try back.list() == ["Trip", "- Pack", "- - Socks"])
    #expect(back.complaints() == [])
    #expect(try back.when(RestoreTask(back.task("Trip"))).isEmpty, "it is there")
  }

  @Test func `a restored part goes under its nearest existing ancestor (DM-3)`() throws {
    let scenario = try trip()
    let gone = try scenario.and(DeleteTask(scenario.task("Pack")), at: hours(2))
    let part = try gone.and(RestoreTask(gone.task("Socks")), at: hours(3))
    #expect(try part.list() == ["Trip", "- Socks"])
    let all = try gone.and(DeleteTask(gone.task("Trip")), at: hours(3))
      .and(RestoreTask(gone.task("Socks")), at: hours(4))
    #expect(try all.list() == ["Socks"])
    #expect(all.complaints() == [])
  }

  @Test func `restoring an open part reopens its ancestors (DM-8)`() throws {
    let scenario = try trip()
    let done = try scenario.and(DeleteTask(scenario.task("Socks")), at: hours(2))
      .and(CompleteTask(scenario.task("Trip")), at: hours(3))
    let back = try done.and(RestoreTask(done.task("Socks")), at: hours(4))
    #expect(back.complaints() == [])
    #expect(back["Trip"]?.isDone == false && back["Socks"]?.isDone == false)
  }

  @Test func `a part restored under a task just completed is completed, with its own parts (DM-8)`()
    throws
  {
    let scenario = try trip()
    let done = try scenario.and(DeleteTask(scenario.task("Pack")), at: hours(2))
      .and(CompleteTask(scenario.task("Trip")), at: hours(3))
    let back = try done.and(
      RestoreTask(done.task("Pack")), at: hours(3).advanced(byMilliseconds: 1000))
    #expect(back.complaints() == [])
    #expect(["Trip", "Pack", "Socks"].allSatisfy { back[$0]?.isDone == true })
  }

  @Test func `a restored label returns to the tasks that lost it by its deletion (DM-4)`() throws {
    let label = BookState().labels.nextNumber
    var scenario = try trip().and(CreateLabel(key: Scenario.labelKey(1), name: "home"))
    scenario = try scenario.and(SetTaskLabels(scenario.task("Trip"), add: [label]))
    scenario = try scenario.and(SetTaskLabels(scenario.task("Pack"), add: [label]))
    scenario = try scenario.and(
      SetTaskLabels(scenario.task("Pack"), add: [], remove: [label]), at: hours(2))
    let gone = try scenario.and(DeleteLabel(label), at: hours(3))
    let back = try gone.and(RestoreLabel(label), at: hours(4))
    #expect(back["Trip"]?.currentLabels == [label])
    #expect(back["Pack"]?.currentLabels == [])
    #expect(back.state.labels[label]?.isDeleted == false)
    let other = try gone.and(CreateLabel(key: Scenario.labelKey(2), name: "Home"), at: hours(4))
    #expect(throws: Rejection.nameTaken("home")) { try other.when(RestoreLabel(label)) }
  }

  @Test func `another account's deletion, and a purge, cannot be restored`() throws {
    let label = BookState().labels.nextNumber
    let scenario = try trip().and(CreateLabel(key: Scenario.labelKey(1), name: "home"))
    let hat = scenario.task("Hat")
    #expect(throws: Rejection.notOwner) { try scenario.when(RestoreTask(hat), by: 2) }
    #expect(throws: Rejection.taskNotFound) {
      try scenario.and(DeleteTask(hat, purge: true)).when(RestoreTask(hat))
    }
    let gone = try scenario.and(DeleteLabel(label), at: hours(2))
    #expect(throws: Rejection.notOwner) { try gone.when(RestoreLabel(label), by: 2) }
    #expect(throws: Rejection.labelNotFound) {
      try gone.and(DeleteLabel(label, purge: true)).when(RestoreLabel(label))
    }
  }
}
