import Avro
import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct IngredientLineTests {
  @Test(.enabled(if: Food.has("ingredient_lines.json"), "../shared/fixtures is not here"))
  func `lines of others are understood as others do (MC-4)`() throws {
    let lines = try #require(try JSON(parsing: Food.text("ingredient_lines.json")).elements)
    #expect(lines.count == 33)
    for line in lines {
      let text = try #require(line["text"]?.text)
      let amount = try #require(line["amount"].flatMap { Rational(json: $0) })
      let found = Ingredient(parsing: text)
      #expect(found.text == text)
      #expect((found.amount ?? .zero) == amount, "\(text)")
      #expect(found.unit == line["unit"]?.text, "\(text)")
      #expect(found.food == line["food"]?.text, "\(text)")
      #expect((found.note ?? "") == line["note"]?.text, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("1/2 cup sugar, sifted", "1/2", "cup", "sugar", "sifted"),
      ("2¼ l Wasser", "9/4", "l", "Wasser", nil),
      ("1 1/2 Tbsp. olive oil", "3/2", "Tbsp.", "olive oil", nil),
      ("1,5 kg Kartoffeln, festkochend", "3/2", "kg", "Kartoffeln", "festkochend"),
      ("2 fl oz lime juice", "2", "fl oz", "lime juice", nil),
      ("2 cups of water", "2", "cups", "water", nil),
      ("a pinch of salt", "1", "pinch", "salt", nil),
      ("eine Prise Salz", "1", "Prise", "Salz", nil),
      ("an apple", nil, nil, "an apple", nil),
      ("ca. 200 g Mehl", "200", "g", "Mehl", "ca."),
      ("2 bis 3 EL Öl", "2", "EL", "Öl", "2 bis 3"),
      ("2 – 3 EL Öl, kalt", "2", "EL", "Öl", "2 – 3, kalt"),
      ("600-800g Kürbis", "600", "g", "Kürbis", "600-800"),
      ("400 g (1 can) tomatoes, chopped", "400", "g", "tomatoes", "1 can, chopped"),
      ("1 loaf of bread", "1", "loaf", "bread", nil),
      ("• 3 eggs", "3", nil, "eggs", nil),
      ("- 2 tsp vanilla", "2", "tsp", "vanilla", nil),
      ("500 g", "500", "g", nil, nil),
      ("1 1/0 cup x", "1", nil, "1/0 cup x", nil),
      ("3 cloves", "3", nil, "cloves", nil),
      ("3", "3", nil, nil, nil),
      ("1-inch piece ginger", nil, nil, "1-inch piece ginger", nil),
      ("3% milk", nil, nil, "3% milk", nil),
      ("7up", nil, nil, "7up", nil),
      ("Salt", nil, nil, "Salt", nil),
      ("2 tomatoes (large, ripe), peeled", "2", nil, "tomatoes (large, ripe)", "peeled"),
      ("1 (open bracket", "1", nil, "(open bracket", nil),
      ("(nothing else)", nil, nil, "(nothing else)", nil),
      ("1,500 g flour", nil, nil, "1,500 g flour", nil),
      ("", nil, nil, nil, nil),
      (" , ", nil, nil, nil, nil),
    ] as [(String, String?, String?, String?, String?)])
  func `amount, unit, food and note are told apart (MC-4)`(
    text: String, amount: String?, unit: String?, food: String?, note: String?
  ) {
    let expected = Ingredient(
      text: text, amount: amount.flatMap { Rational($0) }, unit: unit, food: food, note: note)
    #expect(Ingredient(parsing: text) == expected)
  }

  @Test func `no line is refused, and its text stays (MC-4)`() {
    let report = check("no line is refused", Food.lines, cases: 5_000) { line in
      try expectEqual(Ingredient(parsing: line).text, line)
    }
    #expect(report.passed, "\(report)")
  }
}
