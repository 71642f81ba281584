import Avro
import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct RecipeImportTests {
  private func only(_ text: String) throws -> RecipeImport {
    let recipes = try RecipeImport.recipes(inText: text)
    #expect(recipes.count == 1)
    return try #require(recipes.first)
  }

  @Test func `a whole recipe is imported, and ignored fields are named (MC-4)`() throws {
    let found = try only(
      #"""
      {"@context": "https://schema.org", "@type": "Recipe", "name": "Gr&uuml;ne So&szlig;e",
       "url": "https://example.org/sosse", "recipeYield": "4 servings", "prepTime": "PT20M",
       "cookTime": "PT1H5M", "totalTime": "PT1H25M", "description": "Frankfurt&#39;s own.",
       "recipeIngredient": ["500 g Joghurt", "&frac12; Bund <b>Dill</b>"],
       "recipeInstructions": [{"@type": "HowToStep", "text": "Chop."}, {"@type": "HowToStep", "text": "Stir."}],
       "keywords": "herbs, Spring", "recipeCategory": ["Sauce", "spring"],
       "image": ["https://example.org/a.jpg"], "nutrition": {"@type": "NutritionInformation"}}
      """#)
    #expect(
      found.content
        == RecipeContent(
          title: "Grüne Soße", sourceURL: "https://example.org/sosse", sourceType: "url",
          baseServings: Rational(4),
          ingredients: [Ingredient(parsing: "500 g Joghurt"), Ingredient(parsing: "½ Bund Dill")],
          steps: ["Chop.", "Stir."], tags: ["herbs", "Spring", "Sauce"], prepMinutes: 20,
          cookMinutes: 65, notes: "Frankfurt's own."))
    #expect(found.leftOut == ["image (an array)", "nutrition (an object)"])
  }

  @Test(arguments: [
    #"{"@type":"Recipe","name":"A"}"#,
    #"[{"@type":"WebSite","name":"S"},{"@type":["Thing","Recipe"],"name":"A"}]"#,
    #"{"@graph":[{"@type":"WebPage"},{"@type":"http://schema.org/Recipe","name":"A"}]}"#,
    #"{"@type":"WebPage","mainEntity":{"@type":"schema:Recipe","name":["A","B"]}}"#,
    "\u{FEFF} {\"@type\":\"Recipe\",\"name\":\"A\",\"description\":\"of\n lines\"}",
  ])
  func `a recipe is found anywhere in the data (MC-4)`(text: String) throws {
    #expect(try only(text).content.title == "A")
  }

  @Test(
    arguments: [
      (#""4 servings""#, "4", nil), (#"["4", "4 servings"]"#, "4", nil), ("4", "4", nil),
      (#""Serves 4-6""#, "4", nil), (#""für 4 Personen""#, "4", nil), ("2.5", "5/2", nil),
      (#"["12 cookies"]"#, nil, "Yield: 12 cookies"), (#""a tin""#, nil, "Yield: a tin"),
      (#""1 tart, serves 10""#, "10", "Yield: 1 tart, serves 10"),
      (#""Makes 2 dozen""#, nil, "Yield: Makes 2 dozen"),
      (#""One 20-cm cake""#, nil, "Yield: One 20-cm cake"),
      (#""10 minutes""#, nil, "Yield: 10 minutes"), (#""serves four""#, "4", "Yield: serves four"),
      (#""4 generous servings (1 l)""#, "4", "Yield: 4 generous servings (1 l)"),
      (#""Ergibt 1 Kuchen für 12 Personen""#, "12", "Yield: Ergibt 1 Kuchen für 12 Personen"),
      (#""2 pies, serves 9""#, "9", "Yield: 2 pies, serves 9"),
      (#""Serves a crowd""#, nil, "Yield: Serves a crowd"), (#""Makes 4""#, nil, "Yield: Makes 4"),
      (#""Pour 6 personnes""#, "6", nil), (#""4 porzioni""#, "4", nil),
      (#"["1 loaf", "8 servings"]"#, "8", "Yield: 1 loaf"),
      (#"["2", "1 loaf"]"#, "2", "Yield: 1 loaf"),
      (#"{"@type":"QuantitativeValue","value":6}"#, "6", nil),
      ("0", nil, nil), (#""""#, nil, nil), ("null", nil, nil),
    ] as [(String, String?, String?)])
  func `a yield may have many forms (MC-4)`(yield: String, servings: String?, notes: String?) throws
  {
    let content = try only(#"{"@type":"Recipe","name":"A","recipeYield":\#(yield)}"#).content
    #expect(content.baseServings == servings.flatMap { Rational($0) })
    #expect(content.notes == notes)
  }

  @Test(arguments: [
    (#""Chop.\nStir.\n\n""#, ["Chop.", "Stir."]),
    (#""<p>Chop.</p><p>Stir &lt;well&gt;.</p>""#, ["Chop.", "Stir <well>."]),
    (#"["Chop.", "Stir."]"#, ["Chop.", "Stir."]),
    (
      #"[{"@type":"HowToStep","name":"Chop."},{"text":"Stir.","name":"Second"}]"#,
      ["Chop.", "Stir."]
    ),
    (
      #"[{"@type":"HowToSection","name":"Dough","itemListElement":[{"@type":"HowToStep","text":"Knead."}]},"Bake."]"#,
      ["Dough:", "Knead.", "Bake."]
    ),
    (
      #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"text":"Chop."}}]}"#,
      ["Chop."]
    ),
    (
      #"{"@type":"HowToStep","itemListElement":[{"@type":"HowToDirection","text":"Chop."}]}"#,
      ["Chop."]
    ),
    ("[]", []),
  ])
  func `instructions may have many forms (MC-4)`(instructions: String, steps: [String]) throws {
    let recipe = try only(#"{"@type":"Recipe","name":"A","recipeInstructions":\#(instructions)}"#)
    #expect(recipe.content.steps.map(\.text) == steps)
    #expect(recipe.leftOut == [])
  }

  @Test(arguments: [
    ("PT1H30M", 90), ("P0DT0H45M", 45), ("PT90M", 90), ("PT1.5H", 90), ("P1D", 1440),
    ("P1W", 10080),
    ("pt20m", 20), ("20 min", 20), ("PT45S", 1), ("PT0S", 0),
  ])
  func `durations follow ISO 8601, or everyday words (MC-4)`(
    duration: String, minutes: Int32
  ) throws {
    let recipe = try only(#"{"@type":"Recipe","name":"A","prepTime":"\#(duration)"}"#)
    #expect(recipe.content.prepMinutes == minutes)
    #expect(recipe.leftOut == [])
  }

  @Test(arguments: [
    "a while", "P", "PT", "P1Y", "P1M", "PT1M1H", "PT-5M", "PT1H1H", "P99999999W", "P1DT", "PT1X",
  ])
  func `an unreadable duration is left out, and named (MC-4)`(duration: String) throws {
    let recipe = try only(#"{"@type":"Recipe","name":"A","prepTime":"\#(duration)"}"#)
    #expect(recipe.content.prepMinutes == nil)
    #expect(recipe.leftOut == ["prepTime (a string)"])
  }

  @Test func `a page's recipe is found in its script (MC-4)`() throws {
    let page = """
      <!DOCTYPE html><html><head><script>var a = "<b>";</script>
      <script type='application/ld+json'>{ this is no JSON</script>
      <SCRIPT id="x" TYPE="application/ld+json">
      //<![CDATA[
      {"@graph": [{"@type": "Recipe", "name": "Soup", "recipeIngredient": "1 l water
      2 carrots"}]}
      //]]>
      </SCRIPT></head><body>1 < 2</body></html>
      """
    #expect(try only(page).content.title == "Soup")
    #expect(try only(page).content.sourceType == "file")
    #expect(throws: RecipeImportError.noRecipe) { try RecipeImport.recipes(inText: "<p>Soup</p>") }
  }

  @Test func `text without a recipe is refused with the reason`() {
    #expect(throws: RecipeImportError.noRecipe) { try RecipeContent(jsonLD: ["a": 1]) }
    #expect(throws: RecipeImportError.untitled) { try RecipeContent(jsonLD: ["@type": "Recipe"]) }
    #expect(throws: RecipeImportError.self) { try RecipeImport.recipes(inText: "Soup") }
    #expect(throws: RecipeImportError.self) {
      try RecipeImport.recipes(inText: "<script type=\"application/ld+json\">{</script>")
    }
  }

  @Test func `a huge yield and very many tags are read in linear time`() throws {
    let digits = String(repeating: "1", count: 100_000)
    let words = (0..<30_000).map { "word \($0)" }
    let json: JSON = [
      "@type": "Recipe", "name": "Soup", "recipeYield": .string(digits),
      "keywords": .string((words + words).joined(separator: ",")),
    ]
    let content = try RecipeContent(jsonLD: json)
    #expect(content.baseServings == nil && content.notes == "Yield: \(digits)")
    #expect(content.tags == words)
  }

  @Test func `a malformed number is skipped as a whole`() throws {
    for (yield, servings) in [("1,500 or 4", "4"), ("1,500", nil), ("for 2,5", "5/2")] {
      let json: JSON = ["@type": "Recipe", "name": "Soup", "recipeYield": .string(yield)]
      #expect(
        try RecipeContent(jsonLD: json).baseServings == servings.flatMap { Rational($0) },
        "\(yield)")
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `unclosed tags are read in linear time`() throws {
    let text = String(repeating: "<a", count: 60_000)
    let json: JSON = ["@type": "Recipe", "name": "Soup", "description": .string("<b>x</b>\(text)")]
    #expect(try RecipeContent(jsonLD: json).notes == "x\(text)")
  }

  @Test func `any text is read or refused`() {
    let report = check("no text traps", Food.pages, cases: 3_000) { text in
      _ = try? RecipeImport.recipes(inText: text)
    }
    #expect(report.passed, "\(report)")
  }
}
