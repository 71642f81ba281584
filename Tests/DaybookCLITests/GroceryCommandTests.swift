import Avro
import Foundation
import Testing

/// A week is planned, shopped for and reviewed on the command line.
@Suite(.tags(.program)) struct GroceryCommandTests {
  private static let page = """
    <html><script type="application/ld+json">
    {"@type": "Recipe", "name": "Leek soup", "recipeYield": "4", "image": "soup.jpg",
     "recipeIngredient": ["3 leeks", "&frac12; l milk", "1 tsp salt"],
     "recipeInstructions": "Chop.\\nBoil."}
    </script></html>
    """

  /// Ada's household, with soup on Wednesday and pancakes on Tuesday.
  private func week() throws -> Program { try Program(with: Self.week.get()) }

  private static let week = Result {
    let daybook = try AdasBook().daybook
    try Data(page.utf8).write(to: URL(fileURLWithPath: daybook.path("soup.html")))
    for words in [
      ["household", "create", "Home"], ["import", "recipe", "soup.html"],
      [
        "recipe", "add", "Pancakes", "--servings", "2", "--ingredient", "250 ml milk",
        "--ingredient", "2 eggs",
      ],
      ["plan", "add", "Pancakes", "2026-03-03", "--servings", "4"],
      ["plan", "add", "Leek", "2026-03-04"], ["pantry", "add", "salt"],
      ["pantry", "add", "1 egg"], ["pantry", "edit", "egg", "--name", "eggs"],
      ["groceries", "generate", "--week", "2026-03-04"],
    ] {
      let run = try daybook.run(words + ["--at", "2026-03-01T09:00:00Z"])
      try #require(run.status == 0, "\(words): \(run.output)\(run.error)")
    }
    return try daybook.files()
  }

  @Test func `a written line is parsed, and found again by its words (MC-8)`() throws {
    let ada = try AdasBook()
    try expect(
      """
      $ household create Home
      Home is a household now. Add others: `daybook household add PERSON`.
      $ groceries add "ein halbes Pfund Butter"
      0.5 Pfund Butter is on the list.
      $ groceries add "2 and a half cups flour"
      2 ½ cups flour is on the list.
      $ groceries add "1–2 onions"
      2 onions, 1–2 is on the list.
      $ groceries choose --aside
      The list of the week of 2026-03-02 is set aside.
      % groceries
      All lists are set aside. Shop by one again: `daybook groceries choose --week DAY`.
      $ groceries choose
      The list of the week of 2026-03-02 is the one to shop by.
      $ groceries choose --aside
      The list of the week of 2026-03-02 is set aside.
      $ groceries add tea
      tea is on the list.
      % groceries
      Home, week of 2026-03-02: 0 of 4 in the basket
      produce
        [ ] 2 onions, 1–2
      dairy
        [ ] 0.5 Pfund Butter
      pantry
        [ ] 2 ½ cups flour
        [ ] tea
      """, of: ada, at: "2026-03-02T08:00:00Z")
    // The effects of one command are undone together.
    try expect(
      """
      $ undo
      Undone: entry 11.
        Groceries of 2026-03-02: set aside
        Groceries of 2026-03-02: tea removed
      % groceries
      All lists are set aside. Shop by one again: `daybook groceries choose --week DAY`.
      $ groceries add soap --week 2026-03-09
      soap is on the list.
      $ groceries add wax --week 2026-03-16
      wax is on the list.
      $ groceries choose --week 2026-03-02
      The list of the week of 2026-03-02 is the one to shop by.
      $ undo
      Undone: entry 20.
        Groceries of 2026-03-02: set aside
        Groceries of 2026-03-09: chosen again
        Groceries of 2026-03-16: chosen again
      """, of: ada, at: "2026-03-02T08:00:00Z")
  }

  @Test func `an export does not replace a special file`() throws {
    let ada = try AdasBook()
    let pipe = ada.daybook.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let run = try ada.daybook.run(["export", "--output", pipe])
    #expect(run.status != 0 && run.error.contains("is not a file"), "\(run.error)")
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `a list is shown by category, with its progress and its meals (MC-7, MC-8)`() throws {
    let daybook = try week()
    #expect(
      try daybook("groceries", "--sources").output == """
        Home, week of 2026-03-02: 0 of 4 in the basket
        look at home first
          [ ] 1 tsp salt  (1 tsp Leek soup 2026-03-04)
        produce
          [ ] 3 leeks  (3 Leek soup 2026-03-04)
        dairy
          [ ] 3 eggs  (4 Pancakes 2026-03-03)
          [ ] 1 l milk  (500 ml Pancakes 2026-03-03, 0.5 l Leek soup 2026-03-04)

        """)
    #expect(
      try daybook("pantry").output == """
        food  there is     category
        eggs  1            pantry
        salt  not counted  pantry

        """)
    let rows = try daybook("groceries", "--json").json()
    #expect(rows["items"]?.elements?.map { $0["quantity"] } == [1, 3, 3, 1])
    #expect(
      rows["items"]?.elements?.map { $0["aisle"] } == [
        "verify_pantry", "dairy", "produce", "dairy",
      ])
    #expect(rows["list"]?["is_stale"] == false)
  }

  @Test func `a week's list is shopped from and kept in the past (MC-7, MC-8)`() throws {
    let daybook = try week()
    let said = { (words: String...) throws in
      try daybook.run(words + ["--at", "2026-03-02T09:00:00Z"]).output
    }
    #expect(try said("groceries", "check", "milk") == "1 l milk is in the basket.\n")
    #expect(try said("groceries", "check", "leek") == "3 leeks is in the basket.\n")
    #expect(
      try said("groceries", "edit", "salt", "--category", "pantry", "--note", "sea")
        == "1 tsp salt, sea is on the list.\n")
    #expect(
      try said("groceries", "add", "2 rolls of paper, white")
        == "2 rolls paper, white is on the list.\n")
    #expect(try said("groceries", "remove", "egg") == "3 eggs is off the list.\n")
    #expect(try said("plan", "edit", "Pancakes", "--servings", "6").isEmpty == false)
    let stale = try daybook("groceries").output
    #expect(stale.hasSuffix("pantry changed since; `daybook groceries generate` updates it.\n"))
    #expect(
      try said("groceries", "generate", "--week", "2026-03-02")
        == "The list of the week of 2026-03-02: 5 lines, 4 still to buy.\n")
    #expect(
      try daybook("groceries").output == """
        Home, week of 2026-03-02: 1 of 5 in the basket
        produce
          [x] 3 leeks
        dairy
          [ ] 5 eggs
          [ ] 1.25 l milk
        pantry
          [ ] 1 tsp salt, sea
        other
          [ ] 2 rolls paper, white

        """)
    #expect(
      try daybook("groceries", "--as-of", "2026-03-01T12:00:00Z").lines.first
        == "Home, week of 2026-03-02: 0 of 4 in the basket")
    #expect(try said("groceries", "uncheck", "leek") == "3 leeks is to be bought.\n")
    #expect(try said("pantry", "remove", "salt") == "salt is no longer kept.\n")
    #expect(try daybook("verify").status == 0)
  }

  @Test
  func `a food keeps its chosen category in later weeks, and each line states its origin (MC-8)`()
    throws
  {
    let daybook = try week()
    let said = { (words: String...) throws in
      try daybook.run(words + ["--at", "2026-03-02T09:00:00Z"]).output
    }
    _ = try said("groceries", "edit", "milk", "--category", "pantry")
    _ = try said("groceries", "add", "Cheddar 200 g")
    _ = try said("plan", "add", "Leek", "2026-03-11")
    _ = try said("groceries", "generate", "--week", "2026-03-11")
    _ = try said("groceries", "add", "oat milk")
    #expect(
      try daybook("groceries", "--why").output == """
        Home, week of 2026-03-09: 0 of 4 in the basket
        look at home first
          [ ] 1 tsp salt  (1 tsp Leek soup 2026-03-11)
        produce
          [ ] 3 leeks  (3 Leek soup 2026-03-11)
        pantry
          [ ] 0.5 l milk  (0.5 l Leek soup 2026-03-11)
          [ ] oat milk  (a member wrote it)

        """)
    #expect(
      try daybook("groceries", "--week", "2026-03-02").output.contains(
        "dairy\n  [ ] 3 eggs\n  [ ] 200 g Cheddar\n"))
  }

  @Test func `lines of the same name are told apart by their amounts (MC-8)`() throws {
    let daybook = try AdasBook().daybook
    let said = { (words: String...) throws in
      let run = try daybook.run(words + ["--at", "2026-03-02T09:00:00Z"])
      return run.output + run.error
    }
    _ = try said("household", "create", "Home")
    for line in ["1 cup rice", "500 g rice", "rice wine", "2 eggs"] {
      #expect(try said("groceries", "add", line) == "\(line) is on the list.\n")
    }
    let refused = try said("groceries", "check", "rice")
    #expect(refused.contains(#""1 cup rice" ("#) && refused.contains(#"or "500 g rice" ("#))
    #expect(!refused.contains("wine"))
    #expect(try said("groceries", "check", "500 G rice") == "500 g rice is in the basket.\n")
    // Neither line is found by its number: the first starts with 1, and "2" would match the eggs.
    #expect(!refused.contains(#"1 "1 cup"#) && !refused.contains(#"2 "500"#))
    // A line in the basket no longer makes the word ambiguous.
    #expect(try said("groceries", "check", "rice") == "1 cup rice is in the basket.\n")
    #expect(
      try said("groceries", "check", "").contains("No line's name has a word that begins with"))
    #expect(try said("groceries", "uncheck", "egg") == "2 eggs is to be bought.\n")
    _ = try said("groceries", "uncheck", "1 cup")
    #expect(try said("groceries", "uncheck", "rice") == "500 g rice is to be bought.\n")
    #expect(try said("groceries", "edit", "egg", "--quantity", "none") == "eggs is on the list.\n")
    #expect(
      try daybook("household", "history", "--limit", "6", "--json").json().elements?
        .map { $0["name"]?.text } == [
          "2026-03-02: eggs", "2026-03-02: 500 g rice (open)", "2026-03-02: 1 cup rice (open)",
          "2026-03-02: 1 cup rice (checked)", "2026-03-02: 500 g rice (checked)",
          "2026-03-02: 2 eggs",
        ])
    // The whole shown amount comes before the name.
    _ = try said("groceries", "add", "rice")
    #expect(try said("groceries", "check", "rice") == "rice is in the basket.\n")
  }

  @Test func `a short number selects one of several lines (MC-8)`() throws {
    let daybook = try AdasBook().daybook
    let said = { (words: String...) throws in
      let run = try daybook.run(words + ["--at", "2026-03-02T09:00:00Z"])
      return run.output + run.error
    }
    _ = try said("household", "create", "Home")
    for line in ["rye bread", "3 leeks", "white bread", "bread rolls"] {
      _ = try said("groceries", "add", line)
    }
    #expect(
      try said("groceries", "check", "bread")
        == "bread rolls is in the basket.\n", "the line that begins so")
    #expect(
      try said("groceries", "uncheck", "b") == "bread rolls is to be bought.\n")
    _ = try said("groceries", "add", "bread crumbs")
    let refused = try said("groceries", "remove", "bread")
    #expect(refused.contains(#""bread" may be 4 "bread rolls" or 5 "bread crumbs""#), "\(refused)")
    #expect(try said("groceries", "remove", "5") == "bread crumbs is off the list.\n")
    #expect(try said("groceries", "check", "3") == "3 leeks is in the basket.\n")
    #expect(try said("groceries", "check", "4") == "bread rolls is in the basket.\n")
  }

  @Test func `an impossible request is refused in one sentence`() throws {
    let daybook = try AdasBook().daybook
    #expect(try daybook("groceries").error.contains("daybook household create"))
    try daybook("household", "create", "Home")
    #expect(try daybook("groceries").output.contains("daybook groceries generate"))
    #expect(try daybook("pantry").output.contains("daybook pantry add"))
    #expect(try daybook("groceries", "check", "milk").error.contains("The list is empty"))
    #expect(try daybook("import", "recipe", "none.html").error.contains("check the path"))
    try Data("<p>Soup</p>".utf8).write(to: URL(fileURLWithPath: daybook.path("none.html")))
    let run = try daybook("import", "recipe", "none.html")
    #expect(run.status == 1)
    #expect(run.error.contains("no schema.org Recipe"))
    #expect(try daybook("pantry", "edit", "x", "--quantity", "much").status == 2)
    #expect(try daybook("groceries", "add", "tea", "--category", "shelf").status == 2)
  }

  @Test func `the recipes of a file are all imported, or none (MC-4)`() throws {
    let daybook = try week()
    let page = { (second: String) in
      let recipes = ["Cake", second].map {
        #"{"@type":"Recipe","name":"\#($0)","url":"https://x.example/p","recipeIngredient":["1 egg"]}"#
      }
      try Data("[\(recipes.joined(separator: ","))]".utf8)
        .write(to: URL(fileURLWithPath: daybook.path("two.json")))
    }
    // No title may contain control characters.
    try page(#"Pie\u0007"#)
    let refused = try daybook("import", "recipe", "two.json")
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(refused.error.contains(#""Pie\u0007" in two.json: title: "#), "\(refused.error)")
    #expect(try !daybook("recipes").output.contains("Cake"))
    try page("Pie")
    #expect(
      try daybook("import", "recipe", "two.json").lines
        == ["Cake: 1 ingredient, 0 steps.", "Pie: 1 ingredient, 0 steps."])
  }

  @Test func `a recipe over a limit is left out and named, and the others are kept (MC-4)`() throws
  {
    let daybook = try week()
    let recipe = { (name: String, count: Int) in
      let lines = Array(repeating: #""1 egg""#, count: count).joined(separator: ",")
      return #"{"@type":"Recipe","name":"\#(name)","recipeIngredient":[\#(lines)]}"#
    }
    let write = { (text: String) in
      try Data(text.utf8).write(to: URL(fileURLWithPath: daybook.path("many.json")))
    }
    let why = "left out: ingredients: at most 500 are allowed; leave some out."
    try write("[\(recipe("Feast", 501)),\(recipe("Cake", 1))]")
    let tried = try daybook("import", "recipe", "many.json", "--dry-run")
    #expect(
      tried.lines == [
        "\"Feast\" in many.json would be \(why)", "Would import Cake: 1 ingredient, 0 steps.",
      ])
    #expect(try !daybook("recipes").output.contains("Cake"))
    let kept = try daybook("import", "recipe", "many.json")
    #expect(kept.status == 0)
    #expect(
      kept.lines == ["\"Feast\" in many.json is \(why)", "Cake: 1 ingredient, 0 steps."])
    let answer = try daybook("import", "recipe", "many.json", "--json").json().elements
    #expect(
      answer?.first == [
        "error": [
          "code": "too_many_ingredients",
          "message": "ingredients: at most 500 are allowed; leave some out.",
          "field": "ingredients",
        ], "file": "many.json", "title": "Feast", "dry_run": false,
      ])
    #expect(answer?.last?["was_known"] == true)
    // An import that takes nothing is a failure.
    try write(recipe("Feast", 501))
    let nothing = try daybook("import", "recipe", "many.json")
    #expect(nothing.status == 1 && nothing.lines == ["\"Feast\" in many.json is \(why)"])
  }

  @Test func `an amount that cannot be scaled is marked as written (MC-5)`() throws {
    let daybook = try AdasBook().daybook
    try daybook("household", "create", "Home")
    let lines = ["1 kg", "½", "2-3 carrots", "100g/4oz butter", "salt", "2 eggs, large"]
    _ = try daybook.run(
      ["recipe", "add", "Stew", "--servings", "3"] + lines.flatMap { ["--ingredient", $0] })
    #expect(
      try daybook("recipe", "Stew", "--servings", "9").lines.dropFirst() == [
        "  3 kg", "  1 ½", "  6–9 carrots", "  300 g butter (as written: 100g/4oz butter)",
        "  salt", "  6 eggs, large",
      ])
    #expect(
      try daybook("recipe", "Stew", "--servings", "3").lines.dropFirst()
        == lines.map { "  \($0)" }[...])
    try daybook("plan", "add", "Stew", "2026-03-03", "--servings", "9")
    try daybook("groceries", "generate", "--week", "2026-03-03")
    #expect(
      try daybook("groceries", "--week", "2026-03-03").lines.filter { $0.contains("×") }
        == ["  [ ] 3 × 1 kg", "  [ ] 3 × ½"])
  }

  @Test func `a recipe is imported once, and ignored fields are named (MC-4)`() throws {
    let daybook = try week()
    #expect(
      try daybook("import", "recipe", "soup.html").output
        == "Leek soup was imported before; it is left alone.\n")
    let answer = try daybook("import", "recipe", "soup.html", "--json").json().elements?.first
    #expect(answer?["was_known"] == true)
    #expect(answer?["left_out"] == ["image (a string)"])
    #expect(answer?["ok"]?["steps"] == ["Chop.", "Boil."])
  }

  @Test func `a repeated command does not affect another entity (HH-26)`() throws {
    let daybook = try week()
    for name in ["milk", "milk chocolate"] { try daybook("groceries", "add", name) }
    for name in ["Water", "Water the plants"] {
      try daybook("chores", "add", name)
      try daybook("task", "add", name)
    }
    for words in [
      ["groceries", "check", "milk"], ["chores", "done", "Water"], ["task", "done", "Water"],
    ] {
      let first = try daybook.run(words).output
      #expect(first.hasPrefix("\(words[2]) is "))
      #expect(try daybook.run(words).output.hasPrefix("\(words[2]) is "))
    }
    let lines = try #require(try daybook("groceries", "--json").json()["items"]?.elements)
    #expect(lines.filter { $0["is_checked"] == true }.map { $0["name"] } == ["milk"])
  }

  @Test func `lines are selected by their shown text, and identical ones are interchangeable`()
    throws
  {
    let daybook = try week()
    for text in ["2 l milk, organic", "bread", "bread"] { try daybook("groceries", "add", text) }
    #expect(
      try daybook("groceries", "check", "2 l milk, organic").output
        == "2 l milk, organic is in the basket.\n")
    #expect(try daybook("groceries", "remove", "bread").output == "bread is off the list.\n")
    #expect(try daybook("groceries").output.contains("[ ] bread"))
    let history = try daybook("household", "history").output
    #expect(history.contains("2026-03-02: bread (removed)"))
  }

  @Test func `generate --next makes the list of the following week`() throws {
    let daybook = try week()
    let words = ["groceries", "generate", "--next", "--at", "2026-03-01T09:00:00Z"]
    #expect(try daybook.run(words).output.hasPrefix("The list of the week of 2026-03-02: 4 lines"))
    #expect(try daybook.run(words + ["--week", "2026-03-02"]).status == 2)
    let empty = try daybook("groceries", "generate", "--week", "2026-05-04").output
    #expect(empty.hasPrefix("Nothing is to be bought in the week of 2026-05-04"))
  }
}
