import Daybook
import DaybookStore
import PropertyTesting

/// What the demo's people share, and Ada's tasks: a hive, a flat that cooks and shops, and things
/// to do.
extension DemoStory {
  /// Three friends in three zones keep a streak together.
  mutating func hive(_ members: [Account.ID]) {
    guard let owner = members.first else { return }
    let begun = lastDay.advanced(by: -45)
    let hive = Hive.ID.first
    let code = "bee5bee5bee5"
    act(
      at: begun, hour: 6, owner,
      CreateHive(key: random.key(), name: "Morning Pages", emoji: "🐝", threshold: 2))
    act(at: begun, hour: 6, minute: 1, owner, CreateHiveInvite(hive, code: code))
    for (index, member) in members.dropFirst().enumerated() {
      act(at: begun, hour: 6, minute: 2 + Int64(index), member, JoinHive(code))
    }
    var day = begun.advanced(by: 1)
    while day <= lastDay {
      for (index, member) in members.enumerated() where random.next(100) < 88 {
        act(
          at: day, hour: 14 + Int64(index), minute: Int64(random.next(50)), member, LogHiveDay(hive)
        )
      }
      let at = instant(day, hour: 13)
      scenes.append(DemoScene(at: at) { batch in try batch.record(Settle(), by: nil, at: at) })
      day = day.advanced(by: 1)
    }
  }

  /// Ada and Noor live together: what they cook, plan and buy, and who takes the bins out.
  mutating func home(_ ada: Account.ID, _ noor: Account.ID) {
    let home = Household.ID.first
    let begun = lastDay.advanced(by: -40)
    act(at: begun, hour: 9, ada, CreateHousehold(key: random.key(), name: "Elm Street"))
    act(at: begun, hour: 9, minute: 1, ada, AddHouseholdMember(noor, to: home))
    for (index, recipe) in Self.recipes.enumerated() {
      act(
        at: begun, hour: 10, minute: Int64(index), index % 2 == 0 ? ada : noor,
        CreateRecipe(in: home, key: random.key(), recipe))
    }
    for pantryStaple in [
      PantryStapleContent(name: "Olive oil"), PantryStapleContent(name: "Salt", category: .pantry),
      PantryStapleContent(name: "Rice", amount: Rational(2), unit: "kg"),
    ] {
      act(at: begun, hour: 11, ada, AddPantryStaple(in: home, key: random.key(), pantryStaple))
    }
    // The lists of earlier weeks are done; this week's is open.
    for week in -4...0 { self.week(week * 7, of: home, ada, noor) }
    householdTasks(of: home, ada, noor)
  }

  /// A week's dinners, planned on the Saturday before, and its grocery list, shopped for by the
  /// Sunday.
  private mutating func week(
    _ offset: Int, of home: Household.ID, _ ada: Account.ID, _ noor: Account.ID
  ) {
    let today = lastDay.advanced(by: offset)
    let monday = today.advanced(by: -today.weekday)
    let saturday = monday.advanced(by: -2)
    for dinner in 0..<5 {
      guard let recipe = Recipe.ID(1 + random.next(Self.recipes.count)) else { continue }
      act(
        at: saturday, hour: 17, minute: Int64(dinner), dinner % 2 == 0 ? ada : noor,
        PlanMeal(
          in: home, key: random.key(),
          MealContent(
            recipe: recipe, date: monday.advanced(by: dinner), mealType: "dinner",
            servings: Rational(Int64(2 + random.next(3))))))
    }
    act(
      at: saturday, hour: 17, minute: 30, noor,
      PlanMeal(
        in: home, key: random.key(),
        MealContent(title: "Out with friends", date: monday.advanced(by: 5), mealType: "dinner")))
    act(at: saturday, hour: 18, ada, GenerateGroceryList(of: home, week: monday))
    act(
      at: saturday, hour: 18, minute: 5, noor,
      AddGroceryItem(
        in: home, week: monday, key: random.key(),
        GroceryItemContent(name: "Tea", category: .pantry)))
    let at = instant(monday.advanced(by: -1), hour: 11)
    let isDone = offset < 0
    scenes.append(
      DemoScene(at: at) { batch in
        guard let (number, list) = batch.state.groceryList(of: home, week: monday, for: noor) else {
          return
        }
        let open = list.ordered.map(\.item).filter { $0.status == .open }
        // Half of this week's list is in the basket.
        for item in open.prefix(isDone ? open.count : open.count / 2) {
          try batch.record(CheckGroceryItem(GroceryItemID(number, item.key)), by: noor, at: at)
        }
      })
  }

