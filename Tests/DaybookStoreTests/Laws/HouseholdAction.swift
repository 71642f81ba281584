import Daybook
import PropertyTesting

/// A command about a household. Households and their entities are named by small numbers, like habits.
enum HouseholdAction: Sendable {
  case create(key: Int?, name: Int)
  case rename(Int, name: Int)
  case add(Int, to: Int)
  case leave(Int)
  case remove(Int, from: Int)
  case delete(Int)
  case createHouseholdTask(Int, key: Int?, title: Int, due: Int?, time: Int?, assignee: Int?)
  case updateHouseholdTask(Int, title: Int?, due: Int?, priority: Int?, assignee: Int?)
  case assign(Int, to: Int?)
  case complete(Int)
  case reopen(Int)
  case deleteHouseholdTask(Int)
  case createRecipe(Int, key: Int?, title: Int, part: Int?)
  case updateRecipe(Int, title: Int?, servings: Int?, part: Int?)
  case deleteRecipe(Int)
  case plan(Int, key: Int?, recipe: Int?, title: Int?, day: Int, servings: Int?)
  case updateMeal(Int, recipe: Int?, title: Int?, day: Int?)
  case removeMeal(Int)
  case groceries(GroceryAction)
  case createCalendarEvent(Int, key: Int?, title: Int, day: Int, rule: Int)
  case updateCalendarEvent(Int, title: Int?, day: Int?, rule: Int?)
  case deleteCalendarEvent(Int)
  case importCalendar(Int, uids: [Int], version: Int, day: Int, isCancelled: Bool, deletes: Bool)
}

extension HouseholdAction {
  func command(_ ledger: some Ledger, _ today: Day) -> any Command {
    let state = ledger.state
    return switch self {
    case .create(let key, let name):
      CreateHousehold(key: key.map { Menu.key(5, $0) }, name: Menu.texts[name])
    case .rename(let home, let name):
      RenameHousehold(number(home, state.households), name: Menu.texts[name])
    case .add(let person, let home):
      AddHouseholdMember(Self.person(person), to: number(home, state.households))
    case .leave(let home): LeaveHousehold(number(home, state.households))
    case .remove(let person, let home):
      RemoveHouseholdMember(Self.person(person), from: number(home, state.households))
    case .delete(let home): DeleteHousehold(number(home, state.households))
    case .createHouseholdTask(let home, let key, let title, let due, let time, let assignee):
      CreateHouseholdTask(
        in: number(home, state.households), key: key.map { Menu.key(6, $0) },
        HouseholdTaskContent(
          title: Menu.texts[title], dueDate: due.map { today.advanced(by: $0) },
          dueTime: time.flatMap { LocalTime(minutes: $0 * 60) }),
        assignee: assignee.map { Self.person($0) })
    case .updateHouseholdTask(let householdTask, let title, let due, let priority, let assignee):
      update(
        number(householdTask, state.householdTasks), title, due.map { today.advanced(by: $0) },
        priority, assignee)
    case .assign(let householdTask, let person):
      AssignHouseholdTask(
        number(householdTask, state.householdTasks), to: person.map { Self.person($0) })
    case .complete(let householdTask):
      CompleteHouseholdTask(number(householdTask, state.householdTasks))
    case .reopen(let householdTask):
      ReopenHouseholdTask(number(householdTask, state.householdTasks))
    case .deleteHouseholdTask(let householdTask):
      DeleteHouseholdTask(number(householdTask, state.householdTasks))
    case .createRecipe(let home, let key, let title, let part):
      CreateRecipe(
        in: number(home, state.households), key: key.map { Menu.key(8, $0) },
        Self.recipe(Menu.texts[title], part))
    case .updateRecipe(let recipe, let title, let servings, let part):
      update(number(recipe, state.recipes), title, servings, part)
    case .deleteRecipe(let recipe): DeleteRecipe(number(recipe, state.recipes))
    case .plan(let home, let key, let recipe, let title, let day, let servings):
      PlanMeal(
        in: number(home, state.households), key: key.map { Menu.key(9, $0) },
        MealContent(
          recipe: recipe.map { number($0, state.recipes) }, title: title.map { Menu.texts[$0] },
          date: today.advanced(by: day), mealType: day == 0 ? "dinner" : nil,
          servings: servings.flatMap { Rational(Int64($0), over: 2) }))
    case .updateMeal(let meal, let recipe, let title, let day):
      update(
        number(meal, state.meals), recipe.map { number($0, state.recipes) }, title,
        day.map { today.advanced(by: $0) })
    case .removeMeal(let meal): RemoveMeal(number(meal, state.meals))
    case .groceries(let action): action.command(ledger, today)
    case .createCalendarEvent(let home, let key, let title, let day, let rule):
      create(
        number(home, state.households), key, title, .day(today.advanced(by: day)), Self.rules[rule])
    case .updateCalendarEvent(let event, let title, let day, let rule):
      update(
        number(event, state.calendarEvents), title, day.map { .day(today.advanced(by: $0)) },
        rule.map { Self.rules[$0] })
    case .deleteCalendarEvent(let event): DeleteCalendarEvent(number(event, state.calendarEvents))
    case .importCalendar(let home, let uids, let version, let day, let isCancelled, let deletes):
      ImportCalendar(
        Self.file(uids, version, today.advanced(by: day), isCancelled),
        into: number(home, state.households), deletingMissing: deletes)
    }
  }

