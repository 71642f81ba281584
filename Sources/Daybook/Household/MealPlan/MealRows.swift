package import Avro

/// A meal's row of `meal_plan`: the `recipe` of a command is `recipe_id` in it.
struct MealRow: RowForm {
  let members: [JSON.Member]

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == MealRow {
    visitor.columns(of: Meal.self, renaming: ["recipe": "recipe_id"]) { $0.members }
  }
}

extension MealContent: RowContent {
  package static func row(of item: Meal, in state: BookState) -> JSON {
    MealRow(members: item.members(in: state)).json
  }
}
