package import Calendar
import Values

/// Records the plan from which an app made a grocery list that it plans itself (MC-7). The lines stay as they are.
package struct NoteMealPlan: Command {
  package var list: GroceryList.ID
  /// The app's own digest of the plan, which the book does not interpret; nothing for a list that was made from no
  /// plan.
  package var digest: String?
  /// When the list was made; the book's clock if not given, and never after it.
  package var generated: Instant?

  package init(_ list: GroceryList.ID, digest: String?, generated: Instant? = nil) {
    self.list = list
    self.digest = digest
    self.generated = generated
  }

  /// Decides the command; the answer is the list's number.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    guard let found = state.lists[list], !found.isDeleted else { throw .groceryListNotFound }
    _ = try state.ownHousehold(found.household, context)
    try Limit.name.check(digest, "meal_plan_hash")
    let isMade = digest != nil || generated != nil
    let made = isMade ? min(generated ?? context.at, context.at) : nil
    guard (digest, made) != (found.mealPlanHash, found.generated) else { return Decision([], list) }
    let noted = GroceryListGenerated(
      list: list, mealPlanHash: digest ?? "", items: found.planned.compactMap(\.plannedLine),
      generated: made)
    return Decision([.groceryListGenerated(noted)], list)
  }
}
