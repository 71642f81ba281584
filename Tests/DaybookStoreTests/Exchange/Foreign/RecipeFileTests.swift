import Archives
import Daybook
import DaybookStore
import Journal
import Testing

/// Recipes of Mealie and Paprika, and archives of recipes.
@Suite(.tags(.unit)) struct RecipeFileTests {
  private static func recipes(_ files: [(String, String)]) throws -> [RecipeImport] {
    let storage = MemoryStorage()
    let archive = StoredZip.archive(files.map { ($0.0, Array($0.1.utf8)) })
    try ExchangeWorld.write(archive, to: "recipes.zip", storage)
    return try RecipeFiles.recipes(at: "recipes.zip", storage: storage)
  }

  private static let paprika = """
    {"uid":"1","hash":"2","name":"Soup","ingredients":"3 leeks\\n\\n½ l milk","directions":"Chop.\\nBoil.",
     "servings":"Serves 4","prep_time":"15 min","cook_time":"1 hr 20 mins","source":"Grandma","categories":["Soup"],
     "notes":"Good","rating":5,"photo_data":"AAAA","nutritional_info":"","difficulty":null,"created":"2020-01-01 10:00:00"}
    """
  private static let mealie = """
    {"id":"1","slug":"cookies","name":"Cookies","orgURL":"https://example.org/cookies","recipeYield":"2 dozen",
     "recipeServings":24,"prepTime":"15 minutes","performTime":"PT10M","totalTime":"45 Minutes","tags":[{"name":"Sweet"}],
     "recipeCategory":[{"name":"Baking"}],"tools":[],"rating":4,"description":"Crisp",
     "recipeIngredient":[
       {"quantity":0.333,"unit":{"name":"cup"},"food":{"name":"sugar"},"note":"brown","title":"Dough"},
       {"quantity":2,"unit":null,"food":{"name":"eggs"},"note":""},
       {"quantity":0,"unit":null,"food":null,"note":"","display":"a pinch of salt"}],
     "recipeInstructions":[{"title":"Mix","text":"Stir all.","summary":""},{"title":"","text":"Bake."}],
     "notes":[{"title":"Tip","text":"Cool them."}]}
    """

  @Test func `a recipe of Paprika is read, and what has no place in it is named`() throws {
    let found = try #require(try Self.recipes([("Soup.json", Self.paprika)]).first)
    let content = found.content
    #expect(content.title == "Soup" && content.sourceURL == nil && content.tags == ["Soup"])
    #expect(content.ingredients.map(\.text) == ["3 leeks", "½ l milk"])
    #expect(content.steps == ["Chop.", "Boil."])
    #expect(content.baseServings == Rational(4))
    #expect(content.prepMinutes == 15 && content.cookMinutes == 80)
    #expect(content.notes == "Good\nSource: Grandma")
    #expect(found.leftOut == ["rating (a number)", "photo_data (a string)"])
  }

  @Test func `a recipe of Mealie is put together again from its parts`() throws {
    let found = try #require(try Self.recipes([("cookies/cookies.json", Self.mealie)]).first)
    let content = found.content
    #expect(content.sourceURL == "https://example.org/cookies")
    #expect(
      content.ingredients.map(\.text) == ["1/3 cup sugar, brown", "2 eggs", "a pinch of salt"])
    #expect(content.steps == ["Mix:", "Stir all.", "Bake."])
    #expect(content.baseServings == Rational(24))
    #expect(content.prepMinutes == 15 && content.cookMinutes == 10)
    #expect(content.tags == ["Baking", "Sweet"])
    #expect(content.notes == "Crisp\nTip:\nCool them.\nYield: 2 dozen\nTotal time: 45 min")
    #expect(found.leftOut == ["rating (a number)", "headings of ingredients (1)"])
  }

  @Test func `an archive gives all of its recipes, and passes over what is none`() throws {
    let found = try Self.recipes([
      ("b.json", Self.mealie), ("a.paprikarecipe", Self.paprika), ("settings.json", "{\"a\":1}"),
      ("picture.jpg", "?"),
    ])
    #expect(found.map(\.content.title) == ["Soup", "Cookies"])
    let none = #expect(throws: ExchangeError.self) { try Self.recipes([("a.json", "{}")]) }
    #expect(none?.description.contains("there is no recipe in it") == true)
    let backup = #expect(throws: ExchangeError.self) { try Self.recipes([("database.json", "{}")]) }
    #expect(backup?.description.contains("export the recipes instead") == true)
    let broken = #expect(throws: ExchangeError.self) { try Self.recipes([("a.json", "{")]) }
    #expect(broken?.description.contains("recipes.zip/a.json") == true)
  }

  @Test(arguments: [
    ("15 min", 15), ("1 hr 20 mins", 80), ("1½ Std.", 90), ("45", 45), ("2 days", 2880),
    ("1 hour and 5 minutes", 65), ("0.5 min", 1),
  ])
  func `times are read as people write them`(text: String, minutes: Int32) throws {
    let recipe = Self.paprika.replacing("15 min", with: text)
    #expect(try Self.recipes([("a.json", recipe)]).first?.content.prepMinutes == minutes)
  }

  @Test(arguments: ["soon", "-5 min", "5 6", "10 parsecs", "9999999 days"])
  func `what is no time is left out, and named`(text: String) throws {
    let recipe = Self.paprika.replacing("15 min", with: text)
    let found = try #require(try Self.recipes([("a.json", recipe)]).first)
    #expect(found.content.prepMinutes == nil)
    #expect(found.leftOut.contains("prep_time (a string)"))
  }

  @Test func `a recipe that is cut anywhere ends in an error, never in a trap`() {
    for text in [Self.paprika, Self.mealie] {
      for count in 0..<text.count {
        #expect(throws: ExchangeError.self) {
          try Self.recipes([("a.json", String(text.prefix(count)))])
        }
      }
    }
  }
}
