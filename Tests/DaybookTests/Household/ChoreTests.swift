import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct ChoreTests {
  private let home = Home.household
  private let chore = Home.chore

  @Test func `a task says what, when, how urgent and for whom (MC-3)`() throws {
    let content = ChoreContent(
      title: " Bins ", description: "the green one", dueDate: day("2026-03-05"),
      dueTime: LocalTime("18:30"), priority: .urgent)
    let created: ChoreCreated = make {
      $0.key = Scenario.fresh
      $0.household = home
      $0.owner = Bees.person(2)
      $0.content = content
      $0.content.title = "Bins"
      $0.assignee = First.account
    }
    let command = CreateChore(in: home, content, assignee: First.account)
    #expect(try Home.with(2).when(command, by: 2) == [.choreCreated(created)])
  }

  @Test func `a task needs a title, a time a day, an assignee to be a member (MC-3)`() throws {
    let scenario = try Home.with(2)
    let create = { (content: ChoreContent, assignee: Int?) in
      CreateChore(in: home, content, assignee: assignee.map { Bees.person($0) })
    }
    #expect(throws: Rejection.emptyText(field: "title")) {
      try scenario.when(create(ChoreContent(title: " "), nil))
    }
    #expect(throws: Rejection.timeWithoutDate) {
      try scenario.when(create(ChoreContent(title: "a", dueTime: .midnight), nil))
    }
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(create(ChoreContent(title: "a"), 3))
    }
  }

  @Test func `a task made again by a member is the same task`() throws {
    let scenario = try Home.with(2).chore()
    let again = CreateChore(in: home, key: Key(high: 6, low: 1), ChoreContent(title: ""))
    #expect(try scenario.when(again, by: 2) == [])
    #expect(try scenario.answer(again, by: 2) == chore)
    let elsewhere = try scenario.and(CreateHousehold(name: "Cabin"), by: 2)
    var other = again
    other.household = try #require(Household.ID(2))
    #expect(throws: Rejection.keyTaken(Key(high: 6, low: 1))) {
      try elsewhere.when(other, by: 2)
    }
  }

  @Test func `of an edit only what changes is recorded (MC-3)`() throws {
    let scenario = try Home.with(2).chore(due: "2026-03-05", at: 18)
    #expect(try scenario.when(UpdateChore(chore), by: 2) == [])
    var update = UpdateChore(chore) { draft in
      draft.content.dueDate = nil
      draft.assignee = Bees.person(2)
    }
    let described: ChoreDescribed = make {
      $0.chore = chore
      $0.content = ChoreContent(title: "Wash up")
    }
    #expect(
      try scenario.when(update, by: 2) == [.choreDescribed(described), Home.assigned(1, to: 2)])
    update.patch.set(\.content.dueTime, .midnight)
    #expect(throws: Rejection.timeWithoutDate) { try scenario.when(update) }
  }

  @Test func `a task is assigned to a member, or to nobody (MC-3)`() throws {
    let scenario = try Home.with(2).chore()
    let bob = AssignChore(chore, to: Bees.person(2))
    #expect(try scenario.when(bob) == [Home.assigned(1, to: 2)])
    #expect(try scenario.and(bob).when(bob) == [])
    #expect(try scenario.and(bob).when(AssignChore(chore, to: nil)) == [Home.assigned(1, to: nil)])
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(AssignChore(chore, to: Bees.person(3)))
    }
  }

  @Test func `a task is done once, and reopened once (MC-3)`() throws {
    let scenario = try Home.with(2).chore(for: 2)
    let done = try scenario.and(CompleteChore(chore), by: 2, at: later(1))
    #expect(done.state.chores[chore]?.completed == later(1))
    #expect(try done.when(CompleteChore(chore)) == [])
    #expect(try scenario.when(ReopenChore(chore)) == [])
    let again = try done.and(ReopenChore(chore))
    #expect(again.state.chores[chore]?.completed == nil)
    #expect(again.state.chores[chore]?.completer == nil)
    // Who was to do it left meanwhile.
    let left = try done.and(LeaveHousehold(home), by: 2)
    #expect(left.state.chores[chore]?.assignee == Bees.person(2))
    let reopened = try left.and(ReopenChore(chore))
    #expect(reopened.state.chores[chore]?.assignee == nil)
    #expect(reopened.state.chores[chore]?.isComplete == false)
  }

  @Test func `a deleted task is gone`() throws {
    let scenario = try Home.with().chore().and(DeleteChore(chore))
    #expect(scenario.state.chores(of: home, for: First.account).isEmpty)
    #expect(throws: Rejection.choreNotFound) { try scenario.when(CompleteChore(chore)) }
  }

  @Test func `what is due first comes first (MC-3)`() throws {
    let scenario = try Home.with()
      .chore("no day", .urgent).chore("later", due: "2026-03-09", .urgent)
      .chore("any time", due: "2026-03-05", .urgent).chore("evening", due: "2026-03-05", at: 18)
      .chore("evening, second", due: "2026-03-05", at: 18)
      .chore("evening, urgent", due: "2026-03-05", at: 18, .urgent)
      .chore("morning", due: "2026-03-05", at: 8, .low)
    let titles = scenario.state.chores(of: home, for: First.account).map(\.chore.content.title)
    #expect(
      titles == [
        "morning", "evening, urgent", "evening", "evening, second", "any time", "later", "no day",
      ])
  }

  @Test func `a list shows all, mine, what is done or what is not (MC-3)`() throws {
    let scenario = try Home.with(2).chore("a").chore("b", for: 1).chore("c", for: 2)
      .chore("d", for: 1).and(CompleteChore(try #require(Chore.ID(4))))
    let titles = { (filter: ChoreFilter) in
      scenario.state.chores(of: home, for: First.account, filter).map(\.chore.content.title)
    }
    #expect(titles(.all) == ["a", "b", "c", "d"])
    #expect(titles(.mine) == ["b"])
    #expect(titles(.complete) == ["d"])
    #expect(titles(.incomplete) == ["a", "b", "c"])
  }

  @Test func `the household may be left out by one who is in one alone`() throws {
    let scenario = try Home.with(2)
    let read = { (actor: Int?, scenario: Scenario) throws -> CreateChore? in
      try Request(
        try JSON(parsing: #"{"do":"create_household_task","title":"x"}"#), scenario.state,
        actor: actor.flatMap { Account.ID($0) }
      ).body as? CreateChore
    }
    // `as` is what says who acts in a line; the command line names the actor beside it.
    #expect(try read(2, scenario)?.household == home)
    #expect(throws: Rejection.noHousehold) { try read(3, scenario) }
    #expect(throws: Rejection.actorMissing) { try read(nil, scenario) }
    let two = try scenario.and(CreateHousehold(name: "Cabin"), by: 2)
    #expect(throws: Rejection.severalHouseholds) { try read(2, two) }
  }
}
