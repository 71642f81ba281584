import Calendar
import Daybook
import DaybookStore
import Values

extension Table {
  /// Grocery lists (MC-7). The current one is the one made last of those that nobody set aside.
  static var groceryLists: Table {
    let fields: [Field<Numbered<GroceryList>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("week_start", isNullable: true) { $0.begins },
      Field(
        "is_current", isNullable: true,
        seen: { list, sight in
          sight.state.currentList(of: list.household)?.number == list.number
        }),
      Field("meal_plan_hash") { $0.mealPlanHash }, Field("generated_at") { $0.generated },
      .account("created_by", .caller, .once) { $0.creator },
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
        of: household, from: row.day("week_start"), key: row.key("id") ?? Values.Key()))
    if row.text("meal_plan_hash") != nil || row.instant("generated_at") != nil {
      try note(row, of: list, &write)
    }
    if row.flag("is_current") == false {
      try write.record(ChooseGroceryList(list, isCurrent: false))
    }
    return [(write.batch.state.lists[list]?.key).columnValue]
  }

  /// A list is what its lines say. A digest that is there stays where it is not said, and so does the time.
  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let changes = changes.differing(from: row)
    let noted = ["meal_plan_hash", "generated_at"]
    if let column = changes.keys.filter({ $0 != "is_current" && !noted.contains($0) }).min() {
      throw TableError.checkFailed(column, of: "grocery_lists")
    }
    if noted.contains(where: changes.says) {
      try note(row.merging(changes) { $1 }, of: list(row, write), &write)
    }
    if let isCurrent = changes.flag("is_current") {
      try write.record(ChooseGroceryList(list(row, write), isCurrent: isCurrent))
    }
  }

  /// Notes from which plan an app made a list.
  private func note(
    _ row: RowColumns, of list: GroceryList.ID, _ write: inout TableWrite
  ) throws {
    let digest = row.text("meal_plan_hash")
    // A digest is no text that tells of people: that would outlast them.
    if let digest, digest.isEmpty || !digest.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
      throw TableError.checkFailed("meal_plan_hash", of: "grocery_lists")
    }
    try write.record(NoteMealPlan(list, digest: digest, generated: row.instant("generated_at")))
  }

  private func list(_ row: RowColumns, _ write: TableWrite) throws(Rejection) -> GroceryList.ID {
    guard let number = row.key("id").flatMap({ write.batch.state.lists.number(of: $0) }) else {
      throw .groceryListNotFound
    }
    return number
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(DeleteGroceryList(list(row, write)))
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
