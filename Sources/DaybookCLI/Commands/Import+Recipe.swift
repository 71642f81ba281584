import ArgumentParser
import Avro
import Daybook
import DaybookStore
import Foundation

extension Import {
  struct RecipeFile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recipe",
      abstract: "Import recipes: a saved web page, schema.org JSON-LD, Mealie or Paprika.",
      discussion: """
        An archive, such as a .paprikarecipes file or Mealie's export, is read as it is. Ingredients are read line by \
        line; a line that is not understood is kept as it stands. What of the data has no place in a recipe is named. A \
        recipe that was imported before, by its address and its title, is left alone. When one cannot be kept, none of \
        the file is.
        """)

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var home: HouseholdOptions
    @Argument(
      help: "The file: a page (.html), JSON, .paprikarecipes, or an archive.", completion: .file())
    var file: String
    @OptionGroup var clock: ClockOptions
    @OptionGroup var trial: TrialOptions

    /// A recipe of the file, and what is kept of it now.
    private struct Kept: Sendable {
      var recipe: RecipeImport
      var isKnown: Bool
      var row: JSON
    }

    func run() throws {
      let found = try RecipeFiles.recipes(at: file)
      let at = try clock.instant { try actor.dayClock(in: options) }
      let book = try options.open()
      // All of the file or nothing, so that who tries again knows what is there.
      let kept = try book.transaction(trying: trial.dryRun) { (batch: inout Batch) in
        try found.map { recipe in
          let account = try actor.account(in: batch.state)
          let household = try home.find(in: batch.state, for: account)
          let key = recipe.key(in: batch.state.households[household], of: batch.state)
          let command = CreateRecipe(in: household, key: key, recipe.content)
          let known = batch.state.recipes.number(of: key)
          // It may have been changed here since, and stays so.
          let number = try known ?? batch.record(command, by: account, at: at)
          return Kept(
            recipe: recipe, isKnown: known != nil, row: command.row(of: number, in: batch.state))
        }
      }
      guard options.json else {
        for found in kept { Output.line(words(of: found.recipe, found.isKnown)) }
        return
      }
      let answers = kept.map { found -> JSON in
        [
          "ok": found.row, "left_out": .array(found.recipe.leftOut.map { .string($0) }),
          "was_known": .bool(found.isKnown), "dry_run": .bool(trial.dryRun),
        ]
      }
      Output.line(JSON.array(answers).encoded)
    }

    private func words(of recipe: RecipeImport, _ isKnown: Bool) -> String {
      let content = recipe.content
      if isKnown { return "\(content.title) was imported before; it is left alone." }
      let leftOut =
        recipe.leftOut.isEmpty ? "" : " Left out: \(recipe.leftOut.joined(separator: ", "))."
      return
        "\(trial.verb("", "Would import "))\(content.title): "
        + "\(content.ingredients.count.counted("ingredient")), "
        + "\(content.steps.count.counted("step")).\(leftOut)"
    }
  }
}
