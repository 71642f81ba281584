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
        line; a line that is not understood is kept as it stands. Data that has no place in a recipe is named. A recipe \
        that was imported before, known by its address and its title, is left alone. A recipe over a limit is left out, \
        and named with its file. When a recipe cannot be kept for another reason, none of the file is kept.
        """)

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var home: HouseholdOptions
    @Argument(
      help: "The file: a page (.html), JSON, .paprikarecipes, or an archive.", completion: .file())
    var file: String
    @OptionGroup var clock: ClockOptions
    @OptionGroup var trial: TrialOptions

    func run() throws {
      let found = try RecipeFiles.found(at: file)
      let at = try clock.instant { try actor.dayClock(in: options) }
      let book = try options.open()
      let (account, household) = try book.read { state in
        let account = try actor.account(in: state)
        return (account, try home.find(in: state, for: account))
      }
      let recipes = try book.importRecipes(
        found, into: household, for: account, at: at, trying: trial.dryRun)
      if options.json {
        Output.line(JSON.array(recipes.map { $0.json(trying: trial.dryRun) }).encoded)
      } else {
        for recipe in recipes { Output.line(words(of: recipe)) }
      }
      guard recipes.contains(where: \.isKept) else { throw ExitCode(1) }
    }

    private func words(of recipe: ImportedRecipe) -> String {
      switch recipe {
      case .kept(let recipe, row: _, wasKnown: true):
        "\(recipe.content.title) was imported before; it is left alone."
      case .kept(let recipe, row: _, wasKnown: false):
        "\(trial.verb("", "Would import "))\(recipe.content.title): "
          + "\(recipe.content.ingredients.count.counted("ingredient")), "
          + "\(recipe.content.steps.count.counted("step"))."
          + (recipe.leftOut.isEmpty
            ? "" : " Left out: \(recipe.leftOut.joined(separator: ", ")).")
      case .leftOut(let file, let title, let refusal):
        (title.map { "\(quoted($0)) in " } ?? "")
          + "\(file) \(trial.verb("is", "would be")) left out: \(refusal.message)"
      }
    }
  }
}