  /// The account that may send it: a member of the household, or anybody.
  func actor(_ ledger: some Ledger, _ step: Step) -> Account.ID? {
    let state = ledger.state
    let home: Household.ID? =
      switch self {
      case .create, .leave: nil
      case .rename(let home, _), .add(_, let home), .remove(_, let home), .delete(let home),
        .createHouseholdTask(let home, _, _, _, _, _), .createRecipe(let home, _, _, _),
        .plan(let home, _, _, _, _, _), .createCalendarEvent(let home, _, _, _, _),
        .importCalendar(let home, _, _, _, _, _):
        number(home, state.households)
      case .updateHouseholdTask(let householdTask, _, _, _, _), .assign(let householdTask, _),
        .complete(let householdTask),
        .reopen(let householdTask), .deleteHouseholdTask(let householdTask):
        state.householdTasks[number(householdTask, state.householdTasks)]?.household
      case .updateRecipe(let recipe, _, _, _), .deleteRecipe(let recipe):
        state.recipes[number(recipe, state.recipes)]?.household
      case .updateMeal(let meal, _, _, _), .removeMeal(let meal):
        state.meals[number(meal, state.meals)]?.household
      case .groceries(let action): action.home(state)
      case .updateCalendarEvent(let event, _, _, _), .deleteCalendarEvent(let event):
        state.calendarEvents[number(event, state.calendarEvents)]?.household
      }
    let members = home.flatMap { state.households[$0] }?.activeMembers.map(\.account) ?? []
    return members.isEmpty ? ledger.account(step.actor) : members[step.actor % members.count]
  }

  private func number<Thing>(
    _ index: Int, _ table: Daybook.Table<Thing>
  ) -> EntityNumber<Thing> { Self.number(index, table) }

  static func number<Thing>(
    _ index: Int, _ table: Daybook.Table<Thing>
  ) -> EntityNumber<Thing> {
    let count = table.elements.count
    return EntityNumber(index == 7 || count == 0 ? 99 : index % count + 1) ?? table.nextNumber
  }

  private static func person(_ index: Int) -> Account.ID { Account.ID(index + 1) ?? .first }

  private static func recipe(_ title: String, _ part: Int?) -> RecipeContent {
    var content = RecipeContent(
      title: title, baseServings: Rational(4), ingredients: [Ingredient(parsing: "2 eggs")],
      steps: ["Cook."], tags: ["quick"], prepMinutes: 10)
    content.ingredients += ingredients(part)
    return content
  }

  private static func ingredients(_ part: Int?) -> [Ingredient] {
    part.map { [Ingredient(text: "1 sauce", amount: .one, recipe: Menu.key(8, $0))] } ?? []
  }

  private static let rules = ["", "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY"].map { text in
    (try? RecurrenceRule(parsing: text)).map { [$0] } ?? []
  }

  private func create(
    _ home: Household.ID, _ key: Int?, _ title: Int, _ start: CalendarMoment,
    _ rules: [RecurrenceRule]
  ) -> CreateCalendarEvent {
    var command = CreateCalendarEvent(
      in: home, key: key.map { Menu.key(10, $0) }, title: Menu.texts[title], start: start)
    command.content.rules = rules
    return command
  }

  private func update(
    _ event: CalendarEvent.ID, _ title: Int?, _ start: CalendarMoment?, _ rules: [RecurrenceRule]?
  ) -> UpdateCalendarEvent {
    UpdateCalendarEvent(event) { draft in
      if let title { draft.title = Menu.texts[title] }
      if let start { draft.start = start }
      if let rules { draft.rules = rules }
    }
  }

