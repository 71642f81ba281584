/// Deletes a grocery list with all its lines; as-of queries still find it. The next list that is generated for its week
/// asks for things that were bought already, too.
public struct DeleteGroceryList: BareEntityCommand {
  package var thing: GroceryList.ID

  public init(_ list: GroceryList.ID) { thing = list }

  package static let form = CommandForm(
    "delete_grocery_list", "Deletes a grocery list with all its lines.",
    answer: "id, deleted")

  func events(_ found: GroceryList, _ state: BookState, _ context: Context) -> [Event] {
    [.groceryListDeleted(GroceryListDeleted(list: thing))]
  }
}
