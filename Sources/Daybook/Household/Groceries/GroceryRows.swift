import Kitchen
package import Avro

extension BookState {
  /// The list's row of `grocery_lists`.
  package func groceryListRow(_ list: GroceryList) -> JSON {
    [
      "id": .key(list.key), "household_id": .key(households[list.household]?.key),
      "week_start": .day(list.weekStart),
      "is_current": .bool(currentList(of: list.household)?.list.key == list.key),
      "meal_plan_hash": .text(list.mealPlanHash), "is_stale": .bool(isStale(list)),
      "generated_at": .instant(list.generated),
      "created_by": .key(accounts[list.creator]?.key), "created_at": .instant(list.created),
      "updated_at": .instant(list.updated),
    ]
  }

  /// The line's row of `grocery_items`; `sort_order` is what a client said, otherwise its place in its category.
  /// `others` is there only when something of it is bought in a second measure.
  package func groceryItemRow(_ item: GroceryItem, place: Int, of list: GroceryList) -> JSON {
    let content = item.content
    var row: [JSON.Member] = [
      .init("id", .key(item.key)), .init("list_id", .key(list.key)),
      .init("household_id", .key(households[list.household]?.key)),
      .init("name", .string(content.name)), .init("quantity", content.amount?.json ?? .null),
      .init("unit", .text(content.unit)), .init("category", .string(content.category.rawValue)),
      .init("is_checked", .bool(item.isChecked)), .init("is_manual", .bool(item.isManual)),
      .init("sort_order", .number(content.order ?? Int64(place))),
      .init("note", .text(content.note)),
      .init("sources", item.sources.json(self)), .init("created_at", .instant(item.created)),
      .init("updated_at", .instant(item.updated)),
    ]
    if !content.others.isEmpty { row.append(.init("others", content.others.json(self))) }
    return .object(row)
  }

  func groceryItemRow(_ id: GroceryItemID) -> JSON {
    guard let list = lists[id.list], let item = groceryItem(id),
      let place = place(of: id.key, in: id.list)
    else { return .null }
    let before = householdIndex.groceries.countShown(
      before: place, saying: item.content, in: id.list)
    return groceryItemRow(item, place: before, of: list)
  }

  var groceryListRows: [JSON] { shown(lists).map { groceryListRow($0) } }

  var groceryItemRows: [JSON] {
    shown(lists).flatMap { list in
      list.ordered.map {
        (key: $0.item.key, row: groceryItemRow($0.item, place: $0.place, of: list))
      }
    }.sorted { $0.key < $1.key }.map(\.row)
  }

  /// The pantry staple's row of `pantry_staples`.
  package func pantryStapleRow(_ pantryStaple: PantryStaple) -> JSON {
    .object(pantryStaple.members(in: self))
  }

  var pantryStapleRows: [JSON] { shown(pantryStaples).map { pantryStapleRow($0) } }
}

extension ColumnCommand where Answer == GroceryList.ID {
  /// The list's row.
  package func row(of answer: GroceryList.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.groceryListRow($0) }
  }
}

extension ColumnCommand where Answer == GroceryItemID {
  /// The line's row.
  package func row(of answer: GroceryItemID, in state: BookState) -> JSON {
    state.groceryItemRow(answer)
  }
}
