import Avro
import Calendar
import Daybook
import DaybookStore
import Kitchen
import Values

/// A line of a grocery list.
struct GroceryItemThing {
  let list: NumberedEntity<GroceryList>
  let item: GroceryItem
  /// Its position on the list: lines from the meal plan come before those that members wrote.
  let place: Int
}

extension AppTable {
  /// The lines of grocery lists (MC-8).
  static var groceryItems: AppTable {
    let fields: [Field<GroceryItemThing>] = [
      Field("id", .freshKey) { $0.item.key },
      Field("grocery_list_id", isNullable: true) { $0.list.key },
      .household { $0.list.household }, Field("name") { $0.item.content.name },
      Field("quantity") { Decimal($0.item.content.amount) },
      Field("unit") { $0.item.content.unit }, .category(.other, \.item.content.category),
      Field("is_checked", .always(.bool(false))) { $0.item.isChecked },
      Field("is_manual", .null, .server) { $0.item.isManual },
      Field("sort_order", isNullable: true) { Int($0.item.content.order ?? Int64($0.place)) },
      Field("note") { $0.item.content.note },
      Field("created_at", .null, .once) { $0.item.created },
      Field("updated_at", .null, .server) { $0.item.updated },
    ]
    return AppTable(
      "grocery_items", fields,
      foreignKeys: [
        ForeignKey("grocery_list_id", of: "grocery_items", to: "grocery_lists", isChecked: false),
        ForeignKey("household_id", of: "grocery_items", to: "households", isChecked: false),
      ],
      writer: GroceryItemWriter(), touched: { touchedItems($0) },
      things: { view, bounds, take in
        let keys = bounds.keys("id").map { Set($0) }
        try view.forEachShared(.list, bounds, "grocery_list_id", in: view.state.lists) {
          list in
          // The list's index finds a line without a scan.
          if let keys, !keys.contains(where: { view.state.hasGroceryLine($0, on: list.number) }) {
            return
          }
          for (place, item) in list.items.enumerated() where item.status != .removed {
            guard keys?.contains(item.key) ?? true else { continue }
            try take(GroceryItemThing(list: list, item: item, place: place))
          }
        }
      })
  }

  private static func touchedItems(_ change: EntryChange) -> [TouchedRow] {
    let rows = { (number: GroceryList.ID, keys: Set<Values.Key>) -> [TouchedRow] in
      guard let list = change.after.lists[number] else { return [] }
      let audience = change.members(of: list.household)
      return keys.sorted().flatMap { key in
        EntryChange.row(["grocery_list_id": .uuid(list.key), "id": .uuid(key)], for: audience)
      }
    }
    let all = { (number: GroceryList.ID) -> [TouchedRow] in
      rows(number, Set(change.states.flatMap { $0.lists[number]?.items.map(\.key) ?? [] }))
    }
    switch change.entry.event {
    case .groceryItemAdded(let event): return rows(event.list, [event.key])
    case .groceryItemDescribed(let event): return rows(event.list, [event.item])
    case .groceryItemMarked(let event): return rows(event.list, [event.item])
    case .groceryListGenerated(let event): return all(event.list)
    case .groceryListDeleted(let event): return all(event.list)
    case .groceryListRestored(let event): return all(event.list)
    default:
      return change.shownOrHidden.flatMap { household in
        change.after.allEntities(.list, of: household).flatMap { number in
          GroceryList.ID(Int(number)).map(all) ?? []
        }
      }
    }
  }
}

/// Carries out members' writes to the lines of their grocery lists.
struct GroceryItemWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    var fields = row.filled(given).fields(Self.columns + ["created_at"])
    let list = try row.key("grocery_list_id").map { try self.list($0, write) }
    let asked = row.key("household_id")
    guard let household = list?.entity.household ?? (try? write.soleHousehold(asked)),
      let key = write.batch.state.households[household]?.key, asked.map({ $0 == key }) ?? true
    else { throw TableError.rowSecurity("grocery_items") }
    fields.append(JSON.Member("household", .string(key.description)))
    if let list { fields.append(JSON.Member("list", .string(list.key.description))) }
    if let id = row.key("id") { fields.append(JSON.Member("key", .string(id.description))) }
    let item = try write.record(AddGroceryItem.self, fields)
    if row.flag("is_checked") == true { try write.record(CheckGroceryItem(item)) }
    return [item.key.columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if ["id", "grocery_list_id", "household_id"].contains(where: changes.sets) {
      throw TableError.rowSecurity("grocery_items")
    }
    let item = try item(row, write)
    let fields = changes.fields(Self.columns)
    if !fields.isEmpty {
      let name = ["item": "id", "household": "household_id"].compactMap { field, column in
        row[column].map { JSON.Member(field, $0.field) }
      }
      try write.record(UpdateGroceryItem.self, name + fields)
    }
    switch changes.flag("is_checked") {
    case true: try write.record(CheckGroceryItem(item))
    case false: try write.record(UncheckGroceryItem(item))
    case nil: break
    }
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(RemoveGroceryItem(item(row, write)))
  }

  private static let columns = ["name", "quantity", "unit", "category", "note", "sort_order"]

  private func list(
    _ key: Values.Key, _ write: TableWrite
  ) throws(TableError) -> NumberedEntity<GroceryList> {
    let state = write.batch.state
    guard let number = state.lists.number(of: key), let list = state.lists[number],
      !list.isDeleted, state.household(list.household, for: write.viewer) != nil
    else { throw .rowSecurity("grocery_items") }
    return NumberedEntity(number: number, entity: list)
  }

  private func item(_ row: RowColumns, _ write: TableWrite) throws -> GroceryItemID {
    guard let key = row.key("id"), let list = row.key("grocery_list_id") else {
      throw Rejection.groceryItemNotFound
    }
    return GroceryItemID(try self.list(list, write).number, key)
  }
}
