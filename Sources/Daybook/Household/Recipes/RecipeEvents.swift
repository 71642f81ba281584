public import Values
public import Kitchen
import Avro

/// A member created a recipe of the household (MC-4).
public struct RecipeCreated: EventRecord {
  /// The client's name for the recipe.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that created it.
  public var owner: Account.ID = .placeholder
  /// The content of the recipe.
  public var content: RecipeContent = .placeholder
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "RecipeCreated" }
  var verb: String { "added" }
  /// The household of the recipe.
  public var home: Household.ID? { household }
  static let ownerDoc = "who kept it"
}

/// A recipe's content changed; the event holds all of it as it is now.
public struct RecipeDescribed: EventRecord {
  /// The recipe.
  public var recipe: Recipe.ID = .placeholder
  /// The content of the recipe.
  public var content: RecipeContent = .placeholder

  public static var recordName: String { "RecipeDescribed" }
}

/// A recipe was deleted; meals that were planned with it keep its title, in the same commit.
public struct RecipeDeleted: EventRecord {
  /// The recipe.
  public var recipe: Recipe.ID = .placeholder

  public static var recordName: String { "RecipeDeleted" }
}

/// A deleted recipe was restored.
public struct RecipeRestored: EventRecord {
  /// The recipe.
  public var recipe: Recipe.ID = .placeholder

  public static var recordName: String { "RecipeRestored" }
}