  private mutating func householdTasks(of home: Household.ID, _ ada: Account.ID, _ noor: Account.ID)
  {
    var day = lastDay.advanced(by: -35)
    var number = 0
    while day <= lastDay.advanced(by: 7) {
      number += 1
      let assignee = number % 2 == 0 ? ada : noor
      act(
        at: min(day, lastDay).advanced(by: -5), hour: 19, minute: Int64(number), ada,
        CreateHouseholdTask(
          in: home, key: random.key(),
          HouseholdTaskContent(title: "Take the bins out", dueDate: day, priority: .medium),
          assignee: assignee))
      // Household tasks get their numbers in the order in which they are created.
      if day <= lastDay, let householdTask = HouseholdTask.ID(number) {
        act(at: day, hour: 20, assignee, CompleteHouseholdTask(householdTask))
      }
      day = day.advanced(by: 7)
    }
  }

  /// Ada's tasks: some are done, one is overdue, one repeats every week.
  mutating func tasks(_ ada: Account.ID) {
    let begun = lastDay.advanced(by: -30)
    act(at: begun, hour: 8, ada, CreateLabel(key: random.key(), name: "home"))
    act(at: begun, hour: 8, minute: 1, ada, CreateLabel(key: random.key(), name: "errands"))
    let home = TaskLabel.ID.first
    let errands = TaskLabel.ID(2) ?? .first
    var number: Int64 = 0
    func add(
      _ title: String, _ bucket: TaskBucket, due: Int? = nil, hour: Int64 = 17,
      repeating rule: String? = nil, partOf parent: TaskItem.ID? = nil, labels: [TaskLabel.ID] = []
    ) -> TaskItem.ID {
      number += 1
      act(
        at: begun, hour: 9, minute: number, ada,
        CreateTask(
          key: random.key(), title: title, bucket: parent == nil ? bucket : nil, parent: parent,
          due: due.map { instant(lastDay.advanced(by: $0), hour: hour) }, recurrence: rule,
          labels: labels))
      return TaskItem.ID(Int(number)) ?? .first
    }
    let party = add("Plan Noor's birthday", .thisWeek, due: 4, labels: [home])
    let cake = add("Order the cake", .thisWeek, partOf: party, labels: [errands])
    _ = add("Write the invitations", .thisWeek, partOf: party)
    _ = add("Return the library books", .thisWeek, due: -2, labels: [errands])
    _ = add("Call the plumber", .thisWeek, due: 0, labels: [home])
    _ = add("Repot the monstera", .weekend, labels: [home])
    _ = add("Renew the passport", .nextMonth, due: 25, labels: [errands])
    let review = add(
      "Weekly review", .routines, due: -21, hour: 18, repeating: "FREQ=WEEKLY")
    act(at: lastDay.advanced(by: -3), hour: 12, ada, CompleteTask(cake))
    for days in [-21, -14, -7] {
      act(at: lastDay.advanced(by: days), hour: 19, ada, CompleteTask(review))
    }
  }

  private static let recipes = [
    recipe(
      "Pancakes", servings: 4, minutes: 25, tags: ["breakfast"],
      ["250 g flour", "½ l milk", "3 eggs", "1 pinch salt", "2 tbsp butter, melted"],
      ["Whisk everything but the butter.", "Let it rest for ten minutes.", "Fry in the butter."]),
    recipe(
      "Lentil Soup", servings: 4, minutes: 40, tags: ["vegan", "soup"],
      [
        "300 g red lentils", "1 onion, diced", "2 carrots", "1.2 l vegetable broth",
        "1 tbsp olive oil",
      ],
      ["Soften the onion in the oil.", "Add the rest and simmer for half an hour."]),
    recipe(
      "Risotto", servings: 2, minutes: 35, tags: ["vegetarian"],
      ["200 g rice", "1 onion, finely diced", "¾ l vegetable broth", "80 g Parmesan", "salt"],
      [
        "Toast the rice with the onion.", "Add broth by the ladle and stir.",
        "Finish with Parmesan.",
      ]),
    recipe(
      "Tomato Pasta", servings: 2, minutes: 20, tags: ["vegan", "quick"],
      ["250 g spaghetti", "400 g tomatoes", "2 cloves garlic", "3 tbsp olive oil"],
      ["Cook the spaghetti.", "Fry the garlic, add the tomatoes.", "Toss."]),
  ]

  private static func recipe(
    _ title: String, servings: Int64, minutes: Int32, tags: [String], _ lines: [String],
    _ steps: [String]
  ) -> RecipeContent {
    RecipeContent(
      title: title, baseServings: Rational(servings),
      ingredients: lines.map { Ingredient(parsing: $0) }, steps: steps.map { RecipeStep($0) },
      tags: tags, cookMinutes: minutes)
  }
}
