import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct HouseholdTaskTests {
  private let home = Home.household
  private let householdTask = Home.householdTask

  @Test func `a household task has a title, a due time, a priority and an assignee (MC-3)`() throws
  {
    let content = HouseholdTaskContent(
      title: " Bins ", description: "the green one", dueDate: day("2026-03-05"),
      dueTime: LocalTime("18:30"), priority: .urgent)
    let created: HouseholdTaskCreated = make {
      $0.key = Scenario.fresh
      $0.household = home
      $0.owner = Bees.person(2)
      $0.content = content
      $0.content.title = "Bins"
      $0.assignee = First.account
    }
    let command = CreateHouseholdTask(in: home, content, assignee: First.account)
    #expect(try Home.with(2).when(command, by: 2) == [.householdTaskCreated(created)])
  }

  @Test func `a household task needs a title, and a member as assignee (MC-3)`() throws {
    let scenario = try Home.with(2)
    let create = { (content: HouseholdTaskContent, assignee: Int?) in
      CreateHouseholdTask(in: home, content, assignee: assignee.map { Bees.person($0) })
    }
    #expect(throws: Rejection.emptyText(field: "title")) {
      try scenario.when(create(HouseholdTaskContent(title: " "), nil))
    }
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(create(HouseholdTaskContent(title: "a"), 3))
    }
  }

  @Test func `a household task created again by a member is the same task`() throws {
    let scenario = try Home.with(2).householdTask()
    let found = try #require(scenario.state.householdTasks[householdTask])
    let again = CreateHouseholdTask(
      in: home, key: Key(high: 6, low: 1), found.content, assignee: found.assignee)
    #expect(try scenario.when(again, by: 2) == [])
    let otherwise = CreateHouseholdTask(
      in: home, key: Key(high: 6, low: 1), HouseholdTaskContent(title: "Another"))
    #expect(throws: Rejection.keyTaken(Key(high: 6, low: 1))) { try scenario.when(otherwise) }
    #expect(try scenario.answer(again, by: 2) == householdTask)
    let elsewhere = try scenario.and(CreateHousehold(name: "Cabin"), by: 2)
    var other = again
    other.household = try #require(Household.ID(2))
    #expect(throws: Rejection.keyTaken(Key(high: 6, low: 1))) {
      try elsewhere.when(other, by: 2)
    }
  }

  @Test func `an edit records only what changes (MC-3)`() throws {
    let scenario = try Home.with(2).householdTask(due: "2026-03-05", at: 18)
    #expect(try scenario.when(UpdateHouseholdTask(householdTask), by: 2) == [])
    var update = UpdateHouseholdTask(householdTask) { draft in
      draft.content.dueDate = nil
      draft.assignee = Bees.person(2)
    }
    let described: HouseholdTaskDescribed = make {
      $0.householdTask = householdTask
      $0.content = HouseholdTaskContent(title: "Wash up")
    }
    #expect(
      try scenario.when(update, by: 2) == [
        .householdTaskDescribed(described), Home.assigned(1, to: 2),
      ])
    // A time without a day applies to any day, and stays when another field changes.
    update.patch.set(\.content.dueTime, .midnight)
    let timed = try scenario.and(update)
    let time = { (scenario: Scenario) in
      scenario.state.householdTasks[householdTask].map {
        ($0.content.dueDate, $0.content.dueTime)
      }
    }
    #expect(try #require(time(timed)) == (nil, .midnight))
    let renamed = try timed.and(UpdateHouseholdTask(householdTask) { $0.content.title = "Dry" })
    #expect(try #require(time(renamed)) == (nil, .midnight))
  }

  @Test func `a household task is assigned to a member, or to nobody (MC-3)`() throws {
    let scenario = try Home.with(2).householdTask()
    let bob = AssignHouseholdTask(householdTask, to: Bees.person(2))
    #expect(try scenario.when(bob) == [Home.assigned(1, to: 2)])
    #expect(try scenario.and(bob).when(bob) == [])
    #expect(
      try scenario.and(bob).when(AssignHouseholdTask(householdTask, to: nil)) == [
        Home.assigned(1, to: nil)
      ])
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(AssignHouseholdTask(householdTask, to: Bees.person(3)))
    }
  }

  @Test func `a household task is completed once, and reopened once (MC-3)`() throws {
    let scenario = try Home.with(2).householdTask(for: 2)
    let done = try scenario.and(CompleteHouseholdTask(householdTask), by: 2, at: later(1))
    #expect(done.state.householdTasks[householdTask]?.completed == later(1))
    #expect(try done.when(CompleteHouseholdTask(householdTask)) == [])
    #expect(try scenario.when(ReopenHouseholdTask(householdTask)) == [])
    let again = try done.and(ReopenHouseholdTask(householdTask))
    #expect(again.state.householdTasks[householdTask]?.completed == nil)
    #expect(again.state.householdTasks[householdTask]?.completer == nil)
    // The assignee has left meanwhile.
    let left = try done.and(LeaveHousehold(home), by: 2)
    #expect(left.state.householdTasks[householdTask]?.assignee == Bees.person(2))
    let reopened = try left.and(ReopenHouseholdTask(householdTask))
    #expect(reopened.state.householdTasks[householdTask]?.assignee == nil)
    #expect(reopened.state.householdTasks[householdTask]?.isComplete == false)
  }

  @Test func `a deleted household task is gone`() throws {
    let scenario = try Home.with().householdTask().and(DeleteHouseholdTask(householdTask))
    #expect(scenario.state.householdTasks(of: home, for: First.account).isEmpty)
    #expect(throws: Rejection.householdTaskNotFound) {
      try scenario.when(CompleteHouseholdTask(householdTask))
    }
  }

  @Test func `household tasks are listed by due time (MC-3)`() throws {
    let scenario = try Home.with()
      .householdTask("no day", .urgent).householdTask("later", due: "2026-03-09", .urgent)
      .householdTask("any time", due: "2026-03-05", .urgent).householdTask(
        "evening", due: "2026-03-05", at: 18
      )
      .householdTask("evening, second", due: "2026-03-05", at: 18)
      .householdTask("evening, urgent", due: "2026-03-05", at: 18, .urgent)
      .householdTask("morning", due: "2026-03-05", at: 8, .low)
    let titles = scenario.state.householdTasks(of: home, for: First.account).map(
      \.householdTask.content.title)
    #expect(
      titles == [
        "morning", "evening, urgent", "evening", "evening, second", "any time", "later", "no day",
      ])
  }

  @Test func `a list filters by all, mine, open or completed (MC-3)`() throws {
    let scenario = try Home.with(2).householdTask("a").householdTask("b", for: 1).householdTask(
      "c", for: 2
    )
    .householdTask("d", for: 1).and(CompleteHouseholdTask(try #require(HouseholdTask.ID(4))))
    let titles = { (filter: HouseholdTaskFilter) in
      scenario.state.householdTasks(of: home, for: First.account, filter).map(
        \.householdTask.content.title)
    }
    #expect(titles(.all) == ["a", "b", "c", "d"])
    #expect(titles(.mine) == ["b"])
    #expect(titles(.complete) == ["d"])
    #expect(titles(.incomplete) == ["a", "b", "c"])
  }

  @Test func `a member of one household need not name it`() throws {
    let scenario = try Home.with(2)
    let read = { (actor: Int?, scenario: Scenario) throws -> CreateHouseholdTask? in
      try Request(
        try JSON(parsing: #"{"do":"create_household_task","title":"x"}"#), scenario.state,
        actor: actor.flatMap { Account.ID($0) }
      ).body as? CreateHouseholdTask
    }
    // `as` names the actor in a line; the command line names the actor separately.
    #expect(try read(2, scenario)?.household == home)
    #expect(throws: Rejection.noHousehold) { try read(3, scenario) }
    #expect(throws: Rejection.actorMissing) { try read(nil, scenario) }
    let two = try scenario.and(CreateHousehold(name: "Cabin"), by: 2)
    #expect(throws: Rejection.severalHouseholds) { try read(2, two) }
  }
}
