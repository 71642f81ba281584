import Values
public import Avro

/// A recipe read from foreign data: schema.org's Recipe in JSON-LD, or the JSON of Mealie or Paprika.
///
/// Pages disagree about the form of every field, so each form in use is accepted. ``leftOut`` names what has
/// no place in a ``RecipeContent``, so that nobody believes it was kept.
package struct RecipeImport: Hashable, Sendable {
  /// The part of the data that was read.
  package var content: RecipeContent
  /// The members that were not read, in the order of the data: `nutrition (an object)`.
  package var leftOut: [String]

  /// Every recipe in the data, in order: the value itself, or one inside arrays, `@graph` or any other
  /// member.
  ///
  /// - Throws: ``RecipeImportError`` when there is none, or when one has no name.
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

  /// A recipe that was found: a schema.org one still to be read, or one in a program's own form.
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
  /// Reads the first schema.org Recipe in JSON-LD; see ``RecipeImport`` for what is left out.
  ///
  /// - Throws: ``RecipeImportError`` when there is none, or when it has no name.
  public init(jsonLD json: JSON) throws(RecipeImportError) {
    guard let first = try RecipeImport.recipes(in: json).first else { throw .noRecipe }
    self = first.content
  }
}

/// A reason why no recipe could be read.
public enum RecipeImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data is well formed, but contains no Recipe.
  case noRecipe
  /// A recipe has no name.
  case untitled
  /// The text exceeds the size limit.
  case tooLarge
  /// The text is neither JSON nor a page that contains JSON-LD; the error says where parsing failed.
  case notJSON(JSONError)

  /// Whether the data exceeds a limit, rather than not being a recipe.
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
    case .tooLarge: "It is larger than \(Limit.pageBytes.maximum) bytes, too large for a recipe."
    case .notJSON(let error): "It is neither a page with JSON-LD nor JSON: \(error)."
    }
  }
}

extension JSON {
  /// The types of a JSON-LD object: `@type`, one or several, with or without the vocabulary's address.
  var schemaTypes: [Substring] {
    let names = self["@type"].map {
      $0.elements?.compactMap(\.text) ?? [$0.text].compactMap(\.self)
    }
    return (names ?? []).compactMap { $0.split { "/:#".contains($0) }.last }
  }
}
