import Calendar
import Daybook
import Testing
import Values

/// Entities made on a device before the book knew of them.
@Suite(.tags(.unit)) struct BegunTests {
  private static let earlier = Scenario.noon.advanced(byMilliseconds: -86_400_000 * 400)
  private static let home = Home.household

  /// The creation times of what the commands create, in the state.
  private static func created(_ begun: Instant?) throws -> [String: Instant?] {
    var goal = CreateGoal(title: "Run")
    var habit = CreateHabit(name: "Walk")
    var task = UpsertTask(Key(high: 1, low: 1)) { $0.content.title = "Buy" }
    var label = UpsertLabel(Key(high: 1, low: 2)) { $0.name = "shop" }
    var householdTask = CreateHouseholdTask(in: home, HouseholdTaskContent(title: "Wash"))
    var recipe = CreateRecipe(in: home, key: Key(high: 1, low: 3), RecipeContent(title: "Soup"))
    var meal = PlanMeal(
      in: home, key: Key(high: 1, low: 4), MealContent(recipe: .first, date: day("2026-03-04")))
    var staple = AddPantryStaple(
      in: home, key: Key(high: 1, low: 5), PantryStapleContent(name: "Salt"))
    var item = AddGroceryItem(in: home, GroceryItemContent(name: "tea"))
    var event = CreateCalendarEvent(in: home, title: "Fair", start: .day(day("2026-03-05")))
    (goal.begun, habit.begun, task.begun, label.begun) = (begun, begun, begun, begun)
    (householdTask.begun, recipe.begun, meal.begun) = (begun, begun, begun)
    (staple.begun, item.begun, event.begun) = (begun, begun, begun)
    let state = try Home.with(2).and(goal).and(habit).and(task).and(label).and(householdTask).and(
      recipe
    )
    .and(meal).and(staple).and(item).and(event).state
    return [
      "goal": state.goals.elements.last?.created, "habit": state.habits.elements.last?.created,
      "task": state.tasks.elements.last?.created, "label": state.labels.elements.last?.created,
      "household task": state.householdTasks.elements.last?.created,
      "recipe": state.recipes.elements.last?.created, "meal": state.meals.elements.last?.created,
      "staple": state.pantryStaples.elements.last?.created,
      "line": state.lists.elements.last?.items.first?.created,
      "calendar event": state.calendarEvents.elements.last?.created,
    ]
  }

  @Test func `an entity made offline is as old as its device says, and updated now (DM-9)`()
    throws
  {
    for (name, created) in try Self.created(Self.earlier) {
      #expect(created == Self.earlier, "\(name)")
    }
    var task = UpsertTask(Key(high: 1, low: 1)) { $0.content.title = "Buy" }
    task.begun = Self.earlier
    let scenario = try Home.with(2).and(task)
    #expect(scenario.state.tasks.elements.last?.updated == Scenario.noon)
    // A device that later states another time does not change it.
    task.begun = Self.earlier.advanced(byMilliseconds: 1)
    #expect(try scenario.when(task).isEmpty)
  }

  @Test(arguments: [nil, Scenario.noon, Scenario.noon.advanced(byMilliseconds: 3_600_000)])
  func `no entity is created after its entry, whatever the device says`(begun: Instant?) throws {
    for (name, created) in try Self.created(begun) {
      #expect(created == Scenario.noon, "\(name)")
    }
    var goal = CreateGoal(title: "Run")
    goal.begun = begun
    #expect(try given().when(goal) == given().when(CreateGoal(title: "Run")))
  }

  @Test func `a device states when a household's task was completed (MC-3)`()
    throws
  {
    let scenario = try Home.with(2).householdTask()
    let done = try scenario.and(CompleteHouseholdTask(Home.householdTask, at: Self.earlier), by: 2)
    let task = try #require(done.state.householdTasks[Home.householdTask])
    #expect(task.completed == Self.earlier && task.completer == Bees.person(2))
    let ahead = Scenario.noon.advanced(byMilliseconds: 1)
    #expect(
      try scenario.when(CompleteHouseholdTask(Home.householdTask, at: ahead))
        == scenario.when(CompleteHouseholdTask(Home.householdTask)))
    #expect(try done.when(CompleteHouseholdTask(Home.householdTask)).isEmpty)
  }
}
