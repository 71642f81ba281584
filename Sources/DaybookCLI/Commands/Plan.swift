import ArgumentParser
import Daybook
import DaybookStore

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show the household's meals of a week; plan, change or remove one.",
    subcommands: [Week.self, Add.self, Edit.self, Remove.self], defaultSubcommand: Week.self)

  struct Week: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "week",
      abstract: "Show the meals of a week, Monday first (the default).")
    @OptionGroup var read: HouseholdReadOptions
    @Option(help: "The week with this day in it: \(ComingDay.help) (default: this week).")
    var week: String = "today"
    @Flag(help: "The week after that.")
    var next = false
    @Flag(help: "The week before that.")
    var previous = false

    mutating func validate() throws {
      if next && previous { throw ValidationError("give --next or --previous, not both") }
    }

    func run() throws {
      let context = try read.context()
      let day = try ComingDay.day(
        week, for: context.state.viewer(context.viewer), context.base.query)
      let weeks = next ? 1 : previous ? -1 : 0
      let plan = try context.ask(
        PlanQuestion(of: context.number, week: day.advanced(by: 7 * weeks)))
      if read.json { return Output.answer(plan) }
      print(plan, context)
    }

    private func print(_ plan: PlanQuestion.Answer, _ context: HouseholdQueryContext) {
      let week = plan.week
      let today = try? context.today
      Output.line(
        Style.bold("\(week.monday) to \(plan.sunday)")
          + (week.meals.isEmpty
            ? "  Nothing is planned. Plan a meal: `daybook plan add RECIPE DAY`." : ""))
      var table = TextTable([.whole("", 9), .text("", 3), .text("", 8), .text("", 2)])
      for day in week.days {
        var label = "\(day.weekdayName) \(day.parts.day)"
        if day == today { label = Style.bold(label) }
        let meals = week.meals(on: day)
        if meals.isEmpty { table.add([label, "", "", ""]) }
        for (index, entry) in meals.enumerated() {
          let content = entry.meal.content
          table.add([
            index == 0 ? label : "", Style.faint(content.mealType ?? ""),
            plan.title(of: entry.meal),
            content.servings.map { Style.faint("for \($0.kitchenForm)") } ?? "",
          ])
        }
      }
      table.print(withHeader: false)
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [PlanMeal.self]
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Plan a meal for a day: a recipe, or with --text something without one.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The recipe: a prefix of its title, or its key; with --text any words.",
      completion: Completions.recipes)
    var meal: String
    @Argument(help: "The day: \(ComingDay.help).")
    var day: String
    @Flag(help: "Plan these words, not a recipe: \"Pizza at Bob's\".")
    var text = false
    @Option(name: .customLong("meal"), help: "Which meal of the day: dinner.")
    var mealType: String?
    @Option(help: "For how many: 6, 1.5 or 3/2 (default: as many as the recipe serves).")
    var servings: String?
    @OptionGroup var key: KeyOption

    func run() throws {
      let servings = try RationalArgument.number(servings, "--servings")
      let key = try key.given()
      try change.run { context in
        PlanMeal(
          in: context.household, key: key,
          MealContent(
            recipe: text ? nil : try context.recipe(meal), title: text ? meal : nil,
            date: try context.day(day), mealType: mealType, servings: servings))
      } words: { number, state in
        Plan.words(number, state, "is planned")
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateMeal.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Move or change a planned meal.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The meal: a prefix of what it is called (\"Waffles on 2026-03-04\"), or its key.")
    var meal: String
    @Option(help: "The day: \(ComingDay.help).")
    var day: String?
    @Option(help: "Another recipe: a prefix of its title, or its key.")
    var recipe: String?
    @Option(help: "Something that needs no recipe.")
    var text: String?
    @Option(name: .customLong("meal"), help: "Which meal of the day: dinner; or none.")
    var mealType: String?
    @Option(help: "For how many: 6, 1.5 or 3/2; or none, for as many as the recipe serves.")
    var servings: String?

    func run() throws {
      let number: Rational?? =
        servings == "none"
        ? .some(nil) : try RationalArgument.number(servings, "--servings").map { .some($0) }
      try change.run { context in
        let found = try context.meal(meal)
        let day = try day.map { try context.day($0) }
        let recipe = try recipe.map { try context.recipe($0) }
        return UpdateMeal(found) { content in
          if let day { content.date = day }
          if let recipe { content.recipe = recipe }
          if let text { content.title = text }
          if let mealType { content.mealType = mealType == "none" ? nil : mealType }
          if let number { content.servings = number }
        }
      } words: { number, state in
        Plan.words(number, state, "is planned")
      }
    }
  }

  struct Remove: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RemoveMeal.self]
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a meal from the plan; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The meal: a prefix of what it is called (\"Waffles on 2026-03-04\"), or its key.")
    var meal: String
    func run() throws {
      try change.run {
        RemoveMeal(try $0.meal(meal))
      } words: { number, state in
        Plan.words(number, state, "is off the plan")
      }
    }
  }

  /// "Waffles is planned for Wed 2026-03-04, dinner, for 6."
  fileprivate static func words(_ number: Meal.ID, _ state: BookState, _ verb: String) -> String {
    guard let meal = state.meals[number] else { return "" }
    let day = meal.content.date
    let type = meal.content.mealType.map { ", \($0)" } ?? ""
    let servings = meal.content.servings.map { ", for \($0.kitchenForm)" } ?? ""
    return "\(state.title(of: meal)) \(verb): \(day.weekdayName) \(day)\(type)\(servings)."
  }
}
