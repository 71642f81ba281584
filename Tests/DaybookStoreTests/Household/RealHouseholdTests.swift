import Avro
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

/// A real household's groceries as commands, week by week (../shared/fixtures).
@Suite(.tags(.law), .enabled(if: Fixtures.exist, "../shared/fixtures is not here"))
struct RealHouseholdTests {
  private static let ada = Key(high: 1, low: 1).description

  @Test func `apply makes the weekly lists of a real household (MC-4, MC-6, MC-7)`() throws {
    let household = try JSON(parsing: Self.text("household/household_A.json"))
    let totals = try JSON(parsing: Self.text("household/household_A.weekly_totals.json"))
    let book = try Book(at: "book", storage: MemoryStorage())
    let names = try Names(household)
    for line in try Self.commands(of: household, names) {
      let outcome = try book.record(line: line.encoded)
      try #require(outcome.isAccepted, "\(line.encoded): \(outcome.json.encoded)")
    }
    let weeks = try #require(totals.members)
    var lists: [JSON?] = []
    for week in weeks {
      let monday = try #require(Self.mondays[week.name])
      let command: JSON = [
        "do": "generate_grocery_list", "as": .string(Self.ada), "week_start": .string(monday),
      ]
      let outcome = try book.record(line: command.encoded)
      try #require(outcome.isAccepted, "\(week.name): \(outcome.json.encoded)")
      lists.append(outcome.json["ok"]?["id"])
    }
    let items = book.read { $0.dump["grocery_items"]?.elements ?? [] }
    for (week, list) in zip(weeks, lists) {
      let rows = items.filter { $0["list_id"] == list }
      let foods = rows.filter { names.foods.values.contains($0["name"]?.text ?? "") }
      let expected = try #require(week.value["lines"]?.elements).map { line in
        Line(
          food: line["food_id"]?.text.flatMap { names.foods[$0] },
          unit: line["unit_id"]?.text.flatMap { names.units[$0] },
          quantity: line["quantity"].flatMap { Rational(json: $0) })
      }
      #expect(Set(foods.flatMap(Line.lines)) == Set(expected), "\(week.name)")
      let texts = rows.filter { !names.foods.values.contains($0["name"]?.text ?? "") }
      let times = texts.reduce(Rational.zero) { sum, row in
        sum.adding(row["quantity"].flatMap { Rational(json: $0) } ?? .one) ?? sum
      }
      #expect(
        times == week.value["free_text_ingredient_lines"].flatMap { Rational(json: $0) },
        "\(week.name)")
    }
  }

  private struct Line: Hashable {
    var food: String?
    var unit: String?
    var quantity: Rational?

    init(food: String?, unit: String?, quantity: Rational?) {
      (self.food, self.unit, self.quantity) = (food, unit, quantity)
    }

    static func lines(of row: JSON) -> [Line] {
      ([row] + (row["others"]?.elements ?? [])).map { amount in
        Line(
          food: row["name"]?.text, unit: amount["unit"]?.text,
          quantity: amount["quantity"].flatMap { Rational(json: $0) })
      }
    }
  }

  private struct Names {
    var foods: [String: String] = [:]
    var units: [String: String] = [:]

    init(_ household: JSON) throws {
      for row in try #require(household["foods"]?.elements) {
        foods[try #require(row["id"]?.text)] = row["name"]?.text
      }
      for row in try #require(household["units"]?.elements) {
        units[try #require(row["id"]?.text)] = row["name"]?.text
      }
    }
  }

  private static let mondays = [
    "2022-W44": "2022-10-31", "2022-W45": "2022-11-07", "2022-W50": "2022-12-12",
    "2022-W51": "2022-12-19", "2023-W01": "2023-01-02",
  ]

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Fixtures.directory.appending(path: name), encoding: .utf8)
  }

  private static func commands(of household: JSON, _ names: Names) throws -> [JSON] {
    var ingredients: [String: [JSON]] = [:]
    for row in try #require(household["ingredients"]?.elements) {
      let recipe = try #require(row["recipe_id"]?.text)
      let text = row["note"]?.text.flatMap { $0.isEmpty ? nil : $0 }
      let food = row["food_id"]?.text.flatMap { names.foods[$0] }
      ingredients[recipe, default: []].append([
        "text": .string(text ?? food ?? "-"), "quantity": row["quantity"] ?? .null,
        "unit": row["unit_id"]?.text.flatMap { names.units[$0] }.map { .string($0) } ?? .null,
        "name": food.map { .string($0) } ?? .null,
      ])
    }
    var commands: [JSON] = [
      ["do": "create_account", "key": .string(ada), "timezone": "Europe/Paris"],
      ["do": "create_household", "as": .string(ada), "name": "A"],
    ]
    for row in try #require(household["recipes"]?.elements) {
      let key = try #require(row["id"]?.text)
      commands.append([
        "do": "create_recipe", "as": .string(ada), "key": .string(key),
        "title": row["name"] ?? .null, "ingredients": .array(ingredients[key] ?? []),
      ])
    }
    for row in try #require(household["meal_plan"]?.elements) where row["recipe_id"] != .null {
      commands.append([
        "do": "plan_meal", "as": .string(ada), "recipe": row["recipe_id"] ?? .null,
        "date": row["date"] ?? .null,
      ])
    }
    return commands
  }
}
