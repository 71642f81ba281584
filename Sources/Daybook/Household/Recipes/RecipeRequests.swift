public import Avro

extension CreateRecipe: RequestBody {
  /// `household`, `key`, `title`, `source_url`, `source_type`, `base_servings`, `ingredients`, `steps`, `tags`,
  /// `prep_time`, `cook_time` (minutes), `notes`.
  ///
  /// An ingredient is a line of text, or an object of `quantity`, `unit`, `name`, `category`, `note`, `recipe_id`
  /// and `text`.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    self.init(
      in: household, key: try reader.optionalKey("key"),
      RecipeContent(
        title: try reader.text("title"), sourceURL: try reader.optionalText("source_url"),
        sourceType: try reader.optionalText("source_type"),
        baseServings: try reader.rationalEdit("base_servings").applied(to: nil),
        ingredients: try reader.ingredients().applied(to: []),
        steps: try reader.texts("steps").applied(to: []),
        tags: try reader.texts("tags").applied(to: []),
        prepMinutes: try reader.minutes("prep_time").applied(to: nil),
        cookMinutes: try reader.minutes("cook_time").applied(to: nil),
        notes: try reader.optionalText("notes")))
  }

  /// The recipe's row.
  public func row(of answer: Recipe.ID, in state: State) -> JSON { state.recipeRow(answer) }
}

extension UpdateRecipe: RequestBody {
  /// `recipe`, and of the fields of `create_recipe` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.recipe())
    title = try reader.textEdit("title")
    sourceURL = try reader.clearableEdit("source_url")
    sourceType = try reader.clearableEdit("source_type")
    baseServings = try reader.rationalEdit("base_servings")
    ingredients = try reader.ingredients()
    steps = try reader.texts("steps")
    tags = try reader.texts("tags")
    prepMinutes = try reader.minutes("prep_time")
    cookMinutes = try reader.minutes("cook_time")
    notes = try reader.clearableEdit("notes")
  }

  /// The recipe's row.
  public func row(of answer: Recipe.ID, in state: State) -> JSON { state.recipeRow(answer) }
}

extension DeleteRecipe: RequestBody {
  /// `recipe`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.recipe()) }

  /// The key of what is gone.
  public func row(of answer: Recipe.ID, in state: State) -> JSON {
    ["id": .key(state.recipes[answer]?.key), "deleted": true]
  }
}

extension RequestReader {
  /// The recipe that a field names by key.
  mutating func recipe(_ name: String = "recipe") throws -> Recipe.ID {
    try thing(name, in: state.recipes, missing: .recipeNotFound)
  }

  /// An exact number, `1.5` or `"3/2"`; null for none.
  mutating func rationalEdit(_ name: String) throws(Rejection) -> Edit<Rational?> {
    try edit(name, "a number such as 1.5 or \"3/2\", or null") { json in
      if case .null = json { return .some(nil) }
      return Rational(json: json).map { .some($0) }
    }
  }

  fileprivate mutating func minutes(_ name: String) throws(Rejection) -> Edit<Int32?> {
    try edit(name, "a whole number of minutes, or null") { json in
      if case .null = json { return .some(nil) }
      return json.integer.flatMap { Int32(exactly: $0) }.map { .some($0) }
    }
  }

  fileprivate mutating func texts(_ name: String) throws(Rejection) -> Edit<[String]> {
    try edit(name, "a list of strings") { json in
      guard let elements = json.elements else { return nil }
      let texts = elements.compactMap(\.text)
      return texts.count == elements.count ? texts : nil
    }
  }

  fileprivate mutating func ingredients() throws(Rejection) -> Edit<[Ingredient]> {
    try edit("ingredients", "a list of lines, or of objects of quantity, unit, name and so on") {
      json in
      guard let elements = json.elements else { return nil }
      let ingredients = elements.compactMap { Ingredient($0) }
      return ingredients.count == elements.count ? ingredients : nil
    }
  }
}

extension Ingredient {
  private static let names: Set<String> = [
    "text", "quantity", "unit", "name", "note", "category", "recipe_id",
  ]

  /// An ingredient as a client says it: a line, or its parts; `nil` when it is neither.
  fileprivate init?(_ json: JSON) {
    if let line = json.text {
      self.init(parsing: line)
      return
    }
    guard let members = json.members, members.allSatisfy({ Self.names.contains($0.name) }),
      let text = json.part("text", \.text), let unit = json.part("unit", \.text),
      let food = json.part("name", \.text), let note = json.part("note", \.text),
      let amount = json.part("quantity", { Rational(json: $0) }),
      let category = json.part("category", { $0.text.flatMap(GroceryCategory.init(rawValue:)) }),
      let recipe = json.part("recipe_id", { $0.text.flatMap { Key($0) } })
    else { return nil }
    if let text, members.count == 1 {
      self.init(parsing: text)
      return
    }
    self.init(
      text: text ?? Self.words(amount, unit, food, note), amount: amount, unit: unit, food: food,
      note: note, category: category, recipe: recipe)
  }
}

extension JSON {
  /// A member that may be absent or null; `nil` when it is something else than asked for.
  fileprivate func part<Value>(_ name: String, _ read: (JSON) -> Value?) -> Value?? {
    guard let json = self[name], json != .null else { return .some(nil) }
    return read(json).map { .some($0) }
  }
}
