import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation

extension Import {
  struct RecipeFile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recipe",
      abstract: "Import recipes from a web page's file, or from schema.org JSON-LD.",
      discussion: """
        Ingredients are read line by line; a line that is not understood is kept as it stands. What of the data has \
        no place in a recipe is named. A recipe that was imported before, by its address and its title, is left alone.
        """)

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var home: HouseholdOptions
    @Argument(help: "The file: a page (.html) or JSON-LD (.json).", completion: .file())
    var file: String
    @Option(help: "The book's clock (default: now).")
    var at: String?

    mutating func run() throws {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw Failure("file_not_found", "Could not read \(file); check the path.")
      }
      let found: [RecipeImport]
      do { found = try RecipeImport.recipes(inText: String(decoding: bytes, as: UTF8.self)) } catch
      {
        throw Failure("no_recipe", "\(file): \(error)")
      }
      let at = try TimeArgument.instant(at, "--at")
      let book = try options.open()
      var answers: [JSON] = []
      for recipe in found {
        let (account, command, isKnown) = try book.read { state in
          let account = try actor.account(in: state)
          let household = try home.find(in: state, for: account)
          let key = recipe.key(in: state.households[household], of: state)
          let command = CreateRecipe(in: household, key: key, recipe.content)
          return (account, command, state.recipes.number(of: key) != nil)
        }
        let receipt = try book.commit(command, by: account, at: at)
        answers.append([
          "ok": book.read { command.row(of: receipt.answer, in: $0) },
          "left_out": .array(recipe.leftOut.map { .string($0) }), "was_known": .bool(isKnown),
        ])
        if !options.json { Output.line(words(of: recipe, isKnown)) }
      }
      if options.json { Output.line(JSON.array(answers).encoded) }
    }

    private func words(of recipe: RecipeImport, _ isKnown: Bool) -> String {
      let content = recipe.content
      if isKnown { return "\(content.title) was imported before; it is left alone." }
      let leftOut =
        recipe.leftOut.isEmpty ? "" : " Left out: \(recipe.leftOut.joined(separator: ", "))."
      return
        "\(content.title): \(content.ingredients.count.counted("ingredient")), "
        + "\(content.steps.count.counted("step")).\(leftOut)"
    }
  }
}
