import ArgumentParser
import Daybook
import DaybookStore

struct Groceries: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groceries",
    abstract: "Show the grocery list; make it from the week's meals, add to it, check off.",
    discussion: """
      A list belongs to a household and a week. `generate` adds up what all meals of the week \
      need, subtracts what the pantry holds, and keeps what members wrote and checked.
      """,
    subcommands: [
      List.self, Generate.self, Add.self, Edit.self, Check.self, Uncheck.self, Remove.self,
      Choose.self, Delete.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Show the list (the default).")

    @OptionGroup var read: HouseholdReadOptions
    @Option(
      help: "Any day of the list's week: \(ComingDay.help) (default: the list made last).")
    var week: String?
    @Flag(help: "The list of the week after this one.")
    var next = false
    @Flag(
      name: [.customLong("sources"), .customLong("why")],
      help: "Show why each line is there: for which meals, or because a member wrote it.")
    var sources = false

    mutating func validate() throws { try ListWeek.check(week, next) }

    func run() throws {
      let context = try read.context()
      let day = try ListWeek.day(
        week, next, for: context.state.viewer(context.viewer), context.base.query)
      let answer = try context.ask(GroceriesQuestion(of: context.number, week: day))
      if read.json { return Output.answer(answer) }
      guard let list = answer.list else {
        let isSetAside = context.state.groceryListIsSetAside(of: context.number)
        return Output.line(
          isSetAside && day == nil
            ? "All lists are set aside. Shop by one again: `daybook groceries choose --week DAY`."
            : "No list yet. Make one from the week's meals: `daybook groceries generate`.")
      }
      print(list, answer)
    }

    private func print(_ list: GroceryList, _ answer: GroceriesQuestion.Answer) {
      let items = list.ordered.map(\.item)
      let done = items.count(where: \.isChecked)
      Output.line(
        Style.bold(answer.household.name) + ", week of \(list.displayName): "
          + "\(done) of \(items.count) in the basket")
      for category in GroceryCategory.allCases {
        let lines = items.filter { answer.aisles.aisle(of: $0) == category }
        if lines.isEmpty { continue }
        Output.line(category.heading)
        for item in lines {
          Output.line(
            "  \(Sign.box(item.isChecked)) \(item.shown.onOneLine)\(meals(of: item, answer))")
        }
      }
      if answer.isStale {
        Output.line(
          "Meals, recipes or pantry changed since; `daybook groceries generate` updates it.")
      }
    }

    private func meals(of item: GroceryItem, _ answer: GroceriesQuestion.Answer) -> String {
      guard sources else { return "" }
      if item.isManual { return Style.faint("  (a member wrote it)") }
      let meals = item.sources.map { source in
        let share = source.amount.map { Quantity($0, source.unit).shown + " " } ?? ""
        return "\(share)\(answer.title(of: source)) \(source.date)"
      }
      return Style.faint("  (\(meals.joined(separator: ", ")))")
    }
  }

  struct Generate: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [GenerateGroceryList.self]
    static let configuration = CommandConfiguration(
      commandName: "generate",
      abstract: "Make the list of a week from its meals, or update it.")

    @OptionGroup var change: HouseholdChangeOptions
    @Option(help: "A day of the week: \(ComingDay.help) (default: this week).")
    var week: String?
    @Flag(help: "The list of the week after this one.")
    var next = false

    mutating func validate() throws { try ListWeek.check(week, next) }

    func run() throws {
      try change.run { context in
        GenerateGroceryList(
          of: context.household,
          week: try ListWeek.day(
            week, next, for: context.state.accounts[context.account], context.query))
      } words: { number, state in
        let items = state.lists[number]?.ordered.map(\.item) ?? []
        let monday = state.lists[number]?.displayName ?? ""
        guard !items.isEmpty else {
          return "Nothing is to be bought in the week of \(monday): no meals need anything. "
            + "`daybook plan add` plans one; --next makes the list of the week after this one."
        }
        let open = items.count { !$0.isChecked }
        return "The list of the week of \(monday): "
          + "\(items.count.counted("line")), \(open) still to buy."
      }
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AddGroceryItem.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a line to the list.")

    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What to buy: \"2 l milk\", or \"paper towels\".")
    var text: String
    @Option(help: "Where it is found: \(GroceryCategory.words).")
    var category: GroceryCategory = .other
    @Option(help: "Any day of the list's week (default: the list made last).")
    var week: String?
    @OptionGroup var key: KeyOption

    func run() throws {
      let food = FoodAmount(text)
      let key = try key.given()
      try change.run { context in
        AddGroceryItem(
          in: context.household, week: try week.map { try context.day($0) }, key: key,
          GroceryItemContent(
            name: food.name, amount: food.upper, unit: food.unit, category: category,
            note: food.note))
      } words: { item, state in
        "\(state.shown(item)) is on the list."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateGroceryItem.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a line: its name, how much, where it is found.")

    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var line: LineOptions
    @Option(help: "What to buy.")
    var name: String?
    @Option(help: "How much: 2, 1/2, or \"250 g\"; or none.")
    var quantity: String?
    @Option(help: "Where it is found: \(GroceryCategory.words).")
    var category: GroceryCategory?
    @Option(help: "Anything else to keep in mind.")
    var note: String?

    func run() throws {
      let isCleared = quantity == "none"
      let quantity = try isCleared ? nil : QuantityArgument.quantity(quantity, "--quantity")
      try line.run(with: change) { item in
        UpdateGroceryItem(item) { content in
          if let name { content.name = name }
          if isCleared || quantity != nil {
            content.amount = quantity?.amount
            content.unit = quantity?.unit
          }
          if let category { content.category = category }
          if let note { content.note = note.isEmpty ? nil : note }
        }
      } words: {
        "\($1.shown($0)) is on the list."
      }
    }
  }

  struct Check: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CheckGroceryItem.self]
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check a line off: it is in the basket.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var line: LineOptions
    func run() throws {
      try line.run(with: change, ofThose: { !$0.isChecked }) {
        CheckGroceryItem($0)
      } words: {
        "\($1.shown($0)) is in the basket."
      }
    }
  }

  struct Uncheck: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UncheckGroceryItem.self]
    static let configuration = CommandConfiguration(
      commandName: "uncheck",
      abstract: "Uncheck a line.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var line: LineOptions
    func run() throws {
      try line.run(with: change, ofThose: \.isChecked) {
        UncheckGroceryItem($0)
      } words: {
        "\($1.shown($0)) is to be bought."
      }
    }
  }

  struct Remove: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RemoveGroceryItem.self]
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a line from the list; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var line: LineOptions
    func run() throws {
      try line.run(with: change) {
        RemoveGroceryItem($0)
      } words: {
        "\($1.shown($0)) is off the list."
      }
    }
  }

  struct Choose: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ChooseGroceryList.self]
    static let configuration = CommandConfiguration(
      commandName: "choose",
      abstract: "Choose the list of another week to shop by, or set one aside.")
    @OptionGroup var change: HouseholdChangeOptions
    @Option(
      help:
        "Any day of the list's week (default: the list to shop by, or this week's).")
    var week: String?
    @Flag(help: "Set the list aside: shop by the one made before it.")
    var aside = false

    func run() throws {
      try change.run { context in
        let day = try week.map { try context.day($0) }
        var found = context.state.groceryList(
          of: context.household, week: day, for: context.account)
        if found == nil, day == nil, !aside {
          found = context.state.groceryList(
            of: context.household, week: try context.day("today"), for: context.account)
        }
        guard let found else { throw Rejection.groceryListNotFound }
        return ChooseGroceryList(found.number, isCurrent: !aside)
      } words: { number, state in
        let words = "The list of the week of \(state.lists[number]?.displayName ?? "")"
        return aside ? "\(words) is set aside." : "\(words) is the one to shop by."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteGroceryList.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a list with all its lines; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @Option(help: "Any day of the list's week (default: the list made last).")
    var week: String?

    func run() throws {
      try change.run { context in
        let found = context.state.groceryList(
          of: context.household, week: try week.map { try context.day($0) }, for: context.account)
        guard let found else { throw Rejection.groceryListNotFound }
        return DeleteGroceryList(found.number)
      } words: { number, state in
        "The list of the week of \(state.lists[number]?.displayName ?? "") is deleted."
      }
    }
  }
}

/// Parses the week of a list.
private enum ListWeek {
  static func check(_ week: String?, _ next: Bool) throws {
    guard week == nil || !next else { throw ValidationError("give --week or --next, not both") }
  }

  /// A day of the week; `nil` when none is given.
  static func day(
    _ week: String?, _ next: Bool, for account: Account?, _ query: Query
  ) throws -> Day? {
    if next { return try ComingDay.day("today", for: account, query).advanced(by: 7) }
    return try week.map { try ComingDay.day($0, for: account, query) }
  }
}

extension BookState {
  /// Whether a household has set aside a list.
  fileprivate func groceryListIsSetAside(of household: Household.ID) -> Bool {
    lists.elements.contains { $0.household == household && !$0.isDeleted && $0.isSetAside }
  }

  fileprivate func shown(_ id: GroceryItemID) -> String {
    // Also finds a line that was just removed.
    lists[id.list]?.items.first { $0.key == id.key }?.shown.onOneLine ?? ""
  }
}
