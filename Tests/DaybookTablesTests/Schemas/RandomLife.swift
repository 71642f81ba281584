import Calendar
import Daybook
import DaybookStore
import Kitchen
import PropertyTesting
import Streaks
import Values

@testable import DaybookTables

/// An action of one of three accounts, encoded by small numbers so that it can be simplified.
struct LifeStep: Sendable {
  var kind: Int
  var actor: Int
  var one: Int
  var other: Int

  static var steps: Generator<[LifeStep]> {
    let step = Generator { source in
      LifeStep(
        kind: Int(try source.choose(upTo: 49)), actor: Int(try source.choose(upTo: 2)),
        one: max(0, Int(try source.choose(upTo: 4)) - 2), other: Int(try source.choose(upTo: 3)))
    }
    return Generator { source in
      // Shared entities reveal most, so often two accounts share some from the start.
      let isShared = try source.choose(upTo: 3) > 0
      return try (isShared ? sharing : []) + source.draw(step.array(count: 0...50))
    }
  }

  /// The first account has an entity of most kinds, and the second is in the same hive and household.
  static let sharing = [
    (0, 0), (10, 0), (14, 0), (15, 0), (16, 1), (18, 0), (25, 0), (26, 0), (27, 1), (30, 1),
    (33, 0),
    (34, 0), (36, 0), (37, 1), (39, 0), (41, 0), (42, 0), (47, 0), (48, 0), (49, 0),
  ].map { LifeStep(kind: $0.0, actor: $0.1, one: 0, other: $0.0 == 48 ? 1 : 0) }
}

extension TableWorld {
  /// Whether several accounts share a hive and a household.
  var isShared: Bool {
    state.hives.elements.contains { $0.activeMembers.count > 1 }
      && state.households.elements.contains { $0.activeMembers.count > 1 }
  }

  /// Carries it out, if the book accepts it; returns its entries, each with the state before it.
  func play(_ step: LifeStep) throws -> [(entry: Entry, before: BookState)] {
    wait(minutes: 60 * (1 + step.other * 5))
    let before = state
    do { try act(step) } catch is Rejection {}
    var collected = Entries()
    try book.reader.replay(into: &collected, from: before.position + 1)
    var state = before
    return collected.entries.map { entry in
      defer { state.apply(entry) }
      return (entry, state)
    }
  }

  private func act(_ step: LifeStep) throws {
    switch step.kind {
    case 0..<14: try actOnHabits(step)
    case 14..<25: try actInHives(step)
    case 25..<39: try actAtHome(step)
    case 39..<46: try actOnTasks(step)
    default: try actForThemselves(step)
    }
  }

  private func number<Thing: Entity>(_ place: Int, _ type: Thing.Type) throws -> EntityNumber<Thing>
  {
    guard let number = EntityNumber<Thing>(place + 1) else { throw Missing(what: "number") }
    return number
  }

  private func actOnHabits(_ step: LifeStep) throws {
    let actor = people[step.actor]
    let habit = try number(step.one, Habit.self)
    let goal = try number(step.other % 2, Goal.self)
    let day = DayChoice.day(today.advanced(by: -(step.other % 3)))
    switch step.kind {
    case 0, 1:
      try book.record(
        CreateHabit(name: "Habit", target: Target(Amount(1 + step.other) ?? .one)), by: actor)
    case 2...5:
      try book.record(LogHabit(habit, value: Amount(1 + step.other) ?? .one, day: day), by: actor)
    case 6: try book.record(ClearLog(habit, day: day), by: actor)
    case 7: try book.record(SkipDay(habit, day: day), by: actor)
    case 8:
      try book.record(
        UpdateHabit(habit) {
          $0.name = "Other \(step.other)"
          $0.target.amount = Amount(1 + step.other) ?? .one
        }, by: actor)
    case 9: try book.record(ChooseFocus(step.other == 0 ? nil : habit), by: actor)
    case 10: try book.record(CreateGoal(title: "Goal"), by: actor)
    case 11: try book.record(AttachHabit(habit, to: goal), by: actor)
    case 12: try book.record(DeleteGoal(goal), by: actor)
    default:
      if step.other == 0 {
        try book.record(DeleteHabit(habit), by: actor)
      } else {
        try book.record(ArchiveHabit(habit), by: actor)
      }
    }
  }

  private func actInHives(_ step: LifeStep) throws {
    let actor = people[step.actor]
    let hive = try number(step.one % 2, Hive.self)
    let day = DayChoice.day(today.advanced(by: -(step.other % 2)))
    let code = "00000000000\(step.one)"
    switch step.kind {
    case 14: try book.record(CreateHiveFromHabit(number(step.one, Habit.self)), by: actor)
    case 15: try book.record(CreateHiveInvite(hive, code: code), by: actor)
    case 16, 17: try book.record(JoinHive(code), by: actor)
    case 18, 19: try book.record(LogHiveDay(hive, day: day), by: actor)
    case 20: try book.record(ClearHiveLog(hive, day: day), by: actor)
    case 21:
      if step.other == 0 {
        try book.record(DeleteHive(hive), by: actor)
      } else {
        try book.record(UpdateHive(hive) { $0.name = "Hive \(step.other)" }, by: actor)
      }
    case 22: try book.record(LeaveHive(hive), by: actor)
    case 23: try book.record(HandOverHive(hive, to: people[step.other % 3]), by: actor)
    default:
      if step.other == 0 {
        try book.record(Settle())
      } else {
        try book.record(LinkHabit(number(step.one, Habit.self), to: hive), by: actor)
      }
    }
  }

