import Calendar
import Daybook
import DaybookStore
import Values

extension AppTable {
  /// Grocery lists (MC-7). The current list is the newest that nobody set aside.
  static var groceryLists: AppTable {
    let fields: [Field<NumberedEntity<GroceryList>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("week_start", isNullable: true) { $0.begins },
      Field(
        "is_current", isNullable: true,
        seen: { list, view in
          view.state.currentList(of: list.household)?.number == list.number
        }),
      Field("meal_plan_hash") { $0.mealPlanHash }, Field("generated_at") { $0.generated },
      .account("created_by", .caller, .once) { $0.creator },
      Field("created_at", .null, .server) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      "grocery_lists", fields, of: .list, in: \.lists, writer: GroceryListWriter(),
      more: { change in
        // A new list makes the former current list an old one.
        guard let number = change.subject(.list, as: GroceryList.self),
          let household = change.after.lists[number]?.household
        else { return [] }
        return change.states.compactMap { $0.currentList(of: household)?.number }
      })
  }
}

/// Carries out members' writes to their grocery lists.
struct GroceryListWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
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

  /// Updates a list, whose content is in its lines. A digest and a time that are not set keep their values.
  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let noted = ["meal_plan_hash", "generated_at"]
    if let column = changes.keys.filter({ $0 != "is_current" && !noted.contains($0) }).min() {
      throw TableError.checkFailed(column, of: "grocery_lists")
    }
    if noted.contains(where: changes.sets) {
      try note(row.merging(changes) { $1 }, of: list(row, write), &write)
    }
    if let isCurrent = changes.flag("is_current") {
      try write.record(ChooseGroceryList(list(row, write), isCurrent: isCurrent))
    }
  }

  /// Records the meal plan from which an app made a list.
  private func note(
    _ row: RowColumns, of list: GroceryList.ID, _ write: inout TableWrite
  ) throws {
    let digest = row.text("meal_plan_hash")
    // A digest may not be free text, which could contain personal data and would outlast an
    // erasure.
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
  /// The household with a key, if the caller is a member; without a key, the caller's only household.
  func soleHousehold(_ key: Values.Key?) throws(Rejection) -> Household.ID {
    if key != nil { return try household(key) }
    let own = batch.state.households(of: viewer)
    guard let only = own.first else { throw .noHousehold }
    guard own.count == 1 else { throw .severalHouseholds }
    return only
  }
}
