/// Throws a grocery list away with all its lines; time travel finds it. What was bought is asked for again by the next
/// list that is made for its week.
public struct DeleteGroceryList: BareThingCommand {
  /// The list.
  package var thing: GroceryList.ID

  public init(_ list: GroceryList.ID) { thing = list }

  package static let form = CommandForm(
    "delete_grocery_list", "Throws a grocery list away with all its lines.",
    answer: "id, deleted")

  func events(_ found: GroceryList, _ state: BookState, _ context: Context) -> [Event] {
    [.groceryListDeleted(GroceryListDeleted(list: thing))]
  }
}
