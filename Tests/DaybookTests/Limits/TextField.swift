import Testing

@testable import Daybook

/// A text that a command takes.
struct TextField: Sendable, CustomTestStringConvertible {
  /// The field that a refusal names.
  var name: String
  /// Its maximum length.
  var limit: Limit
  /// The command that takes it.
  var command: String
  /// Decides a command with a text.
  var decide: @Sendable (String) throws -> Void

  var testDescription: String { "\(name) of \(command)" }

  init(
    _ name: String, _ limit: Limit, _ command: String,
    _ decide: @escaping @Sendable (String) throws -> Void
  ) {
    (self.name, self.limit, self.command, self.decide) = (name, limit, command, decide)
  }

  /// The reason why a text is refused, if it is.
  func refusal(of text: String) -> Rejection? {
    do {
      try decide(text)
      return nil
    } catch { return error as? Rejection }
  }

  private static let home = Home.household

  private static func recipe(
    _ edit: @escaping @Sendable (inout RecipeContent, String) -> Void
  ) -> @Sendable (String) throws -> Void {
    { text in
      var content = RecipeContent(title: "Soup")
      edit(&content, text)
      _ = try Home.with().when(CreateRecipe(in: home, content))
    }
  }

  private static func habit(
    _ edit: @escaping @Sendable (inout HabitDescription, String) -> Void
  ) -> @Sendable (String) throws -> Void {
    { text in
      var command = CreateHabit(name: "Read")
      edit(&command.content.description, text)
      _ = try given().when(command)
    }
  }

  private static func event(
    _ edit: @escaping @Sendable (inout CalendarDraft, String) -> Void
  ) -> @Sendable (String) throws -> Void {
    { text in
      var command = CreateCalendarEvent(in: home, title: "Tea", start: .day(day("2026-03-02")))
      edit(&command.content, text)
      _ = try Home.with().when(command)
    }
  }

  static let all: [TextField] = people + habits + tasks + households

  private static let people: [TextField] = [
    TextField("contact_hash", .name, "save_contact") { _ = try given().when(SaveContact($0)) },
    TextField("display_name", .name, "save_contact") {
      _ = try given().when(SaveContact("carol", name: $0))
    },
    TextField("price", .name, "request_upgrade") {
      _ = try given().when(RequestUpgrade(price: $0))
    },
    TextField("display_name", .name, "create_account") {
      _ = try given().when(
        CreateAccount(name: $0, timeZone: "Etc/UTC"), by: nil)
    },
    TextField("display_name", .name, "update_profile") {
      let name = $0
      _ = try given().when(UpdateProfile { $0.displayName = name })
    },
    TextField("avatar_url", .address, "create_account") {
      _ = try given().when(CreateAccount(avatarURL: $0, timeZone: "Etc/UTC"), by: nil)
    },
    TextField("avatar_url", .address, "update_profile") {
      let address = $0
      _ = try given().when(UpdateProfile { $0.avatarURL = address })
    },
  ]

  private static let habits: [TextField] = [
    TextField("name", .name, "create_habit", habit { $0.name = $1 }),
    TextField("emoji", .name, "create_habit", habit { $0.emoji = $1 }),
    TextField("unit", .name, "create_habit", habit { $0.unit = $1 }),
    TextField("question", .text, "create_habit", habit { $0.question = $1 }),
    TextField("name", .name, "update_habit") { name in
      _ = try given(DaybookTests.habit()).when(UpdateHabit(First.habit) { $0.name = name })
    },
    TextField("note", .text, "log_habit") {
      _ = try given(DaybookTests.habit()).when(LogHabit(First.habit, note: $0))
    },
    TextField("note", .text, "skip_day") {
      _ = try given(DaybookTests.habit()).when(SkipDay(First.habit, note: $0))
    },
    TextField("name", .name, "create_hive") { _ = try given().when(CreateHive(name: $0)) },
    TextField("title", .title, "create_goal") { _ = try given().when(CreateGoal(title: $0)) },
    TextField("description", .text, "create_goal") {
      _ = try given().when(CreateGoal(title: "Health", description: $0))
    },
    TextField("description", .text, "update_goal") { text in
      _ = try given(goal()).when(UpdateGoal(First.goal) { $0.description = text })
    },
  ]

