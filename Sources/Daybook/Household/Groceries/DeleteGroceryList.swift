public import Avro

/// Throws a grocery list away with all its lines; time travel finds it. What was bought is asked for again by the next
/// list that is made for its week.
public struct DeleteGroceryList: ColumnCommand {
  /// The list.
  package var list: GroceryList.ID

  /// Makes the command.
  public init(_ list: GroceryList.ID) { self.list = list }

  /// "delete_grocery_list".
  package static let form = CommandForm(
    "delete_grocery_list", "Throws a grocery list away with all its lines.",
    answer: "id, deleted")
  /// Of no list yet.
  public static var defaults: DeleteGroceryList { DeleteGroceryList(.placeholder) }

  /// `list`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("list"), &list)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<GroceryList.ID> {
    _ = try state.ownEntity(list, in: state.lists, context, missing: .groceryListNotFound)
    return Decision([.groceryListDeleted(GroceryListDeleted(list: list))], list)
  }
}
