import Avro
import Calendar
import Daybook
import Kitchen
import Values

extension AppTable {
  /// Planned meals (MC-6). Apps have different names for the table and for the day.
  static func meals(_ name: String) -> AppTable {
    let fields: [Field<NumberedEntity<Meal>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field(
        "recipe_id",
        seen: { meal, view in meal.content.recipe.flatMap { view.state.recipes[$0]?.key } }),
      Field("title") { $0.content.title },
      Field("scheduled_date", isNullable: true) { $0.content.date },
      Field("date", isNullable: true) { $0.content.date },
      Field("meal_type") { $0.content.mealType },
      Field("servings") { Decimal($0.content.servings) },
      Field("servings_override") { Decimal($0.content.servings) },
      .account("created_by", .caller, .once) { $0.creator },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      name, fields, of: .meal, in: \.meals,
      foreignKeys: [ForeignKey("recipe_id", of: name, to: "recipes")],
      writer: EntityWriter(
        name, "meal", PlanMeal.self, UpdateMeal.self, RemoveMeal.self, in: \.meals,
        fields: mealFields))
  }

  private static func mealFields(_ row: RowWrite) throws -> [JSON.Member] {
    let columns = row.columns
    var fields = columns.fields(["title", "meal_type"])
    for name in ["date", "scheduled_date"] {
      guard let day = columns[name] else { continue }
      guard !day.isNull else { throw TableError.isNull(name, of: "meal_plan") }
      fields.removeAll { $0.name == "date" }
      fields.append(JSON.Member("date", day.field))
    }
    if let recipe = columns["recipe_id"] { fields.append(JSON.Member("recipe", recipe.field)) }
    if let servings = columns["servings_override"] ?? columns["servings"] {
      fields.append(JSON.Member("servings", servings.field))
    }
    return fields
  }
}
