import Values
public import Avro

/// A recipe that was found in data of others: schema.org's Recipe, in JSON-LD, or Mealie's and Paprika's own JSON.
///
/// Pages disagree on every field of it, so each is taken in all the forms that are in use. What has no place in a
/// ``RecipeContent`` is named in ``leftOut``, so that nobody believes it was kept.
package struct RecipeImport: Hashable, Sendable {
  /// What could be taken.
  package var content: RecipeContent
  /// What was not taken, in the order of the data: `nutrition (an object)`.
  package var leftOut: [String]

  /// Every recipe in the data, in their order: the value itself, in arrays, under `@graph` or any other member.
  ///
  /// - Throws: ``RecipeImportError`` when there is none, or one that has no name.
  package static func recipes(in json: JSON) throws(RecipeImportError) -> [RecipeImport] {
    var found: [Found] = []
    collect(from: json, into: &found)
    guard !found.isEmpty else { throw .noRecipe }
    var recipes: [RecipeImport] = []
    for recipe in found {
      switch recipe {
      case .schema(let json): recipes.append(try RecipeImport(recipe: json))
      case .own(let foreign): recipes.append(foreign)
      }
    }
    return recipes
  }

  /// What was found: a recipe of schema.org, to be read yet, or one in a program's own form.
  private enum Found {
    case schema(JSON)
    case own(RecipeImport)
  }

  init(content: RecipeContent, leftOut: [String]) {
    self.content = content
    self.leftOut = leftOut
  }

  private static func collect(from json: JSON, into found: inout [Found]) {
    switch json {
    case .object(let members):
      if json.schemaTypes.contains("Recipe") {
        found.append(.schema(json))
      } else if let foreign = ForeignRecipe.read(json) {
        found.append(.own(foreign))
      } else {
        for member in members { collect(from: member.value, into: &found) }
      }
    case .array(let elements):
      for element in elements { collect(from: element, into: &found) }
    default: break
    }
  }

  private init(recipe json: JSON) throws(RecipeImportError) {
    var reader = RecipeReader(json)
    guard let title = reader.text("name", "headline", "title") else { throw .untitled }
    var content = RecipeContent(title: title)
    content.sourceURL = reader.address("url", "mainEntityOfPage", "@id")
    content.sourceType = content.sourceURL == nil ? "file" : "url"
    content.ingredients = reader.lines("recipeIngredient", "ingredients").map {
      Ingredient(parsing: $0)
    }
    content.steps = reader.steps("recipeInstructions", "step").map { RecipeStep($0) }
    content.tags = reader.words("keywords", "recipeCategory", "recipeCuisine")
    var notes: [String] = []
    if let description = reader.text("description") { notes.append(description) }
    content.baseServings = reader.servings("recipeYield", "yield", notes: &notes)
    content.prepMinutes = reader.minutes("prepTime")
    content.cookMinutes = reader.minutes("cookTime", "performTime")
    if let total = reader.minutes("totalTime"),
      Int(total) != Int(content.prepMinutes ?? 0) + Int(content.cookMinutes ?? 0)
    {
      notes.append("Total time: \(total) min")
    }
    content.notes = notes.isEmpty ? nil : notes.joined(separator: "\n")
    self.content = content
    leftOut = reader.leftOut
  }
}

extension RecipeContent {
  /// The first schema.org Recipe in JSON-LD; ``RecipeImport`` says what of it was left out.
  ///
  /// - Throws: ``RecipeImportError`` when there is none, or one that has no name.
  public init(jsonLD json: JSON) throws(RecipeImportError) {
    guard let first = try RecipeImport.recipes(in: json).first else { throw .noRecipe }
    self = first.content
  }
}

/// Why no recipe could be taken.
public enum RecipeImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data is well formed, but there is no Recipe in it.
  case noRecipe
  /// A recipe has no name.
  case untitled
  /// The text is larger than is read.
  case tooLarge
  /// The text is neither JSON nor a page with JSON-LD in it; says where it goes wrong.
  case notJSON(JSONError)

  /// Whether the text is over a limit, and not wrong in another way.
  package var isOverLimit: Bool {
    switch self {
    case .tooLarge: true
    case .notJSON(let error): error.isTooDeep
    case .noRecipe, .untitled: false
    }
  }

  /// A sentence for people.
  public var description: String {
    switch self {
    case .noRecipe: "There is no recipe in it: no schema.org Recipe, and none of Mealie or Paprika."
    case .untitled: "A recipe in it has no name."
    case .tooLarge: "It is larger than \(Limit.pageBytes.maximum) bytes, which no recipe is."
    case .notJSON(let error): "It is neither a page with JSON-LD nor JSON: \(error)."
    }
  }
}

extension JSON {
  /// What a JSON-LD object says it is: `@type`, one or many, with or without its vocabulary's address.
  var schemaTypes: [Substring] {
    let names = self["@type"].map {
      $0.elements?.compactMap(\.text) ?? [$0.text].compactMap(\.self)
    }
    return (names ?? []).compactMap { $0.split { "/:#".contains($0) }.last }
  }
}
