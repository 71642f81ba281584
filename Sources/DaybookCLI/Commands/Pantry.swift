import ArgumentParser
import Daybook
import DaybookStore

struct Pantry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pantry",
    abstract: "Show what the household keeps at home; add to it, change it, remove from it.",
    discussion: """
      A grocery list subtracts what is counted here. For a staple that is not counted, it says \
      to look at home.
      """,
    subcommands: [List.self, Add.self, Edit.self, Remove.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Show what is kept at home (the default).")

    @OptionGroup var read: HouseholdReadOptions

    func run() throws {
      let context = try read.context()
      let pantry = try context.ask(PantryQuestion(of: context.number))
      if read.json { return Output.answer(pantry) }
      guard !pantry.pantryStaples.isEmpty else {
        return Output.line(
          "The pantry is empty. Add something: `daybook pantry add \"2 kg flour\"`.")
      }
      var table = TextTable([.text("food", 9), .text("there is", 8), .text("category", 3)])
      for pantryStaple in pantry.pantryStaples {
        table.add([
          pantryStaple.content.name, pantryStaple.content.quantity?.shown ?? "not counted",
          pantryStaple.content.category.rawValue,
        ])
      }
      table.print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AddPantryStaple.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a staple to the pantry.")

    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What is kept: \"2 kg flour\"; or \"salt\", which nobody counts.")
    var text: String
    @Option(help: "Where in a shop it is found: \(GroceryCategory.words).")
    var category: GroceryCategory = .pantry
    @OptionGroup var key: KeyOption

    func run() throws {
      let food = FoodAmount(text)
      let key = try key.given()
      try change.run { context in
        AddPantryStaple(
          in: context.household, key: key,
          PantryStapleContent(
            name: food.name, amount: food.amount, unit: food.unit, category: category))
      } words: { number, state in
        "\(state.pantryStaples[number]?.shown ?? "") is kept at home."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdatePantryStaple.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change what is kept: its name, how much there is, its category.")

    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: StapleOptions
    @Option(help: "What it is called.")
    var name: String?
    @Option(help: "How much there is: 2, 1/2, or \"250 g\".")
    var quantity: String?
    @Flag(help: "Stop counting it.")
    var uncounted = false
    @Option(help: "Where in a shop it is found: \(GroceryCategory.words).")
    var category: GroceryCategory?

    func run() throws {
      let quantity = try QuantityArgument.quantity(quantity, "--quantity")
      if uncounted && quantity != nil {
        throw ValidationError("--uncounted and --quantity exclude each other")
      }
      try named.run(with: change) { pantryStaple in
        UpdatePantryStaple(pantryStaple) { content in
          if let name { content.name = name }
          if quantity != nil || uncounted {
            content.amount = quantity?.amount
            content.unit = quantity?.unit
          }
          if let category { content.category = category }
        }
      } words: { number, state in
        "\(state.pantryStaples[number]?.shown ?? "") is kept at home."
      }
    }
  }

  struct Remove: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RemovePantryStaple.self]
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a staple; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: StapleOptions
    func run() throws {
      try named.run(with: change) {
        RemovePantryStaple($0)
      } words: { number, state in
        "\(state.pantryStaples[number]?.content.name ?? "") is no longer kept."
      }
    }
  }

  /// The option that selects a staple.
  struct StapleOptions: ParsableArguments {
    @Argument(help: "What is kept: a prefix of its name, or its key.")
    var staple: String

    func run<C: RequestBody>(
      with change: HouseholdChangeOptions, _ command: (PantryStaple.ID) -> C,
      words: (C.Answer, BookState) -> String
    ) throws {
      try change.run { context in
        command(
          try EntityFinder(
            noun: "staple",
            whenEmpty: "The pantry is empty; `daybook pantry add \"2 kg flour\"` adds something."
          ).find(
            staple, in: context.state.pantryStaples,
            among: context.state.pantryStaples(of: context.household, for: context.account).map(
              \.pantryStaple)))
      } words: {
        words($0, $1)
      }
    }
  }
}

extension PantryStaple {
  /// The staple, for people.
  fileprivate var shown: String {
    [content.quantity?.shown, content.name].compactMap(\.self).joined(separator: " ")
  }
}