  private static func file(
    _ uids: [Int], _ version: Int, _ day: Day, _ isCancelled: Bool
  ) -> [UInt8] {
    let events = uids.map { uid in
      """
      BEGIN:VEVENT
      UID:\(uid)
      DTSTART;VALUE=DATE:\(day.iCalendar)
      RRULE:FREQ=WEEKLY
      SUMMARY:\(version)
      SEQUENCE:\(version)
      \(isCancelled ? "STATUS:CANCELLED" : "STATUS:CONFIRMED")
      END:VEVENT
      """
    }
    let lines = ["BEGIN:VCALENDAR"] + events + ["END:VCALENDAR"]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private func update(
    _ householdTask: HouseholdTask.ID, _ title: Int?, _ due: Day?, _ priority: Int?,
    _ assignee: Int?
  ) -> UpdateHouseholdTask {
    UpdateHouseholdTask(householdTask) { draft in
      if let title { draft.content.title = Menu.texts[title] }
      draft.content.dueDate = due
      if let priority { draft.content.priority = [.low, .high, .urgent][priority] }
      if let assignee { draft.assignee = Self.person(assignee) }
    }
  }

  private func update(
    _ recipe: Recipe.ID, _ title: Int?, _ servings: Int?, _ part: Int?
  ) -> UpdateRecipe {
    UpdateRecipe(recipe) { content in
      if let title { content.title = Menu.texts[title] }
      if let servings { content.baseServings = Rational(Int64(servings)) }
      if let part { content.ingredients = Self.ingredients(part) }
    }
  }

  private func update(
    _ meal: Meal.ID, _ recipe: Recipe.ID?, _ title: Int?, _ day: Day?
  ) -> UpdateMeal {
    UpdateMeal(meal) { content in
      if let recipe { content.recipe = recipe }
      if let title { content.title = Menu.texts[title] }
      if let day { content.date = day }
    }
  }
}

extension PropertyTesting.Source {
  /// One of the first households; 7 names a missing one.
  mutating func home() throws -> Int {
    try draw(.frequency((9, .constant(0)), (3, .constant(1)), (1, .constant(7))))
  }

  mutating func householdAct() throws -> HouseholdAction { try draw(Self.householdActs) }

  private static let householdActs = Generator<HouseholdAction>.frequency(
    (4, Generator { .create(key: try $0.maybe(60, below: 3), name: try $0.below(4)) }),
    (5, Generator { .add(try $0.below(4), to: try $0.home()) }),
    (1, Generator { .rename(try $0.home(), name: try $0.below(5)) }),
    (2, Generator { .leave(try $0.home()) }),
    (1, Generator { .remove(try $0.below(4), from: try $0.home()) }),
    (1, Generator { .delete(try $0.home()) }),
    (
      7,
      Generator {
        .createHouseholdTask(
          try $0.home(), key: try $0.maybe(60, below: 5), title: try $0.below(4),
          due: try $0.maybe(70, below: 9), time: try $0.maybe(40, below: 24),
          assignee: try $0.maybe(60, below: 4))
      }
    ),
    (
      3,
      Generator {
        .updateHouseholdTask(
          try $0.below(8), title: try $0.maybe(50, below: 5), due: try $0.maybe(60, below: 9),
          priority: try $0.maybe(50, below: 3), assignee: try $0.maybe(30, below: 4))
      }
    ),
    (2, Generator { .assign(try $0.below(8), to: try $0.maybe(70, below: 4)) }),
    (4, Generator { .complete(try $0.below(8)) }), (2, Generator { .reopen(try $0.below(8)) }),
    (1, Generator { .deleteHouseholdTask(try $0.below(8)) }),
    (
      5,
      Generator {
        .createRecipe(
          try $0.home(), key: try $0.maybe(80, below: 5), title: try $0.below(4),
          part: try $0.maybe(30, below: 5))
      }
    ),
    (
      3,
      Generator {
        .updateRecipe(
          try $0.below(8), title: try $0.maybe(40, below: 5), servings: try $0.maybe(40, below: 4),
          part: try $0.maybe(50, below: 5))
      }
    ),
    (2, Generator { .deleteRecipe(try $0.below(8)) }),
    (
      6,
      Generator {
        .plan(
          try $0.home(), key: try $0.maybe(60, below: 5), recipe: try $0.maybe(70, below: 8),
          title: try $0.maybe(30, below: 5), day: try $0.below(9),
          servings: try $0.maybe(40, below: 5))
      }
    ),
    (
      3,
      Generator {
        .updateMeal(
          try $0.below(8), recipe: try $0.maybe(40, below: 8), title: try $0.maybe(30, below: 5),
          day: try $0.maybe(60, below: 9))
      }
    ),
    (1, Generator { .removeMeal(try $0.below(8)) }),
    (12, Generator { .groceries(try $0.groceryAct()) }),
    (
      4,
      Generator {
        .createCalendarEvent(
          try $0.home(), key: try $0.maybe(60, below: 5), title: try $0.below(5),
          day: try $0.below(9), rule: try $0.below(3))
      }
    ),
    (
      2,
      Generator {
        .updateCalendarEvent(
          try $0.below(8), title: try $0.maybe(40, below: 5), day: try $0.maybe(40, below: 9),
          rule: try $0.maybe(40, below: 3))
      }
    ),
    (1, Generator { .deleteCalendarEvent(try $0.below(8)) }),
    (
      4,
      Generator {
        .importCalendar(
          try $0.home(), uids: try $0.draw(Generator<Int>.integer(in: 0...4).array(count: 0...3)),
          version: try $0.below(3), day: try $0.below(3), isCancelled: try $0.below(5) == 0,
          deletes: try $0.below(5) == 0)
      }
    ))
}
