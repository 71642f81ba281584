import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct HouseholdCommandTests {
  private let home = Home.household

  @Test func `the creator of a household is its first member (MC-1)`() throws {
    let created: HouseholdCreated = make {
      $0.key = Scenario.fresh
      $0.owner = First.account
      $0.name = "Home"
    }
    #expect(try given().when(CreateHousehold(name: " Home ")) == [.householdCreated(created)])
    let scenario = try Home.with()
    #expect(scenario.state.households(of: First.account) == [home])
    #expect(scenario.state.households[home]?.activeMembers.map(\.account) == [First.account])
  }

  @Test func `a household needs a name of one line (MC-1)`() throws {
    let empty = Rejection.emptyText(field: "name")
    #expect(throws: empty) { try given().when(CreateHousehold(name: " \n")) }
    #expect(throws: Rejection.invalidText(field: "name")) {
      try given().when(CreateHousehold(name: "a\u{1B}b"))
    }
    #expect(empty.code == "empty_name" && empty.field == "name")
    #expect(throws: Rejection.actorMissing) {
      try given().when(CreateHousehold(name: "Home"), by: nil)
    }
  }

  @Test func `a household created again by a member is the same household`() throws {
    let scenario = try Home.with(2)
    let again = CreateHousehold(
      key: Home.key, name: try #require(scenario.state.households[home]?.name))
    let other = CreateHousehold(key: Home.key, name: "Another")
    #expect(throws: Rejection.keyTaken(Home.key)) { try scenario.when(other) }
    for member in 1...2 {
      #expect(try scenario.when(again, by: member) == [])
      #expect(try scenario.answer(again, by: member) == home)
    }
    #expect(throws: Rejection.keyTaken(Home.key)) { try scenario.when(again, by: 3) }
    #expect(throws: Rejection.keyTaken(Home.key)) {
      try scenario.and(DeleteHousehold(home)).when(again)
    }
  }

  @Test func `any member renames a household, or changes nothing (MC-1)`() throws {
    let renamed: HouseholdRenamed = make {
      $0.household = home
      $0.name = "Nest"
    }
    let scenario = try Home.with(2)
    let command = RenameHousehold(home, name: "Nest ")
    #expect(try scenario.when(command, by: 2) == [.householdRenamed(renamed)])
    #expect(try scenario.and(command).when(command, by: 2) == [])
  }

  @Test func `any member adds others, each once (MC-1)`() throws {
    let scenario = try Home.with(2)
    let cy = AddHouseholdMember(Bees.person(3), to: home)
    #expect(try scenario.when(cy, by: 2) == [Home.joined(3)])
    #expect(try scenario.and(cy, by: 2).when(cy) == [])
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(AddHouseholdMember(Bees.person(9), to: home))
    }
  }

  @Test func `an account can be in several households (MC-1)`() throws {
    let scenario = try Home.with(2).and(CreateHousehold(name: "Cabin"), by: 2)
    let cabin = try #require(Household.ID(2))
    #expect(scenario.state.households(of: Bees.person(2)) == [home, cabin])
    #expect(scenario.state.households(of: First.account) == [home])
  }

  @Test func `a member who leaves frees their tasks, and may return as a new member (MC-1)`() throws
  {
    let scenario = try Home.with(2).householdTask("a", for: 2).householdTask("b", for: 2)
      .householdTask("c", for: 1)
      .and(CompleteHouseholdTask(try #require(HouseholdTask.ID(2))))
    let events = try scenario.when(LeaveHousehold(home), by: 2)
    #expect(events == [Home.assigned(1, to: nil), Home.left(2)])
    let after = try scenario.and(LeaveHousehold(home), by: 2)
    #expect(after.state.households(of: Bees.person(2)) == [])
    #expect(
      after.state.householdTasks.elements.map(\.assignee) == [nil, Bees.person(2), First.account])
    let back = try after.and(AddHouseholdMember(Bees.person(2), to: home))
    #expect(back.state.households[home]?.members.map(\.stays.count) == [1, 2])
    #expect(try back.when(LeaveHousehold(home)) == [Home.assigned(3, to: nil), Home.left(1)])
  }

  @Test func `any member removes another (MC-1)`() throws {
    let scenario = try Home.with(2)
    let command = RemoveHouseholdMember(First.account, from: home)
    #expect(try scenario.when(command, by: 2) == [Home.left(1)])
    #expect(throws: Rejection.personNotFound) {
      try scenario.when(RemoveHouseholdMember(Bees.person(3), from: home))
    }
  }

  @Test func `a household ends with its last member`() throws {
    let scenario = try Home.with().householdTask("a", for: 1)
    #expect(try scenario.when(LeaveHousehold(home)) == [Home.deleted])
    #expect(try scenario.when(RemoveHouseholdMember(First.account, from: home)) == [Home.deleted])
    let after = try scenario.and(LeaveHousehold(home))
    #expect(after.state.households(of: First.account) == [])
    let rows = after.state.tables.filter { $0.name.hasPrefix("household") }.flatMap(\.rows)
    #expect(rows.isEmpty)
  }

  @Test func `a household does not exist for strangers (MC-11)`() throws {
    let scenario = try Home.with(2).householdTask().and(LeaveHousehold(home), by: 2)
    let householdTask = Home.householdTask
    let unknown = try #require(Household.ID(7))
    for stranger in [2, 3] {
      for number in [home, unknown] {
        let commands: [any Command] = [
          RenameHousehold(number, name: "x"), AddHouseholdMember(Bees.person(3), to: number),
          LeaveHousehold(number), RemoveHouseholdMember(First.account, from: number),
          DeleteHousehold(number),
          CreateHouseholdTask(in: number, HouseholdTaskContent(title: "x")),
        ]
        for command in commands {
          let code = Self.code(of: command, in: scenario, by: stranger)
          #expect(code == "household_not_found", "\(command)")
        }
      }
      let commands: [any Command] = [
        UpdateHouseholdTask(householdTask), AssignHouseholdTask(householdTask, to: nil),
        CompleteHouseholdTask(householdTask), ReopenHouseholdTask(householdTask),
        DeleteHouseholdTask(householdTask),
      ]
      for command in commands {
        let code = Self.code(of: command, in: scenario, by: stranger)
        #expect(code == "household_task_not_found", "\(command)")
      }
      #expect(scenario.state.household(home, for: Bees.person(stranger)) == nil)
      #expect(scenario.state.householdTasks(of: home, for: Bees.person(stranger)).isEmpty)
    }
  }

  private static func code(
    of command: some Command, in scenario: Scenario, by actor: Int
  ) -> String? {
    do {
      _ = try scenario.when(command, by: actor)
      return nil
    } catch { return error.code }
  }

  @Test func `a past is visible to current members only (MC-11)`() throws {
    let then = try Home.with(2).householdTask("Bins", for: 2, due: "2026-03-05")
    let now = try then.and(LeaveHousehold(home), by: 2)
      .and(AddHouseholdMember(Bees.person(3), to: home)).householdTask("Later")
    let past = then.state.seen(from: now.state)
    #expect(past.households(of: Bees.person(2)) == [])
    #expect(past.household(home, for: Bees.person(2)) == nil)
    #expect(past.householdTasks(of: home, for: Bees.person(2)).isEmpty)
    for member in [1, 3] {
      #expect(past.households(of: Bees.person(member)) == [home])
      // The past content is unchanged.
      let householdTasks = past.householdTasks(of: home, for: Bees.person(member)).map(
        \.householdTask)
      #expect(householdTasks.map(\.content.title) == ["Bins"])
      #expect(householdTasks.map(\.assignee) == [Bees.person(2)])
    }
    // Before the household existed, nobody is in one.
    #expect(BookState().seen(from: now.state).households(of: First.account) == [])
  }

  @Test func `a member sees a past before their account by their present clock`() throws {
    let then = try Home.with()
    let late = CreateAccount(name: "Dee", timeZone: "Asia/Kathmandu")
    let now = try then.and(late).and(
      AddHouseholdMember(Bees.person(then.state.accounts.elements.count + 1), to: home))
    let dee = Bees.person(then.state.accounts.elements.count + 1)
    let past = then.state.seen(from: now.state)
    #expect(past.accounts[dee] == nil)
    #expect(past.viewer(dee)?.dayClock.timeZone == "Asia/Kathmandu")
    #expect(past.households(of: dee) == [home])
  }

  @Test func `a deleted household's past is visible to its last members`() throws {
    let then = try Home.with(2)
    let now = try then.and(LeaveHousehold(home), by: 2).and(DeleteHousehold(home))
    let past = then.state.seen(from: now.state)
    #expect(now.state.households(of: First.account) == [])
    #expect(past.households(of: First.account) == [home])
    #expect(past.households(of: Bees.person(2)) == [])
  }

  @Test func `a household has at most a hundred members`() throws {
    var scenario = try Bees.people(101).and(CreateHousehold(key: Home.key, name: "Home"))
    for member in 2...100 {
      scenario = scenario.and(Home.joined(member))
    }
    #expect(throws: Rejection.householdFull) {
      try scenario.when(AddHouseholdMember(Bees.person(101), to: home))
    }
  }

  @Test func `a member's row has their account's name, address hash and notification times (MC-1)`()
    throws
  {
    let hash = IdentityHash(padding: 1...32)
    let scenario = try Home.with(2)
      .and(LinkIdentity(Identity(.email, hash)), by: 2)
      .and(UpdateProfile { $0.notificationTimes = [LocalTime("07:30")].compactMap(\.self) }, by: 2)
    let rows = scenario.state.tables.first { $0.name == "household_members" }?.rows ?? []
    #expect(rows.count == 2)
    #expect(rows.last?["name"]?.text == "Ada 2")
    #expect(rows.last?["email_hash"]?.text == hash.description)
    #expect(rows.last?["notification_times"]?.encoded == #"["07:30"]"#)
    let left = try scenario.and(LeaveHousehold(home), by: 2)
    let row = left.state.tables.first { $0.name == "household_members" }?.rows.last
    #expect(row?["name"] == .null && row?["email_hash"] == .null && row?["left_at"]?.text != nil)
  }
}
