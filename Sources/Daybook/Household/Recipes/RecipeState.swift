public import Kitchen

/// How a household cooks something (MC-4).
public typealias Recipe = HouseholdItem<RecipeContent>

extension RecipeContent: HouseholdItemContent {
  /// "recipe-number".
  public static var entityName: StaticString { "recipe-number" }
  /// "Recipe".
  public static var itemRecordName: String { "Recipe" }
  /// Its title.
  public var displayName: String { title }
}

extension BookState {
  mutating func apply(_ event: RecipeCreated, _ head: EntryHead) {
    create(
      Recipe(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        at: head.at))
  }

  mutating func apply(_ event: RecipeDescribed, _ head: EntryHead) {
    update(event.recipe) { $0.setContent(event.content, at: head.at) }
  }

  mutating func apply(_ event: RecipeDeleted, _ head: EntryHead) {
    update(event.recipe) { $0.delete(at: head.at) }
  }

  mutating func apply(_ event: RecipeRestored, _ head: EntryHead) {
    update(event.recipe) { $0.restore(at: head.at) }
  }
}
