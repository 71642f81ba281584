import Daybook
import Testing

@Suite(.tags(.unit)) struct HabitCommandTests {
  let today = day("2026-03-02")
  let habitID = First.habit
  let goalID = First.goal

  @Test func `a habit is created with the given fields (HH-7)`() throws {
    let mask = try #require(WeekdayMask(bits: 31))
    let created: HabitCreated = make {
      $0.key = Key(high: 2, low: 5)
      $0.owner = First.account
      $0.goal = goalID
      $0.description = make {
        $0.name = "Walk"
        $0.emoji = "🚶"
        $0.color = "#34c759"
        $0.unit = "km"
      }
      $0.type = .counter
      $0.target = Target(thousandths(2500), .atLeast)
      $0.schedule = .weekdays(mask)
      $0.reminders = [450, 1200].compactMap { LocalTime(minutes: $0) }
      $0.day = today
    }
    let command = CreateHabit(
      key: Key(high: 2, low: 5), name: " Walk ", emoji: "🚶", color: "#34c759", unit: "km",
      type: .counter, target: Target(thousandths(2500)), schedule: .weekdays(mask),
      reminders: [1200, 450].compactMap { LocalTime(minutes: $0) }, goal: Key(high: 3, low: 1))
    #expect(try given(goal()).when(command) == [.habitCreated(created)])
  }

  @Test func `a habit created again by its owner is the same habit`() throws {
    let taken = Rejection.keyTaken(Key(high: 2, low: 1))
    let scenario = given(habit(), .accountCreated(person(2)))
    let found = try #require(scenario.state.habits[habitID])
    var again = CreateHabit(key: Key(high: 2, low: 1), name: "Anything")
    #expect(throws: taken) { try scenario.when(again) }
    again.content.description = found.description
    again.content.type = found.type
    again.content.target = found.version.target
    again.content.schedule = found.version.schedule
    again.content.reminders = found.reminders
    #expect(try scenario.when(again) == [])
    #expect(try scenario.answer(again) == habitID)
    #expect(throws: taken) { try scenario.when(again, by: 2) }
    #expect(throws: taken) { try scenario.and(DeleteHabit(habitID)).when(again) }
  }

  @Test func `invalid habits are refused (HH-7)`() throws {
    let scenario = given(.accountCreated(person(2)), goal())
    #expect(throws: Rejection.emptyHabitName) { try scenario.when(CreateHabit(name: "\n ")) }
    for color in ["", "FF9F1C", "#FF9F1", "#FF9F1CA", "#GG9F1C", "#ＦF9F1C"] {
      #expect(throws: Rejection.invalidColor(color, "color_hex")) {
        try scenario.when(CreateHabit(name: "Read", color: color))
      }
    }
    #expect(throws: Rejection.invalidTarget) {
      try scenario.when(CreateHabit(name: "Read", target: Target(.zero)))
    }
    let abstinence = CreateHabit(name: "Smoke", target: Target(.zero, .atMost))
    #expect(try scenario.when(abstinence).count == 1)
    #expect(throws: Rejection.goalNotFound) {
      try scenario.when(CreateHabit(name: "Read", goal: Key(high: 3, low: 9)))
    }
    #expect(throws: Rejection.notOwner(of: .goal)) {
      try scenario.when(CreateHabit(name: "Read", goal: Key(high: 3, low: 1)), by: 2)
    }
    #expect(throws: Rejection.actorMissing) {
      try scenario.when(CreateHabit(name: "Read"), by: nil)
    }
  }

  @Test func `an update appends an event for each changed part (HH-7)`() throws {
    let update = UpdateHabit(habitID) {
      $0.name = "Read aloud"
      $0.schedule = .quota(times: 3, days: 7)
      $0.type = .counter
      $0.target.amount = thousandths(2500)
      $0.target.bound = .atMost
      $0.reminders = [LocalTime(minutes: 60)].compactMap(\.self)
    }
    let described: HabitDescribed = make {
      $0.habit = habitID
      $0.description = read
      $0.description.name = "Read aloud"
    }
    let scheduled: HabitScheduleChanged = make {
      $0.habit = habitID
      $0.schedule = .quota(times: 3, days: 7)
      $0.day = today
    }
    let targeted: HabitTargetChanged = make {
      $0.habit = habitID
      $0.type = .counter
      $0.target = Target(thousandths(2500), .atMost)
      $0.day = today
    }
    let reminded: HabitRemindersChanged = make {
      $0.habit = habitID
      $0.reminders = [LocalTime(minutes: 60)].compactMap(\.self)
    }
    #expect(
      try given(habit()).when(update) == [
        .habitDescribed(described), .habitScheduleChanged(scheduled),
        .habitTargetChanged(targeted), .habitRemindersChanged(reminded),
      ])
  }

  @Test func `an update without changes appends nothing`() throws {
    #expect(try given(habit()).when(UpdateHabit(habitID)) == [])
    let update = UpdateHabit(habitID) {
      $0.name = "Read "
      $0.schedule = .daily
      $0.target = Target(.one)
      $0.type = .checkbox
      $0.reminders = []
    }
    #expect(try given(habit()).when(update) == [])
  }

  @Test func `invalid updates are refused`() throws {
    let scenario = given(habit(), .accountCreated(person(2)))
    var update = UpdateHabit(habitID) {
      $0.target.amount = .zero
    }
    #expect(throws: Rejection.invalidTarget) { try scenario.when(update) }
    update.patch.set(\.name, "")
    #expect(throws: Rejection.emptyHabitName) { try scenario.when(update) }
    #expect(throws: Rejection.notOwner(of: .habit)) { try scenario.when(update, by: 2) }
    #expect(throws: Rejection.habitNotFound) { try given().when(update) }
    for (times, days) in [(0, 7), (8, 7), (7, 7), (1, 1001), (-1, 3)] {
      let reschedule = UpdateHabit(habitID) { $0.schedule = .quota(times: times, days: days) }
      #expect(throws: Rejection.invalidSchedule) { try scenario.when(reschedule) }
    }
  }

  @Test func `after a journey west a new schedule begins on the first open day (HH-3)`() throws {
    let update = UpdateHabit(habitID) {
      $0.schedule = .quota(times: 1, days: 7)
    }
    let west = UpdateProfile { $0.timeZone = "Pacific/Honolulu" }
    let scheduled: HabitScheduleChanged = make {
      $0.habit = habitID
      $0.schedule = .quota(times: 1, days: 7)
      $0.day = today
    }
    // In Honolulu it is still the first of March, which was closed at home.
    #expect(try given(habit()).and(west).when(update) == [.habitScheduleChanged(scheduled)])
  }

  @Test func `a habit is archived and restored once (HH-7)`() throws {
    let archived: HabitArchived = make {
      $0.habit = habitID
      $0.day = today
    }
    let restored: HabitRestored = make {
      $0.habit = habitID
      $0.day = day("2026-03-05")
    }
    let later = moment("2026-03-05T12:00:00Z")
    let scenario = given(habit())
    #expect(try scenario.when(ArchiveHabit(habitID)) == [.habitArchived(archived)])
    #expect(try scenario.when(RestoreHabit(habitID)) == [])
    let idle = try scenario.and(ArchiveHabit(habitID))
    #expect(try idle.when(ArchiveHabit(habitID)) == [])
    #expect(try idle.when(RestoreHabit(habitID), at: later) == [.habitRestored(restored)])
    let spans = try idle.and(RestoreHabit(habitID), at: later).state.habits[habitID]?.archived
    #expect(spans == [DaySpan(first: today, last: day("2026-03-04"))])
    #expect(try idle.and(RestoreHabit(habitID)).state.habits[habitID]?.archived == [])
  }

  @Test func `an archived or deleted habit loses the focus (DG-2)`() throws {
    let ended: FocusChosen = make { $0.account = First.account }
    let archived: HabitArchived = make {
      $0.habit = habitID
      $0.day = today
    }
    let deleted: HabitDeleted = make { $0.habit = habitID }
    let focused = try given(habit()).and(ChooseFocus(habitID))
    #expect(
      try focused.when(ArchiveHabit(habitID)) == [.habitArchived(archived), .focusChosen(ended)])
    #expect(
      try focused.when(DeleteHabit(habitID)) == [.habitDeleted(deleted), .focusChosen(ended)])
    #expect(try given(habit()).when(DeleteHabit(habitID)) == [.habitDeleted(deleted)])
    #expect(throws: Rejection.habitNotFound) {
      try focused.and(DeleteHabit(habitID)).when(DeleteHabit(habitID))
    }
  }

  @Test func `there is one focus at a time, and its history is kept (DG-2)`() throws {
    let second = try #require(Habit.ID(2))
    let scenario = given(habit(1), habit(2), .accountCreated(person(2)))
    let chosen: FocusChosen = make {
      $0.account = First.account
      $0.habit = second
    }
    let focused = try scenario.and(ChooseFocus(habitID))
    #expect(try focused.when(ChooseFocus(habitID)) == [])
    #expect(try focused.when(ChooseFocus(second)) == [.focusChosen(chosen)])
    #expect(try scenario.when(ChooseFocus(nil)) == [])
    let spans = try focused.and(ChooseFocus(second)).state.accounts[First.account]?.focus
    #expect(spans?.map(\.habit) == [habitID, second])
    #expect(spans?.map(\.until) == [Scenario.noon, nil])
    #expect(throws: Rejection.notOwner(of: .habit)) {
      try scenario.when(ChooseFocus(habitID), by: 2)
    }
    #expect(throws: Rejection.habitArchived("Read")) {
      try scenario.and(ArchiveHabit(habitID)).when(ChooseFocus(habitID))
    }
  }
}
