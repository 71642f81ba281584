import Calendar
import Daybook
import DaybookStore
import Values

extension Table {
  /// Grocery lists (MC-7). Which is the current one, and of which plan, the book tells.
  static var groceryLists: Table {
    let fields: [Field<Numbered<GroceryList>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("week_start", isNullable: true) { $0.weekStart },
      Field(
        "is_current", .null, .server,
        seen: { list, sight in
          sight.state.currentList(of: list.household)?.number == list.number
        }),
      Field("meal_plan_hash", .null, .server) { $0.mealPlanHash },
      Field("generated_at", .null, .server) { $0.generated },
      .account("created_by", .null, .server) { $0.creator },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      "grocery_lists", fields, of: .list, in: \.lists, writer: GroceryListWriter(),
      more: { change in
        // With a list that is made now, the one before it is the current one no more.
        guard let number = change.subject(.list, as: GroceryList.self),
          let household = change.after.lists[number]?.household
        else { return [] }
        return change.states.compactMap { $0.currentList(of: household)?.number }
      })
  }
}

/// Takes what members write of their grocery lists.
struct GroceryListWriter: TableWriter {
  func insert(
    _ row: RowColumns, said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value] {
    guard let household = try? write.soleHousehold(row.key("household_id")) else {
      throw TableError.rowSecurity("grocery_lists")
    }
    let list = try write.record(
      BeginGroceryList(
        of: household, week: row.day("week_start"), key: said.contains("id") ? row.key("id") : nil))
    return [(write.batch.state.lists[list]?.key).columnValue]
  }

  /// A list is what its lines say.
  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if let column = changes.differing(from: row).keys.min() {
      throw TableError.checkFailed(column, of: "grocery_lists")
    }
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let number = row.key("id").flatMap({ write.batch.state.lists.number(of: $0) }) else {
      throw Rejection.groceryListNotFound
    }
    try write.record(DeleteGroceryList(number))
  }
}

extension TableWrite {
  /// The household of a key, if one is a member of it; without a key the only one that one is a member of.
  func soleHousehold(_ key: Values.Key?) throws(Rejection) -> Household.ID {
    if key != nil { return try household(key) }
    let own = batch.state.households(of: viewer)
    guard let only = own.first else { throw .noHousehold }
    guard own.count == 1 else { throw .severalHouseholds }
    return only
  }
}
