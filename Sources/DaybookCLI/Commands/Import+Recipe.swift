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
        no place in a recipe is named. A recipe that was imported before, by its address and its title, is left alone. \
        When one cannot be kept, none of the file is.
        """)

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var home: HouseholdOptions
    @Argument(help: "The file: a page (.html) or JSON-LD (.json).", completion: .file())
    var file: String
    @OptionGroup var clock: ClockOptions

    mutating func run() throws {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw Failure("file_not_found", "Could not read \(file); check the path.")
      }
      let found: [RecipeImport]
      do { found = try RecipeImport.recipes(inText: String(decoding: bytes, as: UTF8.self)) } catch
      {
        throw Failure("no_recipe", "\(file): \(error)")
      }
      let at = try clock.instant()
      let book = try options.open()
      // All of the file or nothing, so that who tries again knows what is there.
      let imported = try book.transaction { (batch: inout Batch) in
        try found.map { recipe in
          let account = try actor.account(in: batch.state)
          let household = try home.find(in: batch.state, for: account)
          let key = recipe.key(in: batch.state.households[household], of: batch.state)
          let isKnown = batch.state.recipes.number(of: key) != nil
          let command = CreateRecipe(in: household, key: key, recipe.content)
          return (recipe, isKnown, command, try batch.record(command, by: account, at: at))
        }
      }
      guard options.json else {
        for (recipe, isKnown, _, _) in imported { Output.line(words(of: recipe, isKnown)) }
        return
      }
      let answers = book.read { state in
        imported.map { recipe, isKnown, command, number -> JSON in
          [
            "ok": command.row(of: number, in: state),
            "left_out": .array(recipe.leftOut.map { .string($0) }), "was_known": .bool(isKnown),
          ]
        }
      }
      Output.line(JSON.array(answers).encoded)
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
