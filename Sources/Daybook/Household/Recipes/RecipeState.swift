public import Kitchen

/// A recipe of a household (MC-4).
public typealias Recipe = HouseholdItem<RecipeContent>

extension RecipeContent: HouseholdItemContent {
  /// "recipe-number".
  public static var entityName: StaticString { "recipe-number" }
  /// "Recipe".
  public static var itemRecordName: String { "Recipe" }
  /// Its title.
  public var displayName: String { title }
}

extension RecipeContent: RowContent {}

extension RecipeContent: StoredContent {
  static var kind: EntityKind { .recipe }
  static var table: WritableKeyPath<BookState, Table<Recipe>> { \.recipes }
  static var column: StaticString { "recipe" }
  static var countField: StaticString { "recipes" }
  static var notFound: Rejection { .recipeNotFound }
  static var commands: [any ColumnCommand.Type] {
    [CreateRecipe.self, UpdateRecipe.self, DeleteRecipe.self]
  }
  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("recipes", of: Recipe.self, in: state)]
  }

  static func creation(of lost: LostEntity) -> Event {
    .recipeCreated(
      RecipeCreated(of: lost) { ($0.household, $0.content.title) = (lost.household, lost.name) })
  }
}

extension RecipeCreated: ItemCreationEvent {}

extension RecipeDescribed: ItemContentEvent {
  static var number: Number { \.recipe }
  var changed: Recipe.ID { recipe }
}

extension RecipeDeleted: DeletionEvent {
  static var number: Number { \.recipe }
  var changed: Recipe.ID { recipe }
}

extension RecipeRestored: RestorationEvent {
  static var number: Number { \.recipe }
  var changed: Recipe.ID { recipe }
}
