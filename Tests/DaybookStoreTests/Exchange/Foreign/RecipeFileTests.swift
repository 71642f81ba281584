import Archives
import Daybook
import DaybookStore
import Journal
import Testing

/// Recipes from Mealie and Paprika, and archives of recipes.
@Suite(.tags(.unit)) struct RecipeFileTests {
  private static func recipes(_ files: [(String, String)]) throws -> [RecipeImport] {
    let storage = MemoryStorage()
    let archive = StoredZip.archive(files.map { ($0.0, Array($0.1.utf8)) })
    try ExchangeWorld.write(archive, to: "recipes.zip", storage)
    return try RecipeFiles.found(at: "recipes.zip", storage: storage).map {
      guard case .recipe(let recipe, _) = $0 else { throw Rejection.recipeNotFound }
      return recipe
    }
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

  @Test func `a Paprika recipe is read, and its ignored fields are named`() throws {
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

  @Test func `a Mealie recipe is assembled from its parts`() throws {
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

  @Test func `all recipes of an archive are read, and other files are skipped`() throws {
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
  func `an unreadable time is left out and named`(text: String) throws {
    let recipe = Self.paprika.replacing("15 min", with: text)
    let found = try #require(try Self.recipes([("a.json", recipe)]).first)
    #expect(found.content.prepMinutes == nil)
    #expect(found.leftOut.contains("prep_time (a string)"))
  }

  @Test func `a recipe cut anywhere gives an error, never a trap`() {
    for text in [Self.paprika, Self.mealie] {
      for count in 0..<text.count {
        #expect(throws: ExchangeError.self) {
          try Self.recipes([("a.json", String(text.prefix(count)))])
        }
      }
    }
  }

  // MARK: Over a limit

  /// A recipe with a number of ingredients.
  private static func recipe(_ name: String, _ ingredientCount: Int = 1) -> String {
    let lines = Array(repeating: #""1 egg""#, count: ingredientCount).joined(separator: ",")
    return #"{"@type":"Recipe","name":"\#(name)","recipeIngredient":[\#(lines)]}"#
  }

  /// Imports an archive into a book with a household: first as a dry run, then for real, and again.
  ///
  /// - Returns: The answers to the dry run, which the import repeats, and the titles of the book's recipes.
  private static func imported(_ archive: [UInt8]) throws -> (told: [String], recipes: [String]) {
    let storage = MemoryStorage()
    try ExchangeWorld.write(archive, to: "all.zip", storage)
    let book = try ExchangeWorld.book()
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Europe/London"))
    let home = try book.record(CreateHousehold(name: "Home"), by: ada)
    let found = try RecipeFiles.found(at: "all.zip", storage: storage)
    func told(trying isTrial: Bool) throws -> [String] {
      try book.importRecipes(found, into: home, for: ada, trying: isTrial).map { recipe in
        switch recipe {
        case .kept(let recipe, _, let wasKnown): (wasKnown ? "= " : "+ ") + recipe.content.title
        case .leftOut(let file, let title, let refusal):
          "- \(title ?? "?") in \(file): \(refusal.code), \(refusal.message)"
        }
      }
    }
    let (before, tried) = (book.read { $0.position }, try told(trying: true))
    #expect(book.read { $0.position } == before)
    #expect(try told(trying: false) == tried)
    let after = book.read { $0.position }
    #expect(try told(trying: false) == tried.map { $0.hasPrefix("+") ? "=" + $0.dropFirst() : $0 })
    #expect(book.read { $0.position } == after)
    return (tried, book.read { $0.recipes.elements.map(\.content.title) })
  }

  @Test func `a recipe over a limit is named with its file, and the others are imported`() throws {
    let long = String(repeating: "x", count: 501)
    let step = String(repeating: "x", count: 10_001)
    let stew = #"{"@type":"Recipe","name":"Stew","recipeInstructions":["\#(step)"]}"#
    let page = "[\(stew),\(Self.recipe("Tea"))]"
    let files = [
      ("a.json", Self.recipe("Soup", 500)), ("b.json", Self.recipe("Feast", 501)),
      ("c.html", #"<script type="application/ld+json">\#(page)</script>"#),
      ("d.json", Self.recipe(long)),
      ("e.paprikarecipe", Self.paprika.replacing("Soup", with: "Broth")),
    ]
    let (told, recipes) = try Self.imported(
      StoredZip.archive(files.map { ($0.0, Array($0.1.utf8)) }))
    #expect(
      told == [
        "+ Soup",
        "- Feast in all.zip/b.json: too_many_ingredients, "
          + "ingredients: at most 500 are allowed; leave some out.",
        "- Stew in all.zip/c.html: text_too_long, "
          + "steps: it is longer than 10000 characters; make it shorter.",
        "+ Tea",
        "- \(long.dropLast()) in all.zip/d.json: title_too_long, "
          + "title: it is longer than 500 characters; make it shorter.",
        "+ Broth",
      ])
    #expect(recipes == ["Soup", "Tea", "Broth"])
  }

  @Test func `a recipe file that is too large or too deep is named and left out`() throws {
    let page = Self.recipe("Soup") + String(repeating: " ", count: 10_000_000)
    let storage = try ExchangeWorld.disk(["soup.json": page])
    guard
      case .overLimit("soup.json", let reason)? =
        try RecipeFiles.found(at: "soup.json", storage: storage).first
    else {
      Issue.record("the page is taken")
      return
    }
    #expect(reason == "It is larger than 10000000 bytes, too large for a recipe.")
    let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
    var archive = StoredZip.archive(
      [("b.json", deep), ("c.json", Self.recipe("Tea")), ("d.json", "{}")]
        .map { ($0.0, Array($0.1.utf8)) })
    #expect(
      try Self.imported(archive).told == [
        "- ? in all.zip/b.json: not_imported, It is neither a page with JSON-LD nor JSON: "
          + "not valid JSON at byte 128: nested more than 128 levels deep.",
        "+ Tea",
      ])
    // The archive's directory claims one byte more than 64 MiB for the last file.
    let entry = try #require(
      archive.indices.last { archive[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    archive.replaceSubrange(entry + 24..<entry + 28, with: [1, 0, 0, 4])
    let (told, recipes) = try Self.imported(archive)
    #expect(
      told.first
        == "- ? in all.zip/d.json: not_imported, The archive expands to more than 67108864 bytes.")
    #expect(told.count == 3 && recipes == ["Tea"])
  }

  @Test func `a recipe that breaks any other rule is named, and none is imported`() throws {
    let archive = StoredZip.archive(
      [("a.json", Self.recipe("Tea")), ("b.json", Self.recipe(#"Pie\u0007"#))]
        .map { ($0.0, Array($0.1.utf8)) })
    let error = #expect(throws: ExchangeError.self) { try Self.imported(archive) }
    #expect(error?.code == "invalid_title")
    #expect(
      error?.description.hasPrefix(#""Pie\u0007" in all.zip/b.json: title: "#) == true,
      "\(error?.description ?? "")")
    #expect(error?.description.hasSuffix("Nothing was imported.") == true)
  }
}
