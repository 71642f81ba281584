import ArgumentParser
import Daybook
import DaybookStore

struct Recipes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipes",
    abstract: "List the household's recipes, or search them.",
    subcommands: [List.self, Search.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the household's recipes by title (the default).")
    @OptionGroup var read: HouseholdReadOptions

    func run() throws {
      try RecipeTable(read).print(
        matching: "",
        whenEmpty: "No recipes yet. Add one: `daybook recipe add Waffles --ingredient \"2 eggs\"`."
      )
    }
  }

  struct Search: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "search",
      abstract: "Find recipes by words of their titles, tags and ingredients.")
    @OptionGroup var read: HouseholdReadOptions
    @Argument(help: "Words, or how they begin.")
    var words: [String]

    func run() throws {
      let text = words.joined(separator: " ")
      try RecipeTable(read).print(
        matching: text, whenEmpty: "No recipe has \"\(text)\" in its title, tags or ingredients.")
    }
  }
}

/// A household's recipes, one on each line.
private struct RecipeTable {
  let isJSON: Bool
  let context: HouseholdQueryContext

  init(_ read: HouseholdReadOptions) throws {
    isJSON = read.json
    context = try read.context()
  }

  func print(matching text: String, whenEmpty: String) throws {
    let answer = try context.ask(RecipesQuestion(of: context.number, search: text))
    if isJSON { return Output.answer(answer) }
    guard !answer.recipes.isEmpty else { return Output.line(whenEmpty) }
    var table = TextTable([
      .text("recipe", 9), .number("serves", 5), .number("minutes", 4), .text("tags", 2),
    ])
    for recipe in answer.recipes {
      let minutes = Int(recipe.content.prepMinutes ?? 0) + Int(recipe.content.cookMinutes ?? 0)
      table.add([
        recipe.content.title, recipe.content.baseServings?.kitchenForm ?? "",
        minutes > 0 ? String(minutes) : "", recipe.content.tags.joined(separator: ", "),
      ])
    }
    table.print()
  }
}
