import Daybook
import Kitchen
import Values

extension AppTable {
  /// The staples that households keep at home (MC-9).
  static var pantryStaples: AppTable {
    let fields: [Field<NumberedEntity<PantryStaple>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("name") { $0.content.name },
      Field("quantity") { Decimal($0.content.amount) }, Field("unit") { $0.content.unit },
      .category(.pantry, \.content.category), .account("created_by", .caller, .once) { $0.creator },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      "pantry_staples", fields, of: .pantryStaple, in: \.pantryStaples,
      writer: EntityWriter(
        "pantry_staples", "staple", AddPantryStaple.self, UpdatePantryStaple.self,
        RemovePantryStaple.self, in: \.pantryStaples,
        fields: { $0.columns.fields(["name", "quantity", "unit", "category"]) }))
  }
}

extension Field {
  /// The column of the grocery category, which tells where in a shop something is found.
  static func category(
    _ defaultValue: GroceryCategory, _ value: @escaping @Sendable (Thing) -> GroceryCategory
  ) -> Field {
    Field(
      "category", .always(.text(defaultValue.rawValue)),
      allowed: GroceryCategory.allCases.map(\.rawValue)
    ) { value($0).rawValue }
  }
}
