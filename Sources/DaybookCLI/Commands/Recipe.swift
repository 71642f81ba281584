import ArgumentParser
import Daybook
import DaybookStore

struct RecipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Show a recipe, for as many as you like; add, edit or delete one.",
    subcommands: [Show.self, Add.self, Edit.self, Delete.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show a recipe (the default): `daybook recipe Waffles --servings 6`.")
    @OptionGroup var read: HouseholdReadOptions
    @Argument(
      help: "The recipe: a prefix of its title, or its key.", completion: Completions.recipes)
    var recipe: String
    @Option(help: "For how many: 6, 1.5 or 3/2 (default: as it is written).")
    var servings: String?

    func run() throws {
      let wanted = try RationalArgument.number(servings, "--servings")
      if let wanted, !wanted.isPositive {
        throw ValidationError("--servings: give a number greater than 0")
      }
      let context = try read.context()
      let number = try RecipeChoice.find(
        recipe, in: context.state, of: context.number, for: context.viewer)
      let answer = try context.ask(RecipeQuestion(number, servings: wanted))
      if read.json { return Output.answer(answer) }
      RecipeText(
        content: answer.recipe.content, base: answer.baseServings, isScaled: answer.isScaled
      ).print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateRecipe.self]
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a recipe.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What it is called.")
    var title: String
    @OptionGroup var words: RecipeWords
    @OptionGroup var key: KeyOption

    func run() throws {
      let content = RecipeContent(
        title: title, sourceURL: words.source, sourceType: words.source == nil ? "manual" : "url",
        baseServings: try RationalArgument.number(words.servings, "--servings"),
        ingredients: words.ingredient.map { Ingredient(parsing: $0) },
        steps: words.step.map { RecipeStep($0) }, tags: words.tag, prepMinutes: words.prep,
        cookMinutes: words.cook, notes: words.notes)
      let key = try key.given()
      try change.run {
        CreateRecipe(in: $0.household, key: key, content)
      } words: {
        number, state in
        "\(state.recipes[number]?.content.title ?? "") is added."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateRecipe.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a recipe: each option replaces what was there.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The recipe: a prefix of its title, or its key.", completion: Completions.recipes)
    var recipe: String
    @Option(help: "What it is called.")
    var title: String?
    @OptionGroup var words: RecipeWords

    func run() throws {
      let isCleared = words.servings == "none"
      let servings = try isCleared ? nil : RationalArgument.number(words.servings, "--servings")
      try change.run { context in
        UpdateRecipe(try context.recipe(recipe)) { content in
          if let title { content.title = title }
          if isCleared || servings != nil { content.baseServings = servings }
          if let source = words.source { content.sourceURL = source }
          if !words.ingredient.isEmpty {
            content.ingredients = words.ingredient.map { Ingredient(parsing: $0) }
          }
          if !words.step.isEmpty { content.steps = words.step.map { RecipeStep($0) } }
          if !words.tag.isEmpty { content.tags = words.tag }
          if let prep = words.prep { content.prepMinutes = prep }
          if let cook = words.cook { content.cookMinutes = cook }
          if let notes = words.notes { content.notes = notes }
        }
      } words: { number, state in
        "\(state.recipes[number]?.content.title ?? "") is changed."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteRecipe.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a recipe; meals planned with it keep its title.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The recipe: a prefix of its title, or its key.", completion: Completions.recipes)
    var recipe: String
    func run() throws {
      try change.run {
        DeleteRecipe(try $0.recipe(recipe))
      } words: { number, state in
        "\(state.recipes[number]?.content.title ?? "") is deleted; `daybook recipe --as-of` still finds it."
      }
    }
  }

  /// The options for the content of a recipe, besides its title.
  struct RecipeWords: ParsableArguments {
    @Option(help: "How many it serves: 4, or 3/2; when editing, also none.")
    var servings: String?
    @Option(
      help: "What goes in, a line each time: --ingredient \"2 eggs\" --ingredient \"½ l milk\".")
    var ingredient: [String] = []
    @Option(help: "What to do, a step each time.")
    var step: [String] = []
    @Option(help: "A word to find it by, one each time.")
    var tag: [String] = []
    @Option(help: "Minutes of preparation.")
    var prep: Int32?
    @Option(help: "Minutes of cooking.")
    var cook: Int32?
    @Option(help: "The page that it comes from.")
    var source: String?
    @Option(help: "Anything else.")
    var notes: String?
  }
}

/// Formats a recipe for a cook.
private struct RecipeText {
  let content: RecipeContent
  let base: Rational?
  let isScaled: Bool

  func print() {
    Output.line(Style.bold(content.title) + (head.isEmpty ? "" : "  " + head))
    if let source = content.sourceURL { Output.line(Style.faint(source.onOneLine)) }
    if !content.ingredients.isEmpty { Output.line() }
    for ingredient in content.ingredients { Output.line("  " + line(ingredient)) }
    if !content.steps.isEmpty { Output.line() }
    for (index, step) in content.steps.enumerated() {
      Output.line("\(index + 1). \(step.text.onOneLine)")
    }
    if let notes = content.notes, !notes.isEmpty {
      Output.line()
      Output.line(notes.onOneLine)
    }
  }

  private var head: String {
    var parts: [String] = []
    if let servings = content.baseServings {
      let written = isScaled ? base.map { ", written for \($0.kitchenForm)" } ?? "" : ""
      parts.append("for \(servings.kitchenForm)\(written)")
    }
    if let minutes = content.prepMinutes { parts.append("prep \(minutes) min") }
    if let minutes = content.cookMinutes { parts.append("cook \(minutes) min") }
    if !content.tags.isEmpty { parts.append(content.tags.joined(separator: ", ")) }
    return parts.joined(separator: "; ")
  }

  /// The ingredient as it was written; when scaled, the parts understood, with the new amount. Numbers that
  /// do not scale are marked "as written".
  private func line(_ ingredient: Ingredient) -> String {
    let text = ingredient.text.onOneLine
    guard isScaled else { return text }
    let hasNumbers = { (text: String) in text.contains(where: \.isNumber) }
    // "1 kg" has no food, but is understood completely.
    let isUnderstood = ingredient.food != nil || Ingredient(parsing: text).food == nil
    guard let amount = ingredient.amount, isUnderstood else {
      return hasNumbers(text) ? "\(text) (as written)" : text
    }
    let range = ingredient.upperAmount.map { "\(amount.kitchenForm)–\($0.kitchenForm)" }
    let words = [range ?? amount.kitchenForm, ingredient.unit, ingredient.food].compactMap(\.self)
      .joined(separator: " ").onOneLine
    guard let note = ingredient.noteBesidesRange?.onOneLine else { return words }
    return hasNumbers(note) ? "\(words) (as written: \(text))" : "\(words), \(note)"
  }
}
