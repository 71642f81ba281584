import Daybook
import DaybookStore
import Testing

/// Tasks, goals, hives and a household in an embedding program.
@Suite(.tags(.unit)) struct TogetherTests {
  let book: Book
  let ada: Account.ID
  let ben: Account.ID

  init() throws {
    book = Book.inMemory(clock: try SetClock("2026-03-04T09:00:00Z").bookClock)
    ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    ben = try book.record(CreateAccount(name: "Ben", timeZone: "Europe/London"))
  }

  @Test func `tasks have parts, labels and times`() throws {
    let home = try book.record(CreateLabel(name: "home"), by: ada)
    let paint = try book.record(
      CreateTask(
        title: "Paint", bucket: .thisWeek, due: Instant("2026-03-05T10:00:00Z"),
        recurrence: "FREQ=WEEKLY", labels: [home]), by: ada)
    let brush = try book.record(CreateTask(title: "Buy a brush", parent: paint), by: ada)
    try book.record(CompleteTask(brush), by: ada)
    try book.record(MoveTask(paint, to: .weekend, place: .first), by: ada)
    let task = try #require(book.read { $0.tasks[paint] })
    #expect(task.title == "Paint" && task.bucket == .weekend && task.labels.count == 1)
    #expect(book.read { $0.tasks[brush]?.isDone } == true)
    let view = book.view()
    let list = try view.state.taskList(of: ada, TaskFilter(status: .open), view.query)
    #expect(list.sections.flatMap(\.lines).map(\.task.title) == ["Paint"])
  }

  @Test func `a hive keeps one streak for two members`() throws {
    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let hive = try book.record(CreateHiveFromHabit(read), by: ada)
    try book.record(CreateHiveInvite(hive), by: ada)
    let code = try #require(book.read { $0.hives[hive]?.invites.last?.code })
    try book.record(JoinHive(code), by: ben)
    try book.record(LogHiveDay(hive), by: ada)
    try book.record(LogHiveDay(hive), by: ben)
    let view = book.view()
    #expect(try view.feed(of: ben, in: hive).lines.isEmpty == false)
    let audit = try view.audit(of: hive, for: ben)
    #expect(audit.current >= 1 && audit.days.last?.members.count == 2)
    #expect(view.state.hives[hive]?.name == "Read")
    #expect(try view.state.hiveCards(of: ben, view.query).map(\.hive.name) == ["Read"])
    #expect(try view.awards(of: ada).isEmpty)
  }

  @Test func `a household is joined by its code, and each account orders its own habits`() throws {
    let home = try book.record(CreateHousehold(name: "Home"), by: ada)
    try book.record(CreateHouseholdCode(home, minutes: 60), by: ada)
    let code = try #require(book.read { $0.households[home]?.code })
    #expect(code.expires == Instant("2026-03-04T10:00:00Z"))
    #expect(try book.record(JoinHousehold(code.text), by: ben) == home)
    try book.record(RevokeHouseholdCode(home), by: ben)
    #expect(book.read { $0.households[home]?.code } == nil)

    let read = try book.record(CreateHabit(name: "Read"), by: ada)
    let walk = try book.record(CreateHabit(name: "Walk"), by: ada)
    try book.record(MoveHabit(walk, to: .before(read)), by: ada)
    #expect(try book.view().today(of: ada).map(\.habit.name) == ["Walk", "Read"])
  }

  @Test func `a grocery list follows from planned meals`() throws {
    let home = try book.record(CreateHousehold(name: "Home"), by: ada)
    try book.record(AddHouseholdMember(ben, to: home), by: ada)
    let soup = try book.record(
      CreateRecipe(
        in: home,
        RecipeContent(
          title: "Soup", baseServings: Rational(2),
          ingredients: [Ingredient(parsing: "500 g carrots")])),
      by: ada)
    let week: Day = "2026-03-02"
    try book.record(
      PlanMeal(in: home, MealContent(recipe: soup, date: "2026-03-05", mealType: "dinner")),
      by: ben)
    let list = try book.record(GenerateGroceryList(of: home, week: week), by: ben)
    let items = try #require(book.read { $0.lists[list]?.items })
    #expect(items.map(\.content.name) == ["carrots"])
    try book.record(CreateHouseholdTask(in: home, HouseholdTaskContent(title: "Dishes")), by: ada)
    try book.record(
      AddPantryStaple(in: home, PantryStapleContent(name: "salt")), by: ada)
    let view = book.view()
    #expect(try view.history(of: home, for: ben).isEmpty == false)
    let state = view.state
    #expect(state.households(of: ben) == [home])
    #expect(state.recipes(of: home, for: ben, matching: "sou").map(\.number) == [soup])
    let open = state.householdTasks(of: home, for: ben, .incomplete)
    #expect(open.map(\.householdTask.content.title) == ["Dishes"])
    #expect(state.pantryStaples(of: home, for: ben).map(\.pantryStaple.content.name) == ["salt"])
    let planned = state.mealWeek(with: week, of: home, for: ben)
    #expect(planned.meals(on: "2026-03-05").map(\.meal.content.recipe) == [soup])
    let eve = try book.record(CreateAccount(name: "Eve", timeZone: "Europe/London"))
    #expect(book.read { $0.recipes(of: home, for: eve).isEmpty })
  }
}
