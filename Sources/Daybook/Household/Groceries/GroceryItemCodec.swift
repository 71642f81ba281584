import Values
import Avro

/// The line that `item` names, on a list of one of the actor's households.
struct GroceryItemCodec: ColumnCodec {
  /// `item`, and `household`.
  var columns: [Column] {
    var item = Column("item", Key.self, isNeeded: true)
    item.schema = .object((item.schema.members ?? []) + [.init("entity", "grocery item")])
    return [item, Column("household", Household.ID?.self, "its household; may be left out")]
  }
  /// Two lines.
  var examples: (GroceryItemID, GroceryItemID) {
    let (first, second) = Key.examples
    return (GroceryItemID(.first, first), GroceryItemID(.first, second))
  }

  /// Reads the key.
  ///
  /// - Throws: a rejection that names the column.
  func read(_ reader: inout RequestReader) throws -> GroceryItemID? {
    guard let key = try reader.optionalKey("item") else { throw Rejection.missingField("item") }
    let state = reader.state
    let household = try reader.optionalKey("household").map { state.households.number(of: $0) }
    guard let actor = reader.actor else { throw Rejection.actorMissing }
    guard state.accounts.isThere(actor) else {
      throw Rejection.accountNotFound
    }
    let found = state.indexes.households.groceries.lines(of: key).first { line in
      (household == nil || household == line.household)
        && state.household(line.household, for: actor) != nil
        && state.groceryItem(GroceryItemID(line.list, key)) != nil
    }
    guard let found else { throw Rejection.groceryItemNotFound }
    return GroceryItemID(found.list, key)
  }

  /// Its key.
  func members(of value: GroceryItemID, in state: BookState) -> [JSON.Member] {
    [.init("item", value.key.json(state))]
  }
}
