import Daybook
import Testing

@Suite(.tags(.unit)) struct GoalCommandTests {
  let habitID = First.habit
  let goalID = First.goal

  @Test func `a goal needs a title (MO-2)`() throws {
    let created: GoalCreated = make {
      $0.key = Scenario.fresh
      $0.owner = First.account
      $0.title = "Health"
      $0.description = "Long life"
    }
    let command = CreateGoal(title: " Health ", description: "Long life")
    #expect(try given().when(command) == [.goalCreated(created)])
    #expect(throws: Rejection.emptyGoalTitle) { try given().when(CreateGoal(title: " ")) }
    #expect(throws: Rejection.actorMissing) {
      try given().when(command, by: nil)
    }
  }

  @Test func `a goal created again by its owner is the same goal`() throws {
    let again = CreateGoal(key: Key(high: 3, low: 1), title: "Health ")
    let scenario = given(goal(), .accountCreated(person(2)))
    #expect(try scenario.when(again) == [])
    #expect(try scenario.answer(again) == goalID)
    let taken = Rejection.keyTaken(Key(high: 3, low: 1))
    #expect(throws: taken) { try scenario.when(again, by: 2) }
    #expect(throws: taken) {
      try scenario.when(CreateGoal(key: Key(high: 3, low: 1), title: "Wealth"))
    }
    #expect(throws: taken) { try scenario.and(DeleteGoal(goalID)).when(again) }
  }

  @Test func `a goal's words change, or nothing is appended (MO-2)`() throws {
    let described: GoalDescribed = make {
      $0.goal = goalID
      $0.title = "Wealth"
    }
    let scenario = given(goal(), .accountCreated(person(2)))
    let update = UpdateGoal(goalID) { $0.title = "Wealth " }
    #expect(try scenario.when(update) == [.goalDescribed(described)])
    #expect(try scenario.and(update).when(update) == [])
    #expect(throws: Rejection.emptyGoalTitle) {
      try scenario.when(UpdateGoal(goalID) { $0.title = "" })
    }
    #expect(throws: Rejection.notOwner(of: .goal)) { try scenario.when(update, by: 2) }
    #expect(throws: Rejection.goalNotFound) { try given().when(update) }
  }

  @Test func `deleting a goal deletes its habits, and ends their focus (MO-2)`() throws {
    let third = try #require(Habit.ID(3))
    let gone: [HabitDeleted] = [
      make { $0.habit = habitID },
      make { $0.habit = third },
    ]
    let deleted: GoalDeleted = make { $0.goal = goalID }
    let ended: FocusChosen = make { $0.account = First.account }
    let scenario = try given(goal(), habit(1, goal: goalID), habit(2), habit(3, goal: goalID))
      .and(ChooseFocus(third))
    #expect(
      try scenario.when(DeleteGoal(goalID)) == [
        .habitDeleted(gone[0]), .habitDeleted(gone[1]), .goalDeleted(deleted),
        .focusChosen(ended),
      ])
    let after = try scenario.and(DeleteGoal(goalID))
    #expect(throws: Rejection.goalNotFound) { try after.when(DeleteGoal(goalID)) }
    #expect(throws: Rejection.habitNotFound) { try after.when(LogHabit(habitID)) }
    #expect(after.state.tables.first { $0.name == "habits" }?.rows.count == 1)
  }

  @Test func `a habit serves one goal at a time (MO-3)`() throws {
    let attached: HabitAttached = make {
      $0.habit = habitID
      $0.goal = goalID
    }
    let detached: HabitDetached = make { $0.habit = habitID }
    let scenario = given(goal(), habit(), .accountCreated(person(2)))
    let attach = AttachHabit(habitID, to: goalID)
    #expect(try scenario.when(attach) == [.habitAttached(attached)])
    #expect(try scenario.and(attach).when(attach) == [])
    #expect(try scenario.and(attach).when(DetachHabit(habitID)) == [.habitDetached(detached)])
    #expect(try scenario.when(DetachHabit(habitID)) == [])
    #expect(throws: Rejection.goalNotFound) {
      try given(habit()).when(attach)
    }
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(attach, by: 2) }
    let second = try #require(Account.ID(2))
    #expect(throws: Rejection.notOwner(of: .goal)) {
      try given(.accountCreated(person(2)), habit(), goal(1, of: second)).when(attach)
    }
  }

  @Test func `rejections have their codes`() {
    let codes: [(Rejection, String)] = [
      (.accountNotFound, "account_not_found"), (.goalNotFound, "goal_not_found"),
      (.notOwner(of: .goal), "not_owner"), (.keyTaken(Scenario.fresh), "key_taken"),
      (.emptyGoalTitle, "empty_title"),
    ]
    for (rejection, code) in codes { #expect(rejection.code == code) }
  }
}
