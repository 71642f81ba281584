import Avro

/// Reads recipes in the JSON of two programs that do not write schema.org's form: Mealie and Paprika.
enum ForeignRecipe {
  /// Reads a recipe in either form; `nil` if it is in neither.
  static func read(_ json: JSON) -> RecipeImport? {
    guard let title = json["name"]?.text?.plainText, !title.isEmpty else { return nil }
    if json["ingredients"]?.text != nil, json["directions"]?.text != nil {
      return paprika(json, title)
    }
    let isMealie = json["slug"]?.text != nil || json["orgURL"] != nil || json["org_url"] != nil
    guard isMealie, ingredients(of: json) != nil else { return nil }
    return mealie(json, title)
  }

  // MARK: Paprika

  /// Members that do not describe the dish.
  private static let paprikaRecords: Set = [
    "uid", "hash", "created", "photo_hash", "photo_large", "in_trash", "is_pinned",
    "on_favorites", "on_grocery_list", "scale", "deleted", "image_url",
  ]

  private static func paprika(_ json: JSON, _ title: String) -> RecipeImport {
    var reader = RecipeReader(json, passingOver: paprikaRecords)
    var content = RecipeContent(title: title)
    reader.markRead("name")
    content.sourceURL = reader.address("source_url")
    reader.markRead("source_url")
    content.sourceType = content.sourceURL == nil ? "file" : "url"
    content.ingredients = reader.lines("ingredients").map { Ingredient(parsing: $0) }
    content.steps = reader.steps("directions").map { RecipeStep($0) }
    content.tags = reader.words("categories")
    var notes: [String] = []
    for name in ["description", "notes"] { notes += reader.lines(name) }
    if content.sourceURL == nil, let source = reader.text("source") {
      notes.append("Source: \(source)")
    }
    reader.markRead("source")
    content.baseServings = reader.servings("servings", notes: &notes)
    content.prepMinutes = reader.minutes("prep_time")
    content.cookMinutes = reader.minutes("cook_time")
    return finish(content, &reader, total: "total_time", notes)
  }

  // MARK: Mealie

  private static let mealieRecords: Set = [
    "id", "userId", "user_id", "groupId", "group_id", "householdId", "household_id", "slug",
    "dateAdded", "date_added", "dateUpdated", "date_updated", "createdAt", "created_at",
    "updatedAt", "update_at", "updated_at", "lastMade", "last_made", "settings", "extras",
    "recipeYieldQuantity", "recipe_yield_quantity", "isOcrRecipe", "is_ocr_recipe", "image",
  ]

  private static func ingredients(of json: JSON) -> [JSON]? {
    (json["recipeIngredient"] ?? json["recipe_ingredient"])?.elements
  }

  private static func mealie(_ json: JSON, _ title: String) -> RecipeImport {
    var reader = RecipeReader(json, passingOver: mealieRecords)
    var content = RecipeContent(title: title)
    reader.markRead("name", "recipeIngredient", "recipe_ingredient")
    content.sourceURL = reader.address("orgURL", "org_url")
    reader.markRead("orgURL", "org_url")
    content.sourceType = content.sourceURL == nil ? "file" : "url"
    let lines = ingredients(of: json) ?? []
    content.ingredients = lines.compactMap(line).map { Ingredient(parsing: $0) }
    content.steps = reader.mealieSteps("recipeInstructions", "recipe_instructions")
      .map { RecipeStep($0) }
    content.tags = reader.words("recipeCategory", "recipe_category", "tags")
    var notes: [String] = []
    notes += reader.lines("description")
    notes += reader.mealieSteps("notes")
    content.baseServings =
      reader.servings("recipeServings", "recipe_servings", notes: &notes)
    let yield = reader.servings("recipeYield", "recipe_yield", notes: &notes)
    // Newer versions write 0 when only the yield is known.
    if content.baseServings == nil { content.baseServings = yield }
    content.prepMinutes = reader.minutes("prepTime", "prep_time")
    content.cookMinutes = reader.minutes("performTime", "perform_time", "cookTime", "cook_time")
    reader.markRead("cookTime", "cook_time", "performTime", "perform_time")
    var found = finish(content, &reader, total: "totalTime", notes)
    let headings = lines.count { $0["title"]?.text?.isEmpty == false }
    if headings > 0 { found.leftOut.append("headings of ingredients (\(headings))") }
    return found
  }

  /// The line of text of an ingredient that the program has split into parts.
  private static func line(_ json: JSON) -> String? {
    if let text = json.text { return text.plainText }
    let food = named(json["food"])
    guard !food.isEmpty else {
      let whole = ["display", "note", "originalText", "original_text"].lazy
        .compactMap { json[$0]?.text?.plainText }.first { !$0.isEmpty }
      return whole
    }
    let amount = json["quantity"].flatMap { Rational(json: $0) }.map(\.nearKitchenFraction)
    let isCounted = amount.map { $0.isPositive } ?? false
    let number = isCounted ? amount?.description ?? "" : ""
    let unit = isCounted ? named(json["unit"]) : ""
    let line = [number, unit, food].filter { !$0.isEmpty }.joined(separator: " ")
    let note = json["note"]?.text?.plainText ?? ""
    return note.isEmpty ? line : "\(line), \(note)"
  }

  private static func named(_ json: JSON?) -> String {
    (json?["name"]?.text ?? json?.text ?? "").plainText
  }

  private static func finish(
    _ content: RecipeContent, _ reader: inout RecipeReader, total: String, _ notes: [String]
  ) -> RecipeImport {
    var (content, notes) = (content, notes)
    if let minutes = reader.minutes(total, total == "totalTime" ? "total_time" : total),
      Int(minutes) != Int(content.prepMinutes ?? 0) + Int(content.cookMinutes ?? 0)
    {
      notes.append("Total time: \(minutes) min")
    }
    content.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
    return RecipeImport(content: content, leftOut: reader.leftOut)
  }
}

extension Rational {
  /// The third or sixth that a decimal of three or more places approximates; otherwise the number itself.
  fileprivate var nearKitchenFraction: Rational {
    guard denominator > 100 else { return self }
    for below: Int64 in [3, 6] {
      guard let times = multiplied(by: Rational(below)) else { continue }
      let (whole, rest) = times.wholeAndRest
      let near = rest > (Rational(1, over: 2) ?? .one) ? whole + 1 : whole
      guard let found = Rational(near, over: below), let far = times.adding(Rational(-near)),
        let most = Rational(1, over: 100)
      else { continue }
      if far < most, Rational.zero < (far.adding(most) ?? .zero) { return found }
    }
    return self
  }
}
