import Kitchen
package import Avro

/// A list's row of `grocery_lists`.
struct GroceryListRow: RowForm {
  let list: GroceryList
  let household: Key?
  let creator: Key?
  let isCurrent: Bool
  let isStale: Bool

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == GroceryListRow {
    visitor.column("id", as: GroceryList.ID.self) { $0.list.key }
    visitor.column("household_id", as: Household.ID?.self) { $0.household }
    visitor.column("week_start") { $0.list.begins }
    visitor.column("is_current") { $0.isCurrent }
    visitor.column("meal_plan_hash") { $0.list.mealPlanHash }
    visitor.column("is_stale", "whether the meal plan has changed since") { $0.isStale }
    visitor.column("generated_at") { $0.list.generated }
    visitor.column("created_by", as: Account.ID?.self) { $0.creator }
    visitor.column("created_at") { $0.list.created }
    visitor.column("updated_at") { $0.list.updated }
  }
}

/// A line's row of `grocery_items`.
struct GroceryItemRow: RowForm {
  let item: GroceryItem
  let list: Key
  let household: Key?
  let order: Int64
  let sources: JSON
  let others: JSON?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == GroceryItemRow {
    visitor.column("id") { $0.item.key }
    visitor.column("list_id", as: GroceryList.ID.self) { $0.list }
    visitor.column("household_id", as: Household.ID?.self) { $0.household }
    visitor.column("name") { $0.item.content.name }
    visitor.column("quantity", as: Rational?.self) { $0.item.content.amount?.json }
    visitor.column("unit") { $0.item.content.unit }
    visitor.column("category", as: GroceryCategory.self) { $0.item.content.category.rawValue }
    visitor.column("is_checked") { $0.item.isChecked }
    visitor.column("is_manual") { $0.item.isManual }
    visitor.column("sort_order", "the client's value, or else its place in its category") {
      $0.order
    }
    visitor.column("note") { $0.item.content.note }
    visitor.column("sources", schema: GroceryItem.sourcesSchema, "") { $0.sources }
    visitor.column("created_at") { $0.item.created }
    visitor.column("updated_at") { $0.item.updated }
    visitor.optional(
      "others", schema: GroceryItem.othersSchema,
      "the amount in a second unit, if there is one"
    ) { $0.others }
  }
}

extension GroceryItem {
  fileprivate static var sourcesSchema: JSON { schema(of: \.sources) }
  fileprivate static var othersSchema: JSON { schema(of: \.content.others) }

  private static func schema<Value: JSONForm>(of path: KeyPath<GroceryItem, Value>) -> JSON {
    Value.jsonSchema
  }
}

extension BookState {
  /// The list's row of `grocery_lists`.
  package func groceryListRow(_ list: GroceryList) -> JSON { row(list).json }

  private func row(_ list: GroceryList) -> GroceryListRow {
    GroceryListRow(
      list: list, household: households[list.household]?.key,
      creator: accounts[list.creator]?.key,
      isCurrent: currentList(of: list.household)?.list.key == list.key, isStale: isStale(list))
  }

  /// The line's row of `grocery_items`.
  package func groceryItemRow(_ item: GroceryItem, place: Int, of list: GroceryList) -> JSON {
    row(item, place: place, of: list).json
  }

  private func row(_ item: GroceryItem, place: Int, of list: GroceryList) -> GroceryItemRow {
    let content = item.content
    let others: JSON? = content.others.isEmpty ? .none : content.others.json(self)
    return GroceryItemRow(
      item: item, list: list.key, household: households[list.household]?.key,
      order: content.order ?? Int64(place), sources: item.sources.json(self),
      others: others)
  }

  func groceryItemRow(_ id: GroceryItemID) -> JSON {
    guard let list = lists[id.list], let item = groceryItem(id),
      let place = place(of: id.key, in: id.list)
    else { return .null }
    let before = indexes.households.groceries.countShown(
      before: place, saying: item.content, in: id.list)
    return groceryItemRow(item, place: before, of: list)
  }

  var groceryListRows: [GroceryListRow] { shown(lists).map { row($0) } }

  var groceryItemRows: [GroceryItemRow] {
    shown(lists).flatMap { list in
      list.ordered.map {
        row($0.item, place: $0.place, of: list)
      }
    }.sorted { $0.item.key < $1.item.key }
  }
}

extension GroceryList: RowEntity {
  package func row(in state: BookState) -> JSON { state.groceryListRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable("grocery_lists", GroceryListRow.self, state.groceryListRows),
      RowTable("grocery_items", GroceryItemRow.self, state.groceryItemRows),
    ]
  }
}

extension GroceryItemID: RowAnswer {
  package func row(in state: BookState) -> JSON { state.groceryItemRow(self) }
}