  private func actAtHome(_ step: LifeStep) throws {
    let actor = people[step.actor]
    let home = try number(step.one % 2, Household.self)
    let task = try number(step.one, HouseholdTask.self)
    switch step.kind {
    case 25: try book.record(CreateHousehold(name: "Home"), by: actor)
    case 26:
      try book.record(
        CreateHouseholdCode(home, code: "11111111111\(step.one % 2)", isNew: true), by: actor)
    case 27, 28: try book.record(JoinHousehold("11111111111\(step.one % 2)"), by: actor)
    case 29:
      if step.other == 0 {
        try book.record(LeaveHousehold(home), by: actor)
      } else {
        try book.record(RemoveHouseholdMember(people[step.other - 1], from: home), by: actor)
      }
    case 30:
      try book.record(
        CreateHouseholdTask(in: home, HouseholdTaskContent(title: "Task"), assignee: actor),
        by: actor)
    case 31: try book.record(CompleteHouseholdTask(task), by: actor)
    case 32: try book.record(DeleteHouseholdTask(task), by: actor)
    case 33:
      try book.record(
        CreateRecipe(
          in: home,
          RecipeContent(title: "Soup", ingredients: [Ingredient(text: "salt", food: "salt")])),
        by: actor)
    case 34:
      try book.record(
        PlanMeal(in: home, MealContent(recipe: Recipe.ID(step.one + 1), date: today)), by: actor)
    case 35: try book.record(DeleteRecipe(number(step.one, Recipe.self)), by: actor)
    case 36: try book.record(GenerateGroceryList(of: home), by: actor)
    case 37:
      try book.record(
        AddGroceryItem(in: home, key: Self.key(500 + step.one), GroceryItemContent(name: "Milk")),
        by: actor)
    default:
      let list = try number(0, GroceryList.self)
      let item = GroceryItemID(list, Self.key(500 + step.one))
      if step.other == 0 {
        try book.record(RemoveGroceryItem(item), by: actor)
      } else if step.other == 1 {
        try book.record(AddPantryStaple(in: home, PantryStapleContent(name: "Salt")), by: actor)
      } else if step.one == 0 {
        try book.record(CheckGroceryItem(item), by: actor)
      } else if state.lists[list]?.isDeleted == true {
        let position = try deletion(of: list)
        let past = try book.reader.commandHistory(at: position, knowing: state)
        try book.record(Undo(position, past), by: actor)
      } else {
        try book.record(DeleteGroceryList(list), by: actor)
      }
    }
  }

  /// The place where a list was last deleted.
  private func deletion(of list: GroceryList.ID) throws -> Int64 {
    var all = Entries()
    try book.reader.replay(into: &all)
    let last = all.entries.last { entry in
      guard case .groceryListDeleted(let event) = entry.event else { return false }
      return event.list == list
    }
    return last?.head.position ?? 0
  }

  private func actOnTasks(_ step: LifeStep) throws {
    let actor = people[step.actor]
    let task = try number(step.one, TaskItem.self)
    let label = try number(step.one % 2, TaskLabel.self)
    switch step.kind {
    case 39, 40:
      try book.record(
        UpsertTask(Self.key(600 + step.one)) { row in
          row.content.title = "Task \(step.other)"
          row.isDone = step.other == 1
        }, by: actor)
    case 41:
      try book.record(
        UpsertLabel(Self.key(700 + step.one % 2)) { $0.name = "L\(step.other)" }, by: actor)
    case 42, 43: try book.record(SetTaskLabels(task, add: [label]), by: actor)
    case 44:
      try book.record(
        SetTaskLabels(task, add: [], remove: [label], purge: step.other % 2 == 0), by: actor)
    default:
      if step.other < 2 {
        try book.record(DeleteTask(task, purge: step.other == 0), by: actor)
      } else {
        try book.record(DeleteLabel(label, purge: step.other == 2), by: actor)
      }
    }
  }

  private func actForThemselves(_ step: LifeStep) throws {
    let actor = people[step.actor]
    switch step.kind {
    case 46:
      let zone = ["Etc/UTC", "Asia/Tokyo", "America/New_York", "Etc/UTC"][step.other]
      try book.record(UpdateProfile { $0.timeZone = zone }, by: actor)
    case 47: try book.record(RegisterDevice(token: "token\(step.one)"), by: actor)
    case 48:
      if step.other == 0 {
        try book.record(RemoveContacts(nil), by: actor)
      } else {
        try book.record(SaveContact("contact\(step.one)", name: "N\(step.other)"), by: actor)
      }
    default:
      try book.record(
        PostActivity(.streakMilestone, in: step.other == 0 ? nil : Hive.ID(step.one + 1)), by: actor
      )
    }
  }
}

/// Keeps entries.
struct Entries: Projection {
  var entries: [Entry] = []

  mutating func apply(_ entry: Entry) { entries.append(entry) }
}