  private static let tasks: [TextField] = [
    TextField("title", .title, "create_task") { _ = try given().when(CreateTask(title: $0)) },
    TextField("description", .text, "create_task") {
      _ = try given().when(CreateTask(title: "Call", description: $0))
    },
    TextField("description", .text, "update_task") { text in
      let scenario = try given().and(CreateTask(title: "Call"))
      _ = try scenario.when(UpdateTask(BookState().tasks.nextNumber) { $0.description = text })
    },
    TextField("name", .name, "create_label") { _ = try given().when(CreateLabel(name: $0)) },
  ]

  private static let households: [TextField] = [
    TextField("name", .name, "create_household") {
      _ = try given().when(CreateHousehold(name: $0))
    },
    TextField("title", .title, "create_household_task") {
      _ = try Home.with().when(CreateHouseholdTask(in: home, HouseholdTaskContent(title: $0)))
    },
    TextField("description", .text, "create_household_task") {
      _ = try Home.with().when(
        CreateHouseholdTask(in: home, HouseholdTaskContent(title: "Wash", description: $0)))
    },
    TextField("title", .title, "create_recipe", recipe { $0.title = $1 }),
    TextField("source_url", .address, "create_recipe", recipe { $0.sourceURL = $1 }),
    TextField("source_type", .name, "create_recipe", recipe { $0.sourceType = $1 }),
    TextField("notes", .text, "create_recipe", recipe { $0.notes = $1 }),
    TextField("steps", .text, "create_recipe", recipe { $0.steps = [RecipeStep($1)] }),
    TextField("tags", .name, "create_recipe", recipe { $0.tags = [$1] }),
    TextField(
      "ingredients", .line, "create_recipe", recipe { $0.ingredients = [Ingredient(text: $1)] }),
    TextField("title", .title, "plan_meal") {
      _ = try Home.with().when(
        PlanMeal(in: home, MealContent(title: $0, date: day("2026-03-06"))))
    },
    TextField("meal_type", .name, "plan_meal") {
      _ = try Home.with().when(
        PlanMeal(in: home, MealContent(title: "Pizza", date: day("2026-03-06"), mealType: $0)))
    },
    TextField("name", .name, "add_grocery_item") {
      _ = try Home.with().when(AddGroceryItem(in: home, GroceryItemContent(name: $0)))
    },
    TextField("unit", .name, "add_grocery_item") {
      _ = try Home.with().when(
        AddGroceryItem(in: home, GroceryItemContent(name: "Milk", amount: .one, unit: $0)))
    },
    TextField("note", .text, "add_grocery_item") {
      _ = try Home.with().when(AddGroceryItem(in: home, GroceryItemContent(name: "Milk", note: $0)))
    },
    TextField("name", .name, "add_pantry_staple") {
      _ = try Home.with().when(AddPantryStaple(in: home, PantryStapleContent(name: $0)))
    },
    TextField("title", .title, "create_calendar_event", event { $0.title = $1 }),
    TextField("description", .text, "create_calendar_event", event { $0.description = $1 }),
    TextField("location", .title, "create_calendar_event", event { $0.location = $1 }),
    TextField("description", .text, "update_calendar_event") { text in
      let start = CalendarMoment.day(day("2026-03-02"))
      let scenario = try Home.with().and(CreateCalendarEvent(in: home, title: "Tea", start: start))
      let event = BookState().calendarEvents.nextNumber
      _ = try scenario.when(UpdateCalendarEvent(event) { $0.description = text })
    },
  ]
}
